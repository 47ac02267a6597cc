//! The one-pass scanner (`performance 1`, issue 4): what it says without git is what git says.

#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod carried;
mod differences;
mod differential;
mod edits;
mod files;
mod random;
mod refusals;
mod settled;
mod tree;
