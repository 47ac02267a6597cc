//! The nouns that every stage speaks of: paths as bytes, addresses, durations for people.
//!
//! Invariant: pure values; nothing here looks at the world.

mod address;
mod age;
mod byte_path;
mod escape;
mod rescue;
mod shell;
mod size;

pub use address::Address;
pub use age::human_age;
pub use byte_path::{BytePath, hex};
pub use escape::escape;
pub use rescue::{RESCUE_PREFIX, RescueKind, RescueName, rescue_under};
pub use shell::shell_word;
pub use size::human_size;
