//! Symbolic refs that are symlinks (`core.preferSymlinkRefs`; git made no others once).
//!
//! gix reads through them, or finds nothing. Input: a git directory. Output: each of them below
//! `refs/`, with the full name that it points at. Invariants: as git reads them: a link to a name
//! below `refs/` is symbolic, another one is read through; what is read through a link is there no
//! more once the file is gone that it leads to, so that it is told as one that points at it.

use super::ObserveError;
use super::place::{look, names, ref_text};
use gix::bstr::BString;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Deeper than any name of a ref; a link may lead back to above itself.
const DEEPEST: usize = 64;

/// Finds them.
pub(crate) fn linked_refs(git_dir: &Path) -> Result<Vec<(BString, BString)>, ObserveError> {
    let mut found = Vec::new();
    let mut ahead = vec![(PathBuf::from("refs"), 0, false)];
    while let Some((name, depth, mut is_linked)) = ahead.pop() {
        let path = git_dir.join(&name);
        let Some(metadata) = look(&path)? else {
            continue;
        };
        let mut is_directory = metadata.is_dir();
        is_linked |= metadata.is_symlink();
        if metadata.is_symlink() {
            if let Some(target) = target(&path)? {
                found.push((name.as_os_str().as_bytes().into(), target));
                continue;
            }
            is_directory = match fs::metadata(&path) {
                Ok(metadata) => metadata.is_dir(),
                Err(why) if why.kind() == ErrorKind::NotFound => false,
                Err(why) => return Err(ObserveError::read(&path, why)),
            };
        }
        if !is_directory {
            if is_linked && let Some(target) = through(git_dir, &path)? {
                found.push((name.as_os_str().as_bytes().into(), target));
            }
            continue;
        }
        if depth == DEEPEST {
            return Err(ObserveError::malformed(&path, "lies too deep for a ref"));
        }
        for inner in names(&path)?.into_iter().flatten() {
            ahead.push((name.join(inner), depth + 1, is_linked));
        }
    }
    found.sort();
    Ok(found)
}

/// The ref of the git directory in whose file a path ends that has a link on the way.
pub(crate) fn through(git_dir: &Path, path: &Path) -> Result<Option<BString>, ObserveError> {
    let real = |path: &Path| match fs::canonicalize(path) {
        Ok(real) => Ok(Some(real)),
        // A link that leads nowhere is read by nobody.
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(ObserveError::read(path, why)),
    };
    let (Some(file), Some(home)) = (real(path)?, real(git_dir)?) else {
        return Ok(None);
    };
    let Ok(name) = file.strip_prefix(&home) else {
        return Ok(None);
    };
    Ok(Some(name.as_os_str().as_bytes().into()))
}

/// What one ref points at, if it is such a symlink.
pub(crate) fn target(path: &Path) -> Result<Option<BString>, ObserveError> {
    let is_symlink = look(path)?.is_some_and(|metadata| metadata.is_symlink());
    if !is_symlink {
        return Ok(None);
    }
    let target = fs::read_link(path).map_err(|why| ObserveError::read(path, why))?;
    if !target.as_os_str().as_bytes().starts_with(b"refs/") {
        return Ok(None);
    }
    let text = ref_text(path)?;
    Ok(text.and_then(|text| text.strip_prefix(b"ref: ").map(BString::from)))
}
