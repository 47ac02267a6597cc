//! What one base says of one branch, and what both say together.

use crate::fact::Fact;
use crate::observe::{Conflict, Landed, Partial};

/// What is told of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    /// Whether the base has its work; absent where the evidence is in conflict.
    pub(crate) landed: Fact<Landed>,
    /// Evidence that proves nothing, since other evidence speaks against it.
    pub(crate) conflict: Fact<Conflict>,
    /// How many of its commits have a twin in the base, where some have none.
    pub(crate) partial: Fact<Partial>,
}

/// What one base says.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Landed(Landed),
    Conflict(Conflict),
    No(Option<Partial>),
    Unknown(String),
}

impl Landing {
    /// Nothing is known, and this is why.
    pub(crate) fn unknown(why: &str) -> Self {
        Self {
            landed: Fact::unknown(why),
            conflict: Fact::unknown(why),
            partial: Fact::unknown(why),
        }
    }

    /// From the outcomes of bases none of which contains another: a conflict in one stands against
    /// all, then a yes decides.
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        let mut landing = Self {
            landed: Fact::Absent,
            conflict: Fact::Absent,
            partial: Fact::Absent,
        };
        let mut unknown = None;
        for outcome in outcomes {
            match outcome {
                Outcome::Conflict(conflict) => {
                    landing.landed = Fact::Absent;
                    landing.conflict = Fact::Known(conflict.clone());
                    return landing;
                }
                Outcome::Landed(landed) => {
                    if landing.landed.is_absent() {
                        landing.landed = Fact::Known(landed.clone());
                    }
                }
                Outcome::No(Some(partial)) => landing.partial = Fact::Known(partial.clone()),
                Outcome::No(None) => {}
                Outcome::Unknown(why) => unknown = Some(why),
            }
        }
        match unknown {
            Some(why) if landing.landed.is_absent() => Self::unknown(why),
            Some(_) | None => landing,
        }
    }
}
