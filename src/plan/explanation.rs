//! Everything behind one row (`owl explain`).

use super::remedy::remedy;
use super::{Plan, ResourceKind, Row, RuleRef, Verdict};
use crate::assess::{Subject, Trace, TreeJobs, assess, human_age, named, phrase};
use crate::fact::{Fact, Kleene};
use crate::observe::Observation;
use crate::policy::Policy;
use crate::resource::Address;
use jiff::Timestamp;
use serde::Serialize;

/// One row with what led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The row, with every guard and its evidence.
    pub row: Row,
    /// What the conditions of rules look at, in words.
    pub facts: Vec<(&'static str, String)>,
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
    /// Its condition, broken down.
    pub when: Tested,
}

/// One condition's answer, and those of the conditions that it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tested {
    /// Its key alone where it is made of others, else as a policy would spell it.
    pub condition: String,
    /// `yes`, `no`, or `unknown`.
    pub answer: &'static str,
    /// What it looked at, in words; absent where it is made of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The facts that were missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The conditions that it is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Tested>,
}

impl Tested {
    fn of(trace: Trace) -> Self {
        let (answer, missing) = match trace.answer {
            Kleene::True => ("yes", Vec::new()),
            Kleene::False => ("no", Vec::new()),
            Kleene::Unknown(missing) => ("unknown", missing),
        };
        Self {
            condition: trace.condition,
            answer,
            value: trace.value,
            missing,
            parts: trace.parts.into_iter().map(Self::of).collect(),
        }
    }
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
        let is_tree = match row.kind {
            ResourceKind::Worktree | ResourceKind::Entry | ResourceKind::Directory => true,
            ResourceKind::RescueRef | ResourceKind::Job => false,
        };
        if !is_tree {
            let remedy = remedy(&row);
            return Some(Explanation {
                row,
                facts: Vec::new(),
                rules: Vec::new(),
                remedy,
            });
        }
        let assessments = assess(policy, observation);
        let assessed = assessments
            .into_iter()
            .find(|one| one.subject.tree.address == *address)?;
        let facts = match row.verdict {
            Verdict::Ignore => Vec::new(),
            Verdict::Remove | Verdict::Prune | Verdict::Hold | Verdict::Keep => {
                facts(&assessed.subject)
            }
        };
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
                let when = Tested::of(Trace::of(&rule.when, &assessed.subject));
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
                    when,
                }
            })
            .collect();
        let remedy = remedy(&row);
        Some(Explanation {
            row,
            facts,
            rules,
            remedy,
        })
    }
}

/// Each fact that a condition asks for.
fn facts(subject: &Subject<'_>) -> Vec<(&'static str, String)> {
    let tree = subject.tree;
    let age = |at: &Timestamp| human_age(subject.age(*at));
    vec![
        (
            "landed",
            told(&tree.landed, |landed| format!("yes: {}", phrase(landed))),
        ),
        (
            "published",
            told(&tree.published, |one| format!("yes: in {}", one.reference)),
        ),
        (
            "own-commits",
            told(&tree.own_commits, |own| {
                if *own { "yes" } else { "no" }.to_owned()
            }),
        ),
        ("job", job(subject)),
        ("idle for", told(&tree.active, age)),
        ("age", told(&tree.created, age)),
        (
            "locked",
            told(&tree.locked, |reason| format!("yes: {reason}")),
        ),
    ]
}

/// The job that it belongs to.
fn job(subject: &Subject<'_>) -> String {
    let jobs = TreeJobs::of(subject);
    if let Some(why) = jobs.unknown.as_ref().or(jobs.conflict.as_ref()) {
        return format!("unknown: {why}");
    }
    jobs.sole().map_or_else(|| "no".to_owned(), named)
}

fn told<T>(fact: &Fact<T>, known: impl FnOnce(&T) -> String) -> String {
    match fact {
        Fact::Known(value) => known(value),
        Fact::Absent => "no".to_owned(),
        Fact::Unknown(why) => format!("unknown: {why}"),
    }
}
