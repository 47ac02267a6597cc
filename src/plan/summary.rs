//! What stands above and below the rows: the policy, the counts, the bases.

use super::{Row, Verdict};
use crate::fact::Fact;
use crate::observe::Project;
use crate::policy::Policy;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Counts of rows by verdict, and the bytes that the removals give back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Worktrees to remove.
    pub remove: usize,
    /// Entries to prune.
    pub prune: usize,
    /// Rows that a person must look at.
    pub hold: usize,
    /// Rows that nobody needs to act on.
    pub keep: usize,
    /// Rows that are none of owl's business.
    pub ignore: usize,
    /// Bytes on disk under the worktrees to remove.
    pub reclaim_bytes: u64,
}

impl Summary {
    /// Counts the rows.
    pub fn of(rows: &[Row]) -> Self {
        let mut summary = Self::default();
        for row in rows {
            match row.verdict {
                Verdict::Remove => {
                    summary.remove += 1;
                    if let Some(Some(bytes)) = row.size_bytes {
                        summary.reclaim_bytes += bytes;
                    }
                }
                Verdict::Prune => summary.prune += 1,
                Verdict::Hold => summary.hold += 1,
                Verdict::Keep => summary.keep += 1,
                Verdict::Ignore => summary.ignore += 1,
            }
        }
        summary
    }
}

/// Which policy a plan was made under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyNote {
    /// Where it was read from.
    pub source: String,
    /// The built-in policies that it extends, what counts first in front.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extends: Vec<String>,
    /// The digest of its bytes, and of those that it extends.
    pub sha256: String,
    /// How many rules it has.
    pub rules: usize,
    /// The stores that it declares, as written.
    pub stores: Vec<String>,
}

impl PolicyNote {
    /// The note of a policy.
    pub fn of(policy: &Policy) -> Self {
        Self {
            source: policy.source.name.clone(),
            extends: policy.source.extends.clone(),
            sha256: policy.source.sha256.clone(),
            rules: policy.rules.len(),
            stores: policy.stores.iter().map(|one| one.path.clone()).collect(),
        }
    }
}

/// Where a project's work lands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseNote {
    /// The project.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// The base branch; null when it could not be told, absent when there is none.
    #[serde(
        default,
        deserialize_with = "super::row::there",
        skip_serializing_if = "Option::is_none"
    )]
    pub base: Option<Option<String>>,
    /// The full name of the base's remote-tracking ref, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// When the base's remote-tracking ref was last fetched, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<Timestamp>,
    /// Why the project could not be read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl BaseNote {
    /// The note of a project.
    pub fn of(project: &Project) -> Self {
        let fetched_at = project
            .base
            .known()
            .and_then(|base| base.fetched_at.known().copied());
        Self {
            name: project.name.clone(),
            path: project.root.as_path().to_string_lossy().into_owned(),
            base: match &project.base {
                Fact::Known(base) => Some(Some(base.name.clone())),
                Fact::Absent => None,
                Fact::Unknown(_) => Some(None),
            },
            remote: project
                .base
                .known()
                .and_then(|base| Some(base.remote.as_ref()?.name.clone())),
            fetched_at,
            problem: project.problem.clone(),
        }
    }
}
