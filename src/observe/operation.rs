//! Operations in progress, and lock files, of an administrative entry (guard 8).
//!
//! No porcelain format of git shows them, and git removes a tree in the middle of one
//! (`git-facts 15` to `18`, A4.21). What git leaves behind when an operation is over, such as
//! `REBASE_HEAD` after `rebase --continue`, is none; a commit that it names is a private ref
//! (guard 11).

use super::place::{below, look, names};
use super::{Found, ObserveError};
use std::path::Path;

/// Files and directories of an entry that only exist while something is half done, as git's own
/// status looks for them.
pub(super) const UNDER_WAY: [&str; 10] = [
    "MERGE_HEAD",
    "MERGE_AUTOSTASH",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "BISECT_START",
    "NOTES_MERGE_PARTIAL",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
];

/// A directory that git leaves behind empty when a merge of notes is over.
pub(super) const NOTES: &str = "NOTES_MERGE_WORKTREE";

/// Everything in the entry that says that an operation or a writer is at work.
pub(crate) fn operation(entry: &Path) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for name in UNDER_WAY {
        if look(&entry.join(name))?.is_some() {
            found.add(name);
        }
    }
    if below(entry.join(NOTES)).next().transpose()?.is_some() {
        found.add(NOTES);
    }
    locks(entry, &mut found)?;
    Ok(found)
}

/// Lock files at any depth, but not in the repositories of submodules.
fn locks(entry: &Path, found: &mut Found) -> Result<(), ObserveError> {
    for name in names(entry)?.into_iter().flatten() {
        if name == "modules" {
            continue;
        }
        for path in below(entry.join(name)) {
            let path = path?;
            let is_lock = path
                .extension()
                .is_some_and(|extension| extension == "lock");
            if is_lock {
                found.add(
                    path.strip_prefix(entry)
                        .map_or(path.clone(), Path::to_owned),
                );
            }
        }
    }
    Ok(())
}
