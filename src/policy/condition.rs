//! What a rule asks of a worktree.

use super::fields::Fields;
use super::job::JobTest;
use super::node::{Entry, Node};
use super::pattern::{Patterns, Star};
use super::{duration, grammar, size};
use crate::diag::{Code, Sink};
use std::time::Duration;

/// One test of a rule's `when`; evaluated in three-valued logic by a later stage.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The project's name matches.
    Project(Patterns),
    /// The path of the store, as the policy spells it, matches.
    Store(Patterns),
    /// The worktree's path matches.
    Path(Patterns),
    /// The name of the branch matches.
    Branch(Patterns),
    /// The job that recorded it is in one of these states, or there is none.
    Job(JobTest),
    /// A label of its job matches.
    Label(Patterns),
    /// Its job was made longer ago than this.
    JobAgeOver(Duration),
    /// Its commits are in the base, in whatever form.
    Landed(bool),
    /// Its commits are on a remote.
    Published(bool),
    /// The branch has commits of its own.
    OwnCommits(bool),
    /// HEAD names no branch.
    Detached(bool),
    /// git's lock is on it.
    Locked(bool),
    /// git would call it clean.
    Clean(bool),
    /// Nothing has happened in it for longer than this.
    IdleOver(Duration),
    /// It was made longer ago than this.
    AgeOver(Duration),
    /// Removing it gives back more bytes than this.
    SizeOver(u64),
    /// At least one holds; never empty.
    Any(Vec<Self>),
    /// Each holds; of none, it holds.
    All(Vec<Self>),
    /// The other does not hold.
    Not(Box<Self>),
}

impl Condition {
    /// Reads a mapping of conditions, all of which must hold.
    ///
    /// An empty one is refused, because it would hold for everything where its author has most
    /// likely lost a line; `all: []` says the same on purpose.
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(node, &grammar::CONDITION, sink)?;
        let entries: Vec<_> = fields.iter().collect();
        if entries.is_empty() && fields.is_complete {
            let message = "a condition that tests nothing would hold for every worktree";
            let hint = "write what must hold; if every worktree is meant, write `all: []`";
            sink.error_with_hint(Code::EmptyCondition, node.at, message, hint);
            return None;
        }
        // Each is read before any is given up, so that all their errors are reported.
        let read: Vec<_> = entries
            .into_iter()
            .map(|entry| Self::of_entry(entry, sink))
            .collect();
        let mut conditions = read.into_iter().collect::<Option<Vec<_>>>()?;
        if !fields.is_complete {
            return None;
        }
        match conditions.len() {
            1 => conditions.pop(),
            _ => Some(Self::All(conditions)),
        }
    }

    fn of_entry(entry: &Entry, sink: &mut Sink<'_>) -> Option<Self> {
        let Entry { key, value, .. } = entry;
        let quoted = format!("`{key}`");
        match key.as_str() {
            "project" => Patterns::read(value, key, Star::Everything, sink).map(Self::Project),
            "store" => Patterns::read(value, key, Star::Component, sink).map(Self::Store),
            "path" => Patterns::read(value, key, Star::Component, sink).map(Self::Path),
            "branch" => Patterns::read(value, key, Star::Everything, sink).map(Self::Branch),
            "job" => JobTest::read(value, sink).map(Self::Job),
            "label" => Patterns::read(value, key, Star::Everything, sink).map(Self::Label),
            "job-age-over" => duration::read(value, key, sink).map(Self::JobAgeOver),
            "landed" => value.boolean(&quoted, sink).map(Self::Landed),
            "published" => value.boolean(&quoted, sink).map(Self::Published),
            "own-commits" => value.boolean(&quoted, sink).map(Self::OwnCommits),
            "detached" => value.boolean(&quoted, sink).map(Self::Detached),
            "locked" => value.boolean(&quoted, sink).map(Self::Locked),
            "clean" => value.boolean(&quoted, sink).map(Self::Clean),
            "idle-over" => duration::read(value, key, sink).map(Self::IdleOver),
            "age-over" => duration::read(value, key, sink).map(Self::AgeOver),
            "size-over" => size::read(value, key, sink).map(Self::SizeOver),
            "any" => Self::list(value, &quoted, sink).and_then(|list| {
                if list.is_empty() {
                    let message = "`any` of nothing can never hold";
                    sink.error(Code::EmptyCondition, value.at, message);
                    return None;
                }
                Some(Self::Any(list))
            }),
            "all" => Self::list(value, &quoted, sink).map(Self::All),
            "not" => Self::read(value, sink).map(|other| Self::Not(Box::new(other))),
            _ => unreachable!("the grammar lists a condition that nothing reads: {key}"),
        }
    }

    /// Whether a job has a say in it, anywhere.
    pub fn asks_for_a_job(&self) -> bool {
        match self {
            Self::Job(_) | Self::Label(_) | Self::JobAgeOver(_) => true,
            Self::Any(parts) | Self::All(parts) => parts.iter().any(Self::asks_for_a_job),
            Self::Not(part) => part.asks_for_a_job(),
            Self::Project(_)
            | Self::Store(_)
            | Self::Path(_)
            | Self::Branch(_)
            | Self::Landed(_)
            | Self::Published(_)
            | Self::OwnCommits(_)
            | Self::Detached(_)
            | Self::Locked(_)
            | Self::Clean(_)
            | Self::IdleOver(_)
            | Self::AgeOver(_)
            | Self::SizeOver(_) => false,
        }
    }

    fn list(node: &Node, what: &str, sink: &mut Sink<'_>) -> Option<Vec<Self>> {
        let items = node.items(what, sink)?;
        let read: Vec<_> = items.iter().map(|item| Self::read(item, sink)).collect();
        read.into_iter().collect()
    }
}
