//! Sizes as people write them: `512B`, `10KiB`, `50MiB`, `2GiB`, `1TiB`.

use super::node::Node;
use crate::diag::{Code, Sink};

/// The units, with their bytes, from the largest.
const UNITS: [(&str, u64); 5] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];

/// Reads a size in bytes.
pub(super) fn read(node: &Node, key: &str, sink: &mut Sink<'_>) -> Option<u64> {
    let Some(text) = node.spelling().filter(|_| !node.is_nothing()) else {
        let hint = Some("write a size such as 500MiB or 5GiB".to_owned());
        node.refuse(&format!("`{key}` must be a size"), hint, sink);
        return None;
    };
    let size = parse_size(text);
    if size.is_none() {
        let message = format!("`{text}` is not a size");
        let hint = "write one whole number and one of B, KiB, MiB, GiB, TiB, such as 500MiB";
        sink.error_with_hint(Code::BadValue, node.at, message, hint);
    }
    size
}

/// The bytes of a size.
pub(super) fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text.strip_prefix(digits)?;
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count: u64 = digits.parse().ok().filter(|_| is_number)?;
    count.checked_mul(*bytes)
}

/// A size in the largest unit that leaves no rest, as a policy would spell it.
pub(super) fn show_size(bytes: u64) -> String {
    let whole = |(_, size): &&(&str, u64)| bytes != 0 && bytes.is_multiple_of(*size);
    match UNITS.iter().find(whole) {
        Some((name, size)) => format!("{}{name}", bytes / size),
        None => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_size, show_size};

    #[test]
    fn sizes_in_their_spelling_and_back() {
        for (text, bytes) in [
            ("0B", 0),
            ("512B", 512),
            ("10KiB", 10_240),
            ("50GiB", 50 << 30),
            ("1TiB", 1 << 40),
        ] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
            assert_eq!(show_size(bytes), text);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "5",
            "B",
            "5GB",
            "5G",
            "5gib",
            "1.5GiB",
            "-1B",
            "+1B",
            "1 GiB",
            "1GiB ",
            "99999999999TiB",
            "5kB",
            "0x5B",
        ] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }
}
