//! What became of a row.

use crate::journal::Manner;
use crate::plan::{Row, Step};
use crate::resource::Address;
use serde::Serialize;

/// What became of a row, in one word (C6, E13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Git removed it, its place is empty, and git no longer lists it.
    Removed,
    /// Its entry was pruned, and git no longer lists it.
    Pruned,
    /// Its job was decided about; it has no worktree.
    Decided,
    /// The worktree is gone, and its branch was left alone, since something moved.
    BranchKept,
    /// It was gone before owl came to it.
    AlreadyGone,
    /// A run that was interrupted had taken it; it is back where it was, or where somebody brought it.
    Restored,
    /// It was left alone, since something moved or could not be told.
    Kept,
    /// Something of it is gone, and something is left.
    PartiallyRemoved,
    /// A row of a saved plan that is not what it was any more; nothing was changed.
    Stale,
    /// It could not be done; the message says what was changed, if anything was.
    Failed,
    /// It was not its turn any more.
    NotAttempted,
}

impl Fate {
    /// Whether all went as planned; if not, the run ends unsettled (`spec 11`: 3).
    pub fn is_done(self) -> bool {
        match self {
            Self::Removed | Self::Pruned | Self::Decided | Self::AlreadyGone | Self::Restored => {
                true
            }
            Self::BranchKept
            | Self::Kept
            | Self::PartiallyRemoved
            | Self::Stale
            | Self::Failed
            | Self::NotAttempted => false,
        }
    }

    /// The word for people and for JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Pruned => "pruned",
            Self::Decided => "decided",
            Self::BranchKept => "branch-kept",
            Self::AlreadyGone => "already-gone",
            Self::Restored => "restored",
            Self::Kept => "kept",
            Self::PartiallyRemoved => "partially-removed",
            Self::Stale => "stale",
            Self::Failed => "failed",
            Self::NotAttempted => "not-attempted",
        }
    }
}

/// What became of a row, and why.
#[must_use = "an outcome that nobody reports is a silent failure"]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// In one word.
    pub fate: Fate,
    /// Why it was kept, or what went wrong; empty when all went as planned.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// For a partial removal: files and directories before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<(u64, u64)>,
    /// A code for a state that a person must end: `aside`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// How it was removed, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manner: Option<Manner>,
    /// What became of each step, where the row has more than one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Stepped>,
}

/// What became of one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stepped {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// Whether it was carried out, and stands.
    pub done: bool,
}

/// The outcome of one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Done {
    /// The row.
    pub address: Address,
    /// What became of it.
    pub outcome: Outcome,
}

impl Outcome {
    fn new(fate: Fate, message: impl Into<String>) -> Self {
        Self {
            fate,
            message: message.into(),
            counts: None,
            reason: None,
            manner: None,
            steps: Vec::new(),
        }
    }

    /// With what became of each step of the row.
    pub(super) fn with_steps(mut self, row: &Row) -> Self {
        if row.steps.len() < 2 {
            return self;
        }
        let is_done = |step: &Step| match self.fate {
            Fate::Removed | Fate::Pruned | Fate::Decided => true,
            Fate::BranchKept => !matches!(step, Step::DeleteBranch { .. }),
            Fate::PartiallyRemoved => match step {
                Step::SetJobState { .. }
                | Step::LiftLock { .. }
                | Step::DiscardExpendable { .. }
                | Step::DiscardChange { .. }
                | Step::WriteRescueRef { .. } => true,
                Step::RemoveSubmodule { .. }
                | Step::RemoveWorktree
                | Step::PruneEntry
                | Step::DeleteBranch { .. }
                | Step::ExpireRescueRef { .. } => false,
            },
            Fate::AlreadyGone
            | Fate::Restored
            | Fate::Kept
            | Fate::Stale
            | Fate::Failed
            | Fate::NotAttempted => false,
        };
        let stepped = row.steps.iter().map(|step| Stepped {
            step: step.clone(),
            done: is_done(step),
        });
        self.steps = stepped.collect();
        self
    }

    /// Whether nothing of the worktree is left.
    pub(super) fn is_gone(&self) -> bool {
        match self.fate {
            Fate::Removed | Fate::Pruned | Fate::BranchKept | Fate::AlreadyGone => true,
            Fate::Decided
            | Fate::Restored
            | Fate::Kept
            | Fate::PartiallyRemoved
            | Fate::Stale
            | Fate::Failed
            | Fate::NotAttempted => false,
        }
    }

    /// The same, but the branch stays.
    pub(super) fn branch_kept(mut self, why: &str) -> Self {
        self.fate = Fate::BranchKept;
        self.with_note(why)
    }

    /// A row of a saved plan that is not what it was any more.
    pub fn stale(why: impl Into<String>) -> Self {
        Self::new(Fate::Stale, why)
    }

    pub(super) fn removed(manner: Manner) -> Self {
        let mut outcome = Self::new(Fate::Removed, "");
        outcome.manner = Some(manner);
        outcome
    }

    pub(super) fn restored(why: impl Into<String>) -> Self {
        Self::new(Fate::Restored, why)
    }

    /// It stands in owl's own folder, and both paths are in the sentence.
    pub(super) fn aside(why: impl Into<String>) -> Self {
        let mut outcome = Self::new(Fate::Kept, why);
        outcome.reason = Some("aside");
        outcome
    }

    pub(super) fn pruned() -> Self {
        Self::new(Fate::Pruned, "")
    }

    pub(super) fn decided() -> Self {
        Self::new(Fate::Decided, "")
    }

    pub(super) fn already_gone() -> Self {
        Self::new(Fate::AlreadyGone, "it was gone before owl came to it")
    }

    pub(super) fn kept(why: impl Into<String>) -> Self {
        Self::new(Fate::Kept, why)
    }

    pub(super) fn failed(why: impl Into<String>) -> Self {
        Self::new(Fate::Failed, why)
    }

    pub(super) fn not_attempted(why: impl Into<String>) -> Self {
        Self::new(Fate::NotAttempted, why)
    }

    pub(super) fn partial(before: u64, after: u64, why: &str) -> Self {
        let mut outcome = Self::new(
            Fate::PartiallyRemoved,
            format!("{after} of {before} files and directories are left: {why}"),
        );
        outcome.counts = Some((before, after));
        outcome
    }

    pub(super) fn with_note(mut self, note: &str) -> Self {
        if note.is_empty() {
            return self;
        }
        if !self.message.is_empty() {
            self.message.push_str("; ");
        }
        self.message.push_str(note);
        self
    }
}
