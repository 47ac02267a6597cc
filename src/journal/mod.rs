//! What owl writes down in a repository before it changes anything there, as far as anybody reads
//! it (`spec 7.4`, `spec 13`).
//!
//! Input: a common git directory. Output: every open [`Record`], and every file that is none.
//! Invariants: reading changes nothing; a file that cannot be understood is reported by name and
//! never passed over; only `apply` writes here.

mod folder;
mod marks;
mod record;

pub use folder::{Folder, Found};
pub use marks::Marks;
pub use record::{Broken, Lifted, Link, Manner, Pinned, Record, RecordedJob, Stage, VERSION, Work};
