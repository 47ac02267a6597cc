//! Durable changes of single files, and nothing else.
//!
//! Input: paths in the common git directory, or of a worktree that is being taken. Invariants: a
//! file that is named has its whole content on the disk; nothing is ever replaced but a file that
//! the caller has read; the directory that was changed is flushed before anything builds on it.

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Flushes a directory.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Flushes the directory that a path is in.
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync_directory)
}

/// Writes a new file of owl's own, and flushes it; as for git's, the umask counts.
pub(super) fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    write(path, bytes, mode, false)
}

/// The same; where the mode `is_given` by what was there, the umask does not count.
fn write(path: &Path, bytes: &[u8], mode: u32, is_given: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(path)?;
    if is_given {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Puts `bytes` at `path` at once, through the new file `draft` on the same file system. A file that
/// is there has its mode from the caller: a shared repository's may have more than the umask grants.
pub(super) fn replace(path: &Path, bytes: &[u8], draft: &Path, mode: u32) -> io::Result<()> {
    let is_there = look(path)?.is_some();
    write(draft, bytes, mode, is_there)?;
    fs::rename(draft, path)?;
    sync_parent(path)
}

/// The same, where nothing may be at `path` yet.
pub(super) fn create(path: &Path, bytes: &[u8], draft: &Path, mode: u32) -> io::Result<()> {
    put(path, draft, || write_new(draft, bytes, mode))
}

/// The same for a file that was there before, with its very mode.
pub(super) fn restore(path: &Path, bytes: &[u8], draft: &Path, mode: u32) -> io::Result<()> {
    put(path, draft, || write(draft, bytes, mode, true))
}

fn put(path: &Path, draft: &Path, write: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    write()?;
    if let Err(why) = rename_new(draft, path) {
        remove_own(draft)?;
        return Err(why.into());
    }
    sync_parent(path)
}

/// Renames, and replaces nothing, not even an empty directory.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_new(from: &Path, to: &Path) -> Result<(), Errno> {
    rustix::fs::renameat_with(CWD, from, CWD, to, rustix::fs::RenameFlags::NOREPLACE)
}

/// Exchanges two files at once.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, two: &Path) -> Result<(), Errno> {
    rustix::fs::renameat_with(CWD, one, CWD, two, rustix::fs::RenameFlags::EXCHANGE)
}

/// Exchanges two files at once: this system cannot promise that.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// Renames, and replaces nothing: this system cannot promise that.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn rename_new(_: &Path, _: &Path) -> Result<(), Errno> {
    let _ = CWD;
    Err(Errno::NOSYS)
}

/// Removes a file that owl has made; one that is not there is removed already.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that removes owl's own files"
)]
pub(super) fn remove_own(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
        Err(why) => Err(why),
    }
}

/// Removes a directory of owl's if nothing is in it.
pub(super) fn remove_if_empty(path: &Path) -> io::Result<()> {
    match fs::remove_dir(path) {
        Ok(()) => Ok(()),
        Err(why)
            if matches!(
                why.kind(),
                ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty
            ) =>
        {
            Ok(())
        }
        Err(why) => Err(why),
    }
}

/// The bytes of a file; none means that nothing is there.
pub(super) fn contents(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why),
    }
}

/// What `lstat` says of a path; none means that nothing is there.
pub(super) fn look(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why),
    }
}

/// When something was made; none where the file system does not say.
pub(super) fn born(there: &fs::Metadata) -> Option<(i64, i64)> {
    let at = match there.created() {
        Ok(at) => jiff::Timestamp::try_from(at),
        Err(unsaid) => {
            drop(unsaid);
            return None;
        }
    };
    match at {
        Ok(at) => Some((at.as_second(), i64::from(at.subsec_nanosecond()))),
        Err(beyond) => {
            drop(beyond);
            None
        }
    }
}

/// Sets the mtime of a file or directory that owl has written.
pub(super) fn set_modified(path: &Path, (seconds, nanoseconds): (i64, i64)) -> io::Result<()> {
    let times = Timestamps {
        last_access: Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_OMIT,
        },
        last_modification: Timespec {
            tv_sec: seconds,
            tv_nsec: nanoseconds,
        },
    };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(())
}

/// Files and directories below a real directory; symlinks are not followed (C6).
pub(super) fn count(path: &Path) -> io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        total += 1;
        if entry.file_type()?.is_dir() {
            total += count(&entry.path())?;
        }
    }
    Ok(total)
}
