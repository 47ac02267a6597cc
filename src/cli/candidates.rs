//! What a shell offers where an address, a rule, or a policy is wanted.
//!
//! Input: the place where the user stands, with flags at their defaults. Output: candidates.
//! Invariants: nothing is changed; no tree is looked into, so that a key press is answered soon;
//! whatever goes wrong offers nothing and says nothing, since a half typed line is no command.

use super::args::Global;
use super::settings::Settings;
use super::survey::{Ground, world};
use crate::observe::{Focus, Tree, observe};
use crate::policy::BUILTINS;
use clap_complete::CompletionCandidate;
use std::collections::BTreeSet;

/// The addresses of everything that stands in a store.
pub(super) fn addresses() -> Vec<CompletionCandidate> {
    let Some((ground, settings)) = ground() else {
        return Vec::new();
    };
    let world = world(&ground.git, &settings, &|_| {});
    let nothing = Focus::Only(BTreeSet::new());
    let seen = observe(&world, &ground.policy, &ground.scope, &nothing);
    let trees = seen.projects.iter().flat_map(|project| &project.trees);
    let in_a_store = trees.filter(|tree| tree.store.is_some());
    in_a_store
        .map(|tree: &Tree| CompletionCandidate::new(tree.address.as_str()))
        .collect()
}

/// The names of the rules of the policy in force.
pub(super) fn rules() -> Vec<CompletionCandidate> {
    let Some((ground, _)) = ground() else {
        return Vec::new();
    };
    let rules = ground.policy.rules.iter();
    rules
        .map(|rule| CompletionCandidate::new(&*rule.name))
        .collect()
}

/// The names of the built-in policies.
pub(super) fn builtins() -> Vec<CompletionCandidate> {
    let names = BUILTINS.iter().map(|builtin| builtin.name);
    names.map(CompletionCandidate::new).collect()
}

fn ground() -> Option<(Ground, Settings)> {
    let settings = Settings::new(&Global::default()).ok()?;
    Some((Ground::new(&settings).ok()?, settings))
}
