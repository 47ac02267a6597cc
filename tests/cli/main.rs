//! Transcripts of the binary: what a user types, reads, and gets as exit code.

#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod demo;
mod discovery;
mod exits;
mod explain;
mod formats;
mod incidents;
mod listing;
mod signals;
mod story;
mod terminal;
mod told;
