//! Rescue refs: what a drop, or a removal in a store of `rescue`, has pinned (`spec 13`).

use super::ObserveError;
use super::repository::Repository;
use crate::resource::{BytePath, RESCUE_PREFIX, RescueName};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One rescue ref whose name owl itself could have written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RescueRef {
    /// The full name.
    pub reference: BytePath,
    /// When it was written, as its name says.
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
    let found = repository.references(RESCUE_PREFIX)?;
    let rescued = found.into_iter().filter_map(|one| {
        let at = RescueName::parse(&one.name)?.at;
        Some(RescueRef {
            reference: BytePath::from_bytes(&one.name),
            at,
            commit: one.target.to_string(),
        })
    });
    Ok(rescued.collect())
}
