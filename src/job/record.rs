//! One piece of work given to an agent.

use super::{Run, State};
use crate::resource::BytePath;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;

/// How many runs a job has where nothing says so (A1.6).
pub const DEFAULT_TTL: u32 = 3;

/// A job, without its number and repository, which are the ledger's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Job {
    /// The branch that the work is on, without `refs/heads/`. It need not exist; none once it was
    /// dropped, so that a later one of that name is not taken for it (A3.7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<BytePath>,
    /// The branch that it is to land in, if it is not the repository's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BytePath>,
    /// Where it is in its life.
    pub state: State,
    /// How many runs are left.
    pub ttl: u32,
    /// Why it is in its state, as somebody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Words that a policy may ask for.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<String>,
    /// Where it comes from, if another tool has it.
    #[serde(flatten)]
    pub origin: Option<Origin>,
    /// When it was added.
    pub created: Timestamp,
    /// When its state was set last.
    pub changed: Timestamp,
    /// The worktree that it recorded; none after its disposal.
    #[serde(flatten)]
    pub worktree: Option<Worktree>,
    /// What was there when somebody decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// Its attempts, the first one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
}

/// Another tool's name for a job; no two jobs have the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Origin {
    /// The tool or queue.
    pub source: String,
    /// Its name there.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// The worktree that a job recorded: an act on its behalf is permitted on this one only (`spec 8`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Worktree {
    /// Its path, absolute, every symlink on the way resolved.
    #[serde(rename = "worktree")]
    pub path: BytePath,
    /// Which one it was when it was recorded; none if it was not there then.
    #[serde(rename = "worktree_identity", skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
}

/// Which directory it was, whatever stands at its path now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The device number of the directory.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
    /// The name of its administrative entry.
    pub entry: BytePath,
}

/// A person's decision, or an implicit one, and what it was about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// When.
    pub at: Timestamp,
    /// The commit of the branch then, in hexadecimal; none if it had none or could not be told,
    /// and then nothing may be done on behalf of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
}

impl Job {
    /// A new job in `pending`.
    pub fn new(branch: BytePath, now: Timestamp) -> Self {
        Self {
            branch: Some(branch),
            base: None,
            state: State::Pending,
            ttl: DEFAULT_TTL,
            reason: None,
            labels: BTreeSet::new(),
            origin: None,
            created: now,
            changed: now,
            worktree: None,
            decided: None,
            runs: Vec::new(),
        }
    }

    /// The full name of its branch.
    pub fn full_branch(&self) -> Option<Vec<u8>> {
        let branch = self.branch.as_ref()?;
        Some([b"refs/heads/", branch.as_bytes()].concat())
    }

    /// Since when it has waited for a decision: the end of its latest run, else its creation (A4.11).
    pub fn waiting_since(&self) -> Timestamp {
        let last = self.runs.last();
        last.and_then(|run| run.ended).unwrap_or(self.created)
    }

    /// Since when it has been active: the start of its latest run, else its last change (A4.12).
    pub fn active_since(&self) -> Timestamp {
        self.runs.last().map_or(self.changed, |run| run.started)
    }

    /// The run in progress.
    pub fn run_in_progress(&self) -> Option<&Run> {
        self.runs.last().filter(|run| run.ended.is_none())
    }
}
