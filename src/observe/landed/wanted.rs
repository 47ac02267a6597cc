//! The paths that a walk over the base looks at, as a tree of names.
//!
//! Invariant: a directory without a wanted path below is never read, so that the cost of a base
//! commit does not grow with the repository.

use gix::bstr::{BStr, BString, ByteSlice};
use std::collections::{HashMap, HashSet};

/// Wanted names in one directory.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    names: HashSet<BString>,
    below: HashMap<BString, Wanted>,
}

impl Wanted {
    /// Adds a path.
    pub(super) fn insert(&mut self, path: &BStr) {
        match path.split_once_str("/") {
            Some((directory, rest)) => self
                .below
                .entry(directory.into())
                .or_default()
                .insert(rest.as_bstr()),
            None => {
                self.names.insert(path.to_owned());
            }
        }
    }

    /// Whether a name that is no directory is wanted here.
    pub(super) fn has(&self, name: &BStr) -> bool {
        self.names.contains(name)
    }

    /// What is wanted below a directory.
    pub(super) fn below(&self, name: &BStr) -> Option<&Self> {
        self.below.get(name)
    }
}
