//! The worktrees that git lists.
//!
//! A listing proves little: it looks healthy for broken worktrees, and an entry that is not listed
//! may be there (`git-facts 30`, `31`).

use super::oid::is_null;
use super::{GitError, Oid, Repository};
use crate::resource::BytePath;

const WHAT: &str = "the list of worktrees";

/// One record of `git worktree list --porcelain -z`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where git says it is.
    pub path: BytePath,
    /// The commit at HEAD; none if unborn or unreadable.
    pub head: Option<Oid>,
    /// The full name of the branch.
    pub branch: Option<Vec<u8>>,
    /// Whether git says that it has no branch.
    pub detached: bool,
    /// Whether it stands for a bare repository.
    pub bare: bool,
    /// The reason of its lock, maybe empty; none if it is not locked.
    pub locked: Option<Vec<u8>>,
    /// Why git would prune it.
    pub prunable: Option<Vec<u8>>,
    /// Attributes that this version of owl does not know.
    pub other: Vec<Vec<u8>>,
}

impl Repository {
    /// Every worktree, the main one (or the bare repository) first.
    pub fn worktrees(&self) -> Result<Vec<Listed>, GitError> {
        parse(
            &self
                .call()
                .args(["worktree", "list", "--porcelain", "-z"])
                .answer()?,
        )
    }
}

/// Reads attributes that each end with a NUL, in records that each end with one more.
fn parse(out: &[u8]) -> Result<Vec<Listed>, GitError> {
    let bad = |problem, at: &[u8]| GitError::unparsable(WHAT, problem, at);
    let body = out
        .strip_suffix(b"\0\0")
        .ok_or_else(|| bad("it is cut short", out))?;
    let mut listed: Vec<Listed> = Vec::new();
    let mut open = false;
    for attribute in body.split(|byte| *byte == 0) {
        if attribute.is_empty() {
            open = false;
            continue;
        }
        let (name, value) = split(attribute);
        if !open {
            if name != b"worktree" || value.is_empty() {
                return Err(bad("a record does not start with its path", attribute));
            }
            listed.push(blank(value));
            open = true;
            continue;
        }
        let Some(record) = listed.last_mut() else {
            return Err(bad(
                "an attribute stands before the first record",
                attribute,
            ));
        };
        match name {
            b"HEAD" if is_null(value) => record.head = None,
            b"HEAD" => {
                let oid =
                    Oid::parse(value).ok_or_else(|| bad("HEAD is no object id", attribute))?;
                record.head = Some(oid);
            }
            b"branch" if !value.is_empty() => record.branch = Some(value.to_vec()),
            b"detached" if value.is_empty() => record.detached = true,
            b"bare" if value.is_empty() => record.bare = true,
            b"locked" => record.locked = Some(value.to_vec()),
            b"prunable" => record.prunable = Some(value.to_vec()),
            b"worktree" => return Err(bad("a record has two paths", attribute)),
            _ => record.other.push(attribute.to_vec()),
        }
    }
    Ok(listed)
}

fn split(attribute: &[u8]) -> (&[u8], &[u8]) {
    let space = attribute.iter().position(|byte| *byte == b' ');
    space.map_or((attribute, b""), |at| {
        (&attribute[..at], &attribute[at + 1..])
    })
}

fn blank(path: &[u8]) -> Listed {
    Listed {
        path: BytePath::from_bytes(path),
        head: None,
        branch: None,
        detached: false,
        bare: false,
        locked: None,
        prunable: None,
        other: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    const OID: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn odd_bytes_stay_what_they_are() {
        let out = format!(
            "worktree /m\0HEAD {OID}\0branch refs/heads/main\0\0\
             worktree /s/a\nb \"c\"\0HEAD {OID}\0detached\0locked one\n\nbranch refs/heads/x\0sparkle 1\0\0\
             worktree /s/u\0HEAD {}\0branch refs/heads/new\0locked\0prunable gitdir file points to non-existent location\0\0\
             worktree /b\0bare\0\0",
            "0".repeat(40)
        );
        let listed = parse(out.as_bytes()).expect("it is well-formed");
        assert_eq!(listed.len(), 4);
        assert_eq!(
            listed[0].branch.as_deref(),
            Some(b"refs/heads/main".as_slice())
        );
        assert_eq!(listed[1].path.as_bytes(), b"/s/a\nb \"c\"");
        assert_eq!(
            listed[1].locked.as_deref(),
            Some(b"one\n\nbranch refs/heads/x".as_slice())
        );
        assert!(listed[1].detached && listed[1].branch.is_none());
        assert_eq!(listed[1].other, [b"sparkle 1".to_vec()]);
        assert_eq!(listed[2].head, None);
        assert_eq!(listed[2].locked.as_deref(), Some(b"".as_slice()));
        assert!(listed[2].prunable.is_some());
        assert!(listed[3].bare);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for out in [
            "",
            "worktree /m\0HEAD x\0\0",
            "worktree /m\0bare\0",
            "HEAD x\0\0",
            "worktree \0\0",
            "worktree /a\0worktree /b\0\0",
        ] {
            parse(out.as_bytes()).expect_err(out);
        }
    }
}
