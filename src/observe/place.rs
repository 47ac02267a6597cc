//! Where a path really is, and whether it is reached through a symlink.
//!
//! Input: a path that may not exist. Output: its resolved place, or what stands in the way.
//! Invariant: only `NotFound` counts as "not there"; every other failure is an error.

use super::ObserveError;
use crate::resource::BytePath;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// What `lstat` says of a path; none means `NotFound`, or below something that is no directory.
pub(crate) fn look(path: &Path) -> Result<Option<Metadata>, ObserveError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(ObserveError::read(path, error)),
    }
}

/// The bytes of a file; none means `NotFound`.
pub(crate) fn contents(path: &Path) -> Result<Option<Vec<u8>>, ObserveError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ObserveError::read(path, error)),
    }
}

/// What a ref file says, as git reads it: a symlink to a name below `refs/` is a symbolic ref, whether
/// or not anything is there (`core.preferSymlinkRefs`); none means that there is no such file.
pub(crate) fn ref_text(path: &Path) -> Result<Option<Vec<u8>>, ObserveError> {
    let Some(metadata) = look(path)? else {
        return Ok(None);
    };
    if metadata.is_symlink() {
        let target = fs::read_link(path).map_err(|error| ObserveError::read(path, error))?;
        let target = target.as_os_str().as_bytes();
        if target.starts_with(b"refs/") {
            return Ok(Some([b"ref: ", target].concat()));
        }
    }
    match contents(path)? {
        Some(text) => Ok(Some(text)),
        None => Err(ObserveError::malformed(path, "is a dangling symlink")),
    }
}

/// The names in a directory, sorted; none means `NotFound`.
pub(crate) fn names(path: &Path) -> Result<Option<Vec<std::ffi::OsString>>, ObserveError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ObserveError::read(path, error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(
            entry
                .map_err(|error| ObserveError::read(path, error))?
                .file_name(),
        );
    }
    names.sort();
    Ok(Some(names))
}

/// What is no directory at and below a path, whatever its depth, in the order of names; nothing if
/// nothing is there.
pub(crate) fn below(path: PathBuf) -> Below {
    Below { ahead: vec![path] }
}

/// A walk of [`below`], which needs no stack of its own for each level.
pub(crate) struct Below {
    ahead: Vec<PathBuf>,
}

impl Iterator for Below {
    type Item = Result<PathBuf, ObserveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(path) = self.ahead.pop() {
            let inside = look(&path).and_then(|found| match found {
                Some(metadata) if metadata.is_dir() => Ok(Some(names(&path)?)),
                Some(_) => Ok(None),
                // It has vanished meanwhile.
                None => Ok(Some(None)),
            });
            match inside {
                Ok(None) => return Some(Ok(path)),
                Ok(Some(names)) => {
                    let names = names.into_iter().flatten().rev();
                    self.ahead.extend(names.map(|name| path.join(name)));
                }
                Err(why) => return Some(Err(why)),
            }
        }
        None
    }
}

/// The path with every symlink on the way to it resolved, but not the last component: what stands
/// at the path itself may be a symlink, or gone. Ancestors that do not exist are kept as written.
pub(crate) fn settle(path: &Path) -> Result<PathBuf, ObserveError> {
    let mut missing: Vec<&OsStr> = Vec::new();
    let mut existing = path;
    loop {
        let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else {
            return Err(ObserveError::malformed(path, "is not a path to something"));
        };
        missing.push(name);
        existing = parent;
        if look(existing)?.is_none() {
            continue;
        }
        let mut settled =
            fs::canonicalize(existing).map_err(|error| ObserveError::read(existing, error))?;
        settled.extend(missing.iter().rev());
        return Ok(settled);
    }
}

/// What stands in the way strictly below `root` to `path`, which is below `root` as written: the
/// first symlink, `path` itself included, or something above `path` that is no directory.
pub(crate) fn in_the_way(root: &Path, path: &Path) -> Result<Option<String>, ObserveError> {
    let Ok(below) = path.strip_prefix(root) else {
        return Err(ObserveError::malformed(path, "lies outside its project"));
    };
    let mut at = root.to_owned();
    for component in below.components() {
        at.push(component);
        match look(&at)? {
            Some(metadata) if metadata.is_symlink() => {
                return Ok(Some(format!("{} is a symlink", BytePath::from(at))));
            }
            Some(metadata) if !metadata.is_dir() && at != path => {
                return Ok(Some(format!("{} is no directory", BytePath::from(at))));
            }
            Some(_) => {}
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Git's "one line" files end in white space that is not part of the value.
pub(crate) fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .iter()
        .rposition(|byte| !byte.is_ascii_whitespace())
        .map_or(0, |last| last + 1);
    &bytes[..end]
}

/// The path without `.` and `..`, as text: right where no symlink is on the way.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                plain.push(component);
            }
        }
    }
    plain
}
