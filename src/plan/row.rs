//! One row of the plan, which is also one item of its JSON form (`spec 6`, `spec 12`).

use super::{Reason, Step, Unfinished, Verdict};
use crate::assess::{Evidence, Finding};
use crate::job::State;
use crate::observe::{Identity, Kind, ObservedJob};
use crate::resource::{Address, BytePath};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;

/// What a row speaks of (`spec 12`: `kind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceKind {
    /// Registered, and something stands at its place.
    Worktree,
    /// Registered, and nothing stands at its place.
    Entry,
    /// In a store, and claimed by no entry.
    Directory,
    /// A rescue ref past its time.
    RescueRef,
    /// A job without a worktree.
    Job,
}

impl From<Kind> for ResourceKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Worktree => Self::Worktree,
            Kind::Entry => Self::Entry,
            Kind::Directory => Self::Directory,
        }
    }
}

/// The job of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowJob {
    /// Its name; of the ledger's jobs, the number.
    pub name: String,
    /// The source that has it.
    pub source: String,
    /// Where it is in its life.
    pub state: State,
}

impl RowJob {
    /// The job in short.
    pub(super) fn of(job: &ObservedJob) -> Self {
        Self {
            name: job.name.clone(),
            source: job.source.clone(),
            state: job.state.clone(),
        }
    }
}

/// What the plan says of one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its name in every command and format.
    pub address: Address,
    /// What it is.
    pub kind: ResourceKind,
    /// The project that it belongs to.
    pub project: String,
    /// Its path, as text; lossy where it is not UTF-8.
    pub path: String,
    /// The path's bytes, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<BytePath>,
    /// Git's own path, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_path: Option<BytePath>,
    /// The branch that HEAD names, without `refs/heads/`; null when unknown, absent when detached.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "is_not_there"
    )]
    pub branch: Option<Option<String>>,
    /// The commit of HEAD; null when unknown, absent when there is none.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "is_not_there"
    )]
    pub head: Option<Option<String>>,
    /// The job that it belongs to; null when that cannot be told, absent when there is none.
    #[serde(skip_serializing_if = "is_not_there")]
    pub job: Option<Option<RowJob>>,
    /// What owl would do.
    pub verdict: Verdict,
    /// The code that decided.
    pub reason: Reason,
    /// The same as a sentence.
    pub message: String,
    /// Whether it is unfinished work, and of which kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<Unfinished>,
    /// Since when it is unfinished, where there is a clock for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleRef>,
    /// What apply would do, in order.
    pub steps: Vec<Step>,
    /// Every guard with its answer.
    pub guards: Vec<Finding>,
    /// What the verdict rests on.
    pub evidence: Vec<Evidence>,
    /// Bytes on disk; null when unknown, absent when nothing is on disk.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "is_not_there"
    )]
    pub size_bytes: Option<Option<u64>>,
    /// Its last sign of activity (`spec 4.2`, idle); null when unknown, absent for what has none.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "is_not_there"
    )]
    pub active_at: Option<Option<Timestamp>>,
    /// The directory that was looked at; what apply touches must still be this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// A digest of everything untracked and ignored in it, which changes with any of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Rows that must be gone before this one may go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Address>,
}

/// Where the deciding rule stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleRef {
    /// Its name.
    pub name: String,
    /// The policy that it was read from.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
}

impl Row {
    /// Its path.
    pub fn place(&self) -> &Path {
        match &self.path_bytes {
            Some(bytes) => bytes.as_path(),
            None => Path::new(&self.path),
        }
    }
}

#[expect(
    clippy::option_option,
    clippy::ref_option,
    reason = "absent, unknown and known are three things, and serde hands over the field"
)]
fn is_not_there<T>(value: &Option<Option<T>>) -> bool {
    value.is_none()
}

/// A key that is there has a value, which may be null; one that is not there does not come here.
#[expect(
    clippy::option_option,
    reason = "absent, unknown and known are three things"
)]
pub(super) fn there<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
