//! Finds rules that can never decide.
//!
//! Sound, not complete: what is reported is certain, and what is not reported may still be so.

use super::condition::Condition;
use super::rule::{Action, Rule};

/// The rule that always decides before `rules[index]` does, if there is one.
///
/// An earlier rule shadows a later one, and a keep shadows an accept or a drop wherever it stands,
/// but neither of them ever shadows a keep.
pub(super) fn shadow_of<'a>(rules: &[&'a Rule], index: usize) -> Option<&'a Rule> {
    let rule = rules.get(index)?;
    let tests = conjuncts(&rule.when);
    rules.iter().enumerate().find_map(|(other, shadow)| {
        let decides_first = match (shadow.then, rule.then) {
            (Action::Keep, Action::Accept | Action::Drop) => other != index,
            (Action::Keep, Action::Keep)
            | (Action::Accept | Action::Drop, Action::Accept | Action::Drop) => other < index,
            (Action::Accept | Action::Drop, Action::Keep) => false,
        };
        let holds_too = || all_implied(&tests, &shadow.when);
        (decides_first && holds_too()).then_some(*shadow)
    })
}

/// The tests that must all hold, nested `all` opened.
fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    let mut open = vec![condition];
    let mut tests = Vec::new();
    while let Some(condition) = open.pop() {
        if let Condition::All(conditions) = condition {
            open.extend(conditions);
        } else {
            tests.push(condition);
        }
    }
    tests
}

/// Whether a condition holds wherever all of `tests` hold.
fn all_implied(tests: &[&Condition], condition: &Condition) -> bool {
    conjuncts(condition).into_iter().all(|needed| {
        if tests.iter().any(|test| implies(test, needed)) {
            return true;
        }
        let Condition::Any(ways) = needed else {
            return false;
        };
        ways.iter().any(|way| {
            let mut needed = conjuncts(way).into_iter();
            needed.all(|needed| tests.iter().any(|test| implies(test, needed)))
        })
    })
}

fn implies(test: &Condition, needed: &Condition) -> bool {
    if let (Condition::IdleOver(test), Condition::IdleOver(needed))
    | (Condition::AgeOver(test), Condition::AgeOver(needed))
    | (Condition::JobAgeOver(test), Condition::JobAgeOver(needed)) = (test, needed)
    {
        return test >= needed;
    }
    if let (Condition::SizeOver(test), Condition::SizeOver(needed)) = (test, needed) {
        return test >= needed;
    }
    test == needed
}
