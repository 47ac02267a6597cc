//! What is left of a worktree whose deletion failed half way, against the commit that it held.
//!
//! Git has forgotten such a directory, or its index speaks of files that are gone. So the commit is
//! read into an index of its own, outside the directory, and git compares: through its own filters,
//! with every file's content, since nothing in a new index is trusted.

use super::{GitError, Oid, Repository};
use crate::resource::BytePath;
use std::path::Path;

const WHAT: &str = "what is left of a worktree";

/// What git knows of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Tracked paths that are there and differ from the commit.
    pub changed: Vec<BytePath>,
    /// Every path that the commit has.
    pub tracked: Vec<BytePath>,
}

impl Repository {
    /// Compares `directory` with `commit`; `index` is a file that does not exist yet, which the
    /// caller removes.
    pub fn rest(&self, directory: &Path, commit: &Oid, index: &Path) -> Result<Rest, GitError> {
        let call = || {
            self.call()
                .path_switch("--work-tree", directory)
                .index_file(index)
        };
        call().args(["read-tree", commit.as_str()]).success()?;
        let differing = call()
            .args([
                "diff",
                "--no-ext-diff",
                "--no-textconv",
                "--no-renames",
                "--ignore-submodules=none",
                "--name-status",
                "-z",
            ])
            .answer()?;
        let tracked = call().args(["ls-files", "-z", "--cached"]).answer()?;
        Ok(Rest {
            changed: changed(&differing)?,
            tracked: records(&tracked)?.into_iter().map(path).collect(),
        })
    }
}

/// Reads pairs of a letter and a path; what is merely gone is left out.
fn changed(out: &[u8]) -> Result<Vec<BytePath>, GitError> {
    let records = records(out)?;
    let mut found = Vec::new();
    for pair in records.chunks(2) {
        match pair {
            [b"D", _] => {}
            [_, name] => found.push(path(name)),
            _ => return Err(GitError::unparsable(WHAT, "a letter without a path", out)),
        }
    }
    Ok(found)
}

fn records(out: &[u8]) -> Result<Vec<&[u8]>, GitError> {
    if out.is_empty() {
        return Ok(Vec::new());
    }
    let body = out
        .strip_suffix(b"\0")
        .ok_or_else(|| GitError::unparsable(WHAT, "it is cut short", out))?;
    Ok(body.split(|byte| *byte == 0).collect())
}

fn path(bytes: &[u8]) -> BytePath {
    BytePath::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn what_is_gone_is_no_change() {
        let found = changed(b"D\0a\0M\0b c\0T\0d\0").expect("it is well-formed");
        assert_eq!(found, ["b c".into(), "d".into()]);
        assert_eq!(changed(b"").expect("nothing differs"), []);
        changed(b"D\0").expect_err("a path is missing");
        changed(b"D\0a").expect_err("it is cut short");
    }
}
