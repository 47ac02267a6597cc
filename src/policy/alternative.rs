//! What a glob says, read off its text.
//!
//! Input: the text of a glob. Output: its alternatives, each a glob without braces, and where each
//! has a name and where only wildcards. Invariant: a wildcard is never taken for a name; a class
//! such as `[a]` counts as one.

/// More alternatives than this are nobody's policy.
pub(super) const MOST: usize = 1024;

/// A glob without braces: one way in which a glob can match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    text: String,
    marks: Vec<Mark>,
}

/// One character of a glob, or what stands for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// This character alone.
    Literal(char),
    /// `*`, `?`, or a class.
    Wildcard,
}

impl Alternative {
    /// The alternatives of a glob that globset has compiled; none if there are more than [`MOST`].
    pub(super) fn all_of(glob: &str) -> Option<Vec<Self>> {
        let (mut ahead, mut found) = (vec![glob.to_owned()], Vec::new());
        while let Some(text) = ahead.pop() {
            if ahead.len() + found.len() >= MOST {
                return None;
            }
            match opened(&text) {
                Some(texts) => ahead.extend(texts.into_iter().rev()),
                None => found.push(Self {
                    marks: marks(&text),
                    text,
                }),
            }
        }
        Some(found)
    }

    /// The glob.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is about names alone, and not about paths.
    pub(super) fn is_one_part(&self) -> bool {
        !self.marks.contains(&Mark::Literal('/'))
    }

    /// Whether its last part is one name, without a wildcard.
    pub(super) fn ends_in_a_name(&self) -> bool {
        let last = self.parts().last();
        last.is_some_and(|part| !part.is_empty() && !part.contains(&Mark::Wildcard))
    }

    /// Whether it says nothing of any name: a dot stands in most of them.
    pub(super) fn names_nothing(&self) -> bool {
        let says_nothing = |mark: &Mark| matches!(mark, Mark::Wildcard | Mark::Literal('/' | '.'));
        self.marks.iter().all(says_nothing)
    }

    /// Whether a part but the first is empty, as none of a path or of a branch is.
    pub(super) fn has_empty_part(&self) -> bool {
        self.parts().skip(1).any(<[Mark]>::is_empty)
    }

    /// Whether it begins with `/`.
    pub(super) fn is_absolute(&self) -> bool {
        self.marks.first() == Some(&Mark::Literal('/'))
    }

    /// Whether a part is `.` or `..`.
    pub(super) fn has_dots(&self) -> bool {
        let is_dots = |part: &[Mark]| {
            let all = part.iter().all(|mark| *mark == Mark::Literal('.'));
            all && (1..=2).contains(&part.len())
        };
        self.parts().any(is_dots)
    }

    /// Whether a part begins with a dot.
    pub(super) fn has_hidden_part(&self) -> bool {
        let mut parts = self.parts();
        parts.any(|part| part.first() == Some(&Mark::Literal('.')))
    }

    fn parts(&self) -> impl Iterator<Item = &[Mark]> {
        self.marks.split(|mark| *mark == Mark::Literal('/'))
    }
}

/// The texts that the first braces of a glob stand for; none without braces.
fn opened(text: &str) -> Option<Vec<String>> {
    let (mut depth, mut begin, mut cuts) = (0_usize, 0, Vec::new());
    let mut at = 0;
    while let Some((end, token)) = token(text, at) {
        match token {
            "{" => {
                if depth == 0 {
                    begin = at;
                    cuts.push(end);
                }
                depth += 1;
            }
            "," if depth == 1 => cuts.push(end),
            "}" if depth == 1 => {
                let (before, after) = (&text[..begin], &text[end..]);
                cuts.push(end);
                let inner = cuts.windows(2).map(|cut| &text[cut[0]..cut[1] - 1]);
                return Some(inner.map(|one| format!("{before}{one}{after}")).collect());
            }
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = end;
    }
    None
}

/// The marks of a glob without braces.
fn marks(text: &str) -> Vec<Mark> {
    let (mut marks, mut at) = (Vec::new(), 0);
    while let Some((end, token)) = token(text, at) {
        let mut chars = token.chars();
        marks.push(match (chars.next(), chars.next()) {
            (Some('*' | '?'), None) | (Some('['), Some(_)) => Mark::Wildcard,
            (Some('\\'), Some(escaped)) => Mark::Literal(escaped),
            (Some(one), _) => Mark::Literal(one),
            (None, _) => break,
        });
        at = end;
    }
    marks
}

/// The character, escaped character or class that begins at a byte of a glob, and where it ends.
fn token(text: &str, at: usize) -> Option<(usize, &str)> {
    let mut chars = text[at..].char_indices();
    let (_, first) = chars.next()?;
    let mut end = at + first.len_utf8();
    match first {
        '\\' => end += chars.next().map_or(0, |(_, escaped)| escaped.len_utf8()),
        '[' => {
            // `]` right after the beginning is part of the class, as in globset.
            let body = &text[end..];
            let negation = usize::from(body.starts_with(['!', '^']));
            let shortest = negation + usize::from(body[negation..].starts_with(']'));
            let mut from = end + shortest;
            // `[:alpha:]` inside does not end it.
            while let Some(found) = text[from..].find([']', '[']) {
                from += found;
                let named = text[from..].strip_prefix("[:").and_then(|it| it.find(":]"));
                match named {
                    Some(length) => from += length + 4,
                    None if text[from..].starts_with('[') => from += 1,
                    None => {
                        end = from + 1;
                        break;
                    }
                }
            }
        }
        _ => {}
    }
    Some((end, &text[at..end]))
}

#[cfg(test)]
mod tests {
    use super::{Alternative, MOST};

    fn texts(glob: &str) -> Vec<String> {
        let all = Alternative::all_of(glob).expect(glob);
        all.into_iter().map(|one| one.text).collect()
    }

    fn one(glob: &str) -> Alternative {
        let all = Alternative::all_of(glob).expect(glob);
        let [one] = &all[..] else {
            panic!("{glob} is {all:?}");
        };
        one.clone()
    }

    #[test]
    fn braces_are_opened_and_what_is_escaped_or_in_a_class_is_none() {
        assert_eq!(texts("a/b"), ["a/b"]);
        assert_eq!(
            texts("{a,b{c,d}}/{,x}"),
            ["a/", "a/x", "bc/", "bc/x", "bd/", "bd/x"]
        );
        assert_eq!(texts("\\{a,b\\}"), ["\\{a,b\\}"]);
        assert_eq!(texts("[{,}]x"), ["[{,}]x"]);
        assert_eq!(texts("{[],}],b}"), ["[],}]", "b"]);
        assert_eq!(texts("{[[:alpha:],]x,b}"), ["[[:alpha:],]x", "b"]);
        assert_eq!(texts("é{ü,ö}"), ["éü", "éö"]);
        let many = "{a,b}".repeat(11);
        assert!(1 << 11 > MOST && Alternative::all_of(&many).is_none());
    }

    #[test]
    fn a_wildcard_is_no_name() {
        for glob in [
            "*",
            "**",
            "**/*",
            "?*",
            "**/?*",
            "[!q]*",
            "**/[!q]*",
            "*.*",
            "[a-z]*",
            "[]]*",
            "[[:alpha:]]*",
            ".*",
            "",
        ] {
            assert!(one(glob).names_nothing(), "{glob}");
            assert!(!one(glob).ends_in_a_name(), "{glob}");
        }
        for glob in ["dist", "*.log", "**/x/*", "\\*", "[a]b", "é*"] {
            assert!(!one(glob).names_nothing(), "{glob}");
        }
        for glob in [".env", "**/.env", "a/id_\\*"] {
            assert!(one(glob).ends_in_a_name(), "{glob}");
        }
        for glob in ["a/*.pem", "a/.env*", "a/[.]env", "a/.en?", "a/"] {
            assert!(!one(glob).ends_in_a_name(), "{glob}");
        }
    }

    #[test]
    fn the_parts_are_told_apart() {
        for glob in ["a/", "a//b", "/", "//", "a/**/"] {
            assert!(one(glob).has_empty_part(), "{glob}");
        }
        for glob in ["/a", "a/b", "**/a", ""] {
            assert!(!one(glob).has_empty_part(), "{glob}");
        }
        for glob in ["./a", "../a", "a/./b", "a/..", "."] {
            assert!(one(glob).has_dots(), "{glob}");
        }
        for glob in [".a", "a/...", "*.", ".*", "..a"] {
            assert!(!one(glob).has_dots(), "{glob}");
        }
        assert!(one("a/.b").has_hidden_part() && !one("a/b.c").has_hidden_part());
        assert!(one("*.a").is_one_part() && !one("a/b").is_one_part());
        assert!(one("/a").is_absolute() && !one("a/b").is_absolute());
    }
}
