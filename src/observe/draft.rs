//! Messages in an administrative entry that no commit has.
//!
//! Git leaves `COMMIT_EDITMSG` behind after each commit, and the same file holds what somebody wrote
//! for a commit that was never made. Input: the entry. Output: the files of the second kind.
//! Invariant: a message is a commit's only if a commit of the HEAD reflog, or HEAD's own, has the
//! same lines, whatever the cleanup mode: blank lines, space at the end of lines, comments, and
//! what follows a scissors line are left out on both sides. Every commit that is made in a worktree
//! is in its HEAD reflog. `MERGE_MSG` and `SQUASH_MSG` are made by programs.

use super::place::contents;
use super::reflog;
use super::repository::Repository;
use super::{Found, ObserveError};
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use std::collections::BTreeSet;
use std::path::Path;

/// Where git and its window keep what is being written.
const FILES: [&str; 5] = [
    "COMMIT_EDITMSG",
    "GITGUI_EDITMSG",
    "GITGUI_MSG",
    "NOTES_EDITMSG",
    "TAG_EDITMSG",
];

/// What git ends a line with below which everything is dropped.
const SCISSORS: &[u8] = b"------------------------ >8 ------------------------";

/// What git may choose to start comments with (`core.commentChar = auto`).
const COMMENTS: &[u8] = b"#;@!$%^&|:";

/// The files whose text is the message of no commit; `head` is the commit of HEAD.
pub(crate) fn drafts(
    repository: &Repository,
    entry: &Path,
    head: Option<ObjectId>,
) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for name in FILES {
        let Some(text) = contents(&entry.join(name))? else {
            continue;
        };
        if lines(&text).next().is_some() && !is_some_commits(repository, entry, head, &text)? {
            found.add(name);
        }
    }
    Ok(found)
}

fn is_some_commits(
    repository: &Repository,
    entry: &Path,
    head: Option<ObjectId>,
    text: &[u8],
) -> Result<bool, ObserveError> {
    if let Some(head) = head
        && is_message_of(repository, head, text)?
    {
        return Ok(true);
    }
    let log = reflog::read(entry, BStr::new("HEAD"))?;
    let mut seen = BTreeSet::new();
    for id in log.iter().flatten().rev().filter_map(|logged| logged.new) {
        if seen.insert(id) && is_message_of(repository, id, text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the commit has this message; one that the repository lacks has none.
fn is_message_of(repository: &Repository, id: ObjectId, text: &[u8]) -> Result<bool, ObserveError> {
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {id}"), why);
    let found = repository.gix.try_find_object(id);
    let Some(object) = found.map_err(|why| failed(&why))? else {
        return Ok(false);
    };
    let Ok(commit) = object.try_into_commit() else {
        return Ok(false);
    };
    let message = commit.message_raw().map_err(|why| failed(&why))?;
    Ok(lines(text).eq(lines(message)))
}

/// The lines of a message that say something.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.lines()
        .take_while(|line| !line.ends_with(SCISSORS))
        .map(ByteSlice::trim_end)
        .filter(|line| line.first().is_some_and(|first| !COMMENTS.contains(first)))
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn what_git_drops_of_a_message_is_no_part_of_it() {
        let same = |one: &str, two: &str| lines(one.as_bytes()).eq(lines(two.as_bytes()));
        let edited = "\n\nsubject  \n\n\nbody\n# On branch x\n# ------------------------ >8 ------------------------\ndiff\n";
        assert!(same(edited, "subject\n\nbody\n"));
        assert!(same("# only comments\n\n", ""));
        assert!(!same("subject\nbody", "subject body"));
        assert!(!same("subject\n body", "subject\nbody"));
        assert!(!same("subject\n", "subject\nbody\n"));
    }
}
