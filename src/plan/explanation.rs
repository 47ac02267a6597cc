//! Everything behind one row (`owl explain`).

use super::remedy::remedy;
use super::{Plan, Row, RuleRef};
use crate::assess::assess;
use crate::fact::Kleene;
use crate::observe::Observation;
use crate::policy::Policy;
use crate::resource::Address;
use serde::Serialize;

/// One row with what led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The row, with every guard and its evidence.
    pub row: Row,
    /// Every rule that was asked, in order.
    pub rules: Vec<Asked>,
    /// A command that shows or resolves what holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// One rule's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Where the rule stands.
    #[serde(flatten)]
    pub rule: RuleRef,
    /// What it would do.
    pub then: &'static str,
    /// Whether its condition holds; null when it could not be decided.
    pub holds: Option<bool>,
    /// The facts that were missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

impl Plan {
    /// Explains the row of an address; none if the plan has no such row. The policy and the
    /// observation must be those that the plan was made of.
    pub fn explain(
        &self,
        policy: &Policy,
        observation: &Observation,
        address: &Address,
    ) -> Option<Explanation> {
        let row = self.row(address)?.clone();
        let assessments = assess(policy, observation);
        let assessed = assessments
            .into_iter()
            .find(|one| one.subject.tree.address == *address)?;
        let rules = assessed
            .trace
            .into_iter()
            .map(|traced| {
                let rule = &policy.rules[traced.rule];
                let (holds, missing) = match traced.answer {
                    Kleene::True => (Some(true), Vec::new()),
                    Kleene::False => (Some(false), Vec::new()),
                    Kleene::Unknown(missing) => (None, missing),
                };
                let then = rule.then.as_str();
                let rule = RuleRef {
                    name: rule.name.clone(),
                    file: rule.file.clone(),
                    line: rule.line,
                };
                Asked {
                    rule,
                    then,
                    holds,
                    missing,
                }
            })
            .collect();
        let remedy = remedy(&row);
        Some(Explanation { row, rules, remedy })
    }
}
