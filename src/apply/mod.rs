//! Carries out an approved plan, row by row.
//!
//! Input: an [`Approved`] plan, which names everything that may be touched. Output: one
//! [`Outcome`] a chosen row. Invariants (`spec 7`): each row is looked at again through the same
//! code, with nothing reused, right before it is touched, with git as the second witness; no force
//! flag is ever passed; `removed` is said only after looking; an audit line that cannot be written
//! stops its row.

mod audit;
mod lock;
mod look_again;
mod outcome;
mod prune;
mod remove;
mod witness;

pub use audit::{Audit, AuditError};
pub use lock::{Lock, LockError};
pub use outcome::{Done, Fate, Outcome};

use crate::observe::{Scope, World};
use crate::plan::{Approved, Row, Step};
use crate::policy::Policy;
use jiff::Timestamp;

/// What apply works with besides the plan.
pub struct Hands<'a> {
    /// How to look at the world; its `now` is set anew for every look.
    pub world: World<'a>,
    /// The clock.
    pub clock: &'a dyn Fn() -> Timestamp,
    /// The policy that the plan was made under.
    pub policy: &'a Policy,
    /// The repositories that it was made of.
    pub scope: &'a Scope,
    /// Where attempts and outcomes are written down.
    pub audit: &'a Audit,
    /// Whether to start no other row.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// Something that happened, for the one who watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// A row is about to be carried out.
    Attempt(&'a Row),
    /// A row has been carried out, or not.
    Settled(&'a Row, &'a Outcome),
}

/// Carries out every chosen row, nested worktrees before their containers.
///
/// The locks of the repositories must be held by the caller; the type asks for them.
pub fn apply(
    approved: &Approved,
    _held: &[Lock],
    hands: &mut Hands<'_>,
    watch: &mut dyn FnMut(Event<'_>),
) -> Vec<Done> {
    let mut all = Vec::new();
    for row in approved.rows() {
        let outcome = if (hands.interrupted)() {
            Outcome::not_attempted("interrupted before its turn")
        } else {
            watch(Event::Attempt(row));
            carry_out(row, hands)
        };
        watch(Event::Settled(row, &outcome));
        all.push(Done {
            address: row.address.clone(),
            outcome,
        });
    }
    all
}

fn carry_out(row: &Row, hands: &mut Hands<'_>) -> Outcome {
    if let Err(why) = hands.audit.attempt((hands.clock)(), row) {
        return Outcome::failed(format!("not attempted: {why}"));
    }
    let outcome = look_again_and_act(row, hands);
    match hands.audit.outcome((hands.clock)(), row, &outcome) {
        Ok(()) => outcome,
        Err(why) => outcome.with_note(&format!("its outcome could not be written down: {why}")),
    }
}

fn look_again_and_act(row: &Row, hands: &mut Hands<'_>) -> Outcome {
    hands.world.now = (hands.clock)();
    let fresh = match look_again::look_again(row, hands) {
        Ok(fresh) => fresh,
        Err(outcome) => return outcome,
    };
    let repository = match hands.world.git.repository(fresh.common_dir.as_path()) {
        Ok(repository) => repository,
        Err(why) => return Outcome::kept(why.to_string()),
    };
    if let Err(why) = witness::agrees(&repository, &fresh.row) {
        return Outcome::kept(why);
    }
    match fresh.row.steps.as_slice() {
        [Step::RemoveWorktree] => remove::remove(&repository, &fresh.row),
        [Step::PruneEntry] => prune::prune(&repository, &fresh.row),
        [] => Outcome::kept("there is nothing to do any more"),
        [_, _, ..] => Outcome::kept("these steps together are not known"),
    }
}
