//! The worktree that a job is to record, looked at when it is recorded (`spec 8`).
//!
//! Input: a repository and a path as a user gave it. Output: the path as owl keeps it, and which
//! directory that is now. Invariant: only a registered worktree of that repository has an identity.

use super::entry::{DotGit, dot_git, entries};
use super::place::{look, settle};
use super::store::PlacedStore;
use super::{ObserveError, Place};
use crate::job::{Identity, Worktree};
use crate::policy::Policy;
use crate::resource::BytePath;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What stands where a job says that its worktree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// A worktree of the repository, or nothing yet, and then without an identity.
    Worktree(Worktree),
    /// Something that is no linked worktree of this repository; the sentence says what.
    Other(String),
}

/// The path as owl keeps it: absolute, every symlink on the way resolved.
pub fn settled(path: &Path) -> Result<PathBuf, ObserveError> {
    settle(path)
}

/// Whether a settled path is a leaf of a store of the policy, in this repository.
pub fn is_in_a_store(policy: &Policy, place: &Place, home: Option<&Path>, path: &Path) -> bool {
    let mut stores = policy.stores.iter();
    stores.any(|store| PlacedStore::new(store, &place.root, home).has(path))
}

/// Looks at a settled path.
pub fn record_worktree(place: &Place, path: &Path) -> Result<Recorded, ObserveError> {
    let worktree = |identity| Worktree {
        path: path.into(),
        identity,
    };
    let Some(metadata) = look(path)? else {
        return Ok(Recorded::Worktree(worktree(None)));
    };
    let shown = BytePath::from(path);
    if !metadata.is_dir() {
        return Ok(Recorded::Other(format!("{shown} is not a directory")));
    }
    let git_dir = match dot_git(path)? {
        DotGit::Names(git_dir) => git_dir,
        DotGit::Missing | DotGit::Dangling(_) | DotGit::Repository | DotGit::Odd(_) => {
            return Ok(Recorded::Other(format!("{shown} is no linked worktree")));
        }
    };
    let is_its =
        |entry: &super::entry::Entry| entry.dir == git_dir && entry.worktree.as_deref() == Ok(path);
    let found = entries(place)?.into_iter().find(is_its);
    Ok(match found {
        Some(entry) => Recorded::Worktree(worktree(Some(Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            entry: entry.id,
        }))),
        None => Recorded::Other(format!(
            "{shown} is no worktree of {}",
            BytePath::from(place.root.clone())
        )),
    })
}
