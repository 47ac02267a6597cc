//! Indexes that only git itself answers for.

use super::Closer;
use gix::ObjectId;
use gix::index::State;
use gix::index::entry::{Flags, Mode};

/// Whether the index is of the plain kind, and has nothing staged: its TREE extension names the
/// tree of HEAD and covers every entry.
pub(super) fn check(index: &State, tree: ObjectId) -> Result<(), Closer> {
    if index.link().is_some() {
        return Err(Closer("a split index"));
    }
    if index.is_sparse() {
        return Err(Closer("a sparse index"));
    }
    let odd = Flags::ASSUME_VALID
        | Flags::SKIP_WORKTREE
        | Flags::INTENT_TO_ADD
        | Flags::REMOVE
        | Flags::WORKTREE_REMOVE
        | Flags::CONFLICTED;
    for entry in index.entries() {
        if entry.flags.intersects(odd) {
            return Err(Closer("an index flag"));
        }
        if entry.stage_raw() != 0 {
            return Err(Closer("a conflict"));
        }
        let is_plain = [Mode::FILE, Mode::FILE_EXECUTABLE, Mode::SYMLINK].contains(&entry.mode);
        if !is_plain {
            return Err(Closer("a submodule or a sparse directory"));
        }
    }
    let covered = index.tree().is_some_and(|root| {
        root.id == tree
            && root
                .num_entries
                .is_some_and(|covered| covered as usize == index.entries().len())
    });
    if !covered {
        return Err(Closer("something may be staged"));
    }
    Ok(())
}
