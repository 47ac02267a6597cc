//! The stash of a repository; all its worktrees share it.

use super::{GitError, Oid, Repository};

const WHAT: &str = "the stash";
const STASH: &[u8] = b"refs/stash";

/// One entry of the stash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stashed {
    /// Its commit.
    pub oid: Oid,
    /// What the reflog says of it, such as `WIP on branch: ...`.
    pub message: Vec<u8>,
}

impl Repository {
    /// Every entry, the newest first. A stash ref without a reflog counts as one.
    pub fn stash(&self) -> Result<Vec<Stashed>, GitError> {
        let Some(oid) = self.resolve(STASH)? else {
            return Ok(Vec::new());
        };
        let out = self
            .call()
            .args(["log", "-g", "-z", "--format=%H%n%gs"])
            .args(["--no-patch", "--no-decorate", "--no-notes", "--no-mailmap"])
            .args(["refs/stash", "--"])
            .answer()?;
        let mut entries = parse(&out)?;
        if entries.is_empty() {
            entries.push(Stashed {
                oid,
                message: Vec::new(),
            });
        }
        Ok(entries)
    }
}

/// Reads `id LF message` between NULs; git may end the last with one too.
fn parse(out: &[u8]) -> Result<Vec<Stashed>, GitError> {
    let body = out.strip_suffix(b"\0").map_or(out, |body| body);
    if body.is_empty() {
        return Ok(Vec::new());
    }
    body.split(|byte| *byte == 0).map(parse_entry).collect()
}

fn parse_entry(entry: &[u8]) -> Result<Stashed, GitError> {
    let bad = || GitError::unparsable(WHAT, "no object id and message", entry);
    let cut = entry
        .iter()
        .position(|byte| *byte == b'\n')
        .ok_or_else(bad)?;
    Ok(Stashed {
        oid: Oid::parse(&entry[..cut]).ok_or_else(bad)?,
        message: entry[cut + 1..].to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn entries_are_read_whole() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let out = format!("{a}\nWIP on x: y\0{b}\n");
        let entries = parse(out.as_bytes()).expect("it is well-formed");
        assert_eq!(entries[0].message, b"WIP on x: y");
        assert_eq!(
            (entries[1].oid.as_str(), entries[1].message.len()),
            (&*b, 0)
        );
        assert!(parse(b"").expect("no entry").is_empty());
        for bad in ["x", "abc\nmessage\0", "\0\0"] {
            parse(bad.as_bytes()).expect_err(bad);
        }
    }
}
