//! The observe stage: one pass over every project, then one over all processes.

use super::jobs::Gathered;
use super::processes::{self, Occupancy, Place as Watched};
use super::project::{Seen, observe_project};
use super::{Aside, FORMAT_VERSION, Host, ListsSeen, Observation, Scope};
use crate::fact::Fact;
use crate::git::Git;
use crate::policy::Policy;
use crate::resource::{Address, escape};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What an observation looks through and counts from.
pub struct World<'a> {
    /// The git program.
    pub git: &'a Git,
    /// The moment that ages count to.
    pub now: Timestamp,
    /// The home directory that `~` in a store means.
    pub home: Option<PathBuf>,
    /// Where the ledger of jobs is; none where no home is known.
    pub ledger: Option<PathBuf>,
    /// Where the user stands, which relative paths of job lists start from.
    pub here: PathBuf,
    /// Where the process file system is mounted.
    pub proc_root: PathBuf,
    /// owl's own process, which the survey must see (C5).
    pub own_pid: u32,
    /// Told the name of each tree before it is looked at; may be called from any thread.
    pub progress: &'a (dyn Fn(&str) + Sync),
}

/// How closely tracked files are looked at (`spec 5.1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// As git does: the bytes only of files whose stat data changed.
    Stat,
    /// The bytes of every one.
    Content,
}

/// Which trees to look at, and how closely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Focus {
    /// All of them, by stat data.
    Everything,
    /// All of them, by content (`owl plan --proof content`).
    EverythingByContent,
    /// Only these, right before something is done to them, and so by content; of the others it is
    /// only said where they are.
    Only(BTreeSet<Address>),
    /// One that owl has taken, where it stands now, and so by content.
    Taken(Box<Aside>),
}

impl Focus {
    /// Whether a tree is looked at closely.
    pub fn has(&self, address: &Address) -> bool {
        match self {
            Self::Everything | Self::EverythingByContent => true,
            Self::Only(addresses) => addresses.contains(address),
            Self::Taken(aside) => aside.address == *address,
        }
    }

    /// What owl has taken, if that is what is looked at.
    pub(crate) fn aside(&self) -> Option<&Aside> {
        match self {
            Self::Everything | Self::EverythingByContent | Self::Only(_) => None,
            Self::Taken(aside) => Some(aside),
        }
    }

    /// How closely tracked files are looked at.
    pub fn depth(&self) -> Depth {
        match self {
            Self::Everything => Depth::Stat,
            Self::EverythingByContent | Self::Only(_) | Self::Taken(_) => Depth::Content,
        }
    }
}

/// Reads everything in scope.
pub fn observe(world: &World<'_>, policy: &Policy, scope: &Scope, focus: &Focus) -> Observation {
    let gathered = Gathered::of(world, policy);
    let mut seen: Vec<Seen> = scope
        .places
        .iter()
        .map(|place| observe_project(world, policy, place, (focus, &gathered)))
        .collect();
    let host = survey(world, &mut seen);
    let mut projects: Vec<_> = seen.into_iter().map(|seen| seen.project).collect();
    projects.sort_by(|a, b| a.name.cmp(&b.name));
    for project in &mut projects {
        project.trees.sort_by(|a, b| a.address.cmp(&b.address));
    }
    let mut unmatched = scope.unmatched.clone();
    unmatched.extend(empty_stores(policy, &projects));
    Observation {
        format_version: FORMAT_VERSION.to_owned(),
        owl_version: env!("CARGO_PKG_VERSION").to_owned(),
        observed_at: world.now,
        host,
        projects,
        lists: ListsSeen::of(policy),
        unmatched,
    }
}

/// One pass over all processes for all trees (`spec 5.2`).
fn survey(world: &World<'_>, seen: &mut [Seen]) -> Host {
    let watched: Vec<Watched> = seen
        .iter()
        .flat_map(|one| one.watched.iter().map(|(_, place)| place.clone()))
        .collect();
    let pid_namespace = Fact::from_result(processes::pid_namespace(&world.proc_root));
    let survey = processes::survey(&world.proc_root, world.own_pid, &watched);
    let hidden_processes = match &survey {
        Ok(survey) if survey.blind => {
            Fact::unknown("/proc hides the processes of other users (hidepid)")
        }
        Ok(survey) if survey.hidden == 0 => Fact::Absent,
        Ok(survey) => Fact::Known(survey.hidden),
        Err(why) => Fact::unknown(why),
    };
    let mut places = match survey {
        Ok(survey) => survey.places.into_iter().map(Ok).collect(),
        Err(why) => vec![Err(why.to_string()); watched.len()],
    }
    .into_iter();
    for one in seen {
        for (tree, _) in &one.watched {
            one.project.trees[*tree].processes = match places.next() {
                Some(Ok(occupancy)) => uses(&occupancy),
                Some(Err(why)) => Fact::Unknown(why),
                None => Fact::unknown("the survey left it out"),
            };
        }
    }
    Host {
        pid_namespace,
        hidden_processes,
    }
}

fn uses(occupancy: &Occupancy) -> Fact<Vec<processes::Use>> {
    if occupancy.is_used() {
        Fact::Known(occupancy.uses().cloned().collect())
    } else {
        Fact::Absent
    }
}

/// Stores of a user's own policy in which no project has anything, or that could not be listed.
fn empty_stores(policy: &Policy, projects: &[super::Project]) -> Vec<String> {
    if policy.origin == crate::policy::Origin::BuiltIn {
        return Vec::new();
    }
    let used = |declared: &str| {
        projects.iter().any(|project| {
            let in_it = |tree: &super::Tree| tree.store.as_deref() == Some(declared);
            project.trees.iter().any(in_it)
        })
    };
    let unlisted = |declared: &str| {
        let mut places = projects.iter().flat_map(|project| &project.stores);
        places.find_map(|place| match &place.leaves {
            Fact::Unknown(why) if place.declared == declared => Some(why.as_str()),
            Fact::Unknown(_) | Fact::Known(_) | Fact::Absent => None,
        })
    };
    policy
        .stores
        .iter()
        .filter(|store| !used(&store.path) && !policy.inherits(&store.file))
        .map(|store| {
            let named = format!(
                "store {} ({}:{})",
                escape(store.path.as_bytes()),
                escape(store.file.as_bytes()),
                store.line
            );
            match unlisted(&store.path) {
                Some(why) => format!(
                    "what is in {named} cannot be told: {}",
                    escape(why.as_bytes())
                ),
                None => format!("{named} holds nothing"),
            }
        })
        .collect()
}
