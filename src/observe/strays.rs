//! `.git` files that name an entry from where no worktree of it should be (`spec 5`, Prune).
//!
//! Input: directories of the stores, and owl's own folder. Output: where an entry is named.
//! A worktree that was moved with `mv` is alive, though nothing is at its recorded place, and a
//! prune would kill it (`git-facts 26`).

use super::ObserveError;
use super::entry::{DotGit, dot_git};
use super::place::{look, names};
use std::path::{Path, PathBuf};

/// How deep below a plain directory a moved worktree is looked for.
pub(crate) const PLAIN: usize = 6;

/// How deep below another worktree: `mv` onto one that is there moves into it. The content of a
/// worktree is large, and is not searched whole each time that an entry's directory is gone.
pub(crate) const WORKTREE: usize = 2;

/// A directory whose `.git` file names a git directory.
#[derive(Clone, Debug)]
pub(crate) struct Stray {
    /// The directory.
    pub(crate) at: PathBuf,
    /// The git directory that it names, resolved.
    pub(crate) names: PathBuf,
}

/// Every such directory strictly below `directory`; none if it is not there.
pub(crate) fn below(directory: &Path, depth: usize) -> Result<Vec<Stray>, ObserveError> {
    let mut found = Vec::new();
    search(directory, depth, &mut found)?;
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
