//! What holds a tree, and what no longer does: the exact guards on real repositories.
//!
//! Every test that expects a hold has a tree in the same run that differs only in what holds, and
//! is removed; whatever is held is still there afterwards.

mod content;
mod deep;
mod entry;
mod hardened;
mod hidden;
mod ignored;
mod nested;
mod outputs;
mod prune;
mod records;
mod reflog;
mod submodule;
mod world;
