//! Prunes one stale administrative entry, and no other (A4.10, `spec 7.4`).

use super::Outcome;
use super::look_again::gone;
use super::remove::still_listed;
use crate::git::Repository;
use crate::plan::Row;

/// Prunes the entry of a row that has just been looked at.
pub(super) fn prune(repository: &Repository, row: &Row) -> Outcome {
    if gone(row) != Some(true) {
        return Outcome::kept("its directory is there again");
    }
    let recorded = row
        .git_path
        .as_ref()
        .map_or(row.place(), |path| path.as_path());
    if let Err(why) = repository.prune_entry(recorded) {
        return Outcome::failed(why.to_string());
    }
    match still_listed(repository, row) {
        Ok(false) => Outcome::pruned(),
        Ok(true) => Outcome::kept("git says it is pruned, but still lists it"),
        Err(why) => Outcome::kept(format!("git says it is pruned, but cannot list: {why}")),
    }
}
