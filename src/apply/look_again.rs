//! Looks at a row again, afresh, right before it is touched (`spec 7`).
//!
//! Input: the planned row. Output: the same row from a new observation, or why it must not be
//! touched. Invariant: same verdict, same steps, same directory, same HEAD, or it is kept.

use super::{Hands, Outcome};
use crate::fact::Fact;
use crate::observe::processes::Use;
use crate::observe::{Aside, Focus, observe, occupied};
use crate::plan::{Plan, Row, moved};
use crate::resource::BytePath;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;

/// A row that still stands.
pub(super) struct Fresh {
    /// As it is now.
    pub(super) row: Row,
    /// The common git directory of its project.
    pub(super) common_dir: BytePath,
    /// The name of its administrative entry.
    pub(super) entry: BytePath,
    /// The declared store that it is a leaf of.
    pub(super) store: Option<String>,
}

/// Why a row does not go on.
pub(super) enum Stop {
    /// It has been looked at, and this is what becomes of it.
    Settled(Outcome),
    /// It could not be looked at, or is not as planned. Git's registry is read while git may be
    /// deleting another entry of it, so that this is worth a second look, from the start, when
    /// nothing else is under way.
    Unsure(Outcome),
}

impl Stop {
    pub(super) fn kept(why: impl Into<String>) -> Self {
        Self::Settled(Outcome::kept(why))
    }

    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Settled(outcome) | Self::Unsure(outcome) => outcome,
        }
    }
}

/// Observes and plans anew, for this row alone.
pub(super) fn look_again(planned: &Row, hands: &Hands<'_>) -> Result<Fresh, Stop> {
    let focus = Focus::Only(BTreeSet::from([planned.address.clone()]));
    look(planned, &focus, hands)
}

/// Looks at what owl has taken: first the processes, then everything (`spec 7.4`).
pub(super) fn look_taken(planned: &Row, aside: Aside, hands: &Hands<'_>) -> Result<(), Stop> {
    let common_dir = planned_common_dir(planned, hands)?;
    let entry = common_dir.join("worktrees").join(aside.entry.as_path());
    let tree = planned.identity.is_some().then_some(aside.place.as_path());
    let modules = aside.modules.as_ref();
    let modules = modules.map(|modules| modules.directory.as_path());
    match occupied(&hands.world, tree, (&entry, modules)) {
        Ok(Fact::Absent) => {}
        Ok(Fact::Known(uses)) => return Err(Stop::Unsure(Outcome::kept(used(&uses)))),
        Ok(Fact::Unknown(why)) => return Err(Stop::kept(format!("unknown: {why}"))),
        Err(why) => return Err(Stop::Unsure(Outcome::kept(why.to_string()))),
    }
    look(planned, &Focus::Taken(Box::new(aside)), hands).map(drop)
}

fn planned_common_dir(planned: &Row, hands: &Hands<'_>) -> Result<PathBuf, Stop> {
    let scope = hands.scope.only(&planned.project);
    match scope.places.first() {
        Some(named) => Ok(named.place.common_dir.clone()),
        None => Err(Stop::kept("its project is no longer in scope")),
    }
}

fn used(uses: &[Use]) -> String {
    match uses.first() {
        Some(one) => format!(
            "{} ({}) {} {}",
            one.command,
            one.pid,
            one.how.phrase(),
            one.path
        ),
        None => "a process uses it".to_owned(),
    }
}

fn look(planned: &Row, focus: &Focus, hands: &Hands<'_>) -> Result<Fresh, Stop> {
    let scope = hands.scope.only(&planned.project);
    let observation = observe(&hands.world, hands.policy, &scope, focus);
    let Some(project) = observation.projects.first() else {
        return Err(Stop::kept("its project is no longer in scope"));
    };
    if let Some(problem) = &project.problem {
        return Err(Stop::Unsure(Outcome::kept(format!(
            "its project cannot be read any more: {problem}"
        ))));
    }
    let common_dir = project.common_dir.clone();
    let plan = Plan::new(hands.policy, &observation);
    let Some(row) = plan.row(&planned.address) else {
        return Err(Stop::Unsure(vanished(planned)));
    };
    let tree = project
        .trees
        .iter()
        .find(|tree| tree.address == planned.address);
    let Some((entry, store)) = tree.and_then(|tree| Some((tree.id.clone()?, tree.store.clone())))
    else {
        return Err(Stop::kept("no administrative entry claims it"));
    };
    let moved = moved(planned, row);
    if moved.is_empty() {
        return Ok(Fresh {
            row: row.clone(),
            common_dir,
            entry,
            store,
        });
    }
    if row.kind != planned.kind && gone(planned) == Some(true) {
        return Err(Stop::Settled(Outcome::already_gone()));
    }
    Err(Stop::Unsure(Outcome::kept(moved.join("; "))))
}

fn vanished(planned: &Row) -> Outcome {
    match gone(planned) {
        Some(true) => Outcome::already_gone(),
        Some(false) => Outcome::kept("git has forgotten it, but something is still there"),
        None => Outcome::kept("it could not be told whether it is gone"),
    }
}

/// Whether nothing is at its place; none if that could not be told.
pub(super) fn gone(row: &Row) -> Option<bool> {
    match std::fs::symlink_metadata(row.place()) {
        Ok(_) => Some(false),
        Err(why) if why.kind() == ErrorKind::NotFound => Some(true),
        Err(_) => None,
    }
}
