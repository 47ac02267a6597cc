//! Which commits contain which, by object id, from objects only (`git-facts 40`, `41`).
//!
//! In a shallow repository a "no" and a count may be wrong for want of history; the caller knows
//! whether it is one.

use super::{GitError, Oid, Repository};

impl Repository {
    /// Whether `descendant` contains `ancestor`.
    pub fn is_ancestor(&self, ancestor: &Oid, descendant: &Oid) -> Result<bool, GitError> {
        self.call()
            .args(["merge-base", "--is-ancestor", "--end-of-options"])
            .args([ancestor.as_str(), descendant.as_str()])
            .yes_or_no()
    }

    /// How many commits of `tip` none of `published` contains; all of them if that is empty.
    pub fn unpublished_count(&self, tip: &Oid, published: &[Oid]) -> Result<u64, GitError> {
        let mut lines = format!("{tip}\n");
        for oid in published {
            lines.extend(["^", oid.as_str(), "\n"]);
        }
        let out = self
            .call()
            .args(["rev-list", "--count", "--stdin"])
            .stdin(lines.into_bytes())
            .answer()?;
        parse_count(&out)
    }
}

fn parse_count(out: &[u8]) -> Result<u64, GitError> {
    let bad = || GitError::unparsable("a count of commits", "no number", out);
    let digits = out.strip_suffix(b"\n").ok_or_else(bad)?;
    let text = std::str::from_utf8(digits).map_err(|_| bad())?;
    text.parse().map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::parse_count;

    #[test]
    fn only_a_number_is_a_count() {
        assert_eq!(parse_count(b"12\n").expect("it is a number"), 12);
        for out in ["", "\n", "12", "1\t2\n", "-1\n"] {
            parse_count(out.as_bytes()).expect_err(out);
        }
    }
}
