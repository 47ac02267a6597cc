//! Guards 5 and 6: whose worktree it is, and whether somebody is at work (`spec 5`).
//!
//! `job.rs` says exactly which job holds what.

use super::job::{self, TreeJobs};
use super::{Code, Decision, Evidence, Finding, Subject};
use crate::policy::Owner;

/// Guard 5: in a store that demands a job, one must have recorded it, or be proven gone.
pub(super) fn missing(subject: &Subject<'_>, decision: &Decision) -> Finding {
    let code = Code::ClaimMissing;
    let store = subject.tree.store.as_deref();
    let stores = &subject.policy.stores;
    let owner = stores.iter().find(|one| Some(&*one.path) == store);
    match owner.map(|store| store.owner) {
        Some(Owner::Job) => {}
        Some(Owner::None) | None => return Finding::pass(code),
    }
    let jobs = TreeJobs::of(subject);
    if let Some(why) = &jobs.unknown {
        return Finding::unknown(code, why);
    }
    if !jobs.recorded.is_empty() {
        return Finding::pass(code);
    }
    if job::rests_on_gone(subject, decision) {
        return Finding {
            message: Some("its job is gone".to_owned()),
            ..Finding::pass(code)
        };
    }
    match jobs.near.first() {
        None => Finding::hold(
            code,
            "no job recorded it, and its store demands one",
            Vec::new(),
        ),
        Some((near, _)) => {
            let text = job::in_use(&jobs, near);
            let message = format!("no job recorded it, and {text}");
            Finding::hold(code, message, vec![Evidence::Note { text }])
        }
    }
}

/// Guard 5: nobody can tell which of several jobs it belongs to.
pub(super) fn ambiguous(subject: &Subject<'_>) -> Finding {
    let code = Code::ClaimAmbiguous;
    match TreeJobs::of(subject).conflict {
        Some(why) => Finding::hold(code, why, Vec::new()),
        None => Finding::pass(code),
    }
}

/// Guard 6: a job that is not finished.
pub(super) fn in_use(subject: &Subject<'_>, decision: &Decision) -> Finding {
    let code = Code::InUse;
    let jobs = TreeJobs::of(subject);
    if let Some(why) = &jobs.unknown {
        return Finding::unknown(code, why);
    }
    let Some(open) = jobs.open().next() else {
        return Finding::pass(code);
    };
    let text = job::in_use(&jobs, open);
    let is_decided = match decision {
        Decision::Implicit(name) => *name == open.name,
        Decision::Ordered(_) => jobs.sole().is_some_and(|one| one.name == open.name),
        Decision::Keep(_)
        | Decision::Accept(_)
        | Decision::Drop(_)
        | Decision::Missing(..)
        | Decision::NoRule => false,
    };
    if is_decided {
        return Finding {
            message: Some(format!("{}, and decided by this row", job::named(open))),
            ..Finding::pass(code)
        };
    }
    Finding::hold(code, text.clone(), vec![Evidence::Note { text }])
}

/// Guard 7 does not hold what a decision, or an implicit one, lets go (`spec 8`).
pub(super) fn is_decided(subject: &Subject<'_>, decision: &Decision) -> bool {
    matches!(decision, Decision::Implicit(_) | Decision::Ordered(_))
        || job::rests_on_a_decision(subject, decision)
}
