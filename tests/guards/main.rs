//! Every guard of `spec 5` on real repositories.
//!
//! A case makes two worktrees that a rule lets go, changes one so that one guard must hold it, and
//! applies: the control is removed, the other one is byte for byte what it was. Where a probe can
//! be made to fail, the row is a hold with an unknown reason, and nothing is touched.

#[path = "../support/mod.rs"]
mod support;

mod case;
mod content;
mod history;
mod incidents;
mod liveness;
mod ordinary;
mod place;
mod probes;
mod prune;
