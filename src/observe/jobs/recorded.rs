//! One job, as an observation has it.

use crate::fact::Fact;
use crate::job::{Job, State};
use crate::observe::{Dropping, Landed, is_alive};
use crate::resource::BytePath;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// Whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A job of this repository in the ledger: owl may move it on.
    Ledger,
    /// A job of this repository in another tool's list: its state is for that tool to change.
    Listed,
    /// A job that may be this repository's, but is not told to be: it only ever holds.
    Stray,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObservedJob {
    /// Its name in the plan, unique in the project; of the ledger's jobs, the number.
    pub name: String,
    /// The source that has it.
    pub source: String,
    /// Whose it is.
    pub standing: Standing,
    /// Where it is in its life.
    pub state: State,
    /// The branch that the work is on, without `refs/heads/`; none once it was dropped.
    pub branch: Option<BytePath>,
    /// The branch that it is to land in, if it is not the repository's.
    pub base: Option<BytePath>,
    /// How many runs are left.
    pub ttl: u32,
    /// Why it is in its state, as somebody said.
    pub reason: Option<String>,
    /// Words that a policy may ask for.
    pub labels: BTreeSet<String>,
    /// When it was added.
    pub created: Timestamp,
    /// When its state was set last.
    pub changed: Timestamp,
    /// Since when it would have waited for a decision (A4.11).
    pub waiting_since: Timestamp,
    /// Since when it would have been active (A4.12).
    pub active_since: Timestamp,
    /// The worktree that it recorded.
    pub worktree: Option<Place>,
    /// The commit that a decision was about, in hexadecimal.
    pub decided_tip: Option<String>,
    /// The run in progress.
    pub running: Option<Running>,
    /// Whether it was dropped by a run that was stopped before it had deleted the branch.
    pub drops: bool,
    /// For a job in review, or one that a person decides about: the commit of its branch; absent
    /// if there is none.
    pub tip: Fact<String>,
    /// For a job in review: whether the base has its branch.
    pub landed: Fact<Landed>,
    /// For a job that a person decides about: what deleting its branch would take with it.
    pub dropping: Fact<Dropping>,
}

/// A worktree as a job recorded it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its path, absolute and resolved.
    pub path: BytePath,
    /// Device, inode, and the name of the administrative entry, if it was there then.
    pub identity: Option<(u64, u64, BytePath)>,
}

/// A run in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Running {
    /// The number of its process, if it was named.
    pub pid: Option<u32>,
    /// Whether that process lives; absent is a proven no.
    pub alive: Fact<()>,
}

impl ObservedJob {
    /// The job under a name.
    pub(super) fn new(
        (name, source, standing): (String, String, Standing),
        job: &Job,
        proc_root: &Path,
    ) -> Self {
        let running = job.run_in_progress().map(|run| match &run.runner {
            Some(runner) => Running {
                pid: Some(runner.pid),
                alive: is_alive(proc_root, runner),
            },
            None => Running {
                pid: None,
                alive: Fact::unknown("its run names no process"),
            },
        });
        let place = job.worktree.as_ref().map(|worktree| Place {
            path: worktree.path.clone(),
            identity: worktree
                .identity
                .as_ref()
                .map(|one| (one.device, one.inode, one.entry.clone())),
        });
        Self {
            name,
            source,
            standing,
            state: job.state.clone(),
            branch: job.branch.clone(),
            base: job.base.clone(),
            ttl: job.ttl,
            reason: job.reason.clone(),
            labels: job.labels.clone(),
            created: job.created,
            changed: job.changed,
            waiting_since: job.waiting_since(),
            active_since: job.active_since(),
            worktree: place,
            decided_tip: job.decided.as_ref().and_then(|one| one.tip.clone()),
            running,
            tip: Fact::unknown("it was not looked at"),
            landed: Fact::unknown("it was not looked at"),
            dropping: Fact::unknown("it was not looked at"),
            drops: false,
        }
    }

    /// The full name of its branch.
    pub fn full_branch(&self) -> Option<Vec<u8>> {
        let branch = self.branch.as_ref()?;
        Some([b"refs/heads/", branch.as_bytes()].concat())
    }
}
