//! Carries out an approved plan, row by row.
//!
//! Input: an [`Approved`] plan, which names everything that may be touched. Output: one [`Outcome`]
//! a chosen row. Invariants (`spec 7`): each row is looked at again through the same code, with
//! nothing reused, right before it is touched, with git as the second witness, and once more where
//! nobody can reach it; a record of what is about to happen is on the disk before it happens; no
//! force is ever passed but for changes that a person gave up by name; `removed` is said only after
//! looking; an audit line that cannot be written stops its row.

mod audit;
mod branch;
mod decide;
mod discard;
mod expire;
mod files;
mod job;
mod journal;
mod leftover;
mod lock;
mod look_again;
mod marks;
mod modules;
mod outcome;
mod pending;
mod prune;
mod queue;
mod recover;
mod remnant;
mod remove;
mod rescue;
mod restore;
mod taken;
mod witness;

pub use audit::{Audit, AuditError};
pub use lock::{Lock, LockError};
pub use outcome::{Done, Fate, Outcome, Stepped};
pub use pending::{call_off, pending};
pub use recover::{is_anything_left, recover};
pub use restore::{Brought, RestoreError, restore};

use crate::observe::{Scope, World};
use crate::plan::{Approved, Row};
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
    /// What an earlier run had left open has been finished, undone, or left open again.
    Recovered(&'a Done),
    /// A row has been carried out, or not.
    Settled(&'a Row, &'a Outcome),
}

/// Carries out every chosen row, nested worktrees before their containers.
///
/// The locks of the repositories must be held by the caller; the type asks for them. What earlier
/// runs left open there is finished or undone first, unless [`recover()`] has been called before;
/// its outcomes come first.
pub fn apply(
    approved: &Approved,
    held: &[Lock],
    hands: &mut Hands<'_>,
    watch: &mut dyn FnMut(Event<'_>),
) -> Vec<Done> {
    let mut all = recover(held, hands);
    for done in &all {
        watch(Event::Recovered(done));
    }
    all.extend(queue::run(approved.rows(), hands, watch));
    all
}
