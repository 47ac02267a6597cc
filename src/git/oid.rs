//! An object id in hexadecimal, whole.

use std::fmt;

/// A whole SHA-1 or SHA-256 object id, as git prints it; never abbreviated, never all zeros.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid(String);

impl Oid {
    /// Reads 40 or 64 lower-case hexadecimal digits; git's null id is none.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let whole = matches!(text.len(), 40 | 64) && text.iter().all(is_digit);
        if !whole || is_null(text) {
            return None;
        }
        Some(Self(text.iter().map(|byte| char::from(*byte)).collect()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether it is the id that git prints for "none".
pub(super) fn is_null(text: &[u8]) -> bool {
    matches!(text.len(), 40 | 64) && text.iter().all(|byte| *byte == b'0')
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Oid;

    #[test]
    fn only_whole_ids_are_ids() {
        let whole = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(Oid::parse(whole.as_bytes()).expect("whole").as_str(), whole);
        assert!(Oid::parse(&[b'a'; 64]).is_some());
        for bad in [
            b"".as_slice(),
            b"0123456",
            b"main",
            &[b'0'; 40],
            &[b'A'; 40],
            &[b'a'; 41],
            b"--all",
        ] {
            assert_eq!(Oid::parse(bad), None);
        }
    }
}
