//! Whether a branch's work is in the base (`spec 4.1`, `incidents` A), on real repositories.
//!
//! Branches are asked about through administrative entries whose directories are gone: they cost
//! three small files each, and go through the same code as worktrees that stand. In every
//! repository some branch has landed and some has not, so that neither answer can come from a
//! broken probe.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "tests build the world, and may fail"
)]

mod commands;
mod differential;
mod incidents;
mod kinds;
mod measure;
mod model;
mod partial_history;
#[path = "../support/mod.rs"]
mod support;
mod yard;
