//! Durations for people (A4, "Human durations").

use std::time::Duration;

/// `3 days`, `5 hours`, `12 minutes`, or `less than a minute`; whole units, rounded down.
pub fn human_age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => "less than a minute".to_owned(),
        1 => "1 minute".to_owned(),
        2..120 => format!("{minutes} minutes"),
        120..2880 => format!("{} hours", minutes / 60),
        2880.. => format!("{} days", minutes / (24 * 60)),
    }
}

#[cfg(test)]
mod tests {
    use super::human_age;
    use std::time::Duration;

    #[test]
    fn durations_as_upstream_says_them() {
        for (seconds, text) in [
            (0, "less than a minute"),
            (119, "1 minute"),
            (120, "2 minutes"),
            (7199, "119 minutes"),
            (7200, "2 hours"),
            (172_799, "47 hours"),
            (172_800, "2 days"),
        ] {
            assert_eq!(human_age(Duration::from_secs(seconds)), text);
        }
    }
}
