//! How long ago, for people (A4, last line).

use jiff::Timestamp;

/// `3 days`, `5 hours`, `12 minutes`, `less than a minute`: a unit from twice its length on. A time
/// that is still to come is `less than a minute` ago.
pub fn human_age(since: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second().saturating_sub(since.as_second());
    for (unit, length) in [("days", 86_400), ("hours", 3_600), ("minutes", 60)] {
        if seconds >= 2 * length {
            return format!("{} {unit}", seconds / length);
        }
    }
    "less than a minute".to_owned()
}

#[cfg(test)]
mod tests {
    use super::human_age;
    use jiff::Timestamp;

    #[test]
    fn a4_durations_as_people_say_them() {
        let at = |second| Timestamp::from_second(second).expect("it is in range");
        for (seconds, text) in [
            (-5, "less than a minute"),
            (0, "less than a minute"),
            (119, "less than a minute"),
            (120, "2 minutes"),
            (7_199, "119 minutes"),
            (7_200, "2 hours"),
            (172_799, "47 hours"),
            (172_800, "2 days"),
            (30 * 86_400, "30 days"),
        ] {
            assert_eq!(human_age(at(0), at(seconds)), text, "{seconds}");
        }
    }
}
