//! Repositories made for show, as `owl demo` needs them.
//!
//! Input: a [`Git`] whose environment has a `HOME` of its own, and directories that the caller has
//! just made. Invariant: only those directories are touched; the author, the dates and the branch
//! name are fixed here, so that no setting of the user has a say.

use super::call::Call;
use super::{Git, GitError};
use std::ffi::OsStr;
use std::path::Path;

/// Makes repositories, worktrees and commits as of one moment in the past.
#[derive(Clone, Debug)]
pub struct Scratch {
    git: Git,
    date: String,
}

impl Git {
    /// Work dated `seconds` after 1970 began.
    pub fn scratch(&self, seconds: i64) -> Scratch {
        Scratch {
            git: self.clone(),
            date: format!("@{seconds} +0000"),
        }
    }
}

impl Scratch {
    /// Makes a repository on branch `main` in a directory that is there. What whoever looks at it
    /// has configured for all repositories does not count in it.
    pub fn init(&self, directory: &Path) -> Result<(), GitError> {
        self.run(directory, ["init", "-q", "-b", "main"])?;
        for (key, value) in [
            ("init.defaultBranch", "main"),
            ("core.excludesFile", "/dev/null"),
        ] {
            self.run(directory, ["config", key, value])?;
        }
        Ok(())
    }

    /// Makes a bare repository in a directory that is there.
    pub fn init_bare(&self, directory: &Path) -> Result<(), GitError> {
        self.run(directory, ["init", "-q", "--bare", "-b", "main"])
    }

    /// Commits everything in a worktree.
    pub fn commit(&self, worktree: &Path, message: &str) -> Result<(), GitError> {
        self.run(worktree, ["add", "-A"])?;
        self.run(worktree, ["commit", "-q", "-m", message])
    }

    /// Adds a worktree on a new branch.
    pub fn add_worktree(&self, main: &Path, path: &Path, branch: &str) -> Result<(), GitError> {
        let words = ["worktree", "add", "-q", "-b", branch].map(OsStr::new);
        self.run(main, words.into_iter().chain([path.as_os_str()]))
    }

    /// Merges a branch into what is checked out.
    pub fn merge(&self, main: &Path, branch: &str) -> Result<(), GitError> {
        self.run(main, ["merge", "-q", "--no-ff", "--no-edit", branch])
    }

    /// Commits a branch as one commit on what is checked out.
    pub fn squash(&self, main: &Path, branch: &str) -> Result<(), GitError> {
        self.run(main, ["merge", "-q", "--squash", branch])?;
        self.run(main, ["commit", "-q", "-m", branch])
    }

    /// Locks a worktree.
    pub fn lock(&self, main: &Path, path: &Path, reason: &str) -> Result<(), GitError> {
        let words = ["worktree", "lock", "--reason", reason].map(OsStr::new);
        self.run(main, words.into_iter().chain([path.as_os_str()]))
    }

    /// Configures a remote called `origin`.
    pub fn add_origin(&self, main: &Path, bare: &Path) -> Result<(), GitError> {
        let words = ["remote", "add", "origin"].map(OsStr::new);
        self.run(main, words.into_iter().chain([bare.as_os_str()]))
    }

    /// Pushes a branch to `origin`, which is a directory of this disk.
    pub fn push(&self, main: &Path, branch: &str) -> Result<(), GitError> {
        self.run(main, ["push", "-q", "origin", branch])
    }

    fn run<W: AsRef<OsStr>>(
        &self,
        directory: &Path,
        words: impl IntoIterator<Item = W>,
    ) -> Result<(), GitError> {
        self.call(directory).args(words).success().map(drop)
    }

    fn call(&self, directory: &Path) -> Call {
        self.git
            .call()
            .setting("user.name=owl demo")
            .setting("user.email=demo@example.com")
            .setting("protocol.file.allow=always")
            .variable("GIT_ALLOW_PROTOCOL", "file")
            .variable("GIT_AUTHOR_DATE", &self.date)
            .variable("GIT_COMMITTER_DATE", &self.date)
            .discover_in(directory)
            .change()
    }
}
