//! A decision about a job on its way to being carried out (`spec 8`, A3.7).

use super::{State, Verb};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Enough to take a decision, to carry it out, and to take exactly this one back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disposal {
    /// The state that it is decided in.
    pub from: State,
    /// Since when the job was in that state.
    pub since: Timestamp,
    /// The state after: done or cancelled.
    pub to: State,
    /// When it is decided; what tells it from any other decision about the job.
    pub at: Timestamp,
    /// The commit that is decided about, in hexadecimal; none if the branch was gone.
    pub tip: Option<String>,
    /// Whether the branch is deleted as well.
    pub drops: bool,
}

impl Disposal {
    /// The verb that says the same.
    pub fn verb(&self) -> Verb {
        if self.to == State::Done {
            Verb::Accept
        } else {
            Verb::Drop
        }
    }
}

/// What has become of the branch of a job when its disposal ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchFate {
    /// It was not to be deleted.
    NotAsked,
    /// It is gone.
    Gone,
    /// It was to be deleted, and stays for good.
    Stays,
}
