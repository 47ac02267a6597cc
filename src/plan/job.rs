//! Rows of jobs that have no worktree in any store (`spec 6`: `project/job:ID`).
//!
//! Input: the policy and the observation. Output: one row for each job of the repository that no
//! tree of a store was recorded for. Invariants: nothing is done but to accept a job in review
//! whose branch has landed, and that by the same terms as with a worktree (`assess::job`).

use super::overdue::overdue;
use super::{Reason, ResourceKind, Row, RowJob, Step, Unfinished, Verdict};
use crate::assess::Subject;
use crate::assess::{Evidence, TreeJobs, is_open, may_be_accepted, named, phrase, why_unknown};
use crate::fact::Fact;
use crate::job::State;
use crate::observe::{Landed, Observation, ObservedJob, Project, Standing, Tree};
use crate::policy::Policy;
use crate::resource::Address;
use std::collections::BTreeSet;

/// The rows of all projects.
pub(super) fn rows(policy: &Policy, observation: &Observation) -> Vec<Row> {
    let placed: BTreeSet<(&str, &str)> = Subject::of(policy, observation)
        .filter(|subject| subject.tree.store.is_some())
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
            if job.standing != Standing::Stray && !is_placed {
                rows.push(row(policy, observation, project, job));
            }
        }
    }
    rows
}

/// The step that accepts a job.
pub(super) fn accept(job: &ObservedJob, tip: &str) -> Option<Step> {
    Some(Step::SetJobState {
        job: job.name.parse().ok()?,
        from: job.state.clone(),
        to: State::Done,
        tip: tip.to_owned(),
    })
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
    if !is_open(job) {
        return row;
    }
    // A directory that is named after it, or on its branch, says which tree to look at.
    let like = Subject::of(policy, seen)
        .filter(|subject| subject.project.name == project.name)
        .find(|subject| TreeJobs::of(subject).open().any(|one| one.name == job.name));
    if let Some(like) = like {
        row.message = format!("{}; {} may be its worktree", named(job), like.tree.address);
    } else if let (Fact::Known(proof), Fact::Known(tip), true, None) = (
        &job.landed,
        &job.tip,
        policy.acts() && may_be_accepted(job, project),
        why_unknown(policy, project),
    ) && let Some(step) = accept(job, tip)
    {
        row.verdict = Verdict::Prune;
        row.message = format!("{} has landed ({}): accepted", named(job), phrase(proof));
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
