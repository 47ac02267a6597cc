//! Which rule decides about a tree (`spec 3`).
//!
//! A matching keep wins wherever it stands (E2); a keep that cannot be decided blocks, wherever it
//! stands; among the others the first true one decides, and one that cannot be decided, met before
//! it, blocks too.

use super::{Subject, condition, job, order};
use crate::fact::Kleene;
use crate::policy::Action;

/// The answer of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The rule's index in the policy.
    pub rule: usize,
    /// Whether its condition holds.
    pub answer: Kleene,
}

/// What the rules say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The rule of this index keeps the tree.
    Keep(usize),
    /// The rule of this index lets it go, branch kept.
    Accept(usize),
    /// The rule of this index lets it go, branch and all.
    Drop(usize),
    /// The rule of this index could not be decided, for want of these facts.
    Missing(usize, Vec<String>),
    /// No rule is asked: its job, of this name, is in review and has landed, and is accepted.
    Implicit(String),
    /// No rule is asked: a person decides about its job in this very run.
    Ordered(Action),
    /// No rule holds.
    NoRule,
}

impl Decision {
    /// The index of the rule that decided.
    pub fn rule(&self) -> Option<usize> {
        match self {
            Self::Keep(rule) | Self::Accept(rule) | Self::Drop(rule) | Self::Missing(rule, _) => {
                Some(*rule)
            }
            Self::Implicit(_) | Self::Ordered(_) | Self::NoRule => None,
        }
    }

    /// The index of the rule that lets it go.
    pub fn lets_go(&self) -> Option<usize> {
        match self {
            Self::Accept(rule) | Self::Drop(rule) => Some(*rule),
            Self::Keep(_)
            | Self::Missing(..)
            | Self::Implicit(_)
            | Self::Ordered(_)
            | Self::NoRule => None,
        }
    }
}

/// Asks every rule, and says which one decides.
pub(super) fn decide(subject: &Subject<'_>) -> (Vec<Traced>, Decision) {
    let rules = &subject.policy.rules;
    let trace: Vec<_> = rules
        .iter()
        .enumerate()
        .map(|(rule, stated)| Traced {
            rule,
            answer: condition::holds(&stated.when, subject),
        })
        .collect();
    let keeps = || {
        trace
            .iter()
            .filter(|one| rules[one.rule].then == Action::Keep)
    };
    let decision = keeps()
        .find(|one| one.answer == Kleene::True)
        .map(|one| Decision::Keep(one.rule))
        .or_else(|| keeps().find_map(missing))
        .or_else(|| {
            trace
                .iter()
                .find_map(|one| first_decisive(one, rules[one.rule].then))
        })
        .unwrap_or(Decision::NoRule);
    let decision = if let Some(then) = order::ordered(subject, &decision) {
        Decision::Ordered(then)
    } else if let Some(job) = job::accepted_by(subject, &decision) {
        Decision::Implicit(job.name.clone())
    } else {
        decision
    };
    (trace, decision)
}

fn first_decisive(one: &Traced, then: Action) -> Option<Decision> {
    match (&one.answer, then) {
        (Kleene::True, Action::Keep) => Some(Decision::Keep(one.rule)),
        (Kleene::True, Action::Accept) => Some(Decision::Accept(one.rule)),
        (Kleene::True, Action::Drop) => Some(Decision::Drop(one.rule)),
        (Kleene::Unknown(_), _) => missing(one),
        (Kleene::False, _) => None,
    }
}

fn missing(one: &Traced) -> Option<Decision> {
    match &one.answer {
        Kleene::Unknown(facts) => Some(Decision::Missing(one.rule, facts.clone())),
        Kleene::True | Kleene::False => None,
    }
}
