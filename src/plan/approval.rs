//! The token that apply takes: only an approved plan can make one.

use super::{Brake, Plan, Row};
use crate::resource::Address;
use std::collections::BTreeSet;

/// How a person, or a cron line, said yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// `--yes`, or an answer on a terminal.
    Yes,
    /// The number of rows, typed on a terminal, which releases the brakes.
    Typed(usize),
}

/// Why a plan was not approved.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is over limits of the policy.
    #[error("the plan is over a limit of the policy, which is asked of the whole plan, whatever is chosen of it: {}", join(.0))]
    OverLimits(Vec<Brake>),
    /// The typed number is not the plan's.
    #[error("{typed} was typed, which is not the number of rows ({planned})")]
    WrongNumber {
        /// What was typed.
        typed: usize,
        /// What the plan has.
        planned: usize,
    },
    /// `--only` names something that the plan does not have.
    #[error("the plan has no row {0}; `owl plan --all` lists them")]
    NoSuchRow(Address),
}

fn join(brakes: &[Brake]) -> String {
    brakes
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

/// A plan that was approved, narrowed to what may be touched. There is no other way to make one
/// than [`Plan::approve`].
#[derive(Debug)]
pub struct Approved {
    plan: Plan,
    chosen: BTreeSet<Address>,
}

impl Plan {
    /// Approves the plan, or the rows of `only` where that is not empty. Nothing widens it.
    pub fn approve(self, approval: &Approval, only: &[Address]) -> Result<Approved, Refusal> {
        if let Some(missing) = only.iter().find(|address| self.row(address).is_none()) {
            return Err(Refusal::NoSuchRow(missing.clone()));
        }
        self.approve_chosen(approval, |address| {
            only.is_empty() || only.contains(address)
        })
    }

    /// Approves those of the rows that act which `is_chosen` names.
    pub(super) fn approve_chosen(
        self,
        approval: &Approval,
        is_chosen: impl Fn(&Address) -> bool,
    ) -> Result<Approved, Refusal> {
        let acting = self.items.iter().filter(|row| row.verdict.acts());
        let chosen: BTreeSet<Address> = acting
            .map(|row| row.address.clone())
            .filter(is_chosen)
            .collect();
        match approval {
            Approval::Yes if self.brakes.is_empty() => {}
            Approval::Yes => return Err(Refusal::OverLimits(self.brakes)),
            Approval::Typed(typed) if *typed == chosen.len() => {}
            Approval::Typed(typed) => {
                return Err(Refusal::WrongNumber {
                    typed: *typed,
                    planned: chosen.len(),
                });
            }
        }
        Ok(Approved { plan: self, chosen })
    }
}

impl Approved {
    /// The whole plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The rows to carry out, in order.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.plan
            .items
            .iter()
            .filter(|row| self.chosen.contains(&row.address))
    }
}
