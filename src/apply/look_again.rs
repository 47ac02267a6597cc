//! Looks at a row again, afresh, right before it is touched (`spec 7`).
//!
//! Input: the planned row. Output: the same row from a new observation, or why it must not be
//! touched. Invariant: same verdict, same steps, same directory, same HEAD, or it is kept.

use super::{Hands, Outcome};
use crate::observe::{Focus, observe};
use crate::plan::{Plan, Row};
use crate::resource::BytePath;
use std::collections::BTreeSet;
use std::io::ErrorKind;

/// A row that still stands.
pub(super) struct Fresh {
    /// As it is now.
    pub(super) row: Row,
    /// The common git directory of its project.
    pub(super) common_dir: BytePath,
}

/// Observes and plans anew, for this row alone.
pub(super) fn look_again(planned: &Row, hands: &Hands<'_>) -> Result<Fresh, Outcome> {
    let scope = hands.scope.only(&planned.project);
    let focus = Focus::Only(BTreeSet::from([planned.address.clone()]));
    let observation = observe(&hands.world, hands.policy, &scope, &focus);
    let Some(project) = observation.projects.first() else {
        return Err(Outcome::kept("its project is no longer in scope"));
    };
    if let Some(problem) = &project.problem {
        return Err(Outcome::kept(format!(
            "its project cannot be read any more: {problem}"
        )));
    }
    let common_dir = project.common_dir.clone();
    let plan = Plan::new(hands.policy, &observation);
    let Some(row) = plan.row(&planned.address) else {
        return Err(vanished(planned));
    };
    match moved(planned, row) {
        None => Ok(Fresh {
            row: row.clone(),
            common_dir,
        }),
        Some(_) if row.kind != planned.kind && gone(planned) == Some(true) => {
            Err(Outcome::already_gone())
        }
        Some(what) => Err(Outcome::kept(what)),
    }
}

/// What differs between the plan and the world; none if nothing that matters.
fn moved(planned: &Row, fresh: &Row) -> Option<String> {
    if fresh.verdict != planned.verdict {
        return Some(format!(
            "it is {} now: {}",
            fresh.verdict.as_str(),
            fresh.message
        ));
    }
    if fresh.steps != planned.steps {
        return Some("its steps are others now".to_owned());
    }
    if fresh.identity != planned.identity || fresh.path != planned.path {
        return Some("another directory stands in its place now".to_owned());
    }
    if fresh.git_path != planned.git_path {
        return Some("git has another path for it now".to_owned());
    }
    if fresh.head != planned.head || fresh.branch != planned.branch {
        return Some("HEAD has moved".to_owned());
    }
    None
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
