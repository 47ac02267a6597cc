//! Counts of outcomes.

use crate::apply::{Done, Fate};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// How many rows had which fate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Tally(BTreeMap<Fate, usize>);

impl Tally {
    /// Counts.
    pub fn of<'a>(done: impl Iterator<Item = &'a Done>) -> Self {
        let mut counts = BTreeMap::new();
        for one in done {
            *counts.entry(one.outcome.fate).or_default() += 1;
        }
        Self(counts)
    }

    /// How many had this fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.0.get(&fate).copied().unwrap_or_default()
    }
}

/// `2 removed, 1 kept`, or `nothing to do`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing to do");
        }
        let parts: Vec<_> = self
            .0
            .iter()
            .map(|(fate, count)| format!("{count} {}", fate.as_str()))
            .collect();
        f.write_str(&parts.join(", "))
    }
}
