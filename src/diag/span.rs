//! A place in a text.

/// A place in a text; `line` and `column` count from 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The offset in bytes from the start of the text.
    pub offset: usize,
    /// The length in bytes; zero for a place between two characters.
    pub len: usize,
}

impl Span {
    /// The first character of a text.
    pub const START: Self = Self {
        line: 1,
        column: 1,
        offset: 0,
        len: 0,
    };

    /// The place of one byte in a text that need not be UTF-8.
    pub fn of_byte(text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or_default();
        let mut lines = before.rsplit(|byte| *byte == b'\n');
        let last = String::from_utf8_lossy(lines.next().unwrap_or_default());
        Self {
            line: lines.count() + 1,
            column: last.chars().count() + 1,
            offset,
            len: 1,
        }
    }
}
