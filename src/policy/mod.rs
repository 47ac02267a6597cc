//! The desired state: a YAML text becomes a checked [`Policy`] (`spec 3`).
//!
//! Input: a name, bytes, and where they come from. Output: a [`Policy`], or every error in the
//! text, each with its place. The way is text -> `Node` tree (`yaml`) -> typed parts (one file a
//! part, each with a `read`), onto what the text extends (`extends`, `layer`) -> checks across
//! parts (`check`, `shadow`, and for `owl policy lint` the folder `lint`). `grammar` has every key,
//! from which `schema` and `reference` come as well.
//! Invariants: pure; a policy with an error is no policy; a key of the grammar that is not built
//! is refused and never ignored; patterns are compiled here, so that no later stage can fail on
//! one. Paths stay as written: this module knows no home and no working directory.

mod alternative;
mod builtin;
mod case;
mod ceilings;
mod check;
mod condition;
mod document;
mod duration;
mod extends;
mod grammar;
mod job;
mod layer;
mod limits;
mod lint;
mod losable;
mod order;
mod paths;
mod pattern;
mod project;
mod reference;
mod rule;
mod schema;
mod shadow;
mod size;
mod sketch;
mod sketched_job;
mod spelling;
mod store;
mod unmatchable;

use crate::yaml::{self, fields, node};

pub use builtin::{BUILTINS, Builtin};
pub use case::{Case, Expectation, Expected, Given};
pub use ceilings::{Ceilings, duration_of, size_of};
pub use check::LARGEST;
pub use condition::Condition;
pub use document::{DeadLocks, Origin, PidNamespace, Policy, Processes, Source, Submodules};
pub use duration::show_duration;
pub use job::{JobSource, JobTest};
pub use limits::{Limits, Share, Ttl};
pub use losable::Losable;
pub use order::Order;
pub use paths::{Lists, Paths};
pub use pattern::{Component, Patterns};
pub use project::ProjectDecl;
pub use reference::{Topic, find, topics};
pub use rule::{Action, Rule};
pub use schema::schema;
pub use sketch::{Sketch, Told};
pub use sketched_job::SketchedJob;
pub use store::{Owner, Store, StorePlace};
