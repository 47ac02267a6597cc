//! A worktree that owl has taken, looked at where it stands now (`spec 7.4`).
//!
//! Purpose: the last look goes through the same code as every other, and judges the tree as the one
//! that it was at its old place: same address, store and path, owl's own lock is no lock, and what
//! owl did to the entry is no sign of life. Everything else about it must still hold.

use crate::resource::{Address, BytePath};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What owl has done to a worktree that is looked at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The operation, whose record does not make the row an open one.
    pub op: String,
    /// The row.
    pub address: Address,
    /// The name of its administrative entry.
    pub entry: BytePath,
    /// The declared store of which it is a leaf at its old place.
    pub store: Option<String>,
    /// Its old place.
    pub path: PathBuf,
    /// The path that git had for that, where it differed.
    pub git_path: Option<BytePath>,
    /// Where it stands now, canonical; its old place if it was not moved.
    pub place: PathBuf,
    /// Whether git has deleted a part of it, or all: then it is the entry alone that is looked at.
    pub is_remnant: bool,
    /// The reason of owl's own lock.
    pub lock_reason: String,
    /// The reason of the lock that owl has lifted, if it has.
    pub lifted: Option<BytePath>,
    /// Where its submodules' repositories are, and the links that named them; none if it has none.
    pub modules: Option<TakenModules>,
}

/// The submodules of a worktree that owl has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenModules {
    /// What was `modules/` of the entry.
    pub directory: PathBuf,
    /// The bytes of each submodule's `.git` file, which owl has taken away, by the submodule's place.
    pub links: BTreeMap<PathBuf, BytePath>,
}

impl Aside {
    /// Whether this is about the entry of that name.
    pub(crate) fn is_of(&self, entry: &BytePath) -> bool {
        self.entry == *entry
    }

    /// Whether the entry names another place than before.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.place != self.path
    }
}
