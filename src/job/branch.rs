//! What can be the name of a branch (`git check-ref-format --branch`), told without git.

/// Whether git would take it as the name of a branch, without `refs/heads/`.
pub fn is_branch_name(name: &[u8]) -> bool {
    let odd = |byte: &u8| *byte < b' ' || b" ~^:?*[\\\x7f".contains(byte);
    let bad_part =
        |part: &[u8]| part.is_empty() || part.starts_with(b".") || part.ends_with(b".lock");
    let has = |what: &[u8]| name.windows(what.len()).any(|part| part == what);
    !(name.starts_with(b"-")
        || name.ends_with(b".")
        || name == b"@"
        || name == b"HEAD"
        || has(b"..")
        || has(b"@{")
        || name.iter().any(odd)
        || name.split(|byte| *byte == b'/').any(bad_part))
}

#[cfg(test)]
mod tests {
    use super::is_branch_name;

    #[test]
    fn names_as_git_takes_them() {
        for good in ["main", "agent/fix-1", "ümlaut", "a.b", "x@y"] {
            assert!(is_branch_name(good.as_bytes()), "{good}");
        }
        for bad in [
            "", "-x", "a..b", "a b", "a/", "/a", "a//b", ".a", "a.lock", "a.", "@", "HEAD",
            "a@{1}", "a:b", "a\n", "a\\b",
        ] {
            assert!(!is_branch_name(bad.as_bytes()), "{bad}");
        }
    }
}
