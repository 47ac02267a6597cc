//! owl's own record of jobs: one `SQLite` file (`spec 8`, `spec 13`).
//!
//! Input: the path of the file, values of `job`, and `now`. Output: [`Reading`], an immutable
//! snapshot of everything; changes through [`Ledger`]; or a [`LedgerError`].
//!
//! Invariants:
//! - A ledger that is not there is an answer of its own ([`Reading::Missing`]), and one that is
//!   corrupt, unreadable, newer, or no ledger is an error: neither is ever "no jobs".
//! - Reading writes nothing and creates nothing (`read.rs` says how, and the one exception).
//! - Every change is one immediate transaction, and sets a state only from the state that it was
//!   decided on. Somebody else's decision wins, and the loser is told which.
//! - A job belongs to a repository: host, canonical path, device and inode of its common git
//!   directory, all four. Its name is a label.
//! - A new ledger appears whole: it is built beside its place and linked there.
//! - The file is the user's alone (0600, its directory 0700).

mod adopt;
mod change;
mod contents;
mod create;
mod error;
mod host;
mod insert;
mod open;
mod project;
mod read;
mod rows;
mod schema;

pub use change::{Change, Changed};
pub use contents::{Contents, Entry};
pub use error::LedgerError;
pub use host::Host;
pub use insert::{NewJob, NewProject};
pub use open::Ledger;
pub use project::{Difference, Project, RepositoryId};
pub use read::{Reading, read};

use std::path::{Path, PathBuf};

/// Where the ledger is, below the XDG data home.
pub fn default_path(data_home: &Path) -> PathBuf {
    data_home.join("owl/ledger.db")
}
