//! What happened, and what there is, as one value: the plan, the outcomes, and the exit status.
//!
//! Input: a plan, and for apply its outcomes. Output: a [`Report`]; of a plan alone a [`Status`] or
//! a [`Check`]. Invariant: pure.

mod check;
mod exit;
mod history;
mod item;
mod status;
mod tally;

pub use check::{Amount, Ceiling, Check};
pub use exit::ExitStatus;
pub use history::{AuditRead, History, LastRun, Left};
pub use item::{Item, Since};
pub use status::{Disk, JobCounts, StateCount, Status};
pub use tally::Tally;

use crate::apply::Done;
use crate::plan::Plan;

/// A finished run of apply.
#[derive(Debug)]
pub struct Report<'a> {
    /// The plan that was carried out.
    pub plan: &'a Plan,
    /// What became of what an earlier run had left open, before the plan was made.
    pub recovered: Vec<Done>,
    /// What became of its chosen rows.
    pub done: Vec<Done>,
    /// The projects that were left out, since another owl holds their locks.
    pub left_out: Vec<String>,
}

impl Report<'_> {
    /// Counts the outcomes.
    pub fn tally(&self) -> Tally {
        Tally::of(self.all())
    }

    /// Everything that has an outcome, in the order in which it happened.
    pub fn all(&self) -> impl Iterator<Item = &Done> {
        self.recovered.iter().chain(&self.done)
    }

    /// How the run ended (`spec 11`): a signal goes before 2, 2 before 3, 3 before 1.
    pub fn exit(&self, signal: Option<i32>) -> ExitStatus {
        if let Some(signal) = signal {
            return ExitStatus::Interrupted(signal);
        }
        if !self.plan.complete {
            return ExitStatus::Error;
        }
        if self.is_settled() {
            ExitStatus::Done
        } else {
            ExitStatus::Unsettled
        }
    }

    /// Whether all went as planned, in every project.
    pub fn is_settled(&self) -> bool {
        self.left_out.is_empty() && self.all().all(|done| done.outcome.fate.is_done())
    }
}
