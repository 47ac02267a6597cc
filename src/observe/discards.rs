//! Tracked changes that a person gives up, each told so that no other can be taken for it
//! (`owl jobs accept --discard`, A3.3).
//!
//! Input: what git calls changed, and the index. Output: one [`Discard`] a path, or why one of them
//! cannot be told. Invariant: the bytes in the index and in the worktree are both in it, so that one
//! more edit makes it another.

use super::dirt::Dirt;
use super::expendable::digest_of;
use super::{Discard, ObserveError};
use crate::fact::Fact;
use crate::git::ChangeKind;
use crate::resource::BytePath;
use gix::bstr::BStr;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::io::ErrorKind;
use std::path::Path;

/// The most changes that are given up at once; more hold like any other.
const MOST: usize = 1000;

/// Every tracked change of a worktree.
pub(crate) fn discards(
    root: &Path,
    dirt: &Dirt,
    index: &gix::index::State,
) -> Result<Fact<Vec<Discard>>, ObserveError> {
    if dirt.changed.is_empty() {
        return Ok(Fact::Absent);
    }
    if dirt.changed.len() > MOST {
        let many = dirt.changed.len();
        let why = format!("{many} changes are too many to name (at most {MOST})");
        return Ok(Fact::unknown(why));
    }
    let mut found = Vec::new();
    for change in &dirt.changed {
        let path = &change.path;
        let is_plain = match &change.kind {
            ChangeKind::Ordinary | ChangeKind::Renamed { .. } => change.submodule.is_none(),
            ChangeKind::Unmerged => false,
        };
        if !is_plain {
            let why = format!("{path} is a submodule, or in conflict");
            return Ok(Fact::unknown(why));
        }
        let staged = index
            .entry_by_path(BStr::new(path.as_bytes()))
            .map(|entry| entry.id.to_string());
        found.push(Discard {
            path: path.clone(),
            change: String::from_utf8_lossy(&change.xy).into_owned(),
            staged,
            sha256: digest(root, path)?,
        });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Fact::Known(found))
}

/// The digest of what stands at a path; none if nothing does.
fn digest(root: &Path, path: &BytePath) -> Result<Option<String>, ObserveError> {
    let at = root.join(path.as_path());
    let failed = |why: rustix::io::Errno| ObserveError::read(&at, why.into());
    let metadata = match std::fs::symlink_metadata(&at) {
        Ok(metadata) => metadata,
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(why) => return Err(ObserveError::read(&at, why)),
    };
    let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
        return Err(ObserveError::malformed(&at, "is no path in the worktree"));
    };
    if !metadata.is_file() && !metadata.is_symlink() {
        return Err(ObserveError::malformed(
            &at,
            "is neither a file nor a symlink",
        ));
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = openat(CWD, parent, flags, Mode::empty()).map_err(failed)?;
    let (_, sha256) = digest_of(parent, name, metadata.is_symlink()).map_err(failed)?;
    Ok(Some(sha256))
}
