//! The jobs of each repository: from the ledger, and from the other sources of a policy (`spec 8`).
//!
//! Input: the path of the ledger, the sources of the policy, and the repositories in scope. Output:
//! [`Jobs`], one a project. Invariants:
//! - What is there and what could not be read are kept apart, source by source: no error becomes
//!   "no jobs". What follows from a ledger that is not there is for `assess` to say.
//! - A job is of this repository only by its identity: host, canonical path, device and inode of
//!   the common git directory for the ledger and for lists that bring identities along; the
//!   canonical path for what another tool's list names. What is almost this repository's, or is
//!   named for none, has [`Standing::Stray`]: it can add a hold and do nothing else.
//! - Which job has which worktree is not told here, but from these facts (`assess`).

mod command;
mod gather;
mod landing;
mod list;
mod recorded;

pub use recorded::{ObservedJob, Place, Running, Standing};

pub(super) use gather::Gathered;
pub(super) use landing::{landings, wanted};

use crate::fact::Fact;
use crate::resource::BytePath;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What is known of the jobs of one repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Where the ledger is looked for; none where that could not be told.
    pub ledger_path: Option<BytePath>,
    /// What the ledger knows of this repository; absent: there is no ledger.
    pub ledger: Fact<Knowledge>,
    /// The other sources of the policy, in its order.
    pub sources: Vec<SourceRead>,
    /// The jobs of all sources that could be read, each name once.
    pub list: Vec<ObservedJob>,
    /// Sentences about jobs that are almost this repository's.
    pub notes: Vec<String>,
}

/// What a ledger that is there knows of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    /// Since when it knows it; none if it does not.
    pub since: Option<Timestamp>,
}

/// Another source of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRead {
    /// As every output names it.
    pub name: String,
    /// Whether it could be read.
    pub read: Fact<()>,
}

impl Jobs {
    /// Nothing is known, and this is why.
    pub fn unknown(why: &str) -> Self {
        Self {
            ledger_path: None,
            ledger: Fact::unknown(why),
            sources: Vec::new(),
            list: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// There is no ledger, and no other source.
    pub fn none() -> Self {
        Self {
            ledger: Fact::Absent,
            ..Self::unknown("")
        }
    }

    /// Why a source could not be read: the observation is incomplete then.
    pub fn problem(&self) -> Option<String> {
        let sources = self.sources.iter().filter_map(|source| {
            let why = source.read.why_unknown()?;
            Some(format!("jobs of {}: {why}", source.name))
        });
        let ledger = self.ledger.why_unknown().map(ToOwned::to_owned);
        let problems: Vec<_> = ledger.into_iter().chain(sources).collect();
        (!problems.is_empty()).then(|| problems.join("; "))
    }
}
