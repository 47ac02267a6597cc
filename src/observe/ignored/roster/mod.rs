//! What a producer's own record says that it has put into its directory (`ecosystem 5b`).
//!
//! The record vouches for what it names, not for the directory that it lies in: what somebody put
//! beside the packages is named nowhere. Input: the open directory. Output: the names directly in
//! each directory that the record speaks of, or the files, one by one. Invariants: a record that is
//! there and cannot be read names nothing; one that has nothing to say of names at all, as older
//! programs write it, leaves the directory to the proof alone; what lies within a package is the
//! package's own.

use super::level::{Level, errno, open};
use super::pattern::any;
use crate::observe::names::Names;
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

mod cargo;
mod cmake;
mod composer;
mod dotnet;
mod meson;
mod mix;
mod node;
mod python;
pub(super) mod workspace;

/// A record of this size or larger is not read.
const MOST: u64 = 64 << 20;

/// Whose record it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Record {
    /// npm's, pnpm's, and yarn's.
    Node,
    /// npm's, at the top of a workspace, and the links in one of its packages.
    Workspace,
    /// Composer's `installed.json`.
    Composer,
    /// `RECORD` of every installed Python distribution.
    Python,
    /// `MSBuild`'s lists of the files that it has written, in `obj` beside.
    DotNet,
    /// `Cargo.lock`, of which packages are not of the workspace.
    Cargo,
    /// The `deps` of Mix, likewise.
    Mix,
    /// Ninja's log, and the commands by which Make links for `CMake`.
    Cmake,
    /// Meson's list of targets.
    Meson,
}

/// What a record names.
#[derive(Debug, Default)]
pub(crate) struct Roster {
    /// By directory, relative to the producer's own.
    shelves: BTreeMap<PathBuf, Shelf>,
    /// Every file, relative to the producer's directory, where the record has them one by one.
    files: Option<BTreeSet<PathBuf>>,
    /// The packages that were installed from elsewhere, where the record says so; the directory of
    /// one is the third from the producer's own.
    installed: Option<BTreeSet<OsString>>,
    /// Files that it has built right into the directory, under any name.
    built: BTreeSet<OsString>,
    /// The links outside packages that are the producer's own, where it is known.
    links: Option<BTreeSet<PathBuf>>,
    /// Files that the record names and that are called like a key by chance.
    listed: BTreeSet<PathBuf>,
}

/// What lies directly in one directory.
#[derive(Debug, Default)]
struct Shelf {
    named: BTreeSet<OsString>,
    /// What the producer writes there besides, without recording it.
    besides: &'static [&'static str],
    /// Whether the record has nothing to say of names here: only hidden ones must be known.
    is_open: bool,
}

impl Record {
    /// Reads it; none if it says nothing of names. `path` is the directory, relative to `tree`.
    pub(super) fn read(
        self,
        level: &Level<'_>,
        (tree, path): (&Path, &Path),
    ) -> Result<Option<Roster>, Errno> {
        match self {
            Self::Node => node::read(level),
            Self::Workspace => workspace::read(level, path),
            Self::Composer => composer::read(level),
            Self::Python => python::read(level),
            Self::Cargo => cargo::read(level),
            Self::Cmake => cmake::read(level),
            Self::Meson => meson::read(level, &tree.join(path)),
            Self::Mix => mix::read(level),
            Self::DotNet => dotnet::read(level, &tree.join(path)),
        }
    }
}

impl Roster {
    /// Whether the record names the directory at `path`, or says nothing of where it lies.
    pub(super) fn has_folder(&self, path: &Path) -> bool {
        self.is_named(path)
    }

    /// Whether the record names the file at `path`, or says nothing of where it lies.
    pub(super) fn has_file(&self, path: &Path) -> bool {
        let listed = self.files.as_ref();
        listed.is_none_or(|files| files.contains(path) || is_package_of_nuget(path))
            && self.is_named(path)
    }

    /// Whether the record names this very file, though it is called like a key.
    pub(super) fn lists(&self, path: &Path) -> bool {
        self.listed.contains(path)
    }

    /// Whether the package in the directory at `path` was installed, as far as the record tells.
    pub(super) fn has_installed(&self, path: &Path) -> bool {
        let Some(installed) = &self.installed else {
            return true;
        };
        // Cargo adds a hash to the name.
        path.iter().nth(2).is_some_and(|name| {
            let bytes = name.as_bytes();
            let dash = bytes.iter().rposition(|byte| *byte == b'-');
            let plain = dash.is_some_and(|at| installed.contains(OsStr::from_bytes(&bytes[..at])));
            plain || installed.contains(name)
        })
    }

    /// Whether the record says that a file of this name was built right into the directory.
    pub(super) fn has_built(&self, name: &OsStr) -> bool {
        self.built.contains(name)
    }

    /// Whether the symlink at `path` is the producer's own; none if that is not known.
    pub(super) fn has_link(&self, path: &Path) -> Option<bool> {
        self.links.as_ref().map(|links| links.contains(path))
    }

    fn is_named(&self, path: &Path) -> bool {
        let (Some(at), Some(name)) = (path.parent(), path.file_name()) else {
            return true;
        };
        self.shelves.get(at).is_none_or(|shelf| {
            let bytes = name.as_bytes();
            let open = shelf.is_open && !bytes.starts_with(b".");
            open || shelf.named.contains(name) || any(shelf.besides, bytes)
        })
    }

    fn shelf(&mut self, path: impl AsRef<Path>, besides: &'static [&'static str]) -> &mut Shelf {
        let known = self.shelves.entry(path.as_ref().to_owned()).or_default();
        known.besides = besides;
        known
    }
}

/// `dotnet pack` puts it beside what was built.
fn is_package_of_nuget(path: &Path) -> bool {
    let ends = path.extension();
    ends.is_some_and(|ends| ends == "nupkg" || ends == "snupkg")
}

/// A small file in an open directory; none if it is not there, or no regular file.
fn text_of(at: impl AsFd, name: &[u8]) -> Result<Option<Vec<u8>>, Errno> {
    let file = match open(at, name, OFlags::NONBLOCK) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT | Errno::LOOP) => return Ok(None),
        Err(why) => return Err(why),
    };
    let metadata = file.metadata().map_err(errno)?;
    if !metadata.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).map_err(errno)?;
    // What is cut off names nothing.
    Ok(Some(if bytes.len() as u64 == MOST {
        Vec::new()
    } else {
        bytes
    }))
}

/// A directory in an open one; none if it is not there, or no directory.
fn folder_in(at: impl AsFd, name: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    match open(at, name, OFlags::DIRECTORY) {
        Ok(handle) => Ok(Some(handle)),
        Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => Ok(None),
        Err(why) => Err(why),
    }
}

/// The names in an open directory, in byte order.
fn names_in(handle: &OwnedFd) -> Result<Vec<OsString>, Errno> {
    let names = Names::of(handle)?;
    let sorted = names.sorted();
    Ok(sorted
        .into_iter()
        .map(|name| OsStr::from_bytes(name).to_owned())
        .collect())
}

/// A path without `.` and `..`; none if it leads out.
fn flat(path: &Path) -> Option<PathBuf> {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => flat.push(name),
            Component::CurDir => {}
            Component::ParentDir if flat.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(flat)
}
