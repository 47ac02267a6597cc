//! How far below the root of a tree a walk goes.
//!
//! Invariant: whatever lies further is an error, and so unknown. Each directory takes a frame of the
//! stack and an open handle, and git deletes by absolute paths.

use std::ffi::OsStr;
use std::path::Path;

/// The most directories inside each other; nothing that people or programs make is near it.
pub(crate) const DEEPEST: usize = 256;

/// The longest absolute path that git can delete (`PATH_MAX`), less what a tree's own path may grow
/// by when owl moves it aside.
pub(crate) const LONGEST: usize = 4096 - 128;

/// Where a node lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// How many directories it lies in, below the root.
    levels: usize,
    /// How many bytes its absolute path has.
    bytes: usize,
}

impl Reach {
    /// The root of a tree.
    pub(crate) fn of(root: &Path) -> Self {
        Self {
            levels: 0,
            bytes: root.as_os_str().len(),
        }
    }

    /// A node in it; none if that is too far.
    pub(crate) fn below(self, name: &OsStr, is_directory: bool) -> Option<Self> {
        let levels = self.levels + 1;
        let bytes = self.bytes + 1 + name.len();
        let is_far = bytes > LONGEST || (is_directory && levels > DEEPEST);
        (!is_far).then_some(Self { levels, bytes })
    }
}
