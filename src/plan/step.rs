//! The steps of a row, in the order in which apply carries them out (`spec 6`).

use crate::job::State;
use crate::resource::BytePath;
use serde::{Deserialize, Serialize};

/// One thing that apply does; each can be refused by itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step {
    /// Move a job of the ledger on, if it is still in that state (A4.16).
    SetJobState {
        /// Its number.
        job: i64,
        /// The state that it is in.
        from: State,
        /// The state that it comes to.
        to: State,
        /// The commit that is decided about; none if its branch is gone.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        tip: Option<String>,
    },
    /// Lift a lock whose process is proven dead.
    LiftLock {
        /// What the lock says, without the white space at its end.
        reason: BytePath,
    },
    /// Unlink one path that the policy calls expendable.
    DiscardExpendable {
        /// The path, relative to the worktree.
        path: BytePath,
        /// Its inode.
        inode: u64,
        /// Its length; of a symlink, that of its target's text.
        size_bytes: u64,
        /// The SHA-256 of its bytes; of a symlink, of its target's text.
        sha256: String,
    },
    /// Give up one tracked change, by a person's word.
    DiscardChange {
        /// The path, relative to the worktree.
        path: BytePath,
        /// How it differs, in the index and in the worktree.
        change: String,
        /// The blob that the index has.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        staged: Option<String>,
        /// The SHA-256 of what stands there.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sha256: Option<String>,
    },
    /// Name a commit by a new rescue ref.
    WriteRescueRef {
        /// What the ref's full name begins with; its time follows when it is written.
        under: BytePath,
        /// The commit.
        commit: String,
    },
    /// Let a submodule's working tree and its repository, in which nothing is its own, go along.
    RemoveSubmodule {
        /// Its place, relative to the worktree.
        path: BytePath,
        /// Its repository, relative to `modules/` of the administrative entry.
        repository: BytePath,
        /// Its commit.
        commit: String,
    },
    /// Remove the worktree and its entry.
    RemoveWorktree,
    /// Prune the administrative entry of a worktree that is gone.
    PruneEntry,
    /// Delete a branch, if it still names this commit.
    DeleteBranch {
        /// The full name.
        reference: BytePath,
        /// The commit.
        commit: String,
    },
    /// Delete a rescue ref that is past its time, if it still names this commit.
    ExpireRescueRef {
        /// The full name.
        reference: BytePath,
        /// The commit.
        commit: String,
    },
}

/// The branch that the steps delete, by its full name, and the commit that it must name.
pub fn deleted_branch(steps: &[Step]) -> Option<(&BytePath, &str)> {
    for step in steps {
        if let Step::DeleteBranch { reference, commit } = step {
            return Some((reference, commit));
        }
    }
    None
}

/// What the lock says that the steps lift.
pub fn lifted_lock(steps: &[Step]) -> Option<&BytePath> {
    for step in steps {
        if let Step::LiftLock { reason } = step {
            return Some(reason);
        }
    }
    None
}
