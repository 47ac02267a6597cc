//! owl reads a policy and the world, explains what differs, and changes only what was approved.
//!
//! Data flows one way: `policy` -> `observe` -> `assess` -> `plan` -> `render` / `apply` ->
//! `report`; `trial` tests a policy without a world; `fact`, `resource`, `diag`, `yaml`, `job`, `git`, `journal` and `ledger`
//! are leaves. `tests/architecture.rs` holds the
//! borders, and ARCHITECTURE.md is the ten-minute tour.

pub mod apply;
pub mod assess;
pub mod cli;
pub mod diag;
pub mod fact;
pub mod git;
pub mod job;
pub mod journal;
pub mod ledger;
pub mod observe;
pub mod plan;
pub mod policy;
pub mod render;
pub mod report;
pub mod resource;
pub mod trial;
pub mod yaml;
