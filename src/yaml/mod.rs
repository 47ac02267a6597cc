//! Text that a person or another tool wrote, as a tree in which everything knows its place.
//!
//! Purpose: one reader for every YAML text of owl, and for JSON, which is YAML. Input: a text, what
//! it should be, and the keys of each kind of mapping. Output: [`node::Node`] trees, [`fields`] of
//! known keys, and findings with line and column. Invariants: pure; bounded by the [`Document`];
//! unknown keys are reported, never ignored.

pub mod fields;
mod grammar;
mod json;
pub mod node;
mod reader;

pub use grammar::{Keys, Level, Support, nearest};
pub use json::json_to_yaml;
pub use reader::{Document, read};
