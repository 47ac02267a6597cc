//! Whether a file is the one that the index saw, by what `stat` says.

use super::Closer;
use crate::observe::node::{Node, Shape};
use gix::index::entry::Mode;
use gix::index::{Entry, State};

/// What stat data says of a tracked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It is the file that the index saw.
    Same,
    /// Its length is another one: git calls that modified before it looks at the content
    /// (`git-facts 38`).
    Changed,
}

/// Compares type, mode, size, mtime and ctime with nanoseconds, inode, and owner. An entry as young
/// as the index itself is racy: it may have been changed within the same tick of the clock.
pub(super) fn compare(index: &State, entry: &Entry, node: &Node) -> Result<Seen, Closer> {
    let mode = match node.shape {
        Shape::Symlink => Mode::SYMLINK,
        Shape::File if node.mode & 0o100 != 0 => Mode::FILE_EXECUTABLE,
        Shape::File => Mode::FILE,
        Shape::Directory | Shape::Special => return Err(Closer("a tracked file is no file")),
    };
    if mode != entry.mode {
        return Err(Closer("a mode differs"));
    }
    let length = u32::try_from(node.length)
        .map_err(|_| Closer("a file is too large for the index to tell its size"))?;
    let seen = &entry.stat;
    // Git writes a size of zero for an entry that it has found to be racy.
    if seen.size == 0 && !(length == 0 && entry.id.is_empty_blob()) {
        return Err(Closer("an entry has no size"));
    }
    if length != seen.size && node.shape == Shape::File {
        return Ok(Seen::Changed);
    }
    let same = length == seen.size
        && low(node.seconds) == seen.mtime.secs
        && low(node.nanoseconds) == seen.mtime.nsecs
        && low(node.changed.0) == seen.ctime.secs
        && low(node.changed.1) == seen.ctime.nsecs
        && low(node.inode.number.cast_signed()) == seen.ino
        && node.owner == seen.uid
        && node.group == seen.gid;
    if !same {
        return Err(Closer("a file has been touched"));
    }
    // Git's own rule counts in whole seconds and looks at the mtime; the ctime cannot be put back.
    if node.seconds.max(node.changed.0) >= index.timestamp().unix_seconds() {
        return Err(Closer("a file is as young as the index"));
    }
    Ok(Seen::Same)
}

/// The index keeps the low 32 bits of everything.
fn low(value: i64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the index keeps the low 32 bits"
    )]
    let low = value as u32;
    low
}
