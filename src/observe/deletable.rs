//! Whether this user could delete an administrative entry (guard 15).
//!
//! Input: the entry. Output: what keeps it from being deleted whole. Invariants: nothing but
//! permissions, file systems, and flags is asked about; `modules` is looked at with the submodules.

use super::node::look_at;
use super::place::{look, names};
use super::{Found, ObserveError};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// The directories of an entry, its own and the one that it is in included, from which nothing may be
/// unlinked, and what may not be unlinked itself; absolute paths.
pub(crate) fn undeletable(entry: &Path) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    let Some(entries) = entry.parent() else {
        return Err(ObserveError::malformed(entry, "lies in no directory"));
    };
    if is_fixed(entries)? || !is_writable(entries)? {
        found.add(entries);
    }
    let mut ahead: Vec<PathBuf> = vec![entry.to_owned()];
    while let Some(path) = ahead.pop() {
        // It has vanished meanwhile.
        let Some(metadata) = look(&path)? else {
            continue;
        };
        let is_directory = metadata.is_dir();
        if is_fixed(&path)? || (is_directory && !is_writable(&path)?) {
            found.add(&path);
            continue;
        }
        if is_directory {
            let inside = names(&path)?.into_iter().flatten().rev();
            let inside = inside.map(|name| path.join(name));
            ahead.extend(inside.filter(|one| *one != entry.join("modules")));
        }
    }
    Ok(found)
}

fn is_writable(directory: &Path) -> Result<bool, ObserveError> {
    writable(CWD, directory.as_os_str()).map_err(|why| ObserveError::read(directory, why.into()))
}

/// Whether it is immutable or may only grow.
fn is_fixed(path: &Path) -> Result<bool, ObserveError> {
    match look_at(CWD, OsStr::new(path.as_os_str())) {
        Ok(node) => Ok(node.is_fixed),
        Err(Errno::NOENT) => Ok(false),
        Err(why) => Err(ObserveError::read(path, why.into())),
    }
}

/// Whether entries may be removed from a directory by the user that owl runs as.
pub(crate) fn writable(at: impl AsFd, name: &OsStr) -> Result<bool, Errno> {
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
