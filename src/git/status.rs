//! What git says differs in a worktree.
//!
//! `--untracked-files=all` lists each untracked file, whatever the configuration says
//! (`git-facts 5`). `--ignored=matching` lists each ignored file, but a directory that itself matches
//! an ignore rule as one line ending in `/`: an `.env` in a directory of sources is named, and the
//! 20,000 files of an ignored `node_modules/` are not. What lies in such a directory is for the
//! caller to look at; `traditional` would list it, but not a nested repository in it
//! (`git-facts 35`).
//!
//! It does not see files hidden by index flags, repositories made inside tracked directories,
//! special files, or operations in progress (`git-facts 7`, `9`, `13`, `15`).

use super::{GitError, Oid, Worktree};
use crate::resource::BytePath;

const WHAT: &str = "the status";

/// The status of a worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The commit at HEAD; none if unborn.
    pub head: Option<Oid>,
    /// What git calls the branch, short. `(detached)` may be a branch of that name, too: ask
    /// [`super::Repository::worktrees`].
    pub branch: Vec<u8>,
    /// Tracked paths that differ from HEAD or the index.
    pub changes: Vec<Change>,
    /// Untracked files; a nested repository is one path that ends in `/`.
    pub untracked: Vec<BytePath>,
    /// Ignored files, and ignored directories as one path that ends in `/`.
    pub ignored: Vec<BytePath>,
}

/// One tracked path that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path, relative to the worktree.
    pub path: BytePath,
    /// State in the index and in the working tree, `.` for unchanged.
    pub xy: [u8; 2],
    /// What kind of entry it is.
    pub kind: ChangeKind,
    /// How a submodule differs; none if it is no submodule.
    pub submodule: Option<Submodule>,
}

/// The kinds of change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Changed, added or deleted.
    Ordinary,
    /// Renamed or copied from another path.
    Renamed {
        /// That path.
        from: BytePath,
    },
    /// In conflict.
    Unmerged,
}

/// How a submodule differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submodule([u8; 3]);

impl Submodule {
    /// Whether another commit is checked out in it.
    pub fn has_other_commit(self) -> bool {
        self.0[0] == b'C'
    }

    /// Whether tracked files in it differ.
    pub fn has_changes(self) -> bool {
        self.0[1] == b'M'
    }

    /// Whether it has untracked files.
    pub fn has_untracked(self) -> bool {
        self.0[2] == b'U'
    }
}

impl Worktree {
    /// Its status; leaves no trace in index or git directory (`git-facts 48`).
    pub fn status(&self) -> Result<Status, GitError> {
        let out = self
            .call()
            .args([
                "status",
                "--porcelain=v2",
                "-z",
                "--branch",
                "--no-ahead-behind",
            ])
            .args(["--untracked-files=all", "--ignored=matching"])
            .args(["--ignore-submodules=none", "--no-renames"])
            .answer()?;
        parse(&out)
    }
}

/// Reads porcelain v2 with `-z`: records that each end with a NUL.
fn parse(out: &[u8]) -> Result<Status, GitError> {
    let bad = |problem, at: &[u8]| GitError::unparsable(WHAT, problem, at);
    let body = out
        .strip_suffix(b"\0")
        .ok_or_else(|| bad("it is cut short", out))?;
    let mut status = Status::default();
    let mut has_oid = false;
    let mut records = body.split(|byte| *byte == 0);
    while let Some(record) = records.next() {
        let Some((kind, rest)) = record.split_at_checked(2) else {
            return Err(bad("a record is too short", record));
        };
        match kind {
            b"# " => has_oid |= parse_header(rest, &mut status)?,
            b"? " => status.untracked.push(path(rest, record)?),
            b"! " => status.ignored.push(path(rest, record)?),
            b"1 " => status.changes.push(change(rest, 5, ChangeKind::Ordinary)?),
            b"u " => status.changes.push(change(rest, 7, ChangeKind::Unmerged)?),
            b"2 " => {
                let from = records
                    .next()
                    .ok_or_else(|| bad("a rename without origin", record))?;
                let from = path(from, record)?;
                status
                    .changes
                    .push(change(rest, 6, ChangeKind::Renamed { from })?);
            }
            _ => return Err(bad("a record of a kind not known", record)),
        }
    }
    if !has_oid {
        return Err(bad("no `branch.oid`", out));
    }
    Ok(status)
}

/// Reads a header; whether it was the commit. git says to pass over those not known.
fn parse_header(header: &[u8], status: &mut Status) -> Result<bool, GitError> {
    if let Some(oid) = header.strip_prefix(b"branch.oid ") {
        if oid != b"(initial)" {
            let bad = || GitError::unparsable(WHAT, "no object id", header);
            status.head = Some(Oid::parse(oid).ok_or_else(bad)?);
        }
        return Ok(true);
    }
    if let Some(branch) = header.strip_prefix(b"branch.head ") {
        status.branch = branch.to_vec();
    }
    Ok(false)
}

/// Reads `XY sub <fields> path`, with so many fields in between that are not needed here.
fn change(rest: &[u8], between: usize, kind: ChangeKind) -> Result<Change, GitError> {
    let bad = |problem| GitError::unparsable(WHAT, problem, rest);
    let mut fields = rest.splitn(between + 3, |byte| *byte == b' ');
    let xy = fields.next().and_then(|xy| xy.try_into().ok());
    let xy: [u8; 2] = xy.ok_or_else(|| bad("no two letters of state"))?;
    let submodule = match fields.next() {
        Some(b"N...") => None,
        Some(&[b'S', commit, modified, untracked]) => {
            Some(Submodule([commit, modified, untracked]))
        }
        Some(_) | None => return Err(bad("no submodule field")),
    };
    let path_bytes = fields.nth(between).ok_or_else(|| bad("no path"))?;
    Ok(Change {
        path: path(path_bytes, rest)?,
        xy,
        kind,
        submodule,
    })
}

fn path(bytes: &[u8], record: &[u8]) -> Result<BytePath, GitError> {
    if bytes.is_empty() {
        return Err(GitError::unparsable(WHAT, "an empty path", record));
    }
    Ok(BytePath::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::{ChangeKind, parse};

    const OID: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn every_kind_of_record_is_read() {
        let out = format!(
            "# branch.oid {OID}\0# branch.head a b\0# stash 3\0\
             1 .M N... 100644 100644 100644 {OID} {OID} a b\nc\0\
             1 .M SC.U 160000 160000 160000 {OID} {OID} sub\0\
             2 R. N... 100644 100644 100644 {OID} {OID} R100 new name\0old name\0\
             u UU N... 100644 100644 100644 100644 {OID} {OID} {OID} both sides\0\
             ? \"quoted\"\0? nested/\0! .env\0! node_modules/\0"
        );
        let status = parse(out.as_bytes()).expect("it is well-formed");
        assert_eq!(status.branch, b"a b");
        let paths: Vec<_> = status
            .changes
            .iter()
            .map(|change| change.path.as_bytes())
            .collect();
        assert_eq!(
            paths,
            [b"a b\nc".as_slice(), b"sub", b"new name", b"both sides"]
        );
        let submodule = status.changes[1].submodule.expect("it is one");
        assert!(submodule.has_other_commit() && submodule.has_untracked());
        assert!(!submodule.has_changes());
        assert_eq!(
            status.changes[2].kind,
            ChangeKind::Renamed {
                from: "old name".into()
            }
        );
        assert_eq!(status.changes[3].kind, ChangeKind::Unmerged);
        assert_eq!(status.untracked, ["\"quoted\"".into(), "nested/".into()]);
        assert_eq!(status.ignored, [".env".into(), "node_modules/".into()]);
    }

    #[test]
    fn unborn_is_no_commit() {
        let out = b"# branch.oid (initial)\0# branch.head main\0";
        assert_eq!(parse(out).expect("it is well-formed").head, None);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for out in [
            "",
            "# branch.oid (initial)",
            "? x\0",
            "# branch.oid (initial)\0? \0",
            "# branch.oid (initial)\0x y\0",
            "# branch.oid (initial)\x001 .M N... 100644 100644 100644 a\0",
            "# branch.oid short\0",
            "# branch.oid (initial)\0\0? a\0",
        ] {
            parse(out.as_bytes()).expect_err(out);
        }
    }
}
