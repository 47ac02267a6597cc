//! What lies in a worktree, file by file, and how one file is known again.
//!
//! A mark is a digest over path, inode, length, mtime, and ctime, which nobody sets at will. A file
//! with several names gets a new ctime when one of them goes, so that its mark leaves that out.
//! Invariants: no symlink is followed; directories are no files, and have no mark.

use crate::journal::Marks;
use crate::observe::{Node, Shape, look_at};
use rustix::fs::{CWD, Dir, Mode, OFlags, openat};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// One file, or symlink, or special file.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its path below the root.
    pub(super) path: PathBuf,
    /// Its mark with the ctime, and without.
    marks: [u64; 2],
    /// Whether it has other names.
    is_linked: bool,
}

impl Item {
    fn of(path: PathBuf, node: &Node) -> Self {
        Self {
            marks: [
                mark(&path, node, Some(node.changed)),
                mark(&path, node, None),
            ],
            is_linked: node.links > 1,
            path,
        }
    }

    /// The mark that it is known by.
    pub(super) fn mark(&self) -> u64 {
        self.marks[usize::from(self.is_linked)]
    }

    /// Whether it is one of those that have been marked.
    pub(super) fn is_among(&self, marks: &Marks) -> bool {
        marks.has(self.marks[0]) || marks.has(self.marks[1])
    }
}

/// Everything below a directory but directories and the tree's own `.git`, in no order.
pub(super) fn items(root: &Path) -> Result<Vec<Item>, Errno> {
    let mut items = all(root)?;
    items.retain(|item| item.path != Path::new(".git"));
    Ok(items)
}

/// Everything below a directory but directories.
pub(super) fn all(root: &Path) -> Result<Vec<Item>, Errno> {
    fn below(handle: &OwnedFd, at: &Path, found: &mut Vec<Item>) -> Result<(), Errno> {
        for name in names_in(handle)? {
            let path = at.join(&name);
            let node = look_at(handle, &name)?;
            if node.shape == Shape::Directory {
                below(&open_directory(handle, &name)?, &path, found)?;
            } else {
                found.push(Item::of(path, &node));
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    let handle = open_directory(CWD, root.as_os_str())?;
    below(&handle, Path::new(""), &mut found)?;
    Ok(found)
}

/// The marks of everything below a directory.
pub(super) fn marks(root: &Path) -> io::Result<Marks> {
    Ok(items(root)?.iter().map(Item::mark).collect())
}

/// The mark of one file, whatever its place is; none if nothing is there.
pub(super) fn mark_of(path: &Path) -> io::Result<Option<u64>> {
    match look_at(CWD, path.as_os_str()) {
        Ok(node) => Ok(Some(Item::of(PathBuf::new(), &node).mark())),
        Err(Errno::NOENT) => Ok(None),
        Err(why) => Err(why.into()),
    }
}

fn mark(path: &Path, node: &Node, changed: Option<(i64, i64)>) -> u64 {
    let mut one = Sha256::new();
    one.update(node.inode.number.to_le_bytes());
    one.update(node.length.to_le_bytes());
    one.update(node.seconds.to_le_bytes());
    one.update(node.nanoseconds.to_le_bytes());
    if let Some((seconds, nanoseconds)) = changed {
        one.update(seconds.to_le_bytes());
        one.update(nanoseconds.to_le_bytes());
    }
    one.update(path.as_os_str().as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&one.finalize()[..8]);
    u64::from_be_bytes(first)
}

/// Opens a real directory.
pub(super) fn open_directory(at: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty())
}

/// The names in an open directory, sorted.
pub(super) fn names_in(handle: &OwnedFd) -> Result<Vec<OsString>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(handle)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name));
        }
    }
    names.sort();
    Ok(names)
}
