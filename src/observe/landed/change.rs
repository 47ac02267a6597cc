//! One changed path: what stood at it before, and what stands at it after.

use gix::ObjectId;
use gix::bstr::BString;
use gix::objs::tree::EntryKind;

/// What a tree has at a path: a mode and an id, so that modes count wherever contents do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) mode: EntryKind,
    pub(super) id: ObjectId,
}

impl Entry {
    /// Whether it is a file, whose lines may be compared. Symlinks and gitlinks are compared by
    /// id alone.
    pub(super) fn is_file(self) -> bool {
        match self.mode {
            EntryKind::Blob | EntryKind::BlobExecutable => true,
            EntryKind::Link | EntryKind::Commit | EntryKind::Tree => false,
        }
    }
}

/// A path whose entry differs between two trees; at least one side is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) path: BString,
    pub(super) old: Option<Entry>,
    pub(super) new: Option<Entry>,
}
