//! The shape of a guard test.

use crate::support::snapshot::Snapshot;
use crate::support::yard::{Yard, outcome, row, said};
use owl::apply::Fate;
use owl::assess::{Answer, Code};
use owl::plan::{Plan, Reason, Verdict};
use owl::resource::Address;
use std::path::{Path, PathBuf};

/// A worktree that is to be held, beside the control.
pub(crate) struct Case {
    pub(crate) yard: Yard,
    /// The worktree.
    pub(crate) path: PathBuf,
    /// Its entry.
    pub(crate) entry: PathBuf,
    /// Its address.
    pub(crate) address: Address,
}

impl Case {
    /// Two worktrees, `control` and `held`, each of which would be removed. That they would is
    /// what makes a hold mean something.
    pub(crate) fn new() -> Self {
        Self::of(Yard::new())
    }

    /// The same in a yard that has its control.
    pub(crate) fn of(yard: Yard) -> Self {
        yard.landed("held");
        let case = Self {
            path: yard.path("held"),
            entry: yard.entry("held"),
            address: yard.address("held"),
            yard,
        };
        drop(case.yard.approved(&["control", "held"]));
        case
    }

    /// Makes the held worktree old again.
    pub(crate) fn age(&self) -> &Self {
        self.yard.age("held");
        self
    }

    /// The held worktree is held by this guard, and by no other.
    pub(crate) fn held_by(&self, code: Code) {
        self.held_by_all(&[code]);
    }

    /// The held worktree is held by these guards, the first of which gives the reason.
    pub(crate) fn held_by_all(&self, codes: &[Code]) {
        let plan = self.yard.look();
        let row = row(&plan, &self.address);
        assert_eq!(row.reason, Reason::Guard(codes[0]), "{}", said(&plan));
        let held: Vec<_> = row
            .guards
            .iter()
            .filter(|finding| finding.result == Answer::Hold)
            .map(|finding| finding.guard)
            .collect();
        assert_eq!(held, codes, "{}", said(&plan));
        let unknown = |answer| answer == Answer::Unknown;
        assert!(
            !row.guards.iter().any(|one| unknown(one.result)),
            "{:?}",
            row.guards
        );
        self.nothing_but_the_control(plan);
    }

    /// The held worktree is held since a guard cannot tell.
    pub(crate) fn unknown(&self, code: Code) {
        let reason = Reason::UnknownGuard(code).to_string();
        assert_eq!(reason, format!("unknown-{code}"));
        self.reasons(&[&reason]);
    }

    /// The held worktree is held for one of these reasons; which other guards hold it too does not
    /// matter.
    pub(crate) fn reasons(&self, reasons: &[&str]) {
        let plan = self.yard.look();
        let row = row(&plan, &self.address);
        let reason = row.reason.to_string();
        assert!(reasons.contains(&reason.as_str()), "{}", said(&plan));
        assert_eq!(row.verdict, Verdict::Hold, "{}", said(&plan));
        self.nothing_but_the_control(plan);
    }

    /// Applies the plan: the control goes, and the rest of the world is what it was.
    pub(crate) fn nothing_but_the_control(&self, plan: Plan) {
        let control = self.yard.address("control");
        let held: [&Path; 2] = [&self.path, &self.entry];
        let before = Snapshot::of(&held);
        let refs = self.refs();
        let approved = plan
            .approve(&owl::plan::Approval::Yes, &[])
            .expect("it is within limits");
        let done = self.yard.carry_out(&approved);
        assert_eq!(done.len(), 1, "{done:?}");
        let outcome = outcome(&done, &control);
        assert_eq!(outcome.fate, Fate::Removed, "{}", outcome.message);
        assert!(!self.yard.path("control").exists());
        assert!(!self.yard.entry("control").exists());
        before.require_same("the held worktree", &held);
        assert_eq!(self.refs(), refs, "branches are kept");
    }

    /// The held worktree is held for one of these reasons, and an apply does not touch it; git may
    /// die of its state, so that the control is held as well.
    pub(crate) fn not_touched(&self, reasons: &[&str]) {
        let plan = self.yard.look();
        let row = row(&plan, &self.address);
        let reason = row.reason.to_string();
        assert!(reasons.contains(&reason.as_str()), "{}", said(&plan));
        assert_eq!(row.verdict, Verdict::Hold, "{}", said(&plan));
        let held: [&Path; 2] = [&self.path, &self.entry];
        let before = Snapshot::of(&held);
        drop(self.yard.apply());
        before.require_same("the held worktree", &held);
    }

    /// Every worktree is held for this reason, and an apply changes nothing at all.
    pub(crate) fn nothing_at_all(&self, reason: &str) {
        let main = self.yard.repo.main();
        let before = Snapshot::of(&[&main]);
        let plan = self.yard.look();
        for name in ["control", "held"] {
            let row = row(&plan, &self.yard.address(name));
            assert_eq!(row.verdict, Verdict::Hold, "{}", said(&plan));
            assert_eq!(row.reason.to_string(), reason, "{}", said(&plan));
        }
        let approved = plan
            .approve(&owl::plan::Approval::Yes, &[])
            .expect("it is within limits");
        assert!(self.yard.carry_out(&approved).is_empty());
        before.require_same("the repository", &[&main]);
    }

    fn refs(&self) -> Vec<u8> {
        let main = self.yard.repo.main();
        self.yard.repo.try_git(&main, ["for-each-ref"]).stdout
    }
}
