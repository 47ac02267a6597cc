//! Whether a rule's condition holds for a tree, in three-valued logic (`spec 3`).
//!
//! Invariant: a fact that is unknown never makes a condition true or false.

use super::Subject;
use super::job::{TreeJobs, Without};
use crate::fact::{Fact, Kleene};
use crate::observe::Kind;
use crate::policy::Condition;

/// Whether `condition` holds for the tree of `subject`.
pub(super) fn holds(condition: &Condition, subject: &Subject<'_>) -> Kleene {
    holds_without(condition, subject, Without::Nothing)
}

/// Whether it would hold if it might not rest on something.
pub(super) fn holds_without(
    condition: &Condition,
    subject: &Subject<'_>,
    without: Without,
) -> Kleene {
    let tree = subject.tree;
    let each = |part| holds_without(part, subject, without);
    match condition {
        Condition::All(parts) => Kleene::all(parts.iter().map(each)),
        Condition::Any(parts) => Kleene::any(parts.iter().map(each)),
        Condition::Not(part) => each(part).negate(),
        Condition::Job(test) => TreeJobs::of(subject).answer(test, subject, without),
        Condition::Label(patterns) => TreeJobs::of(subject).asked(|job| {
            let mut labels = job.labels.iter();
            Kleene::from(labels.any(|label| patterns.is_match(label.as_bytes())))
        }),
        Condition::JobAgeOver(limit) => TreeJobs::of(subject).asked(|job| {
            let created = Fact::Known(job.created);
            subject.older(&created, *limit, "the creation of its job")
        }),
        Condition::Project(patterns) => {
            Kleene::from(patterns.is_match(subject.project.name.as_bytes()))
        }
        Condition::Store(patterns) => Kleene::from(
            tree.store
                .as_ref()
                .is_some_and(|store| patterns.is_match(store.as_bytes())),
        ),
        Condition::Path(patterns) => {
            let path = tree.path.as_path();
            let relative = path
                .strip_prefix(subject.project.root.as_path())
                .unwrap_or(path);
            Kleene::from(
                patterns.is_match(relative.as_os_str().as_encoded_bytes())
                    || patterns.is_match(tree.path.as_bytes()),
            )
        }
        Condition::Branch(patterns) => Kleene::of(&tree.head, false, |_| {
            tree.branch()
                .is_some_and(|branch| patterns.is_match(branch))
        }),
        Condition::Detached(wanted) => {
            Kleene::of(&tree.head, false, |head| head.branch.is_none() == *wanted)
        }
        Condition::Landed(wanted) => is(&tree.landed, *wanted),
        Condition::Published(wanted) => is(&tree.published, *wanted),
        Condition::Locked(wanted) => is(&tree.locked, *wanted),
        Condition::OwnCommits(wanted) => Kleene::of(&tree.own_commits, false, |own| own == wanted),
        Condition::Clean(wanted) => {
            let clean = Kleene::all([is(&tree.changes, false), is(&tree.untracked, false)]);
            if *wanted { clean } else { clean.negate() }
        }
        Condition::IdleOver(limit) => subject.older(&tree.active, *limit, "the last activity"),
        // Nothing is left of a directory that is gone.
        Condition::SizeOver(_) if tree.kind == Kind::Entry && tree.identity.is_absent() => {
            Kleene::False
        }
        Condition::SizeOver(limit) => Kleene::of(&tree.size, false, |size| size > limit),
        Condition::AgeOver(limit) => subject.older(&tree.created, *limit, "the creation"),
    }
}

/// A fact whose presence is the answer: known is yes, absent is no.
fn is<T>(fact: &Fact<T>, wanted: bool) -> Kleene {
    Kleene::of(fact, !wanted, |_| wanted)
}
