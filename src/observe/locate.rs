//! Which repository a directory belongs to, whatever the environment says.
//!
//! Input: a directory. Output: a [`Place`]. Invariant: the answer is the same from every worktree
//! of a repository (`incidents 103`), and no `GIT_*` variable has a say (`git-facts 37`).

use super::ObserveError;
use super::place::{contents, trimmed};
use crate::resource::BytePath;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A repository on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The resolved directory that relative stores start from: the main worktree, or the directory
    /// that holds a bare repository (`spec 3`).
    pub root: PathBuf,
    /// The resolved common git directory.
    pub common_dir: PathBuf,
}

impl Place {
    /// Finds the repository that `directory` lies in.
    pub fn of(directory: &Path) -> Result<Self, ObserveError> {
        let from = fs::canonicalize(directory).map_err(|why| ObserveError::read(directory, why))?;
        let (found, _trust) = gix::discover::upwards(&from)
            .map_err(|_| ObserveError::NotARepository(BytePath::from(from.clone())))?;
        let (git_dir, worktree) = found.into_repository_and_work_tree_directories();
        let git_dir =
            fs::canonicalize(&git_dir).map_err(|why| ObserveError::read(&git_dir, why))?;
        let linked = common_dir_of(&git_dir)?;
        let is_linked = linked.is_some();
        let common_dir = match linked {
            Some(common_dir) => common_dir,
            None => git_dir,
        };
        let above = match common_dir.parent() {
            Some(above) => above.to_owned(),
            None => common_dir.clone(),
        };
        let root = match worktree {
            Some(worktree) if !is_linked => {
                fs::canonicalize(&worktree).map_err(|why| ObserveError::read(&worktree, why))?
            }
            Some(_) | None => above,
        };
        Ok(Self { root, common_dir })
    }

    /// The directory that holds the administrative entries.
    pub fn entries_dir(&self) -> PathBuf {
        self.common_dir.join("worktrees")
    }
}

/// The resolved common directory that an administrative entry names; none if it is no entry.
pub(crate) fn common_dir_of(git_dir: &Path) -> Result<Option<PathBuf>, ObserveError> {
    let file = git_dir.join("commondir");
    let Some(bytes) = contents(&file)? else {
        return Ok(None);
    };
    let named = Path::new(std::ffi::OsStr::from_bytes(trimmed(&bytes)));
    let joined = git_dir.join(named);
    fs::canonicalize(&joined)
        .map(Some)
        .map_err(|why| ObserveError::read(&joined, why))
}
