//! What lies in an administrative entry and is none of git's (guard 8).
//!
//! A person or an agent may have put it where no status shows it, and it would go with the tree.
//! Input: the entry. Output: what git, owl, and the harnesses do not write there. Invariant: names
//! are compared whole. What git writes is not the only copy of anything, or is judged elsewhere:
//! refs and reflogs by guard 11, the repositories of submodules by guard 9, operations by guard 8,
//! and messages by `draft.rs`.

use super::operation::{NOTES, UNDER_WAY};
use super::place::{below, contents, look, names, trimmed};
use super::{Found, ObserveError};
use std::ffi::OsStr;
use std::path::Path;

/// What git keeps in an entry besides what shows an operation, and what harnesses record there
/// (`spec 9`, `ecosystem 1b`).
const USUAL: [&str; 30] = [
    "HEAD",
    "FETCH_HEAD",
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
    "SQUASH_MSG",
    "TAG_EDITMSG",
    "commondir",
    "config.worktree",
    "fsmonitor--daemon.ipc",
    "gitdir",
    "index",
    "locked",
    "modules",
    "trusty-mpm-worktree",
    "codex-thread.json",
    "codex-synced-branch.json",
    NOTES,
];

/// Directories of which every file is read as a ref or as a reflog.
const READ: [&str; 2] = ["logs", "refs"];

/// Everything in the entry that nobody is known to write there.
pub(crate) fn strangers(entry: &Path) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for name in names(entry)?.into_iter().flatten() {
        let path = entry.join(&name);
        if is_usual(&name) || is_lock(&path) {
            continue;
        }
        let is_directory = look(&path)?.is_some_and(|metadata| metadata.is_dir());
        let has = |known: &str| is_directory && name == *known;
        if READ.iter().any(|known| has(known)) {
            continue;
        }
        if has("info") || has("fsmonitor--daemon") {
            for path in below(path) {
                let path = path?;
                if !(is_lock(&path) || is_known_below(entry, &path)?) {
                    found.add(path.strip_prefix(entry).map_or(&*path, |path| path));
                }
            }
        } else if is_directory || !holds_only_an_id(&path)? {
            found.add(Path::new(&name));
        }
    }
    Ok(found)
}

fn is_usual(name: &OsStr) -> bool {
    let text = name.to_string_lossy();
    let shared = text.strip_prefix("sharedindex.").is_some_and(|id| {
        [40, 64].contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    shared || USUAL.iter().chain(&UNDER_WAY).any(|usual| *usual == text)
}

/// Locks show an operation.
fn is_lock(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "lock")
}

/// All that git has of `info` in an entry, since the rest is common to all worktrees; and the empty
/// files by which its file monitor knows that it has heard of everything.
fn is_known_below(entry: &Path, path: &Path) -> Result<bool, ObserveError> {
    if path.parent() == Some(&entry.join("info")) {
        return Ok(path.file_name() == Some(OsStr::new("sparse-checkout")));
    }
    let is_cookie = path.parent() == Some(&entry.join("fsmonitor--daemon/cookies"));
    Ok(is_cookie && look(path)?.is_none_or(|metadata| metadata.is_file() && metadata.len() == 0))
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
