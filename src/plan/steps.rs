//! The steps of a row that acts, in their order, and what they are called in its sentence.

use super::{Step, Verdict};
use crate::assess::{Assessment, Decision, TreeJobs, short_ref};
use crate::job::State;
use crate::observe::{ObservedJob, Submodule, Tree};
use crate::policy::Action;
use crate::resource::{BytePath, human_size, rescue_under};

/// What a row does besides removing or pruning, each as a part of its sentence.
pub(super) type Plus = Vec<String>;

/// What apply would do, in order; nothing for a row that does not act.
pub(super) fn steps(assessment: &Assessment<'_>, verdict: Verdict) -> Vec<Step> {
    let tree = assessment.subject.tree;
    match verdict {
        Verdict::Remove | Verdict::Prune => {}
        Verdict::Hold | Verdict::Keep | Verdict::Ignore => return Vec::new(),
    }
    // The state first: a run that is killed then is finished by the next (`spec 8`).
    let mut steps: Vec<Step> = decided(assessment).into_iter().collect();
    // Guard 4 passes a lock only where it is to be lifted.
    if let Some(reason) = tree.locked.known() {
        steps.push(Step::LiftLock {
            reason: reason.clone(),
        });
    }
    for one in tree.expendable.known().into_iter().flatten() {
        steps.push(Step::DiscardExpendable {
            path: one.path.clone(),
            inode: one.inode,
            size_bytes: one.bytes,
            sha256: one.sha256.clone(),
        });
    }
    for one in tree.discards.known().into_iter().flatten() {
        steps.push(Step::DiscardChange {
            path: one.path.clone(),
            change: one.change.clone(),
            staged: one.staged.clone(),
            sha256: one.sha256.clone(),
        });
    }
    let (commits, branch) = rescued(assessment);
    let under = under(tree);
    for commit in commits {
        let under = under.clone();
        steps.push(Step::WriteRescueRef { under, commit });
    }
    for one in submodules(assessment, verdict) {
        steps.push(Step::RemoveSubmodule {
            path: one.path.clone(),
            repository: one.repository.clone(),
            commit: one.commit.clone(),
        });
    }
    steps.push(if verdict == Verdict::Remove {
        Step::RemoveWorktree
    } else {
        Step::PruneEntry
    });
    if let Some((reference, commit)) = branch {
        steps.push(Step::DeleteBranch { reference, commit });
    }
    steps
}

/// What sets the job of the row, where somebody has decided about it in this very plan.
fn decided(assessment: &Assessment<'_>) -> Option<Step> {
    let subject = &assessment.subject;
    let to = match assessment.decision {
        Decision::Implicit(_) | Decision::Ordered(Action::Accept | Action::Keep) => State::Done,
        Decision::Ordered(Action::Drop) => State::Cancelled,
        Decision::Keep(_)
        | Decision::Accept(_)
        | Decision::Drop(_)
        | Decision::Missing(..)
        | Decision::NoRule => return None,
    };
    let job = TreeJobs::of(subject).sole()?;
    set_state(job, to, subject.tree.commit())
}

/// The step that decides about a job; none if somebody has already.
pub(super) fn set_state(job: &ObservedJob, to: State, tip: Option<&str>) -> Option<Step> {
    if job.state.is_decided() {
        return None;
    }
    Some(Step::SetJobState {
        job: job.name.parse().ok()?,
        from: job.state.clone(),
        to,
        tip: tip.map(ToOwned::to_owned),
    })
}

/// The submodules that go along: guard 9 has passed all of them, or there are none.
fn submodules<'a>(assessment: &Assessment<'a>, verdict: Verdict) -> &'a [Submodule] {
    let looked = assessment.subject.tree.checked_out.known();
    match (verdict, looked) {
        (Verdict::Remove, Some(looked)) => &looked.parts,
        (Verdict::Remove, None)
        | (Verdict::Prune | Verdict::Hold | Verdict::Keep | Verdict::Ignore, _) => &[],
    }
}

/// The commits that get a rescue ref, the branch's own first, and the branch that is deleted.
fn rescued(assessment: &Assessment<'_>) -> (Vec<String>, Option<(BytePath, String)>) {
    let tree = assessment.subject.tree;
    match assessment.decision {
        Decision::Drop(_) | Decision::Ordered(Action::Drop) => {
            let Some(dropping) = tree.drop.known() else {
                return (Vec::new(), None);
            };
            let branch = match (&dropping.branch, tree.commit()) {
                (Some(branch), Some(commit)) => Some((branch.clone(), commit.to_owned())),
                (Some(_) | None, _) => None,
            };
            let own = branch.iter().map(|(_, commit)| commit.clone());
            (own.chain(dropping.pins.iter().cloned()).collect(), branch)
        }
        Decision::Keep(_)
        | Decision::Accept(_)
        | Decision::Ordered(Action::Accept | Action::Keep)
        | Decision::Missing(..)
        | Decision::Implicit(_)
        | Decision::NoRule => {
            let pins = tree
                .pins
                .known()
                .filter(|_| assessment.subject.is_rescued());
            (pins.cloned().unwrap_or_default(), None)
        }
    }
}

/// What the rescue refs of a tree begin with: its branch, or its administrative id where detached.
fn under(tree: &Tree) -> BytePath {
    let id = tree.id.as_ref().map(BytePath::as_bytes);
    rescue_under(tree.branch().or(id).unwrap_or(b"detached"))
}

/// What a row does besides, for its sentence.
pub(super) fn plus(assessment: &Assessment<'_>) -> Plus {
    let tree = assessment.subject.tree;
    let mut plus = Vec::new();
    if tree.locked.known().is_some() {
        plus.push("its dead lock is lifted".to_owned());
    }
    let expendable = tree.expendable.known().map_or(&[][..], Vec::as_slice);
    let size = human_size(expendable.iter().map(|one| one.bytes).sum());
    match expendable {
        [] => {}
        [one] => plus.push(format!("{} ({size}) is discarded", one.path)),
        many => plus.push(format!(
            "{} expendable files ({size}) are discarded",
            many.len()
        )),
    }
    match tree.discards.known().map_or(0, Vec::len) {
        0 => {}
        1 => plus.push("1 tracked change is given up".to_owned()),
        many => plus.push(format!("{many} tracked changes are given up")),
    }
    match submodules(assessment, Verdict::Remove) {
        [] => {}
        [one] => plus.push(format!("its submodule {} goes along", one.path)),
        many => plus.push(format!("its {} submodules go along", many.len())),
    }
    let (commits, branch) = rescued(assessment);
    match (branch, commits.len()) {
        (Some((branch, _)), 0 | 1) => plus.push(format!(
            "branch {} is deleted (1 rescue ref)",
            short_ref(&branch)
        )),
        (Some((branch, _)), many) => plus.push(format!(
            "branch {} is deleted ({many} rescue refs)",
            short_ref(&branch)
        )),
        (None, 0) => {}
        (None, 1) => plus.push("1 commit gets a rescue ref".to_owned()),
        (None, many) => plus.push(format!("{many} commits get a rescue ref each")),
    }
    plus
}
