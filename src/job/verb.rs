//! What can be done to a job (`spec 8`).

use super::Outcome;
use std::fmt;

/// One thing that can be done to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A run begins.
    Start,
    /// The run in progress ends.
    Finish(Outcome),
    /// The work is wanted: the worktree goes, the branch stays.
    Accept,
    /// The work is not wanted: worktree and branch go.
    Drop,
    /// More runs.
    Extend,
    /// Something is wrong with it.
    Block,
    /// It no longer is.
    Unblock,
    /// It is taken back before there is anything to decide.
    Cancel,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 10] = [
        Self::Start,
        Self::Finish(Outcome::Succeeded),
        Self::Finish(Outcome::Failed),
        Self::Finish(Outcome::Interrupted),
        Self::Accept,
        Self::Drop,
        Self::Extend,
        Self::Block,
        Self::Unblock,
        Self::Cancel,
    ];

    /// The word for it, as on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Finish(_) => "finish",
            Self::Accept => "accept",
            Self::Drop => "drop",
            Self::Extend => "extend",
            Self::Block => "block",
            Self::Unblock => "unblock",
            Self::Cancel => "cancel",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finish(outcome) => write!(f, "finish {}", outcome.as_str()),
            Self::Start
            | Self::Accept
            | Self::Drop
            | Self::Extend
            | Self::Block
            | Self::Unblock
            | Self::Cancel => f.write_str(self.as_str()),
        }
    }
}
