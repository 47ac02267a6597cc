//! What a guard or a condition looks at: one tree, in its project, under a policy, at a time.

use crate::fact::{Fact, Kleene};
use crate::observe::{Host, Observation, Project, Tree};
use crate::policy::Policy;
use jiff::Timestamp;
use std::time::Duration;

/// The view of one tree that every judgement is made from.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The desired state.
    pub policy: &'a Policy,
    /// The machine.
    pub host: &'a Host,
    /// The repository.
    pub project: &'a Project,
    /// The tree.
    pub tree: &'a Tree,
    /// The moment that ages count to.
    pub now: Timestamp,
}

impl<'a> Subject<'a> {
    /// Every tree of an observation, in its order.
    pub fn of(policy: &'a Policy, observation: &'a Observation) -> impl Iterator<Item = Self> {
        observation.projects.iter().flat_map(move |project| {
            project.trees.iter().map(move |tree| Subject {
                policy,
                host: &observation.host,
                project,
                tree,
                now: observation.observed_at,
            })
        })
    }

    /// Whether it lies in a store whose detached commits are pinned by rescue refs (`rescue`).
    pub fn is_rescued(&self) -> bool {
        match (&self.policy.rescue, &self.tree.store) {
            (Some(stores), Some(store)) => stores.is_match(store.as_bytes()),
            (None, _) | (_, None) => false,
        }
    }

    /// Whether more than `limit` has gone by since `since`. A time in the future is unknown
    /// (`spec 4.2`), and so is an absent one: everything has an age.
    pub fn older(&self, since: &Fact<Timestamp>, limit: Duration, what: &str) -> Kleene {
        match since {
            Fact::Known(at) if *at > self.now => {
                Kleene::Unknown(vec![format!("{what} lies in the future ({at})")])
            }
            Fact::Known(at) => Kleene::from(self.age(*at) > limit),
            Fact::Absent => Kleene::Unknown(vec![format!("{what} is not recorded")]),
            Fact::Unknown(why) => Kleene::Unknown(vec![why.clone()]),
        }
    }

    /// The time from `at` to now; zero for a time in the future.
    pub fn age(&self, at: Timestamp) -> Duration {
        Duration::try_from(self.now.duration_since(at)).unwrap_or(Duration::ZERO)
    }
}
