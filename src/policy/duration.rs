//! Durations as people write them: `0s 30s 10m 1h 7d 4w`.

use super::node::Node;
use crate::diag::{Code, Sink};
use std::time::Duration;

/// The units, with their seconds, from the longest.
const UNITS: [(char, u64); 5] = [
    ('w', 604_800),
    ('d', 86_400),
    ('h', 3_600),
    ('m', 60),
    ('s', 1),
];
/// A thousand years: beyond it, subtracting from a date could leave the calendar.
const LONGEST: u64 = 1_000 * 366 * 86_400;

/// Reads a duration.
pub(super) fn read(node: &Node, key: &str, sink: &mut Sink<'_>) -> Option<Duration> {
    let Some(text) = node.spelling().filter(|_| !node.is_nothing()) else {
        let hint = Some("write a duration such as 30m, 12h or 7d".to_owned());
        node.refuse(&format!("`{key}` must be a duration"), hint, sink);
        return None;
    };
    match parse_duration(text) {
        Ok(duration) => Some(duration),
        Err((problem, hint)) => {
            let message = format!("`{text}` is not a duration: {problem}");
            sink.error_with_hint(Code::BadValue, node.at, message, hint);
            None
        }
    }
}

pub(super) fn parse_duration(text: &str) -> Result<Duration, (&'static str, String)> {
    let example = || "write one whole number and one unit, such as 30m, 12h or 7d".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(("it is not a whole number with a unit", example()));
    }
    let unit = text.get(digits.len()..).unwrap_or_default();
    if unit.is_empty() {
        let hint = format!("write {digits}s, {digits}m, {digits}h, {digits}d or {digits}w");
        return Err(("it has no unit", hint));
    }
    let known = UNITS.iter().find(|(name, _)| unit.chars().eq([*name]));
    let Some((_, seconds)) = known else {
        return Err(("the units are s, m, h, d and w", example()));
    };
    let total = digits
        .parse()
        .ok()
        .and_then(|n: u64| n.checked_mul(*seconds));
    match total.filter(|total| *total <= LONGEST) {
        Some(total) => Ok(Duration::from_secs(total)),
        None => Err(("it is longer than a thousand years", example())),
    }
}

/// A duration in the largest unit that leaves no rest, as a policy would spell it.
pub fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let whole = |(_, size): &&(char, u64)| seconds != 0 && seconds.is_multiple_of(*size);
    match UNITS.iter().find(whole) {
        Some((name, size)) => format!("{}{name}", seconds / size),
        None => format!("{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_duration, show_duration};

    #[test]
    fn durations_in_their_spelling_and_back() {
        for (text, seconds) in [
            ("0s", 0),
            ("30s", 30),
            ("10m", 600),
            ("1h", 3_600),
            ("36h", 129_600),
            ("6d", 518_400),
            ("4w", 2_419_200),
        ] {
            let duration = parse_duration(text).expect("a duration");
            assert_eq!(duration.as_secs(), seconds, "{text}");
            assert_eq!(show_duration(duration), text);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "h",
            "10",
            "-1h",
            "+1h",
            "1.5h",
            "1h30m",
            "1 h",
            "1H",
            "1hour",
            "1y",
            "١h",
            "1h ",
            "99999999999999999999s",
            "18446744073709551615w",
            "53000w",
            "0x10s",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
