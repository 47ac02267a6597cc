//! The observed state as one value: immutable, serialisable, enough to plan from (`spec 4`).

use super::{Jobs, PidNamespace, RescueRef, Tree};
use crate::fact::Fact;
use crate::policy::{Policy, Submodules};
use crate::resource::BytePath;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The version of the observation's JSON form.
pub const FORMAT_VERSION: &str = "1.0";

/// Everything that was read, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// [`FORMAT_VERSION`] of the owl that wrote it.
    pub format_version: String,
    /// The owl that wrote it.
    pub owl_version: String,
    /// The `now` that every age counts from.
    pub observed_at: Timestamp,
    /// Facts about the machine.
    pub host: Host,
    /// The projects, by name.
    pub projects: Vec<Project>,
    /// What the policy said of ignored paths, since they were sorted by it.
    #[serde(default)]
    pub lists: ListsSeen,
    /// Declared things that matched nothing, as sentences.
    pub unmatched: Vec<String>,
}

/// The globs of `rebuildable` and `precious` that ignored content was sorted by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListsSeen {
    /// What may be lost.
    pub rebuildable: Vec<String>,
    /// What always holds.
    pub precious: Vec<String>,
    /// What may be lost, each file by a step of its own.
    pub expendable: Vec<String>,
    /// Whether submodules were looked into.
    pub submodules: Submodules,
}

impl ListsSeen {
    /// Those of a policy.
    pub fn of(policy: &Policy) -> Self {
        let lists = &policy.lists;
        Self {
            rebuildable: lists.rebuildable.texts().to_vec(),
            precious: lists.precious.texts().to_vec(),
            expendable: policy.expendable.texts().to_vec(),
            submodules: policy.submodules,
        }
    }
}

/// Facts about the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Whether owl runs in the host's process namespace.
    pub pid_namespace: Fact<PidNamespace>,
    /// How many processes this user may not inspect; absent: none.
    pub hidden_processes: Fact<u64>,
}

/// One repository with its worktrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// Its name, unique in the observation.
    pub name: String,
    /// The resolved directory that relative stores start from.
    pub root: BytePath,
    /// Its common git directory, resolved.
    pub common_dir: BytePath,
    /// Why it could not be read whole: the run is incomplete then (exit 2).
    pub problem: Option<String>,
    /// The branch that work lands in.
    pub base: Fact<Base>,
    /// The stores, in the order of the policy.
    pub stores: Vec<StorePlace>,
    /// The rescue refs, by name.
    pub rescues: Vec<RescueRef>,
    /// When the newest commit of its branches and remotes was made; none if there is none, or no
    /// rescue ref to ask it for.
    #[serde(default)]
    pub newest_commit: Option<Timestamp>,
    /// Every worktree, entry, and directory, by address.
    pub trees: Vec<Tree>,
    /// Its jobs.
    pub jobs: Jobs,
}

/// The branch that work lands in, as two refs (`spec 3`, `spec 4.1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// The short name of the branch.
    pub name: String,
    /// The full local ref and its commit.
    pub local: Option<BaseRef>,
    /// The full remote-tracking ref and its commit.
    pub remote: Option<BaseRef>,
    /// When the remote-tracking ref was last fetched.
    pub fetched_at: Fact<Timestamp>,
}

/// A ref and the commit it points at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseRef {
    /// The full name.
    pub name: String,
    /// The commit, in hexadecimal.
    pub commit: String,
}

/// One declared store as it is on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StorePlace {
    /// As written in the policy.
    pub declared: String,
    /// Whether it is absolute (or below `~`), and so may be on another disk.
    pub absolute: bool,
    /// How many directories stand in it; absent: the place itself is not there.
    pub leaves: Fact<u64>,
}
