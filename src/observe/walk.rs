//! One walk over everything in a worktree.
//!
//! Input: the directory, who should own it, which places inside belong to others, what git lists
//! as ignored and untracked, and what the index tracks. Output: a [`Walk`]. Invariants: relative to
//! open handles, no symlink followed, no mount entered; any error ends the walk, since half a walk
//! proves nothing; every file on disk is accounted for: tracked, listed, or of a repository inside,
//! or else it counts as untracked.

use super::ignored::{Level, Sorted, Sorter, Within};
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
    /// Sorts what is ignored; it has the index, too.
    pub(crate) sorter: Sorter<'a>,
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
    /// Ignored files by class.
    pub(crate) sorted: Sorted,
    /// Untracked paths with at least one file in them that is not in `others`.
    pub(crate) untracked: BTreeSet<PathBuf>,
    /// Files that neither git nor the index accounts for: they appeared meanwhile, or git was made
    /// not to see them.
    pub(crate) unlisted: Found,
    /// The same in the directory of a submodule, where git never lists anything.
    pub(crate) in_submodules: Found,
    /// Every directory.
    pub(crate) directories: Vec<Inode>,
    /// Bytes on disk; files with other hard links are not counted, since they stay.
    pub(crate) size: u64,
}

/// An open directory of the walk.
struct Here<'a> {
    handle: &'a OwnedFd,
    /// Relative to the tree.
    path: &'a Path,
    /// The file system that the walk stays on.
    device: u64,
    above: Option<&'a Level<'a>>,
}

/// Which listed path a file counts for.
#[derive(Clone, Default)]
struct Under {
    ignored: Option<PathBuf>,
    untracked: Option<PathBuf>,
    /// In the directory of a gitlink.
    submodule: bool,
    /// In a repository inside, which is a finding as a whole.
    repository: bool,
    /// What vouches for ignored files here.
    within: Within,
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
        let root_of = Here {
            handle: &handle,
            path: Path::new(""),
            device: node.inode.device,
            above: None,
        };
        self.directory(&mut walk, &root_of, &Under::default())
            .map_err(|(path, why)| ObserveError::read(&root.join(path), why.into()))?;
        Ok(walk)
    }

    fn directory(
        &self,
        walk: &mut Walk,
        here: &Here<'_>,
        outer: &Under,
    ) -> Result<(), (PathBuf, Errno)> {
        let path = here.path;
        let failed = |why| (path.to_owned(), why);
        if !writable(here.handle, OsStr::new(".")).map_err(failed)? {
            walk.undeletable.add(if path.as_os_str().is_empty() {
                Path::new(".")
            } else {
                path
            });
        }
        let names = names(here.handle).map_err(failed)?;
        let has = |wanted: &[u8]| {
            names
                .binary_search_by(|name| name.as_slice().cmp(wanted))
                .is_ok()
        };
        let is_root = path.as_os_str().is_empty();
        let is_repository =
            !is_root && (has(b".git") || (has(b"HEAD") && has(b"objects") && has(b"refs")));
        if is_repository {
            walk.nested.add(path);
        }
        let name = path.file_name().map_or(OsStr::new(""), |name| name);
        let level = Level::new(here.handle, name, &names, here.above);
        let tracked = self.sorter.tracked;
        let inside = Under {
            ignored: outer.ignored.clone(),
            untracked: outer.untracked.clone(),
            submodule: outer.submodule
                || (!is_root && tracked.is_some_and(|tracked| tracked.is_gitlink(path))),
            repository: outer.repository || is_repository,
            within: self
                .sorter
                .enter(&outer.within, &level, path, is_repository)
                .map_err(failed)?,
        };
        for name in &names {
            let name = OsStr::from_bytes(name);
            self.entry(walk, here, &level, (name, &path.join(name)), &inside)?;
        }
        Ok(())
    }

    fn entry(
        &self,
        walk: &mut Walk,
        here: &Here<'_>,
        level: &Level<'_>,
        (name, path): (&OsStr, &Path),
        outer: &Under,
    ) -> Result<(), (PathBuf, Errno)> {
        if self.others.contains(path) {
            return Ok(());
        }
        let failed = |why| (path.to_owned(), why);
        let node = look_at(here.handle, name).map_err(failed)?;
        if node.is_mount || node.inode.device != here.device {
            walk.mounts.add(path);
            return Ok(());
        }
        self.count(walk, &node, path)
            .map_err(|_| failed(Errno::OVERFLOW))?;
        let ignored = deeper(outer.ignored.as_ref(), self.ignored, path);
        let untracked = deeper(outer.untracked.as_ref(), self.untracked, path);
        match node.shape {
            Shape::Directory => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let handle = openat(here.handle, name, flags, Mode::empty()).map_err(failed)?;
                let inner = Here {
                    handle: &handle,
                    path,
                    device: here.device,
                    above: Some(level),
                };
                let under = Under {
                    ignored: ignored.cloned(),
                    untracked: untracked.cloned(),
                    ..outer.clone()
                };
                return self.directory(walk, &inner, &under);
            }
            Shape::Special => walk.special.add(path),
            Shape::File | Shape::Symlink => {}
        }
        if let Some(listed) = ignored {
            let (at, name) = ((listed.as_path(), path), (here.handle, name));
            self.sorter
                .file(&mut walk.sorted, (&outer.within, level), name, at, &node)
                .map_err(failed)?;
            note(&mut walk.ignored, listed);
        }
        if let Some(listed) = untracked {
            note(&mut walk.untracked, listed);
        }
        // A special file holds by itself.
        if ignored.is_none() && untracked.is_none() && node.shape != Shape::Special {
            self.account(walk, path, outer);
        }
        Ok(())
    }

    /// Notes a file that git does not list, unless the index has it.
    fn account(&self, walk: &mut Walk, path: &Path, under: &Under) {
        let Some(tracked) = self.sorter.tracked else {
            return;
        };
        if under.repository || path == Path::new(".git") || tracked.has(path) {
            return;
        }
        if under.submodule {
            walk.in_submodules.add(path);
        } else {
            walk.unlisted.add(path);
        }
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
fn deeper<'p>(
    above: Option<&'p PathBuf>,
    listed: &'p BTreeSet<PathBuf>,
    path: &Path,
) -> Option<&'p PathBuf> {
    above.or_else(|| listed.get(path))
}

/// Remembers a listed path as met, once.
fn note(met: &mut BTreeSet<PathBuf>, listed: &PathBuf) {
    if !met.contains(listed) {
        met.insert(listed.clone());
    }
}

/// The names in an open directory, in byte order.
fn names(handle: &OwnedFd) -> Result<Vec<Vec<u8>>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(handle)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
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
