//! Edits that git does not report: behind index flags, or stripped by a clean driver (guard 9).
//!
//! Input: a decoded index. Output: what differs from its blob there. Invariant: a flag or a driver
//! alone holds nothing, and a comparison that fails is an error (`git-facts 9`, `12`; D1, D5).

use super::content::Contents;
use super::{Found, ObserveError};
use crate::resource::BytePath;
use gix::index::State;
use gix::index::entry::{Flags, Mode};

/// What differs, by why git would not say so.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    /// Behind assume-unchanged, skip-worktree, or sparse patterns.
    pub(crate) flagged: Found,
    /// From what the smudge driver makes of the blob.
    pub(crate) filtered: Found,
}

/// Looks at every entry that git does not look at, or not closely enough.
pub(crate) fn hidden(index: &State, contents: &mut Contents<'_>) -> Result<Hidden, ObserveError> {
    let mut hidden = Hidden::default();
    for entry in index.entries() {
        // What lies below a sparse directory or a gitlink is accounted for by the walk.
        if entry.mode == Mode::DIR || entry.mode == Mode::COMMIT {
            continue;
        }
        let skipped = entry.flags.contains(Flags::SKIP_WORKTREE);
        let flagged = skipped || entry.flags.contains(Flags::ASSUME_VALID);
        if !flagged && !contents.has_drivers() {
            continue;
        }
        if skipped && !contents.is_there(entry)? {
            continue;
        }
        let found = if flagged {
            &mut hidden.flagged
        } else if contents.has_driver(entry)? {
            &mut hidden.filtered
        } else {
            continue;
        };
        if !contents.is_same(entry)? {
            found.add(BytePath::from_bytes(entry.path(index)));
        }
    }
    Ok(hidden)
}
