//! A condition broken down to its tests: the answer of each, and what it looked at (`owl explain`).
//!
//! Invariant: the answers are those of [`condition::holds`], which the rules are decided by.

use super::{Subject, TreeJobs, condition, human_age, named, phrase};
use crate::fact::{Fact, Kleene};
use crate::observe::ObservedJob;
use crate::policy::Condition;
use crate::resource::{escape, human_size};
use jiff::Timestamp;

/// One condition with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its key alone where it is made of others, else as a policy would spell it.
    pub condition: String,
    /// Whether it holds.
    pub answer: Kleene,
    /// What it looked at, in words; none where it is made of others.
    pub value: Option<String>,
    /// The conditions that it is made of.
    pub parts: Vec<Trace>,
}

impl Trace {
    /// The trace of a condition for one tree.
    pub fn of(condition: &Condition, subject: &Subject<'_>) -> Self {
        let value = value(condition, subject);
        Self {
            condition: match &value {
                Some(_) => condition.to_string(),
                None => condition.key().to_owned(),
            },
            answer: condition::holds(condition, subject),
            value,
            parts: condition
                .parts()
                .iter()
                .map(|part| Self::of(part, subject))
                .collect(),
        }
    }
}

/// What a condition that tests a fact looks at; escaped.
fn value(condition: &Condition, subject: &Subject<'_>) -> Option<String> {
    let tree = subject.tree;
    let age = |at: &Timestamp| format!("{} ({at})", human_age(subject.age(*at)));
    let yes = |yes: &bool| if *yes { "yes" } else { "no" }.to_owned();
    Some(match condition {
        Condition::Project(_) => escape(subject.project.name.as_bytes()),
        Condition::Store(_) => match &tree.store {
            Some(store) => escape(store.as_bytes()),
            None => "in no store".to_owned(),
        },
        Condition::Path(_) => tree.path.to_string(),
        Condition::Branch(_) | Condition::Detached(_) => {
            told(&tree.head, |_| match tree.branch() {
                Some(branch) => format!("on {}", escape(branch)),
                None => "detached".to_owned(),
            })
        }
        Condition::Job(_) => job(subject, named),
        Condition::Label(_) => job(subject, labels),
        Condition::JobAgeOver(_) => job(subject, |job| {
            format!("{}: {}", named(job), age(&job.created))
        }),
        Condition::Landed(_) => told(&tree.landed, |landed| format!("yes: {}", phrase(landed))),
        Condition::Published(_) => {
            told(&tree.published, |one| format!("yes: in {}", one.reference))
        }
        Condition::OwnCommits(_) => told(&tree.own_commits, yes),
        Condition::Locked(_) => told(&tree.locked, |reason| format!("yes: {reason}")),
        Condition::Clean(_) => {
            let (changes, untracked) = (
                told(&tree.changes, |found| found.total.to_string()),
                told(&tree.untracked, |found| found.total.to_string()),
            );
            format!("tracked changes: {changes}; untracked: {untracked}")
        }
        Condition::IdleOver(_) => told(&tree.active, age),
        Condition::AgeOver(_) => told(&tree.created, age),
        Condition::SizeOver(_) => told(&tree.size, |size| human_size(*size)),
        Condition::Any(_) | Condition::All(_) | Condition::Not(_) => return None,
    })
}

/// What is known of its job.
fn job(subject: &Subject<'_>, told: impl FnOnce(&ObservedJob) -> String) -> String {
    let jobs = TreeJobs::of(subject);
    if let Some(why) = jobs.unknown.as_ref().or(jobs.conflict.as_ref()) {
        return format!("unknown: {why}");
    }
    match jobs.sole() {
        Some(job) => told(job),
        None => "no job recorded it".to_owned(),
    }
}

fn labels(job: &ObservedJob) -> String {
    if job.labels.is_empty() {
        return format!("{} has no label", named(job));
    }
    let labels = job.labels.iter().map(|label| escape(label.as_bytes()));
    format!("{}: {}", named(job), labels.collect::<Vec<_>>().join(", "))
}

fn told<T>(fact: &Fact<T>, known: impl FnOnce(&T) -> String) -> String {
    match fact {
        Fact::Known(value) => known(value),
        Fact::Absent => "no".to_owned(),
        Fact::Unknown(why) => format!("unknown: {why}"),
    }
}
