//! A plan or a report as text: one file a format.
//!
//! Input: a value and a writer. Output: bytes, with colour by role; the owner of the stream strips
//! it where it does not belong. Invariants: pure but for the given writer; text from the world is
//! escaped exactly once before a terminal sees it; every format has the same rows in the same
//! order.

mod explain;
mod json;
mod notes;
mod plan;
mod report;
mod style;
mod table;

pub use crate::resource::human_size;
pub use explain::explain;
pub use json::{json_explanation, json_observation, json_plan, json_refusal, json_report};
pub use plan::human_plan;
pub use report::{
    human_attention, human_header, human_nothing, human_outcome, human_recovered, human_report,
    question,
};
pub use style::{Painted, Role};

/// How to draw for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns that fit on a line.
    pub width: u16,
    /// Whether to list what is kept and ignored, too.
    pub all: bool,
    /// The command that carries the plan out, where one may be named.
    pub next: Option<String>,
}
