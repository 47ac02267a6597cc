//! Chooses what to do with every observed resource, and explains it.
//!
//! Input: the policy, the observation, and what `assess` made of them. Output: a [`Plan`].
//! Invariants: pure and total (every observed tree has exactly one row); equal inputs give equal
//! bytes; a nested worktree comes before its container; `apply` takes an [`Approved`], which only an
//! approval of a plan makes (`plan/approval.rs`).

mod approval;
mod brake;
mod expiry;
mod explanation;
mod hint;
mod job;
mod judge;
mod moved;
mod order;
mod overdue;
mod remedy;
mod row;
mod saved;
mod step;
mod steps;
mod summary;
mod verdict;

pub use approval::{Approval, Approved, Refusal};
pub use brake::Brake;
pub use explanation::{Asked, Explanation, Tested};
pub use hint::Hint;
pub use moved::moved;
pub use remedy::remedy;
pub use row::{ResourceKind, Row, RowJob, RuleRef};
pub use saved::{Saved, SavedError, Standing};
pub use step::{Step, deleted_branch, lifted_lock};
pub use summary::{BaseNote, PolicyNote, Summary};
pub use verdict::{Reason, Unfinished, Verdict};

use crate::assess::{Assessment, assess};
use crate::fact::Fact;
use crate::observe::Observation;
use crate::policy::{Origin, Policy};
use crate::resource::escape;
use jiff::Timestamp;
use serde::Serialize;

/// The version of the plan's JSON form: minor versions add, major ones break.
pub const FORMAT_VERSION: &str = "1.0";

/// What owl would do, resource by resource. Its JSON form is `spec 12`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// [`FORMAT_VERSION`].
    pub format_version: &'static str,
    /// `plan`, or `apply` where outcomes are added.
    pub kind: &'static str,
    /// The owl that made it.
    pub owl_version: &'static str,
    /// The moment that every age counts to.
    pub observed_at: Timestamp,
    /// The policy that it was made under.
    pub policy: PolicyNote,
    /// Whether everything could be read. Must not be used to tell whether there is something to do.
    pub complete: bool,
    /// Whether there is something to do, and nothing forbids the whole.
    pub applyable: bool,
    /// Counts, and the bytes that would be freed.
    pub summary: Summary,
    /// Where each project's work lands, and how old that knowledge is.
    pub projects: Vec<BaseNote>,
    /// How many processes this user may not inspect, which then hold nothing (`spec 1`, promise 1);
    /// null where it could not be told.
    pub hidden_processes: Option<u64>,
    /// Why the whole plan may not be applied unattended.
    pub brakes: Vec<Brake>,
    /// What one line of `rebuildable` would free.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Hint>,
    /// Sentences about things that matched nothing, or could not be read.
    pub warnings: Vec<String>,
    /// Those of the warnings that only say that something declared matched nothing: no news for whom
    /// only what needs a person is told.
    #[serde(skip)]
    pub unmatched: Vec<String>,
    /// One row a resource, most active verdict first.
    pub items: Vec<Row>,
}

impl Plan {
    /// Plans from what was observed.
    pub fn new(policy: &Policy, observation: &Observation) -> Self {
        let assessments = assess(policy, observation);
        let mut rows: Vec<Row> = assessments.iter().map(judge::row).collect();
        rows.extend(expiry::rows(policy, observation));
        rows.extend(job::rows(policy, observation));
        let items = order::ordered(order::with_containers_settled(rows));
        let brakes = brake::brakes(policy, observation, &items);
        let complete = observation
            .projects
            .iter()
            .all(|project| project.problem.is_none());
        let unmatched = unmatched(policy, observation, &assessments);
        let mut warnings = warnings(policy, observation);
        warnings.extend(unmatched.iter().cloned());
        Self {
            format_version: FORMAT_VERSION,
            kind: "plan",
            owl_version: env!("CARGO_PKG_VERSION"),
            observed_at: observation.observed_at,
            policy: PolicyNote::of(policy),
            complete,
            applyable: brakes.is_empty() && items.iter().any(|row| row.verdict.acts()),
            summary: Summary::of(&items),
            projects: observation.projects.iter().map(BaseNote::of).collect(),
            hidden_processes: hidden(&observation.host.hidden_processes),
            brakes,
            hints: hint::hints(&items, &assessments),
            warnings,
            unmatched,
            items,
        }
    }

    /// Whether any row would change something.
    pub fn acts(&self) -> bool {
        self.items.iter().any(|row| row.verdict.acts())
    }

    /// The row of an address.
    pub fn row(&self, address: &crate::resource::Address) -> Option<&Row> {
        self.items.iter().find(|row| row.address == *address)
    }
}

fn hidden(processes: &Fact<u64>) -> Option<u64> {
    match processes {
        Fact::Known(count) => Some(*count),
        Fact::Absent => Some(0),
        Fact::Unknown(_) => None,
    }
}

fn warnings(policy: &Policy, seen: &Observation) -> Vec<String> {
    let mut warnings: Vec<_> = policy.warnings.iter().map(ToString::to_string).collect();
    // A repository that is not there may be on a disk that is away.
    warnings.extend(
        seen.unmatched
            .iter()
            .filter(|text| !is_store(text))
            .cloned(),
    );
    for project in &seen.projects {
        if let Some(problem) = &project.problem {
            let name = escape(project.name.as_bytes());
            warnings.push(format!("project {name}: {problem}"));
        }
        let name = escape(project.name.as_bytes());
        let notes = project.jobs.notes.iter();
        warnings.extend(notes.map(|note| format!("project {name}: {note}")));
    }
    warnings
}

fn is_store(text: &str) -> bool {
    text.starts_with("store ")
}

/// Stores and rules that matched nothing (`spec 3`).
fn unmatched(policy: &Policy, seen: &Observation, assessments: &[Assessment<'_>]) -> Vec<String> {
    let stores = seen.unmatched.iter().filter(|text| is_store(text));
    let mut warnings: Vec<String> = stores.cloned().collect();
    let in_stores = |one: &&Assessment<'_>| one.subject.tree.store.is_some();
    for (index, rule) in policy.rules.iter().enumerate() {
        let matched = assessments
            .iter()
            .filter(in_stores)
            .flat_map(|one| &one.trace)
            .any(|traced| traced.rule == index && traced.answer != crate::fact::Kleene::False);
        // Where nothing stands in the stores, a rule has had nothing to match.
        if !matched
            && policy.origin != Origin::BuiltIn
            && !policy.inherits(&rule.file)
            && assessments.iter().any(|one| in_stores(&one))
        {
            warnings.push(format!(
                "rule {} ({}:{}) matched nothing",
                escape(rule.name.as_bytes()),
                escape(rule.file.as_bytes()),
                rule.line
            ));
        }
    }
    warnings
}
