//! What waits for a person, and what there is besides (`owl status`, A4.17).
//!
//! Input: the plan, the observation that it was made of, and the audit log as it was read. Output:
//! a [`Status`]. Invariant: pure; what waits is told from the present alone, and never from a run.

use super::history::AuditRead;
use super::item::{Item, oldest_first};
use crate::job::State;
use crate::observe::{Observation, ObservedJob, Standing};
use crate::plan::{Plan, ResourceKind, Row, Unfinished, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What there is, as far as a person must know.
#[derive(Debug)]
pub struct Status<'a> {
    /// The plan that it was told from.
    pub plan: &'a Plan,
    /// Everything that waits for a person, what has waited for longest first.
    pub items: Vec<Item>,
    /// How many jobs are in review, and have not waited for too long yet.
    pub undecided: usize,
    /// The jobs by state.
    pub jobs: JobCounts,
    /// What the worktrees take.
    pub disk: Disk,
    /// What earlier runs did.
    pub audit: AuditRead,
}

/// The jobs of all projects, by state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JobCounts {
    /// Whether every source of jobs could be read.
    pub complete: bool,
    /// How many are in which state, in the order of a life; states that are not known come last
    /// (A1.3, A5).
    pub by_state: Vec<StateCount>,
    /// How many may belong to one of the projects, but are not told to.
    pub elsewhere: usize,
}

/// How many jobs are in a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateCount {
    /// The state.
    pub state: State,
    /// How many are in it.
    pub count: usize,
}

/// What the worktrees in the stores take on disk, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Disk {
    /// How many there are.
    pub worktrees: usize,
    /// What all of them take, as far as it is known.
    pub total_bytes: u64,
    /// What those that are held take of it.
    pub held_bytes: u64,
    /// What those that can go take of it.
    pub reclaimable_bytes: u64,
    /// How many have a size that could not be told.
    pub unknown: usize,
}

impl<'a> Status<'a> {
    /// Tells it; the observation must be the one that the plan was made of.
    pub fn new(plan: &'a Plan, observation: &Observation, audit: AuditRead) -> Self {
        let unfinished = plan.items.iter().filter(|row| row.unfinished.is_some());
        let mut items: Vec<Item> = unfinished.map(|row| Item::of(row, plan)).collect();
        oldest_first(&mut items, plan.observed_at);
        Self {
            items,
            undecided: undecided(plan, observation),
            jobs: JobCounts::of(observation),
            disk: Disk::of(plan),
            audit,
            plan,
        }
    }
}

/// The jobs of a project's own, in any source.
fn own_jobs(observation: &Observation) -> impl Iterator<Item = (&str, &ObservedJob)> {
    observation.projects.iter().flat_map(|project| {
        let own = project.jobs.list.iter();
        own.filter(|job| job.standing != Standing::Stray)
            .map(|job| (&*project.name, job))
    })
}

/// Jobs in review that no row lists as waiting, and that the plan does not accept.
fn undecided(plan: &Plan, observation: &Observation) -> usize {
    let is_told = |row: &&Row| row.verdict.acts() || row.unfinished == Some(Unfinished::Waiting);
    let told: BTreeSet<(&str, &str)> = plan
        .items
        .iter()
        .filter(is_told)
        .filter_map(|row| Some((&*row.project, &*row.job.as_ref()?.as_ref()?.name)))
        .collect();
    own_jobs(observation)
        .filter(|(project, job)| {
            job.state == State::Review && !told.contains(&(*project, &*job.name))
        })
        .count()
}

impl JobCounts {
    fn of(observation: &Observation) -> Self {
        let mut counts: BTreeMap<&State, usize> = BTreeMap::new();
        for (_, job) in own_jobs(observation) {
            *counts.entry(&job.state).or_default() += 1;
        }
        let jobs = || observation.projects.iter().map(|project| &project.jobs);
        let elsewhere: BTreeSet<(&str, &str)> = jobs()
            .flat_map(|jobs| &jobs.list)
            .filter(|job| job.standing == Standing::Stray)
            .map(|job| (&*job.source, &*job.name))
            .collect();
        Self {
            complete: jobs().all(|jobs| jobs.problem().is_none()),
            by_state: counts
                .into_iter()
                .map(|(state, count)| StateCount {
                    state: state.clone(),
                    count,
                })
                .collect(),
            elsewhere: elsewhere.len(),
        }
    }
}

/// The rows that take room in a store.
pub(super) fn takes_room(row: &Row) -> bool {
    let is_tree = match row.kind {
        ResourceKind::Worktree | ResourceKind::Directory => true,
        ResourceKind::Entry | ResourceKind::RescueRef | ResourceKind::Job => false,
    };
    is_tree && row.verdict != Verdict::Ignore
}

impl Disk {
    /// What the rows of a plan take.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut disk = Self::default();
        for row in plan.items.iter().filter(|row| takes_room(row)) {
            disk.worktrees += 1;
            let Some(Some(bytes)) = row.size_bytes else {
                disk.unknown += 1;
                continue;
            };
            disk.total_bytes += bytes;
            match row.verdict {
                Verdict::Hold => disk.held_bytes += bytes,
                Verdict::Remove => disk.reclaimable_bytes += bytes,
                Verdict::Prune | Verdict::Keep | Verdict::Ignore => {}
            }
        }
        disk
    }
}
