//! A person's decision about one job (`owl jobs accept`, `owl jobs drop`; `spec 8`, A3).
//!
//! It permits an act on the one worktree that the job alone recorded, on the job's branch, and, if
//! the decision was taken before, at the commit that it was about. Every guard still holds but
//! `fresh` and the job's own `in-use`; a keep of the policy holds, too.

use super::job::{TreeJobs, forbids, is_kept, named};
use super::{Decision, Subject};
use crate::job::State;
use crate::observe::{ObservedJob, Standing};
use crate::policy::{Action, Order};
use crate::resource::BytePath;

/// What becomes of the tree by order; none if there is none about it, or it permits nothing.
pub(super) fn ordered(subject: &Subject<'_>, decision: &Decision) -> Option<Action> {
    let order = subject.policy.order.as_ref()?;
    if is_kept(subject, decision) || subject.tree.store.is_none() {
        return None;
    }
    permitted(order, subject)?.ok()
}

/// Why the order about the job of a tree permits nothing here; none if it does, or there is none.
pub fn why_not_ordered(subject: &Subject<'_>) -> Option<String> {
    let order = subject.policy.order.as_ref()?;
    permitted(order, subject)?.err()
}

/// What becomes of a job in its state by order; an error for one that nobody may decide about
/// (A3.2).
pub fn action_of(order: &Order, job: &ObservedJob) -> Result<Action, String> {
    match (&job.state, order.then) {
        // Only the disposal is finished; the decision stands.
        (State::Done, _) => Ok(Action::Accept),
        (State::Review | State::Blocked | State::Exhausted | State::Cancelled, then) => Ok(then),
        (State::Pending | State::Active | State::Other(_), _) => {
            Err(format!("{} is not to be decided about", named(job)))
        }
    }
}

fn permitted(order: &Order, subject: &Subject<'_>) -> Option<Result<Action, String>> {
    let jobs = TreeJobs::of(subject);
    let recorded = jobs.recorded.iter().copied();
    let near = jobs.near.iter().map(|(job, _)| *job);
    let job = recorded.chain(near).find(|job| job.name == order.job)?;
    if let Some(why) = jobs.unknown.as_ref().or(jobs.conflict.as_ref()) {
        return Some(Err(format!("unknown: {why}")));
    }
    let is_its = jobs.sole().is_some_and(|one| one.name == job.name);
    if !is_its || job.standing != Standing::Ledger {
        let job = named(job);
        return Some(Err(format!("{job} is like it, but did not record it")));
    }
    if let Some(other) = jobs.open().find(|one| one.name != job.name) {
        let (job, other) = (named(job), named(other));
        return Some(Err(format!("{job} recorded it, and {other} is like it")));
    }
    let then = action_of(order, job);
    Some(then.and_then(|then| refused(job, subject).map_or(Ok(then), Err)))
}

fn refused(job: &ObservedJob, subject: &Subject<'_>) -> Option<String> {
    if job.state.is_decided() && job.decided_tip.is_some() {
        return forbids(job, subject.tree);
    }
    let own = job.branch.as_ref().map(BytePath::as_bytes);
    let on = subject.tree.branch();
    (own.is_none() || on != own).then(|| format!("HEAD is not on the branch of {}", named(job)))
}
