//! A plan, a report, or what was told from them as text: one file a format or a command.
//!
//! Input: a value and a writer. Output: bytes, with colour by role; the owner of the stream strips
//! it where it does not belong. Invariants: pure but for the given writer; text from the world is
//! escaped exactly once before a terminal sees it; every format has the same rows in the same
//! order.

mod check;
mod explain;
mod items;
mod jobs;
mod json;
mod notes;
mod plan;
mod policy;
mod report;
mod rescued;
mod status;
mod style;
mod table;

pub use crate::resource::human_size;
pub use check::{github_check, human_check, json_check};
pub use explain::{explain, losses};
pub use jobs::{ShownJob, human_job, human_jobs, json_job, json_jobs};
pub use json::{
    json_explanation, json_lines_plan, json_lines_report, json_observation, json_plan,
    json_refusal, json_report,
};
pub use plan::human_plan;
pub use policy::{misses, topic};
pub use report::{
    human_attention, human_header, human_nothing, human_outcome, human_recovered, human_report,
    question,
};
pub use rescued::{Rescued, human_rescued, json_rescued, json_restored};
pub use status::{human_status, human_waiting, json_status};
pub use style::{Painted, Role};

/// The order of the rows for people; programs get the order in which apply goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// As planned: by verdict, project, and address, nested worktrees before what they are in.
    #[default]
    Verdict,
    /// By address.
    Address,
    /// The largest first; what has no size comes last.
    Size,
    /// The longest idle first; what has no sign of activity comes last.
    Idle,
}

/// How to draw for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns that fit on a line.
    pub width: u16,
    /// Whether to list what is kept and ignored, too.
    pub all: bool,
    /// The rules whose rows are listed; none means all.
    pub rules: Vec<String>,
    /// In which order.
    pub sort: Sort,
    /// The command that carries the plan out, where one may be named.
    pub next: Option<String>,
}
