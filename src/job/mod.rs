//! Jobs as values: what one is, how it moves, and how a list of them is written (`spec 8`, A1).
//!
//! Input: values, or the text of a job list. Output: values, refusals, findings with a place.
//! Invariants: pure; a state of a newer owl is kept as it is and never acted on (A1.3); a job that
//! is pending has a run left. What is stored, and when, is the ledger's part.
//!
//! The life of a job, verb by state. `(one run is spent)` verbs end the run in progress. A `-` is
//! a refusal that names the state and what is possible from there; `unknown` is a state that this
//! owl does not know. The test `tests/jobs/life.rs` holds this table to the code.
//!
//! | verb | pending | active | blocked | review | done | cancelled | exhausted | unknown |
//! |---|---|---|---|---|---|---|---|---|
//! | start | active | - | - | - | - | - | - | - |
//! | finish succeeded | - | review | - | - | - | - | - | - |
//! | finish failed | - | blocked | - | - | - | - | - | - |
//! | finish interrupted | - | pending, or exhausted | - | - | - | - | - | - |
//! | accept | - | - | done | done | done | cancelled | done | - |
//! | drop | - | - | cancelled | cancelled | done | cancelled | cancelled | - |
//! | extend | pending | active | blocked | review | - | - | pending | - |
//! | block | blocked | blocked | blocked | blocked | - | - | - | - |
//! | unblock | - | - | pending, or exhausted | - | - | - | - | - |
//! | cancel | cancelled | cancelled | - | - | - | - | - | - |

mod branch;
mod disposal;
mod life;
mod list;
mod record;
mod run;
mod state;
mod verb;

pub use branch::is_branch_name;
pub use disposal::{BranchFate, Disposal};
pub use life::{Refusal, next, spends};
pub use list::{Listed, ListedProject, Listing, MOST_BYTES, parse_list, write_list};
pub use record::{DEFAULT_TTL, Decided, Identity, Job, Origin, Worktree};
pub use run::{Run, Runner};
pub use state::{Outcome, State};
pub use verb::Verb;
