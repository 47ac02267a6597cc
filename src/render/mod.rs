//! A plan or a report as text: one file a format.
//!
//! Input: a value and a writer. Output: bytes. Invariants: pure but for the given writer; text
//! from the world is escaped before a terminal sees it; every format has the same rows in the same
//! order.

mod json;
mod table;

pub use crate::resource::human_size;
pub use json::{json_plan, json_refusal, json_report};
pub use table::{TableOptions, table};
