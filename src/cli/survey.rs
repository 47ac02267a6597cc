//! The stages that `plan`, `apply` and `observe` have in common: policy, scope, observation.

use super::args::Proof;
use super::discovery::{NO_REPOSITORY, choose};
use super::failure::Failure;
use super::progress::Progress;
use super::settings::{Settings, now};
use crate::assess::why_unknown;
use crate::git::Git;
use crate::ledger::default_path;
use crate::observe::{Focus, Observation, Scope, ScopeError, World, observe};
use crate::plan::Plan;
use crate::policy::Policy;
use std::collections::BTreeSet;

/// What is looked at, and how, before anything has been.
pub(super) struct Ground {
    /// The git program.
    pub(super) git: Git,
    /// The policy that is in force.
    pub(super) policy: Policy,
    /// The repositories that it speaks of.
    pub(super) scope: Scope,
}

/// What the world looks like under a policy.
pub(super) struct Survey {
    /// The git program, the policy, and the repositories.
    pub(super) ground: Ground,
    /// What was seen in them.
    pub(super) observation: Observation,
}

impl Ground {
    /// Reads the policy, and finds the repositories.
    pub(super) fn new(settings: &Settings) -> Result<Self, Failure> {
        let git = settings.git()?;
        let policy = choose(settings)?.policy;
        let scope = scope(&policy, settings)?;
        Ok(Self { git, policy, scope })
    }
}

impl Survey {
    /// Looks at everything.
    pub(super) fn new(proof: Proof, settings: &Settings) -> Result<Self, Failure> {
        Ok(Self::of(Ground::new(settings)?, proof, settings))
    }

    /// Looks at everything there.
    pub(super) fn of(ground: Ground, proof: Proof, settings: &Settings) -> Self {
        let progress = Progress::new(settings, "looking at");
        let tell = |tree: &str| progress.tell(tree);
        let world = world(&ground.git, settings, &tell);
        let focus = match proof {
            Proof::Stat => Focus::Everything,
            Proof::Content => Focus::EverythingByContent,
        };
        let observation = observe(&world, &ground.policy, &ground.scope, &focus);
        progress.clear();
        Self {
            ground,
            observation,
        }
    }

    /// Looks at the repositories, but at no worktree.
    pub(super) fn of_refs(ground: Ground, settings: &Settings) -> Self {
        let world = world(&ground.git, settings, &|_| {});
        let focus = Focus::Only(BTreeSet::new());
        let observation = observe(&world, &ground.policy, &ground.scope, &focus);
        Self {
            ground,
            observation,
        }
    }

    /// Why it cannot be told which jobs there are, where the policy asks for them (`spec 8`).
    pub(super) fn why_jobs_are_unknown(&self) -> Option<String> {
        let mut projects = self.observation.projects.iter();
        projects.find_map(|project| why_unknown(&self.ground.policy, project))
    }

    /// What to do about it.
    pub(super) fn plan(&self) -> Plan {
        Plan::new(&self.ground.policy, &self.observation)
    }
}

/// How to look at the world.
pub(super) fn world<'a>(
    git: &'a Git,
    settings: &Settings,
    progress: &'a (dyn Fn(&str) + Sync),
) -> World<'a> {
    World {
        git,
        now: now(),
        home: settings.home.clone(),
        ledger: settings.data_home.as_deref().map(default_path),
        here: settings.here.clone(),
        proc_root: "/proc".into(),
        own_pid: std::process::id(),
        progress,
    }
}

pub(super) fn scope(policy: &Policy, settings: &Settings) -> Result<Scope, Failure> {
    let scope = Scope::of(policy, &settings.here, settings.home.as_deref());
    scope.map_err(|why| {
        let hint = match &why {
            ScopeError::Observe(_) => NO_REPOSITORY,
            ScopeError::NotTheTop { .. } => "write the top of the repository as the `path`",
            ScopeError::SameName { .. } => "nothing was done: an address must name one thing",
            ScopeError::NoHome { .. } => "set HOME, or write the path in full",
        };
        Failure::from(why).hint(hint)
    })
}
