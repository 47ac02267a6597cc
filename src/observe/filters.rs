//! Tracked files that a configured filter driver rewrites on their way to and from the disk.
//!
//! A clean filter can strip what a person wrote, and git calls the rest clean (`git-facts 12`).

use super::repository::Repository;
use super::{Found, ObserveError};
use crate::resource::BytePath;
use gix::attrs::StateRef;
use gix::bstr::BString;
use gix::worktree::stack::state::attributes::Source;
use std::collections::BTreeSet;

/// Files of the index whose `filter` attribute names a driver that the configuration defines.
pub(crate) fn filtered(
    repository: &Repository,
    index: &gix::index::State,
) -> Result<Found, ObserveError> {
    let drivers = drivers(repository);
    if drivers.is_empty() {
        return Ok(Found::default());
    }
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix("the attributes of a file", why);
    let mut stack = repository
        .gix
        .attributes_only(index, Source::IdMapping)
        .map_err(|why| failed(&why))?;
    let mut outcome = stack.selected_attribute_matches(["filter"]);
    let mut found = Found::default();
    for entry in index.entries() {
        let path = entry.path(index);
        let platform = stack
            .at_entry(path, Some(entry.mode))
            .map_err(|why| failed(&why))?;
        platform.matching_attributes(&mut outcome);
        for matched in outcome.iter_selected() {
            if let StateRef::Value(value) = matched.assignment.state
                && drivers.contains(value.as_bstr())
            {
                found.add(BytePath::from_bytes(path));
            }
        }
    }
    Ok(found)
}

/// The drivers that run something.
fn drivers(repository: &Repository) -> BTreeSet<BString> {
    let config = repository.gix.config_snapshot();
    let sections = config
        .plumbing()
        .sections_by_name("filter")
        .into_iter()
        .flatten();
    sections
        .filter(|section| {
            ["clean", "smudge", "process"]
                .iter()
                .any(|key| section.body().contains_value_name(key))
        })
        .filter_map(|section| section.header().subsection_name().map(ToOwned::to_owned))
        .collect()
}
