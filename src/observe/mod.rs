//! Reads the world once, into an immutable [`Observation`]; says what was seen, never what to do.
//!
//! Input: the git program, a policy's stores, the repositories in scope, and `now`. Output: an
//! [`Observation`]. Invariants: reading changes nothing (no index refresh, no lock, no fetch, no
//! prune); an error becomes an unknown fact, or a project that is reported as incomplete, and
//! never an answer (`spec 4`).

mod ages;
mod alternates;
mod ancestry;
mod aside;
mod base;
mod branches;
mod committed;
mod content;
mod dead_lock;
mod deletable;
mod dirt;
mod discards;
mod draft;
mod entry;
mod error;
mod expendable;
mod fetched;
mod filters;
mod found;
mod glance;
mod glimpse;
mod head;
mod hidden;
mod history;
mod ignored;
mod index;
mod jobs;
mod landed;
mod last_names;
mod leads;
mod lfs;
mod lineage;
mod linked_refs;
mod locate;
mod modules;
mod names;
mod node;
mod objects;
mod observation;
mod occupied;
mod open;
mod operation;
mod place;
mod private;
pub mod processes;
mod project;
mod proof;
mod reach;
mod recorded;
mod reflog;
mod registry;
mod remotes;
mod repository;
mod rescued;
mod rewrites;
mod runner;
mod running;
mod scan;
mod scope;
mod stash;
mod store;
mod strangers;
mod strays;
mod submodules;
mod tree;
mod walk;
mod world;

pub use aside::{Aside, TakenModules};
pub use branches::branch_stays;
pub use committed::committed_policy;
pub use error::ObserveError;
pub use expendable::digest_of;
pub use found::Found;
pub use glimpse::{Glimpse, glimpse};
pub use ignored::{Amount, Holding, Sorted};
pub use jobs::{
    Jobs, Knowledge, ObservedJob, Place as RecordedPlace, Running, SourceRead, Standing,
};
pub use last_names::last_names;
pub use locate::Place;
pub use modules::{CheckedOut, Submodule, inventory};
pub(crate) use node::{Node, Shape, look_at};
pub use observation::{
    Base, BaseRef, FORMAT_VERSION, Host, ListsSeen, Observation, Project, StorePlace,
};
pub use occupied::{Obstacles, obstacles, occupied};
pub use open::{Open, OpenStage};
pub use processes::PidNamespace;
pub use recorded::{Recorded, is_in_a_store, record_worktree, settled};
pub use rescued::RescueRef;
pub use runner::{is_alive, runner};
pub use scope::{NamedPlace, Scope, ScopeError, name_of};
pub use tree::{
    Conflict, Discard, Doubt, Dropping, Expendable, Head, Identity, Kind, Landed, Moved, Partial,
    Proof, Published, Registration, Role, Tree, Twin,
};
pub use world::{Depth, Focus, World, observe};
