//! The patterns of one ignore file, as long as git and gix read them alike.
//!
//! Input: the bytes of the file. Output: its patterns, or a reason to look closer. Invariant: the
//! danger is to call ignored what git calls untracked. So only plain syntax is accepted, of which
//! the differential test shows that both agree; what git and gix are known to read differently (a
//! NUL, byte order marks but UTF-8's, a line end of CR alone, white space as a name, the depth of
//! recursion) and what is rare (odd brackets, odd stars) is not.

use super::Closer;
use gix::bstr::{BStr, ByteSlice};
use gix::glob::Pattern;
use gix::glob::pattern::{Case, Mode};
use gix::glob::wildmatch;

/// No ignore file that a person writes is larger.
pub(super) const MOST: usize = 1 << 20;

/// Stars in one pattern: gix gives up at a depth of 64, git does not.
const STARS: usize = 8;

/// The patterns of one file, the last one first.
#[derive(Debug, Default)]
pub(crate) struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Reads the bytes of an ignore file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Closer> {
        if bytes.len() > MOST || bytes.contains(&0) {
            return Err(Closer("an ignore file of an unusual kind"));
        }
        let text = bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .map_or(bytes, |text| text);
        // Behind a line break gix sees no other byte order mark; and like git it takes the last
        // line for a whole one.
        let text = [b"\n", text, b"\n"].concat();
        let mut patterns = Vec::new();
        for (pattern, ..) in gix::ignore::parse(&text, false) {
            if !is_plain(&pattern) {
                return Err(Closer("an ignore pattern of an unusual kind"));
            }
            patterns.push(pattern);
        }
        // Lines of white space alone are patterns to git, and nothing to gix.
        if text.lines().any(is_blank) {
            return Err(Closer("an ignore pattern of an unusual kind"));
        }
        patterns.reverse();
        Ok(Self(patterns))
    }

    /// Whether the last pattern that matches a path, relative to the file's directory, ignores it;
    /// none if no pattern does.
    pub(super) fn ignores(&self, path: &BStr, is_directory: bool) -> Option<bool> {
        let basename = path.rfind_byte(b'/').map(|slash| slash + 1);
        let matches = |pattern: &&Pattern| {
            pattern.matches_repo_relative_path(
                path,
                basename,
                Some(is_directory),
                Case::Sensitive,
                wildmatch::Mode::NO_MATCH_SLASH_LITERAL,
            )
        };
        let found = self.0.iter().find(matches)?;
        Some(!found.is_negative())
    }
}

/// A line of white space that is not only spaces, maybe negated or anchored.
fn is_blank(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"!").map_or(line, |rest| rest);
    let rest = rest.strip_prefix(b"/").map_or(rest, |rest| rest);
    rest.iter().all(u8::is_ascii_whitespace) && rest.iter().any(|byte| *byte != b' ')
}

/// Whether the text uses nothing but what is common: names, `*`, `?`, `**` as a whole component,
/// simple brackets, and a backslash before something that can be printed.
fn is_plain(pattern: &Pattern) -> bool {
    let text = pattern.text.as_bytes();
    if text.is_empty() && pattern.mode.contains(Mode::MUST_BE_DIR) || text.len() > 1024 {
        return false;
    }
    if text.find(b"//").is_some() || text.first() == Some(&b'/') || text.last() == Some(&b'/') {
        return false;
    }
    if text.split(|byte| *byte == b'*').count() > STARS + 1 {
        return false;
    }
    let has_double = |component: &[u8]| component.find(b"**").is_some() && component != b"**";
    if text.split(|byte| *byte == b'/').any(has_double) {
        return false;
    }
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'\\' => match after.split_first() {
                Some((escaped, after)) if is_printed(*escaped) && *escaped != b'/' => after,
                Some(_) | None => return false,
            },
            b'[' => match bracket(after) {
                Some(after) => after,
                None => return false,
            },
            b'\r' | b' '..=b'~' | 0x80.. => after,
            _ => return false,
        };
    }
    true
}

fn is_printed(byte: u8) -> bool {
    byte == b' ' || byte.is_ascii_graphic()
}

/// What follows a simple bracket, which has only letters, digits, and a few more.
fn bracket(after: &[u8]) -> Option<&[u8]> {
    let inner = match after.split_first() {
        Some((b'!' | b'^', inner)) => inner,
        Some(_) | None => after,
    };
    let end = inner.find_byte(b']')?;
    let is_simple = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-~@+".contains(byte);
    (end > 0 && inner[..end].iter().all(is_simple)).then(|| &inner[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    #[test]
    fn what_is_common_is_read() {
        for text in [
            "target/\nnode_modules/\n*.o\n",
            "[Bb]in/\n*.py[cod]\n**/logs\nlogs/**\na/**/b\n",
            "\\#x\n\\!y\nz\\ \nIcon\r\r\n\u{feff}x\n!keep\n/a b\n$x\n",
            "",
            "\n\n# comment\n   \n",
        ] {
            Patterns::parse(text.as_bytes()).expect(text);
        }
    }

    #[test]
    fn what_is_odd_is_for_git() {
        for text in [
            "a\0b",
            "[[:alpha:]]",
            "[]x]",
            "a[",
            "a**b",
            "***",
            "a//b",
            "//",
            "x\\",
            "\t",
            "!\t",
            "/\t",
            "a\\\t",
            "a\tb",
            "********* ",
        ] {
            Patterns::parse(text.as_bytes()).expect_err(text);
        }
    }
}
