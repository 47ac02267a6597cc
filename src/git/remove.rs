//! Removes a worktree, with git's own check as one more guard (`spec 7.4`); without that check only
//! where every change in it was given up by name.

use super::repository::{canonical, require_same};
use super::{GitError, Repository};
use std::path::Path;

impl Repository {
    /// Runs `git worktree remove` on an absolute path, never with force.
    ///
    /// It requires that `path` has no symbolic link in it, since git would follow one
    /// (`git-facts 3`), and that git answers for it from within: without a directory git checks
    /// nothing at all (`git-facts 20`). The fixed settings reach the status that git runs.
    ///
    /// `Ok` means that git said so; whether the tree is gone is for the caller to see.
    pub fn remove_worktree(&self, path: &Path) -> Result<(), GitError> {
        require_same(path, &canonical(path)?)?;
        let worktree = self.worktree(path)?;
        self.call()
            .change()
            .args(["worktree", "remove", "--"])
            .arg(worktree.path())
            .success()
            .map(drop)
    }

    /// The same for a worktree of which a person has given every change up by name, and that nobody
    /// else can reach: git is told not to look. Nothing else is ever removed with force.
    pub fn remove_given_up_worktree(&self, path: &Path) -> Result<(), GitError> {
        require_same(path, &canonical(path)?)?;
        let worktree = self.worktree(path)?;
        self.call()
            .change()
            .args(["worktree", "remove", "--force", "--"])
            .arg(worktree.path())
            .success()
            .map(drop)
    }
}
