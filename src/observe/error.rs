//! Why something could not be observed.

use crate::resource::BytePath;
use std::io;
use std::path::Path;

/// A question that the world did not answer. Every one of them ends as an unknown fact, or as a
/// project that is reported as incomplete.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    /// A path could not be read.
    #[error("{path} could not be read: {source}")]
    Read {
        /// Which.
        path: BytePath,
        /// Why.
        source: io::Error,
    },
    /// A file of git's does not say what it must.
    #[error("{path}: {why}")]
    Malformed {
        /// Which.
        path: BytePath,
        /// What is wrong with it.
        why: String,
    },
    /// gix could not answer.
    #[error("{what}: {why}")]
    Gix {
        /// What was asked.
        what: String,
        /// What gix said.
        why: String,
    },
    /// It would take more than owl is willing to look at.
    #[error("more than {limit} {what}")]
    Bound {
        /// What there are too many of.
        what: &'static str,
        /// How many owl looks at.
        limit: usize,
    },
    /// The repository is another user's, and git or gix does not trust it.
    #[error(
        "{root} belongs to another user, and git does not trust it: run owl as that user, or name \
         {root}, {common_dir}, and each worktree in `safe.directory` of your own ~/.gitconfig \
         (`git config --global --add safe.directory PATH`; GIT_CONFIG_GLOBAL does not count here). \
         It said: {why}"
    )]
    Untrusted {
        /// The project's directory.
        root: BytePath,
        /// Its common git directory.
        common_dir: BytePath,
        /// What was said.
        why: String,
    },
    /// Nothing there is a repository.
    #[error("{0} is not in a git repository")]
    NotARepository(BytePath),
    /// The git program could not answer.
    #[error(transparent)]
    Git(#[from] crate::git::GitError),
}

impl ObserveError {
    /// A failed read of `path`.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.into(),
            source,
        }
    }

    /// A file that does not say what it must.
    pub fn malformed(path: &Path, why: impl Into<String>) -> Self {
        Self::Malformed {
            path: path.into(),
            why: why.into(),
        }
    }

    /// An error of gix, which may carry a whole chain.
    pub fn gix(what: impl Into<String>, why: &dyn std::fmt::Display) -> Self {
        Self::Gix {
            what: what.into(),
            why: crate::resource::escape(why.to_string().as_bytes()),
        }
    }
}
