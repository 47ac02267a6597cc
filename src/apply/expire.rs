//! Deletes a rescue ref that is past its time (`spec 3`: `ttl.rescue`).
//!
//! One compare-and-delete, which has happened or has not: there is nothing to journal.

use super::look_again::Stop;
use super::rescue::{self, Standing};
use super::{Hands, Outcome};
use crate::journal::Pinned;
use crate::observe::{Focus, observe};
use crate::plan::{Plan, Row, Step, moved};
use std::collections::BTreeSet;

/// Looks at the ref again, and deletes it.
pub(super) fn expire(row: &Row, hands: &Hands<'_>) -> Result<Outcome, Stop> {
    let [Step::ExpireRescueRef { reference, commit }] = row.steps.as_slice() else {
        return Err(Stop::kept("there is nothing to do any more"));
    };
    let scope = hands.scope.only(&row.project);
    let focus = Focus::Only(BTreeSet::new());
    let observation = observe(&hands.world, hands.policy, &scope, &focus);
    let Some(project) = observation.projects.first() else {
        return Err(Stop::kept("its project is no longer in scope"));
    };
    let unsure = |why: String| Stop::Unsure(Outcome::kept(why));
    let pinned = Pinned {
        reference: reference.clone(),
        commit: commit.clone(),
    };
    let repository = hands.world.git.repository(project.common_dir.as_path());
    let repository = repository.map_err(|why| unsure(why.to_string()))?;
    let plan = Plan::new(hands.policy, &observation);
    let Some(fresh) = plan.row(&row.address) else {
        return match rescue::found(&repository, &pinned) {
            Ok(Standing::Missing) => Ok(Outcome::already_gone()),
            Ok(Standing::Own | Standing::Other) => Err(Stop::kept("it is not past its time")),
            Err(why) => Err(unsure(why.to_string())),
        };
    };
    let moved = moved(row, fresh);
    if !moved.is_empty() {
        return Err(unsure(moved.join("; ")));
    }
    let oid = rescue::oid(&pinned).map_err(Stop::kept)?;
    let said = repository.delete_ref(reference.as_bytes(), &oid);
    Ok(match (rescue::found(&repository, &pinned), said) {
        (Ok(Standing::Missing), _) => Outcome::pruned(),
        (Ok(Standing::Own | Standing::Other), Err(why)) | (Err(why), _) => {
            Outcome::failed(why.to_string())
        }
        (Ok(Standing::Own | Standing::Other), Ok(())) => {
            Outcome::kept("git says it is deleted, but it is still there")
        }
    })
}
