//! Looks at the world and says what was seen, never what to do about it.
//!
//! Invariant: what could not be told stays untold; nothing here turns an error into an answer.

pub mod processes;
