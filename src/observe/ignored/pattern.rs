//! File names with at most one `*`, as the tables of this folder write them.

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

#[cfg(test)]
mod tests {
    use super::matches;

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
