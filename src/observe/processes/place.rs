//! What to look for.

use std::path::PathBuf;

/// A file's identity: its device as `stat` gives it, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inode {
    /// `st_dev`.
    pub device: u64,
    /// `st_ino`.
    pub number: u64,
}

/// One worktree to watch: its tree and its administrative entry.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The canonical paths of the tree and of the administrative entry. Whatever lies below one of
    /// them is part of the place, whether `inodes` has it or not.
    pub roots: Vec<PathBuf>,
    /// What the walk saw in the tree and in the entry: every directory, and every file too if it
    /// can be had. A file that is missing here counts as outside the place when watched by inotify.
    pub inodes: Vec<Inode>,
}
