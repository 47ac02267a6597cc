//! Reads one thing of `/proc` and tells the three answers apart.
//!
//! Invariant: a process that is gone and one that is denied are answers; every other error is one.

use super::{Inode, ProcessError};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxFlags, makedev, openat, readlinkat, statx};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What came of a reading.
#[derive(Debug)]
pub(super) enum Reading<T> {
    /// This was read.
    Read(T),
    /// The process, or this part of it, is no more.
    Gone,
    /// This user may not see it.
    Denied,
}

/// The text of a link, unaltered; of one to a directory whose path is longer than the kernel tells,
/// the nearest directory above whose path it does tell. No worktree lies deeper than that.
pub(super) fn link(path: &Path) -> Result<Reading<Vec<u8>>, ProcessError> {
    let text = fs::read_link(path).map(|text| OsString::from(text).into_vec());
    match text {
        Err(why) if Errno::from_io_error(&why) == Some(Errno::NAMETOOLONG) => {
            sort(path, above(path).map_err(|_| why))
        }
        text => sort(path, text),
    }
}

/// The path of the nearest directory above what a link leads to, a directory, that can be told.
fn above(path: &Path) -> Result<Vec<u8>, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at = openat(CWD, path, flags, Mode::empty())?;
    loop {
        at = openat(&at, "..", flags, Mode::empty())?;
        let own = format!("/proc/self/fd/{}", at.as_raw_fd());
        match readlinkat(CWD, own, Vec::new()) {
            Ok(text) => return Ok(text.into_bytes()),
            Err(Errno::NAMETOOLONG) => {}
            Err(why) => return Err(why),
        }
    }
}

/// The bytes of a file.
pub(super) fn bytes(path: &Path) -> Result<Reading<Vec<u8>>, ProcessError> {
    sort(path, fs::read(path))
}

/// The mount table of a process. The kernel has an answer of its own for one that is ending and
/// has let go of its namespaces, which it does after its files and directories.
pub(super) fn mount_table(folder: &Path) -> Result<Reading<Vec<u8>>, ProcessError> {
    let path = folder.join("mountinfo");
    match fs::read(&path) {
        Err(why) if Errno::from_io_error(&why) == Some(Errno::INVAL) => Ok(Reading::Gone),
        answer => sort(&path, answer),
    }
}

/// The names in a directory that are numbers: processes, threads, descriptors.
pub(super) fn numbers(path: &Path) -> Result<Reading<Vec<u32>>, ProcessError> {
    let read = || -> io::Result<Vec<u32>> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(path)? {
            let name = entry?.file_name();
            if let Some(Ok(number)) = name.to_str().map(str::parse) {
                numbers.push(number);
            }
        }
        numbers.sort_unstable();
        Ok(numbers)
    };
    sort(path, read())
}

/// The user to whom a process belongs.
pub(super) fn owner(folder: &Path) -> Result<Reading<u32>, ProcessError> {
    sort(folder, fs::metadata(folder).map(|found| found.uid()))
}

/// The identity of what a link of `/proc` leads to, from what the kernel has in memory.
///
/// An error of the file system behind it concerns that process only: it could not be inspected.
pub(super) fn inode(path: &Path) -> Reading<Inode> {
    let flags = AtFlags::STATX_DONT_SYNC | AtFlags::NO_AUTOMOUNT;
    match statx(CWD, path, flags, StatxFlags::INO) {
        Ok(found) => Reading::Read(Inode {
            device: makedev(found.stx_dev_major, found.stx_dev_minor),
            number: found.stx_ino,
        }),
        Err(Errno::NOENT | Errno::SRCH) => Reading::Gone,
        Err(_) => Reading::Denied,
    }
}

/// Sorts an answer of the system into the three.
pub(super) fn sort<T>(path: &Path, answer: io::Result<T>) -> Result<Reading<T>, ProcessError> {
    let why = match answer {
        Ok(value) => return Ok(Reading::Read(value)),
        Err(why) => why,
    };
    match Errno::from_io_error(&why) {
        Some(Errno::NOENT | Errno::SRCH) => Ok(Reading::Gone),
        Some(Errno::ACCESS | Errno::PERM) => Ok(Reading::Denied),
        Some(_) | None => Err(ProcessError::Read {
            path: path.into(),
            why,
        }),
    }
}
