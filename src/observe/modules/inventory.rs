//! A digest over everything in a directory of repositories, so that a change of any of it shows.
//!
//! Input: the directory. Output: a digest over path, inode, mode, length and mtime of all that is below
//! it, and over the bytes of all but the objects, whose names say what they hold. Invariants: reading it
//! changes nothing of it; any error is an error of the whole; what another repository does to an object
//! that it shares by a hard link is no change, so that no ctime counts.

use crate::observe::ObserveError;
use crate::observe::place::names;
use crate::observe::reach::DEEPEST;
use crate::resource::hex;
use sha2::{Digest, Sha256};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The digest of what is below a directory; the directory itself may be moved.
pub fn inventory(directory: &Path) -> Result<String, ObserveError> {
    let mut digest = Sha256::new();
    below(directory, (Path::new(""), false), &mut digest)?;
    Ok(hex(&digest.finalize()))
}

fn below(
    root: &Path,
    (at, are_objects): (&Path, bool),
    digest: &mut Sha256,
) -> Result<(), ObserveError> {
    if at.components().count() > DEEPEST {
        return Err(ObserveError::Bound {
            what: "directories inside each other in `modules`",
            limit: DEEPEST,
        });
    }
    for name in names(&root.join(at))?.into_iter().flatten() {
        let path = at.join(&name);
        let place = root.join(&path);
        let failed = |why| ObserveError::read(&place, why);
        let metadata = std::fs::symlink_metadata(&place).map_err(failed)?;
        digest.update(path.as_os_str().as_bytes());
        digest.update([0]);
        digest.update(metadata.ino().to_le_bytes());
        digest.update(metadata.mode().to_le_bytes());
        digest.update(metadata.len().to_le_bytes());
        digest.update(metadata.mtime().to_le_bytes());
        digest.update(metadata.mtime_nsec().to_le_bytes());
        if metadata.is_dir() {
            below(root, (&path, are_objects || name == "objects"), digest)?;
        } else if metadata.is_file() && !are_objects {
            digest.update(std::fs::read(&place).map_err(failed)?);
        }
    }
    Ok(())
}
