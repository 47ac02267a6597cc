//! Judges every observed tree: which guards hold it, and which rule decides.
//!
//! Input: a policy and an observation. Output: one [`Assessment`] a tree. Invariants: pure; no
//! clock but the observation's own; an unknown fact never lets a tree go (`spec 1`).

mod age;
mod claim;
mod code;
mod condition;
mod decision;
mod evidence;
mod finding;
mod guards;
mod job;
mod landing;
mod order;
mod subject;
mod trace;

pub use age::human_age;
pub use code::Code;
pub use decision::{Decision, Traced};
pub use evidence::Evidence;
pub use finding::{Answer, Finding};
pub use guards::first_held;
pub use job::{
    Likeness, TreeJobs, is_open, may_be_accepted, named, rests_on_a_decision, rests_on_gone,
    why_unknown,
};
pub use landing::{doubt, phrase, short_ref};
pub use order::{action_of, why_not_ordered};
pub use subject::Subject;
pub use trace::Trace;

use crate::observe::{Kind, Observation};
use crate::policy::Policy;

/// What was found out about one tree.
#[derive(Clone, Debug)]
pub struct Assessment<'a> {
    /// The tree, in its project, under the policy.
    pub subject: Subject<'a>,
    /// Every guard that applies to its kind, in the order of `spec 5`.
    pub findings: Vec<Finding>,
    /// Every rule that was asked, in order, with its answer.
    pub trace: Vec<Traced>,
    /// Which rule decides.
    pub decision: Decision,
}

/// Judges every tree of the observation under the policy.
pub fn assess<'a>(policy: &'a Policy, observation: &'a Observation) -> Vec<Assessment<'a>> {
    Subject::of(policy, observation)
        .map(|subject| {
            let (trace, decision) = decision::decide(&subject);
            let findings = match subject.tree.kind {
                Kind::Worktree | Kind::Directory => guards::findings(&subject, &decision),
                Kind::Entry => guards::entry_findings(&subject, &decision),
            };
            Assessment {
                subject,
                findings,
                trace,
                decision,
            }
        })
        .collect()
}
