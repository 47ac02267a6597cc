//! The main worktree's same path: what is byte-equal to it is a copy and may go (`spec 5.4`).
//!
//! Invariants: only the main worktree's own files vouch, reached through plain directories of one
//! file system: not through a symlink or a mount, which could lead back into the tree itself, and
//! not below another `.git`, since that is another worktree which may be removed as well. Bytes
//! are compared as a stream, up to [`MOST`].

use super::level::{errno, open};
use crate::observe::node::{Node, Shape, look_at};
use rustix::fs::{CWD, OFlags, readlinkat};
use rustix::io::Errno;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Files over this are not compared: reading them would cost more than the tree is worth.
const MOST: u64 = 256 << 20;

const BLOCK: usize = 64 << 10;

/// A directory that the main worktree was found not to have: nothing below it has a twin.
#[derive(Debug, Default)]
pub(crate) struct Gap(RefCell<Option<PathBuf>>);

impl Gap {
    fn has(&self, path: &Path) -> bool {
        let gap = self.0.borrow();
        gap.as_ref().is_some_and(|gap| path.starts_with(gap))
    }
}

/// The main worktree, if the repository has one.
#[derive(Clone, Debug)]
pub(crate) struct MainWorktree {
    root: PathBuf,
}

impl MainWorktree {
    /// The main worktree at this resolved path.
    pub(crate) fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Whether the regular file `name` in the open directory, at `path` in the tree, has a
    /// byte-equal twin.
    pub(super) fn has_equal(
        &self,
        gap: &Gap,
        at: &OwnedFd,
        name: &OsStr,
        path: &Path,
    ) -> Result<bool, Errno> {
        let Some((parent, twin)) = self.look(gap, path)? else {
            return Ok(false);
        };
        if twin.shape != Shape::File {
            return Ok(false);
        }
        let mut own = File::from(open(at, name.as_bytes(), OFlags::NONBLOCK)?);
        let mut other = match open(&parent, name.as_bytes(), OFlags::NONBLOCK) {
            Ok(file) => File::from(file),
            // What this user may not read is no proof, but no failure of the tree's either.
            Err(Errno::ACCESS | Errno::PERM | Errno::NOENT | Errno::LOOP) => return Ok(false),
            Err(why) => return Err(why),
        };
        let length = |file: &File| file.metadata().map(|metadata| metadata.len());
        let (one, two) = (length(&own).map_err(errno)?, length(&other).map_err(errno)?);
        if one != two || one > MOST {
            return Ok(false);
        }
        equal(&mut own, &mut other, one).map_err(errno)
    }

    /// Whether the symlink `name` in the open directory, at `path` in the tree at `tree`, leads to
    /// the main worktree's same path, and something is there.
    pub(super) fn has_target(
        &self,
        gap: &Gap,
        (at, name): (&OwnedFd, &OsStr),
        tree: &Path,
        path: &Path,
    ) -> Result<bool, Errno> {
        let target = readlinkat(at, name, Vec::new())?;
        let target = Path::new(OsStr::from_bytes(target.to_bytes()));
        let from = tree.join(path);
        let from = from.parent().map_or(tree, |parent| parent);
        let leads_there = flat(&from.join(target)) == Some(self.root.join(path));
        Ok(leads_there && self.look(gap, path)?.is_some())
    }

    /// The main worktree's own node at `path`, with its open parent; none if there is none.
    fn look(&self, gap: &Gap, path: &Path) -> Result<Option<(OwnedFd, Node)>, Errno> {
        if gap.has(path) {
            return Ok(None);
        }
        let mut way = PathBuf::new();
        let mut at = open(CWD, self.root.as_os_str().as_bytes(), OFlags::DIRECTORY)?;
        let device = look_at(&at, OsStr::new(""))?.inode.device;
        let mut parts = path.components().peekable();
        while let Some(part) = parts.next() {
            way.push(part);
            let node = match look_at(&at, part.as_os_str()) {
                Ok(node) => node,
                Err(Errno::NOENT) => {
                    *gap.0.borrow_mut() = Some(way);
                    return Ok(None);
                }
                Err(Errno::ACCESS) => return Ok(None),
                Err(why) => return Err(why),
            };
            if node.is_mount || node.inode.device != device {
                return Ok(None);
            }
            if parts.peek().is_none() {
                return Ok(Some((at, node)));
            }
            if node.shape != Shape::Directory {
                return Ok(None);
            }
            at = match open(&at, part.as_os_str().as_bytes(), OFlags::DIRECTORY) {
                Ok(handle) => handle,
                Err(Errno::NOENT | Errno::ACCESS | Errno::LOOP | Errno::NOTDIR) => return Ok(None),
                Err(why) => return Err(why),
            };
            match look_at(&at, OsStr::new(".git")) {
                Err(Errno::NOENT) => {}
                Ok(_) => return Ok(None),
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }
}

/// The path without `.` and `..`, by its text alone; none if it leads above the root.
fn flat(path: &Path) -> Option<PathBuf> {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                if !flat.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => flat.push(part),
        }
    }
    Some(flat)
}

fn equal(own: &mut File, other: &mut File, length: u64) -> std::io::Result<bool> {
    let (mut one, mut two) = (vec![0; BLOCK], vec![0; BLOCK]);
    let mut left = length;
    while left > 0 {
        let step = usize::try_from(left.min(BLOCK as u64)).map_or(BLOCK, |step| step);
        own.read_exact(&mut one[..step])?;
        other.read_exact(&mut two[..step])?;
        if one[..step] != two[..step] {
            return Ok(false);
        }
        left -= step as u64;
    }
    // A file that grew meanwhile is being written.
    Ok(own.read(&mut one)? == 0 && other.read(&mut two)? == 0)
}
