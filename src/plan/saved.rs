//! A plan that was written to a file, and is carried out later (`spec 6`).
//!
//! The file is untrusted: it only narrows. What is carried out is always the row of a fresh plan,
//! under the policy in force, and only where that is the same row as the saved one.

use super::approval::Approved;
use super::{
    Approval, BaseNote, Brake, FORMAT_VERSION, Hint, Plan, PolicyNote, Refusal, Row, Summary, moved,
};
use crate::resource::{Address, escape};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A plan as its file has it; the form is that of `owl plan --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// The version of the form.
    pub format_version: String,
    /// Always `plan`.
    pub kind: String,
    /// The owl that made it.
    pub owl_version: String,
    /// When it was made.
    pub observed_at: Timestamp,
    /// The policy that it was made under.
    pub policy: PolicyNote,
    /// Whether everything could be read.
    pub complete: bool,
    /// Whether there was something to do.
    pub applyable: bool,
    /// Its counts.
    pub summary: Summary,
    /// Where each project's work lands.
    pub projects: Vec<BaseNote>,
    /// How many processes could not be inspected.
    pub hidden_processes: Option<u64>,
    /// The limits that it was over.
    pub brakes: Vec<Brake>,
    /// What one line of `rebuildable` would have freed.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// What stood under it.
    pub warnings: Vec<String>,
    /// Its rows.
    pub items: Vec<Row>,
}

/// Why a file is no plan that may be carried out.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// It is no JSON, or cut short, or no plan of this form.
    #[error("it is not a plan that owl saved: {0}")]
    NotAPlan(serde_json::Error),
    /// It is a document of another kind.
    #[error("it is a document of the kind {:?}, not a plan", escape(.0.as_bytes()))]
    OtherKind(String),
    /// Another form.
    #[error("it has the form {}, and this owl reads {FORMAT_VERSION}", escape(.0.as_bytes()))]
    OtherForm(String),
    /// Another major version of owl.
    #[error("owl {} made it, and this is owl {}", escape(.0.as_bytes()), env!("CARGO_PKG_VERSION"))]
    OtherOwl(String),
    /// Two rows have one address.
    #[error("it has two rows {0}")]
    TwoRows(Address),
}

/// What tells whether the rest may be read at all.
#[derive(Deserialize)]
struct Header {
    format_version: String,
    kind: String,
    owl_version: String,
}

impl Saved {
    /// Reads the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, SavedError> {
        let header: Header = serde_json::from_slice(bytes).map_err(SavedError::NotAPlan)?;
        if header.kind != "plan" {
            return Err(SavedError::OtherKind(header.kind));
        }
        if major(&header.format_version) != major(FORMAT_VERSION) {
            return Err(SavedError::OtherForm(header.format_version));
        }
        if major(&header.owl_version) != major(env!("CARGO_PKG_VERSION")) {
            return Err(SavedError::OtherOwl(header.owl_version));
        }
        let saved: Self = serde_json::from_slice(bytes).map_err(SavedError::NotAPlan)?;
        let mut seen = BTreeSet::new();
        match saved.items.iter().find(|row| !seen.insert(&row.address)) {
            Some(row) => Err(SavedError::TwoRows(row.address.clone())),
            None => Ok(saved),
        }
    }

    /// The rows that it would carry out, or of those the ones in `only`.
    pub fn acting<'a>(&'a self, only: &'a [Address]) -> impl Iterator<Item = &'a Row> {
        let acting = self.items.iter().filter(|row| row.verdict.acts());
        acting.filter(|row| only.is_empty() || only.contains(&row.address))
    }

    /// Compares it with a plan made now: which rows stand, and why each of the others does not.
    pub fn against(&self, fresh: &Plan, only: &[Address]) -> Standing {
        let mut standing = Standing::default();
        for row in self.acting(only) {
            let address = row.address.clone();
            let moved = match fresh.row(&row.address) {
                Some(now) => moved(row, now),
                None => vec!["there is nothing of this name any more".to_owned()],
            };
            if moved.is_empty() {
                standing.rows.insert(address);
            } else {
                standing.stale.push((address, moved.join("; ")));
            }
        }
        standing
    }
}

/// What is left of a saved plan.
#[derive(Debug, Default)]
pub struct Standing {
    /// Rows that are as they were.
    pub rows: BTreeSet<Address>,
    /// Rows that are not, with everything that moved, in the order of the saved plan.
    pub stale: Vec<(Address, String)>,
}

impl Plan {
    /// Approves the rows of this plan that stand as saved, and no other.
    pub fn approve_standing(
        self,
        approval: &Approval,
        standing: &Standing,
    ) -> Result<Approved, Refusal> {
        self.approve_chosen(approval, |address| standing.rows.contains(address))
    }
}

/// Everything before the first point.
fn major(version: &str) -> Option<u64> {
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_major_version_is_a_number() {
        assert_eq!(major("1.0"), Some(1));
        assert_eq!(major("0.1.0"), Some(0));
        assert_eq!(major("x.1"), None);
        assert_eq!(major(""), None);
    }
}
