//! Rows of jobs that have no worktree in any store (`spec 6`: `project/job:ID`).
//!
//! Input: the policy and the observation. Output: one row for each job of the repository that no
//! tree of a store was recorded for. Invariants: nothing is done but to accept a job in review
//! whose branch has landed, and that by the same terms as with a worktree (`assess::job`).

use super::overdue::overdue;
use super::steps::set_state;
use super::{Reason, ResourceKind, Row, RowJob, Step, Unfinished, Verdict};
use crate::assess::{
    Code, Evidence, Subject, TreeJobs, action_of, is_open, may_be_accepted, named, phrase,
    short_ref, why_unknown,
};
use crate::fact::Fact;
use crate::job::State;
use crate::observe::{Landed, Observation, ObservedJob, Project, Registration, Standing, Tree};
use crate::policy::{Action, Order, Policy};
use crate::resource::{Address, BytePath, rescue_under};
use std::collections::BTreeSet;

/// The rows of all projects.
pub(super) fn rows(policy: &Policy, observation: &Observation) -> Vec<Row> {
    let placed: BTreeSet<(&str, &str)> = Subject::of(policy, observation)
        .filter(|subject| subject.tree.store.is_some() && is_usable(subject))
        .flat_map(|subject| {
            let jobs = TreeJobs::of(&subject);
            let names = jobs.recorded.into_iter().map(|job| &*job.name);
            let project = &*subject.project.name;
            names.map(move |name| (project, name)).collect::<Vec<_>>()
        })
        .collect();
    let mut rows = Vec::new();
    for project in &observation.projects {
        for job in &project.jobs.list {
            let is_placed = placed.contains(&(&*project.name, &*job.name));
            let is_asked = policy.order.as_ref().is_some_and(|one| one.job == job.name);
            // Of one that is decided and disposed of there is nothing to say.
            let matters = is_open(job) || job.drops || is_asked;
            if job.standing != Standing::Stray && matters && !is_placed {
                rows.push(row(policy, observation, project, job));
            }
        }
    }
    rows
}

/// Whether a tree can be disposed of with its job: a person's decision does not wait for one that
/// git cannot use (A3.4), and leaves it alone.
fn is_usable(subject: &Subject<'_>) -> bool {
    let is_broken = matches!(
        subject.tree.registration,
        Fact::Known(Registration::Broken(_)) | Fact::Absent
    );
    subject.policy.order.is_none() || !is_broken
}

/// Evidence that a branch has landed, of the commit that was asked about.
fn landed(project: &Project, job: &ObservedJob, tip: &str, landed: &Landed) -> Evidence {
    let address = Address::job(&project.name, &job.name);
    let mut tree = Tree::unknown(address, crate::observe::Kind::Entry, "".into(), "");
    tree.head = Fact::Known(crate::observe::Head {
        branch: None,
        commit: Some(tip.to_owned()),
    });
    Evidence::landed(&tree, landed)
}

fn row(policy: &Policy, seen: &Observation, project: &Project, job: &ObservedJob) -> Row {
    let place = job.worktree.as_ref().map(|place| place.path.clone());
    let mut row = Row {
        address: Address::job(&project.name, &job.name),
        kind: ResourceKind::Job,
        project: project.name.clone(),
        path: place
            .as_ref()
            .map(|path| path.as_path().to_string_lossy().into_owned())
            .unwrap_or_default(),
        path_bytes: place.filter(|path| path.as_str().is_none()),
        git_path: None,
        branch: job
            .branch
            .as_ref()
            .map(|name| Some(String::from_utf8_lossy(name.as_bytes()).into_owned())),
        head: job.tip.known().cloned().map(Some),
        job: Some(Some(RowJob::of(job))),
        verdict: Verdict::Keep,
        reason: Reason::of_state(&job.state),
        message: format!("{}, without a worktree", named(job)),
        unfinished: None,
        since: None,
        rule: None,
        steps: Vec::new(),
        guards: Vec::new(),
        evidence: Vec::new(),
        size_bytes: None,
        active_at: None,
        identity: None,
        status: None,
        after: Vec::new(),
    };
    let order = policy.order.as_ref().filter(|order| order.job == job.name);
    if job.drops && order.is_none() {
        row.verdict = Verdict::Hold;
        row.reason = Reason::Guard(Code::Interrupted);
        row.unfinished = Some(Unfinished::Ambiguous);
        row.message = format!(
            "{} was dropped by a run that was stopped: the next owl apply deletes its branch",
            named(job)
        );
        return row;
    }
    if let Some(order) = order.filter(|_| job.standing == Standing::Ledger) {
        let outside = Subject::of(policy, seen)
            .filter(|subject| subject.project.name == project.name && is_usable(subject))
            .find(|subject| {
                let recorded = TreeJobs::of(subject).recorded;
                recorded.iter().any(|one| one.name == job.name)
            });
        if let Some(outside) = outside {
            row.verdict = Verdict::Hold;
            row.reason = Reason::Guard(Code::OutsideStore);
            row.message = format!(
                "its worktree {} is in no store of the policy",
                outside.tree.address
            );
            return row;
        }
        return ordered(order, (policy, project), job, row);
    }
    if !is_open(job) {
        return row;
    }
    // A directory that is named after it, or on its branch, says which tree to look at.
    let like = Subject::of(policy, seen)
        .filter(|subject| subject.project.name == project.name)
        .find(|subject| TreeJobs::of(subject).open().any(|one| one.name == job.name));
    if let Some(like) = like {
        row.message = format!("{}; {} may be its worktree", named(job), like.tree.address);
    } else if let Some(proof) = accepted(policy, project, job)
        && let Some(step) = set_state(job, State::Done, job.tip.known().map(String::as_str))
    {
        row.verdict = Verdict::Prune;
        row.message = format!("{} has landed ({}): accepted", named(job), phrase(proof));
        let tip = job.tip.known().map_or("", String::as_str);
        row.evidence.push(landed(project, job, tip, proof));
        row.steps.push(step);
        return row;
    }
    if let Some(late) = overdue(job, None, &policy.ttl, seen.observed_at) {
        row.verdict = Verdict::Hold;
        row.unfinished = Some(late.kind);
        row.since = late.since;
        row.message = late.message;
        if late.kind == Unfinished::Waiting && job.tip == Fact::Absent {
            row.message.push_str("; its branch is gone");
        }
    }
    row
}

/// Why a job in review is accepted by the plan itself; none if it is not.
fn accepted<'a>(policy: &Policy, project: &Project, job: &'a ObservedJob) -> Option<&'a Landed> {
    let is_asked = policy.acts() && policy.order.is_none();
    if !is_asked || !may_be_accepted(job, project) || why_unknown(policy, project).is_some() {
        return None;
    }
    job.tip.known().and(job.landed.known())
}

/// A person decides about a job without a worktree that git can use: the state, and for a drop the
/// branch (A3.4). What else stands where its worktree was is not touched.
fn ordered(
    order: &Order,
    (policy, project): (&Policy, &Project),
    job: &ObservedJob,
    mut row: Row,
) -> Row {
    let held = |mut row: Row, reason, message| {
        row.verdict = Verdict::Hold;
        row.reason = reason;
        row.message = message;
        row
    };
    if let Some(why) = why_unknown(policy, project) {
        let code = Code::ClaimMissing;
        return held(row, Reason::UnknownGuard(code), format!("unknown: {why}"));
    }
    let then = match action_of(order, job) {
        Ok(then) => then,
        Err(why) => return held(row, Reason::NoRule, why),
    };
    let tip = match &job.tip {
        Fact::Known(tip) => Some(tip.as_str()),
        Fact::Absent => None,
        Fact::Unknown(why) => {
            let why = format!("unknown: its branch: {why}");
            return held(row, Reason::UnknownBranch, why);
        }
    };
    let (to, word) = match then {
        Action::Drop => (State::Cancelled, "dropped"),
        Action::Accept | Action::Keep => (State::Done, "accepted"),
    };
    row.steps.extend(set_state(job, to, tip));
    row.message = format!("{} is {word}", named(job));
    if let (Action::Drop, Some(tip), Some(branch)) = (then, tip, job.full_branch()) {
        let branch = BytePath::from_bytes(&branch);
        let mut others = project.jobs.list.iter();
        let other =
            others.find(|one| one.name != job.name && is_open(one) && one.branch == job.branch);
        if let Some(other) = other {
            row.steps.clear();
            let why = format!("its branch stays: {} has it", named(other));
            return held(row, Reason::BranchStays, why);
        }
        match branch_steps(&branch, tip, job) {
            Ok(steps) => row.steps.extend(steps),
            Err((reason, why)) => {
                row.steps.clear();
                return held(row, reason, why);
            }
        }
        let refs = row.steps.len() - usize::from(!job.state.is_decided()) - 1;
        let refs = if refs == 1 {
            "1 rescue ref".to_owned()
        } else {
            format!("{refs} rescue refs")
        };
        let short = short_ref(&branch);
        row.message = format!("{}; branch {short} is deleted ({refs})", row.message);
    }
    if row.steps.is_empty() {
        row.message = format!("{}: nothing is left to be done about it", named(job));
    } else {
        row.verdict = Verdict::Prune;
    }
    row
}

/// What deletes the branch of a dropped job, or why it stays (`spec 7.6`).
fn branch_steps(
    branch: &BytePath,
    tip: &str,
    job: &ObservedJob,
) -> Result<Vec<Step>, (Reason, String)> {
    let unknown = |why: &str| (Reason::UnknownBranch, format!("unknown: its branch: {why}"));
    let dropping = match &job.dropping {
        Fact::Known(dropping) => dropping,
        Fact::Absent => return Err(unknown("it was not looked at")),
        Fact::Unknown(why) => return Err(unknown(why)),
    };
    match &dropping.stays {
        Fact::Absent => {}
        Fact::Known(why) => {
            let why = format!("its branch stays: {}", why.join("; "));
            return Err((Reason::BranchStays, why));
        }
        Fact::Unknown(why) => return Err(unknown(why)),
    }
    if job
        .decided_tip
        .as_deref()
        .is_some_and(|decided| decided != tip)
    {
        let why = "its branch stays: it has moved since the decision".to_owned();
        return Err((Reason::BranchStays, why));
    }
    let short = branch.as_bytes().strip_prefix(b"refs/heads/");
    let under = rescue_under(short.unwrap_or(b"branch"));
    let commits = std::iter::once(tip.to_owned()).chain(dropping.pins.iter().cloned());
    let mut steps: Vec<Step> = commits
        .map(|commit| Step::WriteRescueRef {
            under: under.clone(),
            commit,
        })
        .collect();
    steps.push(Step::DeleteBranch {
        reference: branch.clone(),
        commit: tip.to_owned(),
    });
    Ok(steps)
}
