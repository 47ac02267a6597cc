//! Things found in a tree, counted, with the first few named.

use crate::resource::BytePath;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many names a [`Found`] keeps; the rest is only counted.
const NAMED: usize = 5;

/// A count of things, and the first few of them in byte order of their discovery.
///
/// Never empty inside a `Known` fact: nothing found is `Absent`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// How many there are.
    pub total: u64,
    /// The first of them: paths relative to the tree, or ids and names.
    pub first: Vec<BytePath>,
}

impl Found {
    /// Counts one more.
    pub fn add(&mut self, name: impl Into<BytePath>) {
        self.total += 1;
        if self.first.len() < NAMED {
            self.first.push(name.into());
        }
    }

    /// Both together, these first.
    #[must_use]
    pub fn and(mut self, others: &Self) -> Self {
        self.total += others.total;
        let room = NAMED.saturating_sub(self.first.len());
        self.first.extend(others.first.iter().take(room).cloned());
        self
    }

    /// Nothing found is a proven no.
    pub fn into_fact(self) -> crate::fact::Fact<Self> {
        if self.total == 0 {
            crate::fact::Fact::Absent
        } else {
            crate::fact::Fact::Known(self)
        }
    }
}

impl<N: Into<BytePath>> FromIterator<N> for Found {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut found = Self::default();
        for name in names {
            found.add(name);
        }
        found
    }
}

/// `2: notes.md, out.csv`, or `7: a, b, c, d, e and 2 more`.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, name) in self.first.iter().enumerate() {
            write!(f, "{}{name}", if nth == 0 { "" } else { ", " })?;
        }
        let rest = self.total.saturating_sub(self.first.len() as u64);
        if rest > 0 {
            write!(f, " and {rest} more")?;
        }
        Ok(())
    }
}
