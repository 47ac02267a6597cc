//! Rescue refs: what a drop, or a removal in a store of `rescue`, has pinned (`spec 13`).

use super::ObserveError;
use super::repository::Repository;
use crate::resource::{BytePath, RESCUE_PREFIX, RescueName};
use gix::ObjectId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One rescue ref whose name owl itself could have written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RescueRef {
    /// The full name.
    pub reference: BytePath,
    /// When it was written: what its name says, or when its commit was made if that is later, since
    /// the clock may have been wrong then.
    pub at: Timestamp,
    /// The object that it points at.
    pub commit: String,
}

impl RescueRef {
    /// Its name without `refs/owl/rescue/`.
    pub fn short(&self) -> &[u8] {
        let full = self.reference.as_bytes();
        full.strip_prefix(RESCUE_PREFIX.as_bytes())
            .map_or(full, |short| short)
    }
}

/// Every rescue ref of a repository, by name; symbolic ones and strange names are none.
pub(crate) fn rescued(repository: &Repository) -> Result<Vec<RescueRef>, ObserveError> {
    let mut rescued = Vec::new();
    for one in repository.references(RESCUE_PREFIX)? {
        let Some(name) = RescueName::parse(&one.name) else {
            continue;
        };
        let made = made_at(repository, one.target)?;
        rescued.push(RescueRef {
            reference: BytePath::from_bytes(&one.name),
            at: made.map_or(name.at, |made| made.max(name.at)),
            commit: one.target.to_string(),
        });
    }
    Ok(rescued)
}

/// When a commit was made; none for other objects, and for one that is lost anyway.
fn made_at(repository: &Repository, id: ObjectId) -> Result<Option<Timestamp>, ObserveError> {
    if !repository.gix.has_object(id) {
        return Ok(None);
    }
    let Some(commit) = repository.commit_of(id)? else {
        return Ok(None);
    };
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {id}"), why);
    let found = repository.gix.find_commit(commit);
    let time = found
        .map_err(|why| failed(&why))
        .and_then(|commit| commit.time().map_err(|why| failed(&why)))?;
    super::ages::timestamp(time.seconds, 0).map(Some)
}
