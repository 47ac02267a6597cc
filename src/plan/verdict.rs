//! The words of a row: verdict, reason, and kind of unfinished work.

use crate::assess::Code;
use crate::job::State;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What owl would do with a resource, most active first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Remove the worktree.
    Remove,
    /// Prune the administrative entry; of a job without a worktree, accept it.
    Prune,
    /// Leave it; a person must look.
    Hold,
    /// Leave it; nobody needs to act.
    Keep,
    /// None of owl's business.
    Ignore,
}

impl Verdict {
    /// The word for the table and for JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Remove => "remove",
            Self::Prune => "prune",
            Self::Hold => "hold",
            Self::Keep => "keep",
            Self::Ignore => "ignore",
        }
    }

    /// Whether apply would change something.
    pub fn acts(self) -> bool {
        match self {
            Self::Remove | Self::Prune => true,
            Self::Hold | Self::Keep | Self::Ignore => false,
        }
    }
}

/// Why a row has its verdict (`spec 12`: `reason`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A guard holds.
    Guard(Code),
    /// A guard could not tell.
    UnknownGuard(Code),
    /// A rule could not be decided.
    UnknownRule,
    /// How many commits are unpublished could not be told.
    UnknownCommits,
    /// Commits neither landed nor published, and no rule.
    Unpublished,
    /// The proof that it has landed is contradicted, and no rule lets it go without.
    ConflictingEvidence,
    /// No rule holds.
    NoRule,
    /// A keep rule holds.
    Kept,
    /// It goes: its work has landed, by this proof.
    Landed(&'static str),
    /// It goes: its work is published.
    Published,
    /// It goes: a rule says so that asks for neither.
    Rule,
    /// A rule drops it, but its branch may not be deleted.
    BranchStays,
    /// Whether its branch may be deleted could not be told.
    UnknownBranch,
    /// It goes, or waits, on account of a job in this state; `gone` for none.
    Job(&'static str),
    /// Its job is in a state that this owl does not know.
    UnknownJobState,
    /// Its directory is gone.
    Gone,
    /// A rescue ref is past its time.
    Expired,
    /// Whether a rescue ref is past its time could not be told.
    UnknownExpiry,
    /// The store that it was in may be away.
    StoreAway,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Guard(code) => code.as_str(),
            Self::UnknownGuard(code) => return write!(f, "unknown-{code}"),
            Self::UnknownRule => "unknown-rule",
            Self::UnknownCommits => "unknown-unpublished",
            Self::Unpublished => "unpublished",
            Self::ConflictingEvidence => "conflicting-evidence",
            Self::NoRule => "no-rule",
            Self::Kept => "kept-by-rule",
            Self::Landed(proof) => proof,
            Self::Published => "published",
            Self::Rule => "rule",
            Self::BranchStays => "branch-stays",
            Self::UnknownBranch => "unknown-branch",
            Self::Job(state) => state,
            Self::UnknownJobState => "unknown-job-state",
            Self::Gone => "gone",
            Self::Expired => "expired",
            Self::UnknownExpiry => "unknown-expiry",
            Self::StoreAway => "store-away",
        };
        f.write_str(text)
    }
}

impl Reason {
    /// The reason that the state of a job is.
    pub(super) fn of_state(state: &State) -> Self {
        match state {
            State::Pending => Self::Job("pending"),
            State::Active => Self::Job("active"),
            State::Review => Self::Job("review"),
            State::Blocked => Self::Job("blocked"),
            State::Done => Self::Job("done"),
            State::Cancelled => Self::Job("cancelled"),
            State::Exhausted => Self::Job("exhausted"),
            State::Other(_) => Self::UnknownJobState,
        }
    }

    /// Every reason that is one word and no guard's code.
    const PLAIN: [Self; 28] = [
        Self::UnknownRule,
        Self::UnknownCommits,
        Self::Unpublished,
        Self::ConflictingEvidence,
        Self::NoRule,
        Self::Kept,
        Self::Landed("ancestor"),
        Self::Landed("same-tree"),
        Self::Landed("merge-adds-nothing"),
        Self::Landed("patch-ids"),
        Self::Landed("squash"),
        Self::Published,
        Self::Rule,
        Self::BranchStays,
        Self::UnknownBranch,
        Self::Gone,
        Self::Expired,
        Self::UnknownExpiry,
        Self::StoreAway,
        Self::Job("pending"),
        Self::Job("active"),
        Self::Job("review"),
        Self::Job("blocked"),
        Self::Job("done"),
        Self::Job("cancelled"),
        Self::Job("exhausted"),
        Self::Job("gone"),
        Self::UnknownJobState,
    ];

    /// The reason that a word stands for.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(plain) = Self::PLAIN.into_iter().find(|one| one.to_string() == text) {
            return Some(plain);
        }
        let code = |text: &str| Code::ALL.iter().copied().find(|one| one.as_str() == text);
        match text.strip_prefix("unknown-") {
            Some(rest) => code(rest).map(Self::UnknownGuard),
            None => code(text).map(Self::Guard),
        }
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no reason")))
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Work that a person should know of (`spec 5`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Unfinished {
    /// Guards 8 to 10, and 12.
    Uncommitted,
    /// `unpublished`, and guard 11.
    Unpublished,
    /// A job waits for a decision.
    Waiting,
    /// A job is active, and nobody carries it.
    Abandoned,
    /// A job is blocked.
    Blocked,
    /// A job has no run left.
    Exhausted,
    /// Guards 2, 3, 5, conflicting evidence, and everything that could not be told.
    Ambiguous,
}

impl Unfinished {
    /// The word for people and for JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Uncommitted => "UNCOMMITTED",
            Self::Unpublished => "UNPUBLISHED",
            Self::Waiting => "WAITING",
            Self::Abandoned => "ABANDONED",
            Self::Blocked => "BLOCKED",
            Self::Exhausted => "EXHAUSTED",
            Self::Ambiguous => "AMBIGUOUS",
        }
    }
}
