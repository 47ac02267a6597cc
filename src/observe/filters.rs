//! Filter drivers of the configuration, which rewrite files on their way to and from the disk.
//!
//! A clean driver can strip what a person wrote, and git calls the rest clean (`git-facts 12`).

use super::repository::Repository;
use gix::bstr::BString;
use std::collections::BTreeSet;

/// The drivers that run something, by name.
pub(crate) fn drivers(repository: &Repository) -> BTreeSet<BString> {
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
