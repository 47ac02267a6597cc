//! What every file of a worktree was when it was looked at last, each in eight bytes.
//!
//! Input: marks, which `apply` makes of path, inode, length and times. Output: whether a mark is
//! among them; one text of hexadecimal digits in the record. Invariant: a file without its mark
//! here is not the one that was looked at.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Digits of one mark.
const DIGITS: usize = 16;

/// A set of marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// Whether a mark is among them.
    pub fn has(&self, mark: u64) -> bool {
        self.0.binary_search(&mark).is_ok()
    }
}

impl FromIterator<u64> for Marks {
    fn from_iter<I: IntoIterator<Item = u64>>(marks: I) -> Self {
        let mut marks: Vec<u64> = marks.into_iter().collect();
        marks.sort_unstable();
        marks.dedup();
        Self(marks)
    }
}

impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|mark| mark.to_be_bytes()).collect();
        serializer.serialize_str(&crate::resource::hex(&bytes))
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let marks = text.as_bytes().chunks(DIGITS).map(|digits| {
            let digits = std::str::from_utf8(digits).map_err(de::Error::custom)?;
            if digits.len() < DIGITS {
                return Err(de::Error::custom("a mark is cut short"));
            }
            u64::from_str_radix(digits, 16).map_err(de::Error::custom)
        });
        marks.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_survive_their_text() {
        let marks: Marks = [7, u64::MAX, 0, 7].into_iter().collect();
        let text = serde_json::to_string(&marks).expect("it can be written");
        let read: Marks = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(read, marks);
        assert!(marks.has(7) && marks.has(u64::MAX) && !marks.has(1));
        serde_json::from_str::<Marks>("\"00\"").expect_err("it is cut short");
        serde_json::from_str::<Marks>("\"000000000000000g\"").expect_err("it is no number");
    }
}
