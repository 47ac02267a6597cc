//! A row of the plan as `owl status` and `owl check` speak of it: what, since when, and what to do.

use crate::plan::{Plan, Reason, ResourceKind, Row, RowJob, Unfinished, Verdict, remedy};
use crate::resource::{Address, BytePath, shell_word};
use jiff::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::time::Duration;

/// A row that somebody should look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its name in every command and format.
    pub address: Address,
    /// What it is.
    pub kind: ResourceKind,
    /// The project that it belongs to.
    pub project: String,
    /// Its path, as text; lossy where it is not UTF-8.
    pub path: String,
    /// The path's bytes, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<BytePath>,
    /// Its branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Its job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<RowJob>,
    /// What owl would do.
    pub verdict: Verdict,
    /// Which kind of unfinished work it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<Unfinished>,
    /// The code that decided.
    pub reason: Reason,
    /// The same as a sentence.
    pub message: String,
    /// Since when it has been so.
    #[serde(flatten)]
    pub since: Since,
    /// Bytes on disk; null when unknown.
    pub size_bytes: Option<u64>,
    /// The command that shows or resolves what holds it.
    pub command: String,
}

/// Since when something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// Since then, which is not in the future.
    Known(Timestamp),
    /// There is a clock for it, and it could not be read.
    Unknown,
    /// There is no clock for it.
    NoClock,
}

impl Since {
    /// Of a row with unfinished work, its clock; of another one, the last sign of activity.
    pub(super) fn of(row: &Row, now: Timestamp) -> Self {
        let clock = match (row.unfinished, row.active_at) {
            (Some(_), Some(None)) => Some(row.since),
            (Some(_), None | Some(Some(_))) => row.since.map(Some),
            (None, active) => active,
        };
        match clock {
            Some(Some(at)) if at <= now => Self::Known(at),
            Some(Some(_) | None) => Self::Unknown,
            None => Self::NoClock,
        }
    }

    /// How long ago that is.
    pub fn age(self, now: Timestamp) -> Option<Duration> {
        match self {
            Self::Known(at) => Duration::try_from(now.duration_since(at)).ok(),
            Self::Unknown | Self::NoClock => None,
        }
    }
}

impl Serialize for Since {
    /// `since`: a time, null when unknown, and absent where there is no clock.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Known(at) => map.serialize_entry("since", at)?,
            Self::Unknown => map.serialize_entry("since", &None::<Timestamp>)?,
            Self::NoClock => {}
        }
        map.end()
    }
}

impl Item {
    /// A row, seen at the moment of its plan.
    pub fn of(row: &Row, plan: &Plan) -> Self {
        Self {
            address: row.address.clone(),
            kind: row.kind,
            project: row.project.clone(),
            path: row.path.clone(),
            path_bytes: row.path_bytes.clone(),
            branch: row.branch.clone().flatten(),
            job: row.job.clone().flatten(),
            verdict: row.verdict,
            unfinished: row.unfinished,
            reason: row.reason.clone(),
            message: row.message.clone(),
            since: Since::of(row, plan.observed_at),
            size_bytes: row.size_bytes.flatten(),
            command: command(row),
        }
    }

    /// The kind of unfinished work, or else the verdict, in one word.
    pub fn word(&self) -> &'static str {
        match self.unfinished {
            Some(kind) => kind.as_str(),
            None => self.verdict.as_str(),
        }
    }
}

/// The command for one row; where none resolves it, the one that says everything about it.
fn command(row: &Row) -> String {
    let named = shell_word(row.address.as_str().as_bytes());
    if row.verdict.acts() {
        return format!("owl apply --only {named}");
    }
    remedy(row).unwrap_or_else(|| format!("owl explain {named}"))
}

/// Sorts what has been so for longest to the front; what has no age comes last, the larger first.
pub(super) fn oldest_first(items: &mut [Item], now: Timestamp) {
    items.sort_by_key(|item| {
        let age = Reverse(item.since.age(now));
        (age, Reverse(item.size_bytes), item.address.clone())
    });
}
