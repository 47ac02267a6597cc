//! Ignored content by class, counted.

use crate::observe::Found;
use crate::resource::BytePath;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How many listed paths a [`Sorted`] names one by one.
const NAMED: usize = 20;

/// Files and their bytes on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amount {
    /// How many files.
    pub files: u64,
    /// Their bytes on disk; files with other hard links count none, since those stay.
    pub bytes: u64,
}

/// An ignored path, as git lists it, that holds what is not proven to be losable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holding {
    /// The path, relative to the tree.
    pub path: BytePath,
    /// What of it is not proven.
    pub amount: Amount,
}

/// Everything ignored in one tree (`spec 5.4`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sorted {
    /// What is not proven to be losable: it holds the tree.
    pub data: Amount,
    /// What of it the policy calls precious.
    #[serde(default)]
    pub precious: Amount,
    /// What of it is a key, or a file with secrets, by its name.
    #[serde(default)]
    pub secrets: Amount,
    /// Byte-equal copies of the main worktree's, and symlinks to them.
    pub copies: Amount,
    /// What a producer is proven to write again.
    pub rebuildable: Amount,
    /// What the policy calls expendable.
    pub expendable: Amount,
    /// What needs no proof.
    pub trivial: Amount,
    /// Where the data lies: the first listed paths, so that a plan can say what a line of
    /// `rebuildable` would free.
    pub holding: Vec<Holding>,
    /// The first files of the data.
    #[serde(skip)]
    pub(crate) found: Found,
}

/// Why an ignored file holds the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Nothing proves that it may be lost.
    Unproven,
    /// The same, and by its name it is a key, or has secrets.
    Secret,
    /// The policy says so.
    Precious,
}

impl Amount {
    pub(super) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

impl Sorted {
    /// Adds a file that holds the tree; `listed` is the path that git lists it under.
    pub(super) fn hold(&mut self, listed: &Path, path: &Path, bytes: u64, why: Why) {
        self.data.add(bytes);
        match why {
            Why::Unproven => {}
            Why::Secret => self.secrets.add(bytes),
            Why::Precious => self.precious.add(bytes),
        }
        self.found.add(path);
        let last = self
            .holding
            .last_mut()
            .filter(|one| one.path.as_path() == listed);
        if let Some(holding) = last {
            holding.amount.add(bytes);
        } else if self.holding.len() < NAMED {
            let mut amount = Amount::default();
            amount.add(bytes);
            self.holding.push(Holding {
                path: listed.into(),
                amount,
            });
        }
    }

    /// Adds a listed path that the walk did not meet.
    pub(crate) fn hold_unmet(&mut self, path: &Path) {
        self.hold(path, path, 0, Why::Unproven);
    }

    /// Whether nothing ignored is there.
    pub fn is_empty(&self) -> bool {
        [
            self.data,
            self.copies,
            self.rebuildable,
            self.expendable,
            self.trivial,
        ]
        .iter()
        .all(|amount| amount.files == 0)
    }
}
