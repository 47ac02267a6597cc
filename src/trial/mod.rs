//! Tests of a policy: what it says of a worktree in a few words, or of a recorded observation.
//!
//! Input: a policy, one of its `tests`, and for that a `sketch` or an observation that was
//! recorded. Output: each [`Miss`]. Invariants: pure; the plan is made by the same code as any
//! other; a test looks at nothing but the plan's rows.

mod job;
mod sketch;

pub use sketch::sketch;

use crate::observe::Observation;
use crate::plan::{Explanation, Plan};
use crate::policy::{Case, Expectation, Expected, Policy};
use crate::resource::{Address, escape};

/// What a test expected of one row and did not get.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The row's address, as the test has it.
    pub address: String,
    /// Each difference as a sentence; escaped.
    pub differences: Vec<String>,
    /// The row that came, with what led to it; none if the plan has no such row.
    pub came: Option<Box<Explanation>>,
}

/// Everything that a test expected and did not get.
pub fn misses(policy: &Policy, case: &Case, observation: &Observation) -> Vec<Miss> {
    let plan = Plan::new(policy, observation);
    let expected: Vec<(Address, &Expectation)> = match &case.expected {
        Expected::Each(each) => each
            .iter()
            .map(|(address, one)| (Address::typed(address), one))
            .collect(),
        Expected::One(one) => observation
            .projects
            .iter()
            .flat_map(|project| &project.trees)
            .map(|tree| (tree.address.clone(), one))
            .collect(),
    };
    expected
        .into_iter()
        .filter_map(|(address, one)| miss(policy, observation, &plan, &address, one))
        .collect()
}

fn miss(
    policy: &Policy,
    observation: &Observation,
    plan: &Plan,
    address: &Address,
    expected: &Expectation,
) -> Option<Miss> {
    let Some(came) = plan.explain(policy, observation, address) else {
        return Some(Miss {
            address: address.as_str().to_owned(),
            differences: vec!["the plan has no row of this address".to_owned()],
            came: None,
        });
    };
    let row = &came.row;
    let mut differences = Vec::new();
    let mut compare = |what: &str, wanted: Option<&str>, came: &str| {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != came) {
            let (wanted, came) = (escape(wanted.as_bytes()), escape(came.as_bytes()));
            differences.push(format!("{what}: {wanted} was expected, {came} came"));
        }
    };
    compare("verdict", expected.verdict, row.verdict.as_str());
    let rule = row.rule.as_ref().map_or("none", |rule| rule.name.as_str());
    let wanted = expected.rule.as_ref().map(|(rule, _)| rule.as_str());
    compare("rule", wanted, rule);
    let reason = row.reason.to_string();
    compare("reason", expected.reason.as_deref(), &reason);
    (!differences.is_empty()).then(|| Miss {
        address: address.as_str().to_owned(),
        differences,
        came: Some(Box::new(came)),
    })
}
