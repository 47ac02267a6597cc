//! The brakes of `limits`: a plan over one is refused whole, never trimmed (`spec 3`).

use super::{ResourceKind, Row, Verdict};
use crate::observe::{Kind, Observation};
use crate::policy::Policy;
use crate::resource::escape;
use serde::{Deserialize, Serialize};

/// A project's entries may be gone unnoticed below this number.
const GONE_FROM: usize = 5;

/// A limit that the plan is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Brake {
    /// More rows that act than `max-removals`: removals, prunes, and jobs, one each, whatever their
    /// steps are; expiries of rescue refs do not count.
    MaxRemovals {
        /// How many the plan has.
        planned: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// More of a project's entries are gone at once than `max-gone`: perhaps a disk is away.
    MaxGone {
        /// The project.
        project: String,
        /// How many entries are gone.
        gone: usize,
        /// How many entries there are.
        entries: usize,
    },
}

impl std::fmt::Display for Brake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::MaxRemovals { planned, limit } => {
                write!(
                    f,
                    "{planned} rows are over the policy's max-removals of {limit}"
                )
            }
            Self::MaxGone {
                project,
                gone,
                entries,
            } => write!(
                f,
                "{gone} of {entries} worktrees of {} are gone at once: a disk may be away \
                 (max-gone)",
                escape(project.as_bytes())
            ),
        }
    }
}

/// Every limit of the policy that the rows are over.
pub(super) fn brakes(policy: &Policy, observation: &Observation, rows: &[Row]) -> Vec<Brake> {
    let mut brakes = Vec::new();
    // A rescue ref past its time is no worktree: a night's expiries must not stop the next.
    let counts = |row: &&Row| row.verdict.acts() && row.kind != ResourceKind::RescueRef;
    let planned = rows.iter().filter(counts).count();
    if planned > policy.limits.max_removals {
        brakes.push(Brake::MaxRemovals {
            planned,
            limit: policy.limits.max_removals,
        });
    }
    for project in &observation.projects {
        let prunes = |row: &&Row| {
            let is_entry = row.verdict == Verdict::Prune && row.kind == ResourceKind::Entry;
            is_entry && row.project == project.name
        };
        if !rows.iter().any(|row| prunes(&row)) {
            continue;
        }
        let registered = project
            .trees
            .iter()
            .filter(|tree| tree.id.is_some())
            .count();
        let gone = project
            .trees
            .iter()
            .filter(|tree| tree.kind == Kind::Entry)
            .count();
        if gone >= GONE_FROM && policy.limits.max_gone.is_exceeded_by(gone, registered) {
            brakes.push(Brake::MaxGone {
                project: project.name.clone(),
                gone,
                entries: registered,
            });
        }
    }
    brakes
}
