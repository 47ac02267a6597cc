//! File names as the tables of this folder write them: with at most one `*`, or with numbers.

/// Whether `name` matches a pattern: a literal name, or one `*` for any run of bytes.
pub(super) fn matches(pattern: &str, name: &[u8]) -> bool {
    let pattern = pattern.as_bytes();
    let Some(star) = pattern.iter().position(|byte| *byte == b'*') else {
        return pattern == name;
    };
    let (start, end) = (&pattern[..star], &pattern[star + 1..]);
    name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
}

/// Whether any of the patterns matches the name in whatever case: what a person keeps may be called
/// `DATA.CSV`. The patterns are in lower case.
pub(super) fn any_case(patterns: &[&str], name: &[u8]) -> bool {
    any(patterns, &name.to_ascii_lowercase())
}

/// Whether any of the patterns matches.
pub(super) fn any(patterns: &[&str], name: &[u8]) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

/// The shortest hash that a tool calls a file by.
const HASH: usize = 16;

/// Whether `name` is spelled so: `#` stands for a number, `%` for a hash in lower-case hexadecimal
/// digits, `*` for any run of bytes.
pub(super) fn spells(pattern: &[u8], name: &[u8]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return name.is_empty();
    };
    let run = |is: fn(&u8) -> bool| name.iter().take_while(|byte| is(byte)).count();
    match first {
        b'#' => {
            let digits = run(u8::is_ascii_digit);
            digits > 0 && spells(rest, &name[digits..])
        }
        b'%' => {
            let digits = run(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            digits >= HASH && spells(rest, &name[digits..])
        }
        b'*' => (0..=name.len()).any(|at| spells(rest, &name[at..])),
        literal => {
            let tail = name.split_first();
            tail.is_some_and(|(byte, tail)| byte == literal && spells(rest, tail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{matches, spells};

    #[test]
    fn numbers_and_hashes() {
        for (pattern, name, wanted) in [
            ("cache.#.db", "cache.12.db", true),
            ("cache.#.db", "cache.db", false),
            ("cache.#.db", "cache.mine.db", false),
            ("#.#", "3.11", true),
            ("%.db", "0123456789abcdef.db", true),
            ("%.db", "0123456789abcde.db", false),
            ("%.db", "0123456789ABCDEF.db", false),
            ("*", "anything", true),
        ] {
            let found = spells(pattern.as_bytes(), name.as_bytes());
            assert_eq!(found, wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn one_star_and_no_overlap() {
        for (pattern, name, wanted) in [
            ("target", "target", true),
            ("target", "target-analysis", false),
            ("*.pem", "a.pem", true),
            ("*.pem", ".pem", true),
            ("ab*ba", "aba", false),
            ("ab*ba", "abba", true),
            ("*", "", true),
        ] {
            assert_eq!(
                matches(pattern, name.as_bytes()),
                wanted,
                "{pattern} {name}"
            );
        }
    }
}
