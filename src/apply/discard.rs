//! Unlinks the expendable files of a worktree that stands aside and was looked at last.
//!
//! Input: the place, and the steps of the row. Invariants: exactly the planned paths; each is
//! reached through real directories only, and is the very file that was looked at, by inode, length
//! and content, or nothing more is unlinked.

use super::files;
use crate::journal::Record;
use crate::observe::{Found, digest_of};
use crate::plan::{Row, Step};
use crate::resource::BytePath;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

/// What the steps of a row unlink.
pub(super) fn paths(row: &Row) -> Vec<BytePath> {
    let mut paths = Vec::new();
    for step in &row.steps {
        if let Step::DiscardExpendable { path, .. } = step {
            paths.push(path.clone());
        }
    }
    paths
}

/// What to say of a tree that is given back although some of it was unlinked already.
pub(super) fn gone(record: &Record, home: &Path) -> Option<String> {
    let mut gone = Found::default();
    for path in &record.unlinks {
        if !matches!(files::look(&home.join(path.as_path())), Ok(Some(_))) {
            gone.add(path.as_path());
        }
    }
    (gone.total > 0).then(|| format!("what was given up by name is gone already: {gone}"))
}

/// Unlinks what the steps name; the error says which one was not as planned.
pub(super) fn discard(place: &Path, row: &Row) -> Result<(), String> {
    let mut gone = 0;
    for step in &row.steps {
        if let Step::DiscardExpendable {
            path,
            inode,
            size_bytes,
            sha256,
        } = step
        {
            one(place, path, (*inode, *size_bytes, sha256)).map_err(|why| match gone {
                0 => format!("{path} was not discarded: {why}"),
                _ => format!("{path} was not discarded, {gone} before it were: {why}"),
            })?;
            gone += 1;
        }
    }
    Ok(())
}

fn one(place: &Path, path: &BytePath, planned: (u64, u64, &str)) -> Result<(), String> {
    let relative = path.as_path();
    let Some(name) = relative.file_name() else {
        return Err("it names no file".to_owned());
    };
    let said = |why: Errno| why.to_string();
    let mut at = open_directory(CWD, place.as_os_str()).map_err(said)?;
    let above = relative.parent().map(Path::components);
    for component in above.into_iter().flatten() {
        let Component::Normal(part) = component else {
            return Err("it is not a path below the worktree".to_owned());
        };
        at = open_directory(&at, part).map_err(said)?;
    }
    let (inode, bytes, sha256) = planned;
    let stat = statat(&at, name, AtFlags::SYMLINK_NOFOLLOW).map_err(said)?;
    let is_symlink = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => false,
        FileType::Symlink => true,
        FileType::Directory
        | FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => return Err("it is no file any more".to_owned()),
    };
    if stat.st_ino != inode {
        return Err("another file stands in its place".to_owned());
    }
    if digest_of(&at, name, is_symlink).map_err(said)? != (bytes, sha256.to_owned()) {
        return Err("its content has changed".to_owned());
    }
    unlinkat(&at, name, AtFlags::empty()).map_err(said)
}

fn open_directory(at: impl std::os::fd::AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty())
}
