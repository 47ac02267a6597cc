//! What git would call dirty, under owl's own settings (`spec 5`, guard 9; `spec 5.1`).
//!
//! Input: a sound worktree. Output: tracked changes, untracked and ignored paths. Invariant: git
//! must answer for exactly this directory, entry, and HEAD; anything else is an error.

use super::{Found, Head, ObserveError};
use crate::fact::Fact;
use crate::git;
use crate::resource::BytePath;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The dirt of one worktree.
pub(crate) struct Dirt {
    /// Tracked changes, staged or not.
    pub(crate) changes: Found,
    /// The same, each as git has it.
    pub(crate) changed: Vec<git::Change>,
    /// Untracked paths, relative, without a trailing slash.
    pub(crate) untracked: BTreeSet<PathBuf>,
    /// Ignored paths, likewise.
    pub(crate) ignored: BTreeSet<PathBuf>,
    /// Which of both are directories.
    pub(crate) directories: BTreeSet<PathBuf>,
}

impl Dirt {
    /// Takes in that of a submodule at `place`.
    pub(crate) fn absorb(&mut self, place: &Path, inner: &Self) {
        let changes = inner.changes.first.iter();
        let named: Vec<BytePath> = changes
            .map(|one| place.join(one.as_path()).into())
            .collect();
        self.changes = self.changes.clone().and(&Found {
            total: inner.changes.total,
            first: named,
        });
        for (own, inner) in [
            (&mut self.untracked, &inner.untracked),
            (&mut self.ignored, &inner.ignored),
            (&mut self.directories, &inner.directories),
        ] {
            own.extend(inner.iter().map(|path| place.join(path)));
        }
    }
}

/// Asks git.
pub(crate) fn dirt(
    repository: &git::Repository,
    root: &Path,
    head: &Fact<Head>,
) -> Result<Dirt, ObserveError> {
    let status = repository.worktree(root)?.status()?;
    if let Fact::Known(head) = head {
        let seen = status.head.as_ref().map(git::Oid::as_str);
        if seen != head.commit.as_deref() {
            return Err(ObserveError::gix(
                "HEAD",
                &"git and gix read it differently",
            ));
        }
    }
    let mut directories = BTreeSet::new();
    let mut paths = |listed: Vec<BytePath>| -> BTreeSet<PathBuf> {
        listed
            .into_iter()
            .map(|path| {
                let bytes = path.as_bytes();
                let Some(directory) = bytes.strip_suffix(b"/") else {
                    return path.as_path().to_owned();
                };
                let directory = PathBuf::from(std::ffi::OsStr::from_bytes(directory));
                directories.insert(directory.clone());
                directory
            })
            .collect()
    };
    let untracked = paths(status.untracked);
    let ignored = paths(status.ignored);
    Ok(Dirt {
        changes: status
            .changes
            .iter()
            .map(|change| change.path.as_path().to_owned())
            .collect(),
        changed: status.changes,
        untracked,
        ignored,
        directories,
    })
}
