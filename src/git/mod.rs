//! The one place that runs programs: git, and what `jobs: - command` names (`program.rs`).
//!
//! Purpose: typed questions to git, and the few changes that only git may make. gix reads first;
//! what is here is the second witness right before a removal, what gix cannot do, and mutations
//! (`spec 4`).
//!
//! Input: a [`GitEnv`] and [`Limits`] from the caller; the module reads no environment itself.
//! Output: parsed values as bytes, or a [`GitError`]; never text for people, and never a guess.
//!
//! Invariants:
//! - No shell. Every child has a scrubbed environment, C locale, no prompt, no optional lock, no
//!   hook, no fsmonitor, no pager, no transport (A6, C3.3, C3.9; `env.rs`, `settings.rs`).
//! - Every child has its own process group and a time limit; the group is killed whole on expiry,
//!   and nothing that holds a pipe open can keep owl waiting (`run.rs`).
//! - Output over the cap, output that cannot be parsed, and a read that warned are errors: "could
//!   not tell" is never "no".
//! - A [`Repository`] or [`Worktree`] is opened by git's own discovery, so that git has checked who
//!   owns it, and only if git answered for exactly that directory (`git-facts 29`). Every later
//!   call names both the git directory and the working tree, so that `core.worktree` and
//!   `core.bare` cannot send it elsewhere (`git-facts 36`).
//! - Arguments are full ref names, object ids or absolute paths (`git-facts 34`, `40`).
//! - Calls run with `/` as working directory, except discovery. No child outlives its call, but
//!   for one that the kernel will not let die or that has left its process group.

mod ancestry;
mod call;
mod config;
mod env;
mod error;
mod list;
mod oid;
mod program;
mod prune;
mod refs;
mod remove;
mod repository;
mod rest;
mod run;
mod scratch;
mod settings;
mod smudge;
mod stash;
mod status;
mod version;

pub use config::Setting;
pub use env::GitEnv;
pub use error::GitError;
pub use list::Listed;
pub use oid::Oid;
pub use refs::Ref;
pub use repository::{Repository, Worktree};
pub use rest::Rest;
pub use scratch::Scratch;
pub use stash::Stashed;
pub use status::{Change, ChangeKind, Status, Submodule};
pub use version::Version;

use call::Call;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long and how much git may run and say.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For a question (C3.9).
    pub read: Duration,
    /// For a change. A removal that is killed half way is a loss, so it is generous.
    pub change: Duration,
    /// Bytes on standard output; one more is an error.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            read: Duration::from_secs(60),
            change: Duration::from_secs(15 * 60),
            output: 256 << 20,
        }
    }
}

/// A git program that was found and is new enough; cheap to clone, and usable from any thread.
#[derive(Clone, Debug)]
pub struct Git(Arc<Program>);

#[derive(Debug)]
struct Program {
    path: PathBuf,
    env: GitEnv,
    limits: Limits,
    version: Version,
}

impl Git {
    /// Finds `git` on the `PATH` of `env`, and requires [`Version::MINIMUM`].
    pub fn new(env: GitEnv, limits: Limits) -> Result<Self, GitError> {
        let path = env.find("git")?;
        let version = Version::ask(&path, &env, limits)?;
        version.require_minimum()?;
        Ok(Self(Arc::new(Program {
            path,
            env,
            limits,
            version,
        })))
    }

    /// The version of the program.
    pub fn version(&self) -> &Version {
        &self.0.version
    }

    /// The program that is run.
    pub fn program(&self) -> &Path {
        &self.0.path
    }

    fn call(&self) -> Call {
        Call::new(&self.0.path, &self.0.env, self.0.limits)
    }
}
