//! Every key and word that a policy may have, level by level: the one list for errors,
//! suggestions, the JSON Schema, and the reference that `owl policy explain` prints.
//!
//! A key that this version does not act on is in the list as well, with [`Key::later`]: it is part
//! of `owl/v1`, and refused as such rather than as unknown.

mod condition;
mod key;
mod sections;
mod test;

pub(super) use crate::yaml::nearest;
pub(super) use condition::CONDITION;
pub(super) use key::{Key, Level, Shape, Support, Word};
pub(super) use sections::{CHECK, JOBS, LIMITS, POLICY, PROJECT, RULE, STORE, TTL};
pub(super) use test::{EXPECT, TEST, TREE};
