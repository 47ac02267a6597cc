//! The fast answer of one worktree by itself, so that it can be held against git's.

use super::glance::{self, Closer, Ground, Ready};
use super::repository::{self, Repository};
use super::{ObserveError, Place, head};
use crate::fact::Fact;
use crate::git::Git;
use crate::policy::{Lists, Losable};
use crate::resource::BytePath;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a glance tells of a worktree, relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// Tracked files that differ.
    pub changed: BTreeSet<BytePath>,
    /// Untracked files.
    pub untracked: BTreeSet<BytePath>,
    /// Ignored paths that hold a file: a file, or a directory that is ignored as a whole.
    pub ignored: BTreeSet<BytePath>,
}

/// The fast answer for the worktree at `root`, resolved, with its administrative entry; the inner
/// error is why git must be asked instead, which says nothing of the tree.
pub fn glimpse(
    git: &Git,
    place: &Place,
    entry: &Path,
    root: &Path,
) -> Result<Result<Glimpse, &'static str>, ObserveError> {
    let git = git.repository(&place.common_dir)?;
    let listed = git.worktrees()?;
    let witness = listed.iter().find(|one| one.path.as_path() == root);
    let shared = repository::open(place)?;
    let repository = Repository::of(&shared);
    let asked = Ready {
        repository: &repository,
        ground: &Ground::of(&git),
        entry,
        root,
        head: &Fact::from_result(head::head(&repository, entry)),
        witness: witness.and_then(|one| one.head.as_ref()),
    };
    let paths = |paths: BTreeSet<PathBuf>| paths.into_iter().map(BytePath::from).collect();
    let (lists, expendable) = (Lists::default(), Losable::default());
    let told = glance::answer(&asked, 0, &BTreeSet::new(), (None, &lists, &expendable));
    Ok(told
        .map(|told| Glimpse {
            changed: told.walk.changed.into_iter().collect(),
            untracked: paths(told.dirt.untracked),
            ignored: paths(told.dirt.ignored),
        })
        .map_err(|Closer(why)| why))
}
