//! `.git` files that name an entry from where no worktree of it should be (`spec 5`, Prune).
//!
//! Input: plain directories of the stores, and owl's own folder. Output: where an entry is named.
//! A worktree that was moved with `mv` is alive, though nothing is at its recorded place, and a
//! prune would kill it (`git-facts 26`).

use super::ObserveError;
use super::entry::{DotGit, dot_git};
use super::place::{look, names};
use std::path::{Path, PathBuf};

/// How deep below a directory a moved worktree is looked for.
const DEPTH: usize = 2;

/// A directory whose `.git` file names a git directory.
#[derive(Clone, Debug)]
pub(crate) struct Stray {
    /// The directory.
    pub(crate) at: PathBuf,
    /// The git directory that it names, resolved.
    pub(crate) names: PathBuf,
}

/// Every such directory strictly below `directory`; none if it is not there.
pub(crate) fn below(directory: &Path) -> Result<Vec<Stray>, ObserveError> {
    let mut found = Vec::new();
    search(directory, DEPTH, &mut found)?;
    Ok(found)
}

fn search(directory: &Path, depth: usize, found: &mut Vec<Stray>) -> Result<(), ObserveError> {
    for name in names(directory)?.into_iter().flatten() {
        let at = directory.join(name);
        if !look(&at)?.is_some_and(|metadata| metadata.is_dir()) {
            continue;
        }
        match dot_git(&at)? {
            DotGit::Names(names) => found.push(Stray { at, names }),
            DotGit::Missing if depth > 1 => search(&at, depth - 1, found)?,
            DotGit::Missing | DotGit::Dangling(_) | DotGit::Repository | DotGit::Odd(_) => {}
        }
    }
    Ok(())
}
