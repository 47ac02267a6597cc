//! The ceilings of `owl check` (`check` of a policy, or flags).

use super::fields::Fields;
use super::node::Node;
use super::{duration, grammar, size};
use crate::diag::Sink;
use std::time::Duration;

/// The most that there may be of each; none is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ceilings {
    /// Rows with unfinished work of any kind.
    pub unfinished: Option<usize>,
    /// Rows that are UNCOMMITTED.
    pub uncommitted: Option<usize>,
    /// Rows that are UNPUBLISHED.
    pub unpublished: Option<usize>,
    /// Jobs that are WAITING: for a decision, for longer than `ttl.review`.
    pub waiting: Option<usize>,
    /// Rows that are held.
    pub held: Option<usize>,
    /// How long the oldest unfinished work has been so.
    pub oldest: Option<Duration>,
    /// Bytes on disk of all worktrees in the stores.
    pub disk: Option<u64>,
}

impl Ceilings {
    /// These, and the other ones where these have none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            unfinished: self.unfinished.or(other.unfinished),
            uncommitted: self.uncommitted.or(other.uncommitted),
            unpublished: self.unpublished.or(other.unpublished),
            waiting: self.waiting.or(other.waiting),
            held: self.held.or(other.held),
            oldest: self.oldest.or(other.oldest),
            disk: self.disk.or(other.disk),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads the keys that are there; the others stay as they are inherited.
    pub(super) fn read(node: &Node, inherited: Self, sink: &mut Sink<'_>) -> Self {
        let mut own = Self::default();
        let Some(fields) = Fields::read(node, &grammar::CHECK, sink) else {
            return inherited;
        };
        for (key, value) in [
            ("unfinished", &mut own.unfinished),
            ("uncommitted", &mut own.uncommitted),
            ("unpublished", &mut own.unpublished),
            ("waiting", &mut own.waiting),
            ("held", &mut own.held),
        ] {
            let node = fields.value(key);
            *value = node.and_then(|node| node.count(&format!("`{key}`"), sink));
        }
        let oldest = fields.value("oldest");
        own.oldest = oldest.and_then(|node| duration::read(node, "oldest", sink));
        let disk = fields.value("disk");
        own.disk = disk.and_then(|node| size::read(node, "disk", sink));
        own.or(inherited)
    }
}

/// A duration as a policy spells it, for a flag; what is wrong with it, else.
pub fn duration_of(text: &str) -> Result<Duration, String> {
    duration::parse_duration(text).map_err(|(problem, hint)| format!("{problem}: {hint}"))
}

/// A size in bytes as a policy spells it, for a flag; what is wrong with it, else.
pub fn size_of(text: &str) -> Result<u64, String> {
    size::parse_size(text).ok_or_else(|| {
        "write one whole number and one of B, KiB, MiB, GiB, TiB, such as 500MiB".to_owned()
    })
}
