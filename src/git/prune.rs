//! Forgets one worktree whose directory is gone, and no other (A4.10).

use super::{GitError, Repository};
use std::io::ErrorKind;
use std::path::Path;

impl Repository {
    /// Runs `git worktree remove` for a place where nothing is: git then deletes that one
    /// administrative entry, and checks nothing at all (`git-facts 20`), so that the caller must
    /// have. `path` is the path that git lists.
    pub fn prune_entry(&self, path: &Path) -> Result<(), GitError> {
        if !path.is_absolute() {
            let given = path.as_os_str().as_encoded_bytes().to_vec();
            return Err(GitError::BadArgument {
                needed: "an absolute path",
                given,
            });
        }
        match std::fs::symlink_metadata(path) {
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(source) => {
                return Err(GitError::Path {
                    path: path.into(),
                    source,
                });
            }
            Ok(_) => {
                let source = ErrorKind::AlreadyExists.into();
                return Err(GitError::Path {
                    path: path.into(),
                    source,
                });
            }
        }
        self.call()
            .change()
            .args(["worktree", "remove", "--"])
            .arg(path)
            .success()
            .map(drop)
    }
}
