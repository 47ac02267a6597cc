//! The nouns that every stage speaks of: paths as bytes, addresses, durations for people.
//!
//! Invariant: pure values; nothing here looks at the world.

mod address;
mod byte_path;
mod escape;
mod size;

pub use address::Address;
pub use byte_path::{BytePath, hex};
pub use escape::escape;
pub use size::human_size;
