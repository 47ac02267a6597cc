//! What only an administrative entry keeps: its HEAD reflog and its private refs.
//!
//! Git deletes both with the worktree, and with them the last name of a commit (`git-facts 14`).

use super::ObserveError;
use super::place::{contents, look, names, trimmed};
use super::reflog;
use super::repository::Repository;
use gix::ObjectId;
use gix::bstr::BStr;
use std::collections::BTreeSet;
use std::path::Path;

/// Objects that the entry names, besides HEAD; those that the repository lacks are already lost
/// and left out.
pub(crate) fn named_by(
    repository: &Repository,
    entry: &Path,
) -> Result<BTreeSet<ObjectId>, ObserveError> {
    let mut ids = BTreeSet::new();
    for logged in reflog::read(entry, BStr::new("HEAD"))?
        .into_iter()
        .flatten()
    {
        ids.extend(logged.old);
        ids.extend(logged.new);
    }
    private_refs(&entry.join("refs"), &mut ids)?;
    ids.retain(|id| repository.gix.has_object(id));
    Ok(ids)
}

fn private_refs(dir: &Path, ids: &mut BTreeSet<ObjectId>) -> Result<(), ObserveError> {
    for name in names(dir)?.into_iter().flatten() {
        let path = dir.join(name);
        if look(&path)?.is_some_and(|metadata| metadata.is_dir()) {
            private_refs(&path, ids)?;
            continue;
        }
        let Some(bytes) = contents(&path)? else {
            continue;
        };
        let value = trimmed(&bytes);
        if value.starts_with(b"ref: ") {
            continue;
        }
        let id = ObjectId::from_hex(value)
            .map_err(|_| ObserveError::malformed(&path, "is a private ref that names no object"))?;
        ids.insert(id);
    }
    Ok(())
}
