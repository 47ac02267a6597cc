//! One walk over everything in a worktree.
//!
//! Input: the directory, who should own it, which places inside belong to others, and which paths
//! git ignores. Output: a [`Walk`]. Invariants: relative to open handles, no symlink followed, no
//! mount entered; any error ends the walk, since half a walk proves nothing.

use super::node::{Node, Shape, look_at};
use super::{Found, ObserveError, processes::Inode};
use crate::fact::Fact;
use crate::resource::BytePath;
use jiff::Timestamp;
use rustix::fs::{Access, AtFlags, CWD, Dir, Mode, OFlags, accessat, openat};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What to look for.
pub(crate) struct Walker<'a> {
    /// The user that the files should belong to: the owner of the common directory.
    pub(crate) owner: u32,
    /// Registered worktrees inside, which have rows of their own; relative to the tree.
    pub(crate) others: &'a BTreeSet<PathBuf>,
    /// What git reported as ignored, relative to the tree, directories without their slash.
    pub(crate) ignored: &'a BTreeSet<PathBuf>,
    /// The same for untracked paths.
    pub(crate) untracked: &'a BTreeSet<PathBuf>,
}

/// What was seen.
#[derive(Default)]
pub(crate) struct Walk {
    /// The newest mtime of a file that is not git's.
    pub(crate) newest: Option<Timestamp>,
    /// FIFOs, sockets, devices.
    pub(crate) special: Found,
    /// Mount points.
    pub(crate) mounts: Found,
    /// Repositories below the root, but for `others`.
    pub(crate) nested: Found,
    /// Files of another owner.
    pub(crate) foreign: Found,
    /// Immutable or append-only files, and directories that may not be changed.
    pub(crate) undeletable: Found,
    /// Ignored paths with at least one file in them that is not in `others`.
    pub(crate) ignored: BTreeSet<PathBuf>,
    /// The same for untracked paths.
    pub(crate) untracked: BTreeSet<PathBuf>,
    /// Every directory.
    pub(crate) directories: Vec<Inode>,
    /// Bytes on disk; files with other hard links are not counted, since they stay.
    pub(crate) size: u64,
}

/// Which listed path a file counts for.
#[derive(Clone, Default)]
struct Under {
    ignored: Option<PathBuf>,
    untracked: Option<PathBuf>,
}

impl Walker<'_> {
    /// Walks the tree at `root`.
    pub(crate) fn walk(&self, root: &Path) -> Result<Walk, ObserveError> {
        let mut walk = Walk::default();
        let failed = |why: Errno| ObserveError::read(root, why.into());
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(CWD, root, flags, Mode::empty()).map_err(failed)?;
        let Some(parent) = root.parent() else {
            return Err(ObserveError::malformed(root, "is the root of the system"));
        };
        if !writable(CWD, parent.as_os_str()).map_err(failed)? {
            walk.undeletable.add("..");
        }
        let node = look_at(&handle, OsStr::new("")).map_err(failed)?;
        if node.is_mount {
            walk.mounts.add(".");
        }
        self.count(&mut walk, &node, Path::new("."))?;
        self.directory(
            &mut walk,
            &handle,
            Path::new(""),
            node.inode.device,
            &Under::default(),
        )
        .map_err(|(path, why)| ObserveError::read(&root.join(path), why.into()))?;
        Ok(walk)
    }

    fn directory(
        &self,
        walk: &mut Walk,
        handle: &OwnedFd,
        path: &Path,
        device: u64,
        under: &Under,
    ) -> Result<(), (PathBuf, Errno)> {
        let here = |why| (path.to_owned(), why);
        if !writable(handle, OsStr::new(".")).map_err(here)? {
            walk.undeletable.add(if path.as_os_str().is_empty() {
                Path::new(".")
            } else {
                path
            });
        }
        let mut names = Vec::new();
        for entry in Dir::read_from(handle).map_err(here)? {
            let name = entry.map_err(here)?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push(name);
            }
        }
        names.sort_unstable();
        let has = |wanted: &[u8]| {
            names
                .binary_search_by(|name| name.as_slice().cmp(wanted))
                .is_ok()
        };
        let is_root = path.as_os_str().is_empty();
        if !is_root && (has(b".git") || (has(b"HEAD") && has(b"objects") && has(b"refs"))) {
            walk.nested.add(path);
        }
        for name in &names {
            let name = OsStr::from_bytes(name);
            self.entry(walk, handle, &path.join(name), name, device, under)?;
        }
        Ok(())
    }

    fn entry(
        &self,
        walk: &mut Walk,
        handle: &OwnedFd,
        path: &Path,
        name: &OsStr,
        device: u64,
        under: &Under,
    ) -> Result<(), (PathBuf, Errno)> {
        if self.others.contains(path) {
            return Ok(());
        }
        let here = |why| (path.to_owned(), why);
        let node = look_at(handle, name).map_err(here)?;
        if node.is_mount || node.inode.device != device {
            walk.mounts.add(path);
            return Ok(());
        }
        self.count(walk, &node, path)
            .map_err(|_| here(Errno::OVERFLOW))?;
        let under = Under {
            ignored: deeper(&under.ignored, self.ignored, path),
            untracked: deeper(&under.untracked, self.untracked, path),
        };
        match node.shape {
            Shape::Directory => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let inner = openat(handle, name, flags, Mode::empty()).map_err(here)?;
                return self.directory(walk, &inner, path, device, &under);
            }
            Shape::Special => walk.special.add(path),
            Shape::File | Shape::Symlink => {}
        }
        walk.ignored.extend(under.ignored);
        walk.untracked.extend(under.untracked);
        Ok(())
    }

    /// Owner, immutability, size, and age of one node.
    fn count(&self, walk: &mut Walk, node: &Node, path: &Path) -> Result<(), ObserveError> {
        if node.owner != self.owner {
            walk.foreign.add(path);
        }
        if node.is_fixed {
            walk.undeletable.add(path);
        }
        match node.shape {
            Shape::Directory => {
                walk.directories.push(node.inode);
                walk.size += node.bytes;
            }
            Shape::File | Shape::Symlink | Shape::Special => {
                if node.links <= 1 {
                    walk.size += node.bytes;
                }
                if !path.iter().any(|part| part == ".git") {
                    let modified = super::ages::timestamp(node.seconds, node.nanoseconds)?;
                    walk.newest = walk.newest.max(Some(modified));
                }
            }
        }
        Ok(())
    }
}

/// The outermost listed path that `path` lies in.
fn deeper(above: &Option<PathBuf>, listed: &BTreeSet<PathBuf>, path: &Path) -> Option<PathBuf> {
    above.clone().or_else(|| listed.get(path).cloned())
}

/// Whether entries may be removed from a directory by the user that owl runs as.
fn writable(at: impl AsFd, name: &OsStr) -> Result<bool, Errno> {
    match accessat(
        at,
        name,
        Access::WRITE_OK | Access::EXEC_OK,
        AtFlags::EACCESS,
    ) {
        Ok(()) => Ok(true),
        Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => Ok(false),
        Err(why) => Err(why),
    }
}

impl Walk {
    /// The newest file as a fact; absent if there is none.
    pub(crate) fn newest(&self) -> Fact<Timestamp> {
        self.newest.map_or(Fact::Absent, Fact::Known)
    }
}

/// The listed paths, as evidence.
pub(crate) fn listed(paths: &BTreeSet<PathBuf>) -> Found {
    paths
        .iter()
        .map(|path| BytePath::from(path.clone()))
        .collect()
}
