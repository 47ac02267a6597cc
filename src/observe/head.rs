//! Where HEAD of an administrative entry stands.

use super::place::{ref_text, trimmed};
use super::repository::Repository;
use super::{Head, ObserveError};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::ObjectId;
use jiff::Timestamp;
use std::path::Path;

/// Reads HEAD of an entry. A branch that is missing, empty, or garbage leaves the commit out
/// (`git-facts 32`); a commit that the repository lacks is an error.
pub(crate) fn head(repository: &Repository, entry: &Path) -> Result<Head, ObserveError> {
    let file = entry.join("HEAD");
    let Some(bytes) = ref_text(&file)? else {
        return Err(ObserveError::malformed(&file, "is missing"));
    };
    let value = trimmed(&bytes);
    if let Some(branch) = value.strip_prefix(b"ref: ") {
        let branch = trimmed_start(branch);
        if branch == b"refs/heads/.invalid" {
            return Err(ObserveError::malformed(
                &file,
                "is kept in a reftable, which owl cannot read",
            ));
        }
        let commit = match repository.resolve(branch)? {
            Some(id) => Some(commit(repository, id)?),
            None => None,
        };
        return Ok(Head {
            branch: Some(BytePath::from_bytes(branch)),
            commit: commit.map(|id| id.to_string()),
        });
    }
    let id = ObjectId::from_hex(value)
        .map_err(|_| ObserveError::malformed(&file, "names neither a branch nor a commit"))?;
    let commit = commit(repository, id)?;
    Ok(Head {
        branch: None,
        commit: Some(commit.to_string()),
    })
}

fn trimmed_start(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
    start.map_or(&[], |start| &bytes[start..])
}

fn commit(repository: &Repository, id: ObjectId) -> Result<ObjectId, ObserveError> {
    repository.commit_of(id)?.ok_or_else(|| {
        ObserveError::gix(
            format!("the object {id}"),
            &"HEAD names it, but it is no commit",
        )
    })
}

/// The commit of a known HEAD as an object id.
pub(crate) fn commit_id(head: &Fact<Head>) -> Option<ObjectId> {
    let hex = head.known()?.commit.as_ref()?;
    ObjectId::from_hex(hex.as_bytes()).ok()
}

/// When the commit of HEAD was made; absent if there is none. A HEAD that could not be read is an
/// unknown fact of its own, which holds; it says nothing about ages.
pub(crate) fn committed_at(repository: &Repository, head: &Fact<Head>) -> Fact<Timestamp> {
    let Some(id) = commit_id(head) else {
        return Fact::Absent;
    };
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {id}"), why);
    let time = repository
        .gix
        .find_commit(id)
        .map_err(|why| failed(&why))
        .and_then(|commit| commit.time().map_err(|why| failed(&why)));
    Fact::from_result(time.and_then(|time| super::ages::timestamp(time.seconds, 0)))
}
