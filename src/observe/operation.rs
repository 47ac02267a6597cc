//! Operations in progress, and lock files, of an administrative entry (guard 8).
//!
//! No porcelain format of git shows them, and git removes a tree in the middle of one
//! (`git-facts 15` to `18`, A4.21).

use super::place::{contents, look, names, trimmed};
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

/// What git keeps in an entry besides, and what harnesses record there (`spec 9`, `ecosystem 1b`).
const USUAL: [&str; 34] = [
    "HEAD",
    "ORIG_HEAD",
    "FETCH_HEAD",
    "AUTO_MERGE",
    "BISECT_ANCESTORS_OK",
    "BISECT_EXPECTED_REV",
    "BISECT_FIRST_PARENT",
    "BISECT_NAMES",
    "BISECT_RUN",
    "BISECT_TERMS",
    "COMMIT_EDITMSG",
    "EDIT_DESCRIPTION",
    "GITGUI_EDITMSG",
    "GITGUI_MSG",
    "MERGE_MODE",
    "MERGE_MSG",
    "MERGE_RR",
    "NOTES_EDITMSG",
    "NOTES_MERGE_REF",
    "PREPARE_COMMIT_MSG",
    "SQUASH_MSG",
    "TAG_EDITMSG",
    "commondir",
    "config.worktree",
    "description",
    "gitdir",
    "index",
    "info",
    "locked",
    "logs",
    "modules",
    "refs",
    "owl-claim",
    "trusty-mpm-worktree",
];

/// Starts of names that are usual, too.
const USUAL_STARTS: [&str; 4] = ["sharedindex.", "codex-", "fsmonitor--daemon", "index."];

/// What lies in an entry and is none of git's: a person or an agent may have put it where no status
/// shows it, and it would go with the tree.
pub(crate) fn strangers(entry: &Path) -> Result<Found, ObserveError> {
    let is_usual = |name: &std::ffi::OsStr| {
        let text = name.to_string_lossy();
        let starts = USUAL_STARTS.iter().any(|start| text.starts_with(start));
        let lock = text.ends_with(".lock");
        USUAL.iter().chain(&UNDER_WAY).any(|usual| *usual == text) || starts || lock
    };
    let mut found = Found::default();
    for name in names(entry)?.into_iter().flatten() {
        if !is_usual(&name) && !holds_only_an_id(&entry.join(&name))? {
            found.add(Path::new(&name));
        }
    }
    Ok(found)
}

/// A private ref of any name, which guard 11 judges.
fn holds_only_an_id(path: &Path) -> Result<bool, ObserveError> {
    let Some(metadata) = look(path)? else {
        return Ok(true);
    };
    if !metadata.is_file() || metadata.len() > 128 {
        return Ok(false);
    }
    let bytes = contents(path)?;
    Ok(bytes.is_some_and(|bytes| gix::ObjectId::from_hex(trimmed(&bytes)).is_ok()))
}

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
