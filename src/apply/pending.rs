//! Branches whose worktree is gone, and that could not be deleted yet.
//!
//! What is pending was planned by an earlier run. Invariants: it is done only while a rule of the
//! policy in force may still drop it, as far as can be told of a worktree that is gone, and none keeps
//! it; a person who asks for the branch gets it, and the deletion is called off.

use super::Hands;
use super::job;
use super::journal::Journal;
use super::lock::Lock;
use crate::assess::{Decision, assess};
use crate::fact::{Fact, Kleene};
use crate::job::BranchFate;
use crate::journal::{Folder, Record, Stage};
use crate::observe::{Focus, Head, Kind, Tree, observe};
use crate::policy::Action;
use crate::resource::{BytePath, escape};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The branches of a repository, by their full names, whose deletion is pending.
pub fn pending(common_dir: &Path) -> io::Result<Vec<BytePath>> {
    let records = records(common_dir)?.into_iter();
    Ok(records
        .filter_map(|record| Some(record.deletes?.reference))
        .collect())
}

/// Calls the deletion of a branch, by its full name, off; whether it was pending.
pub fn call_off(lock: &Lock, branch: &[u8]) -> io::Result<bool> {
    let mut was_pending = false;
    for record in records(lock.common_dir())? {
        let is_it = |deletes: &crate::journal::Pinned| deletes.reference.as_bytes() == branch;
        if !record.deletes.as_ref().is_some_and(is_it) {
            continue;
        }
        if let Some(why) = job::disposed(&record, BranchFate::Stays) {
            return Err(io::Error::other(why));
        }
        Journal::of(lock.common_dir()).settle(&record)?;
        was_pending = true;
    }
    Ok(was_pending)
}

/// What cannot be read is a problem of the project in every observation.
fn records(common_dir: &Path) -> io::Result<Vec<Record>> {
    let found = Folder::of(common_dir).open()?.into_iter();
    let records = found.filter_map(|one| match one.record {
        Ok(record) if record.stage == Stage::Branch => Some(record),
        Ok(_) => None,
        Err(why) => {
            drop(why);
            None
        }
    });
    Ok(records.collect())
}

/// Why the policy in force, if it is another one than that of the plan, does not drop the branch of
/// a record. Of the worktree, which is gone, nothing but its names is known any more.
pub(super) fn why_it_stays(record: &Record, hands: &Hands<'_>) -> Option<String> {
    let policy = hands.policy;
    if record.policy == policy.source.sha256 {
        return None;
    }
    let scope = hands.scope.only(&record.project);
    let focus = Focus::Only(BTreeSet::new());
    let mut observation = observe(&hands.world, policy, &scope, &focus);
    let Some(project) = observation.projects.first_mut() else {
        return Some("its project is no longer in scope".to_owned());
    };
    let path = record.path.clone();
    let mut tree = Tree::unknown(record.address.clone(), Kind::Entry, path, "it is gone");
    tree.id = Some(record.entry.clone());
    tree.store.clone_from(&record.store);
    tree.head = Fact::Known(Head {
        branch: record.deletes.as_ref().map(|one| one.reference.clone()),
        commit: record.head.clone(),
    });
    project.trees = vec![tree];
    let assessments = assess(policy, &observation);
    let Some(found) = assessments.first() else {
        return Some("whether a rule drops it now cannot be told any more".to_owned());
    };
    let name = |rule: usize| escape(policy.rules[rule].name.as_bytes());
    let may_drop = found
        .trace
        .iter()
        .any(|one| policy.rules[one.rule].then == Action::Drop && one.answer != Kleene::False);
    let is_ordered = record.job.as_ref().is_some_and(|job| {
        let disposal = job.disposal.as_ref();
        disposal.is_some_and(|disposal| disposal.drops)
    });
    match &found.decision {
        Decision::Keep(rule) => Some(format!("rule {} keeps it now", name(*rule))),
        Decision::Missing(rule, _) if policy.rules[*rule].then == Action::Keep => Some(format!(
            "whether rule {} keeps it now cannot be told any more",
            name(*rule)
        )),
        Decision::Missing(..)
        | Decision::Accept(_)
        | Decision::Drop(_)
        | Decision::Implicit(_)
        | Decision::Ordered(_)
        | Decision::NoRule
            if may_drop || is_ordered =>
        {
            None
        }
        Decision::Missing(..)
        | Decision::Accept(_)
        | Decision::Drop(_)
        | Decision::Implicit(_)
        | Decision::Ordered(_)
        | Decision::NoRule => Some("no rule drops it now".to_owned()),
    }
}
