//! One open directory of the walk, with the ones above it.

use super::pattern::matches;
use crate::observe::node::{Shape, look_at};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

/// An open directory, its names in byte order, and its parent inside the tree.
pub(crate) struct Level<'a> {
    handle: &'a OwnedFd,
    name: &'a OsStr,
    names: &'a [&'a [u8]],
    above: Option<&'a Level<'a>>,
}

impl<'a> Level<'a> {
    /// The directory `name` below `above`; the root of the tree has neither.
    pub(crate) fn new(
        handle: &'a OwnedFd,
        name: &'a OsStr,
        names: &'a [&'a [u8]],
        above: Option<&'a Level<'a>>,
    ) -> Self {
        Self {
            handle,
            name,
            names,
            above,
        }
    }

    /// Its handle.
    pub(super) fn handle(&self) -> &'a OwnedFd {
        self.handle
    }

    /// Its name.
    pub(super) fn name(&self) -> &[u8] {
        self.name.as_bytes()
    }

    /// What lies directly in it, in byte order.
    pub(super) fn names(&self) -> &'a [&'a [u8]] {
        self.names
    }

    /// The directory above; none for the root of the tree.
    pub(super) fn above(&self) -> Option<&'a Level<'a>> {
        self.above
    }

    /// Whether it has a regular file of this name.
    pub(super) fn has_file(&self, name: &[u8]) -> Result<bool, Errno> {
        Ok(self.has(name) && self.shape(name)? == Some(Shape::File))
    }

    /// Whether an entry is there: `name` is a regular file, `name/` a directory; components before
    /// the last are directories; the first one may have a `*`. No symlink counts.
    pub(super) fn holds(&self, wanted: &str) -> Result<bool, Errno> {
        let (path, shape) = match wanted.strip_suffix('/') {
            Some(path) => (path, Shape::Directory),
            None => (wanted, Shape::File),
        };
        let (first, rest) = match path.split_once('/') {
            Some((first, rest)) => (first, Some(rest)),
            None => (path, None),
        };
        if !first.contains('*') && !self.has(first.as_bytes()) {
            return Ok(false);
        }
        for name in self.names.iter().filter(|name| matches(first, name)) {
            let found = match rest {
                None => self.shape(name)?,
                Some(rest) => below(self.handle, name, rest)?,
            };
            if found == Some(shape) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The start of a regular file, at most `most` bytes; none if it is anything else.
    pub(super) fn start_of(&self, name: &[u8], most: u64) -> Result<Option<Vec<u8>>, Errno> {
        if !self.has_file(name)? {
            return Ok(None);
        }
        let mut file = File::from(open(self.handle, name, OFlags::NONBLOCK)?);
        let mut bytes = Vec::new();
        (&mut file)
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(errno)?;
        Ok(Some(bytes))
    }

    fn has(&self, name: &[u8]) -> bool {
        self.names.binary_search(&name).is_ok()
    }

    fn shape(&self, name: &[u8]) -> Result<Option<Shape>, Errno> {
        shape(self.handle, name)
    }
}

/// What is at `name`; none if nothing is.
fn shape(at: impl AsFd, name: &[u8]) -> Result<Option<Shape>, Errno> {
    match look_at(at, OsStr::from_bytes(name)) {
        Ok(node) => Ok(Some(node.shape)),
        Err(Errno::NOENT) => Ok(None),
        Err(why) => Err(why),
    }
}

/// What is at `rest` below the directory `first`, through directories only.
fn below(at: &OwnedFd, first: &[u8], rest: &str) -> Result<Option<Shape>, Errno> {
    if shape(at, first)? != Some(Shape::Directory) {
        return Ok(None);
    }
    let handle = open(at, first, OFlags::DIRECTORY)?;
    match rest.split_once('/') {
        Some((next, rest)) => below(&handle, next.as_bytes(), rest),
        None => shape(&handle, rest.as_bytes()),
    }
}

/// The system's number of an error; one without a number is still an error.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(super) fn errno(why: std::io::Error) -> Errno {
    Errno::from_io_error(&why).map_or(Errno::IO, |errno| errno)
}

/// Opens `name` for reading, and never through a symlink.
pub(super) fn open(at: impl AsFd, name: &[u8], more: OFlags) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | more;
    openat(at, OsStr::from_bytes(name), flags, Mode::empty())
}
