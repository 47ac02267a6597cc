//! Operations in progress, and lock files, of an administrative entry (guard 8).
//!
//! No porcelain format of git shows them, and git removes a tree in the middle of one
//! (`git-facts 15` to `18`, A4.21).

use super::place::{look, names};
use super::{Found, ObserveError};
use std::path::Path;

/// Files and directories of an entry that only exist while something is half done.
const UNDER_WAY: [&str; 12] = [
    "MERGE_HEAD",
    "MERGE_AUTOSTASH",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "BISECT_LOG",
    "BISECT_START",
    "NOTES_MERGE_PARTIAL",
    "NOTES_MERGE_WORKTREE",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
];

/// Everything in the entry that says that an operation or a writer is at work.
pub(crate) fn operation(entry: &Path) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for name in UNDER_WAY {
        if look(&entry.join(name))?.is_some() {
            found.add(name);
        }
    }
    locks(entry, entry, &mut found)?;
    Ok(found)
}

/// Lock files at any depth, but not in the repositories of submodules.
fn locks(entry: &Path, dir: &Path, found: &mut Found) -> Result<(), ObserveError> {
    for name in names(dir)?.into_iter().flatten() {
        let path = dir.join(&name);
        let is_directory = look(&path)?.is_some_and(|metadata| metadata.is_dir());
        if is_directory && name != "modules" {
            locks(entry, &path, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "lock")
        {
            found.add(
                path.strip_prefix(entry)
                    .map_or(path.clone(), Path::to_owned),
            );
        }
    }
    Ok(())
}
