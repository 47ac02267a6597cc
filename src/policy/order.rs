//! What a person decides about one job, now (`owl jobs accept`, `owl jobs drop`).
//!
//! It is part of the desired state of that one run, and stands in no file.

use super::{Action, Losable, Policy};

/// A person's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The name of the job in the plan: its number in the ledger.
    pub job: String,
    /// Accept or drop.
    pub then: Action,
    /// Whether what is not committed may be lost.
    pub discard: bool,
}

impl Policy {
    /// The same policy for the run that carries out the order: nothing else is let go, and its
    /// keeps still hold (E2).
    #[must_use]
    pub fn under_order(mut self, order: Order) -> Self {
        self.rules.retain(|rule| rule.then == Action::Keep);
        if order.discard {
            self.expendable = Losable::everything();
        }
        self.order = Some(order);
        self
    }
}
