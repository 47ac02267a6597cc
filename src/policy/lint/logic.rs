//! Whether a condition can hold at all.
//!
//! A condition is opened into ways: each a list of tests, some negated, that must hold together.
//! It is impossible if two tests of every way clash. Too many ways: nothing is said.

use crate::policy::condition::Condition;
use crate::policy::pattern::{Patterns, is_glob};
use std::time::Duration;

/// More ways than this are not looked at.
const MOST: usize = 256;

/// One test of a way.
#[derive(Clone, Copy, Debug)]
struct Test<'a> {
    condition: &'a Condition,
    /// Whether it must hold, or must not.
    holds: bool,
}

/// The ways in which a condition can hold.
#[derive(Clone, Debug)]
pub(super) struct Ways<'a>(Vec<Vec<Test<'a>>>);

impl<'a> Ways<'a> {
    /// The ways of a condition; none if there are too many.
    pub(super) fn of(condition: &'a Condition) -> Option<Self> {
        open(condition, true).map(Self)
    }

    /// The ways in which it does not hold.
    pub(super) fn of_negated(condition: &'a Condition) -> Option<Self> {
        open(condition, false).map(Self)
    }

    /// Why no way is possible; none if one is.
    pub(super) fn impossible(&self) -> Option<String> {
        let mut first = None;
        for way in &self.0 {
            let found = clash(way)?;
            first.get_or_insert(found);
        }
        first
    }
}

fn open(condition: &Condition, holds: bool) -> Option<Vec<Vec<Test<'_>>>> {
    match (condition, holds) {
        (Condition::Not(part), _) => open(part, !holds),
        (Condition::All(parts), true) | (Condition::Any(parts), false) => {
            let mut ways = vec![Vec::new()];
            for part in parts {
                let more = open(part, holds)?;
                if ways.len() * more.len() > MOST {
                    return None;
                }
                ways = ways
                    .iter()
                    .flat_map(|way| more.iter().map(move |rest| [&way[..], &rest[..]].concat()))
                    .collect();
            }
            Some(ways)
        }
        (Condition::All(parts), false) | (Condition::Any(parts), true) => {
            let mut ways = Vec::new();
            for part in parts {
                ways.extend(open(part, holds)?);
                if ways.len() > MOST {
                    return None;
                }
            }
            Some(ways)
        }
        (condition, holds) => Some(vec![vec![Test { condition, holds }]]),
    }
}

/// Two tests of a way that cannot both be met.
fn clash(way: &[Test<'_>]) -> Option<String> {
    for (nth, one) in way.iter().enumerate() {
        for other in &way[nth + 1..] {
            if excludes(one, other) || excludes(other, one) {
                return Some(format!("{} and {}", said(one), said(other)));
            }
        }
    }
    None
}

fn said(test: &Test<'_>) -> String {
    if test.holds {
        format!("`{}`", test.condition)
    } else {
        format!("not `{}`", test.condition)
    }
}

/// Whether a test that is met keeps the other from being met, in every world.
fn excludes(one: &Test<'_>, other: &Test<'_>) -> bool {
    if one.condition == other.condition {
        return one.holds != other.holds;
    }
    if let (Some((key, a)), Some((other_key, b))) = (flag(one), flag(other)) {
        return key == other_key && a != b;
    }
    if let Some((key, true)) = flag(one)
        && key == "detached"
        && other.holds
        && matches!(other.condition, Condition::Branch(_))
    {
        return true;
    }
    if let (Condition::Job(a), Condition::Job(b)) = (one.condition, other.condition) {
        return one.holds && other.holds && a.excludes(b);
    }
    if let (Some(least), Some(most)) = (least(one), most(other)) {
        return least.kind == most.kind && least.value >= most.value;
    }
    // A path is matched as absolute and as relative, so that two can match one tree.
    let same = one.condition.key() == other.condition.key() && one.condition.key() != "path";
    match (patterns(one.condition), patterns(other.condition)) {
        (Some(a), Some(b)) => one.holds && other.holds && same && are_apart(a, b),
        (Some(_) | None, _) => false,
    }
}

/// A test of a fact that is yes or no, and the answer that meets it.
fn flag(test: &Test<'_>) -> Option<(&'static str, bool)> {
    match test.condition {
        Condition::Landed(wanted)
        | Condition::Published(wanted)
        | Condition::OwnCommits(wanted)
        | Condition::Detached(wanted)
        | Condition::Locked(wanted)
        | Condition::Clean(wanted) => Some((test.condition.key(), *wanted == test.holds)),
        Condition::Project(_)
        | Condition::Store(_)
        | Condition::Path(_)
        | Condition::Branch(_)
        | Condition::Job(_)
        | Condition::Label(_)
        | Condition::JobAgeOver(_)
        | Condition::IdleOver(_)
        | Condition::AgeOver(_)
        | Condition::SizeOver(_)
        | Condition::Any(_)
        | Condition::All(_)
        | Condition::Not(_) => None,
    }
}

/// The globs of a condition that has some.
pub(super) fn patterns(condition: &Condition) -> Option<&Patterns> {
    match condition {
        Condition::Project(patterns)
        | Condition::Store(patterns)
        | Condition::Path(patterns)
        | Condition::Branch(patterns) => Some(patterns),
        // A job has several labels.
        Condition::Label(_)
        | Condition::Job(_)
        | Condition::JobAgeOver(_)
        | Condition::Landed(_)
        | Condition::Published(_)
        | Condition::OwnCommits(_)
        | Condition::Detached(_)
        | Condition::Locked(_)
        | Condition::Clean(_)
        | Condition::IdleOver(_)
        | Condition::AgeOver(_)
        | Condition::SizeOver(_)
        | Condition::Any(_)
        | Condition::All(_)
        | Condition::Not(_) => None,
    }
}

/// A bound on a number.
struct Bound {
    kind: &'static str,
    value: u128,
}

fn bound(condition: &Condition) -> Option<Bound> {
    let value = |limit: &Duration| limit.as_millis();
    let (kind, value) = match condition {
        Condition::IdleOver(limit) => ("idle", value(limit)),
        Condition::AgeOver(limit) => ("age", value(limit)),
        Condition::JobAgeOver(limit) => ("age of the job", value(limit)),
        Condition::SizeOver(limit) => ("size", u128::from(*limit)),
        Condition::Project(_)
        | Condition::Store(_)
        | Condition::Path(_)
        | Condition::Branch(_)
        | Condition::Job(_)
        | Condition::Label(_)
        | Condition::Landed(_)
        | Condition::Published(_)
        | Condition::OwnCommits(_)
        | Condition::Detached(_)
        | Condition::Locked(_)
        | Condition::Clean(_)
        | Condition::Any(_)
        | Condition::All(_)
        | Condition::Not(_) => return None,
    };
    Some(Bound { kind, value })
}

/// What a test asks the number to be more than.
fn least(test: &Test<'_>) -> Option<Bound> {
    bound(test.condition).filter(|_| test.holds)
}

/// What a test asks the number to be at most.
fn most(test: &Test<'_>) -> Option<Bound> {
    bound(test.condition).filter(|_| !test.holds)
}

/// Whether no text matches both; told for names without a glob on one side.
fn are_apart(one: &Patterns, other: &Patterns) -> bool {
    let plain = |patterns: &Patterns| patterns.texts().iter().all(|text| !is_glob(text));
    let none_matches = |names: &Patterns, globs: &Patterns| {
        let mut names = names.texts().iter();
        names.all(|name| !globs.is_match(name.as_bytes()))
    };
    (plain(one) && none_matches(one, other)) || (plain(other) && none_matches(other, one))
}
