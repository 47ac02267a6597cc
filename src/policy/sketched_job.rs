//! What a test of a policy says of the job of its worktree.

use super::duration;
use super::fields::Fields;
use super::job::JobWord;
use super::node::{Kind, Node};
use crate::diag::{Code, Sink};
use crate::job::State;
use std::collections::BTreeSet;
use std::time::Duration;

/// What the ledger knows of the worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SketchedJob {
    /// The ledger cannot be read.
    Unknown,
    /// No job; and it does not know the repository for longer than the worktree exists.
    None,
    /// No job, though it has known the repository for longer.
    Gone,
    /// The job that recorded it.
    Of {
        /// Where it is in its life; decided at the commit of HEAD, if it is.
        state: State,
        /// Its labels.
        labels: BTreeSet<String>,
        /// How long ago it was made and came to its state.
        age: Duration,
    },
}

impl SketchedJob {
    /// Reads `job`, `labels` and `job-age` of a tree; the inner none is a test that says of no job.
    #[expect(
        clippy::option_option,
        reason = "nothing said is an answer, and an error is another"
    )]
    pub(super) fn read(fields: &Fields<'_>, sink: &mut Sink<'_>) -> Option<Option<Self>> {
        // Each is read before any is given up, so that all their errors are reported.
        let job = fields.value("job").map(|node| Self::of_word(node, sink));
        let labels = fields.value("labels").map(|node| labels(node, sink));
        let age = fields.value("job-age");
        let age = age.map(|node| duration::read(node, "job-age", sink));
        let mut job = job.map_or(Some(None), |read| read.map(Some))?;
        if let Some(Self::Of {
            labels: its_labels,
            age: its_age,
            ..
        }) = &mut job
        {
            *its_labels = labels.unwrap_or_else(|| Some(BTreeSet::new()))?;
            *its_age = age.unwrap_or(Some(Duration::ZERO))?;
            return Some(job);
        }
        let mut is_sound = true;
        for entry in fields.iter() {
            if matches!(entry.key.as_str(), "labels" | "job-age") {
                is_sound = false;
                let message = format!("`{}` is of a job, and the tree has none", entry.key);
                let hint = "say in which state the job is, as in `job: review`";
                sink.error_with_hint(Code::BadValue, entry.at, message, hint);
            }
        }
        is_sound.then_some(job)
    }

    fn of_word(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        Some(match JobWord::read(node, &["unknown"], sink)? {
            JobWord::State(state) => Self::Of {
                state,
                labels: BTreeSet::new(),
                age: Duration::ZERO,
            },
            JobWord::None => Self::None,
            JobWord::Gone => Self::Gone,
            JobWord::Other => Self::Unknown,
        })
    }
}

fn labels(node: &Node, sink: &mut Sink<'_>) -> Option<BTreeSet<String>> {
    let Kind::List(items) = &node.kind else {
        let hint = "write a list, as in `labels: [ui]`".to_owned();
        node.refuse("`labels` must be a list", Some(hint), sink);
        return None;
    };
    let read: Vec<_> = items
        .iter()
        .map(|item| item.text("a label", sink).map(ToOwned::to_owned))
        .collect();
    read.into_iter().collect()
}
