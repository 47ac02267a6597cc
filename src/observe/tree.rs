//! What is known of one worktree, administrative entry, or directory of a store.

use super::{CheckedOut, Found, Open, Sorted, processes::Use};
use crate::fact::Fact;
use crate::resource::{Address, BytePath};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a row of the observation is (`spec 12`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Registered, and something stands at its place; the main worktree too.
    Worktree,
    /// Registered, and nothing stands at its place.
    Entry,
    /// In a store, and claimed by no entry.
    Directory,
}

/// What git has it as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A linked worktree, or what is left of one.
    Linked,
    /// The main worktree.
    Main,
    /// The bare repository itself.
    Bare,
}

/// Which directory it is, whatever its name (`C6`: identity).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Device number.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
}

/// Whether the directory and an administrative entry name each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// They do, and git lists it.
    Sound,
    /// Something disagrees; the sentence says what.
    Broken(String),
    /// A sound worktree of another repository.
    OtherRepository(BytePath),
}

/// Where HEAD stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The full name of the branch, or none when detached.
    pub branch: Option<BytePath>,
    /// The commit, in hexadecimal; none when the branch is unborn or unreadable.
    pub commit: Option<String>,
}

/// How the base has the work of HEAD (`spec 4.1`), told so that a person can check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landed {
    /// Which proof it is.
    pub how: Proof,
    /// The full name of the base ref that has it.
    pub base: BytePath,
    /// The commit that the base ref pointed at.
    pub commit: String,
    /// Where the branch forked from the base; none for an ancestor.
    pub merge_base: Option<String>,
    /// The paths that the branch changed since; none for an ancestor.
    pub paths: Option<Found>,
    /// The base commits that are the same patches.
    pub twins: Vec<Twin>,
    /// Files that the base has under another name.
    pub moved: Vec<Moved>,
}

/// A commit, or a branch by its head, and the base commit that is the same patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twin {
    /// The commit of the branch.
    pub commit: String,
    /// The commit of the base.
    pub twin: String,
}

/// A file that the base has under another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// Its path in the branch.
    pub from: BytePath,
    /// Its path in the base.
    pub to: BytePath,
}

/// Kinds of proof that a branch has landed, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// The commit of HEAD is an ancestor of the base.
    Ancestor,
    /// Both have the same tree.
    SameTree,
    /// Merged into the base it would add nothing.
    MergeAddsNothing,
    /// Every commit has a twin in the base.
    PatchIds,
    /// The branch as a whole has a twin in the base.
    Squash,
}

/// Evidence about landing that proves nothing, since other evidence speaks against it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// What speaks against it.
    pub doubt: Doubt,
    /// The full name of the base ref.
    pub base: BytePath,
    /// The commit that the base ref pointed at.
    pub commit: String,
    /// Where the branch forked from the base.
    pub merge_base: String,
    /// The proof that it would be otherwise.
    pub despite: Option<Box<Landed>>,
}

/// What takes a proof its force (`spec 4.1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Doubt {
    /// The branch has commits, and changes nothing as a whole.
    NetEmpty,
    /// A merge in the branch is not what its parents merge to.
    OwnMerge {
        /// The merge.
        commit: String,
        /// The first path that differs; empty if the parents cannot be merged again.
        path: BytePath,
    },
    /// The base had the change, and took it back.
    TakenBack {
        /// The first path that stands as before.
        path: BytePath,
    },
}

/// Some commits of a branch are in the base, others are not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partial {
    /// How many have a twin in the base.
    pub twins: u64,
    /// Of how many.
    pub of: u64,
    /// The full name of the base ref.
    pub base: BytePath,
}

/// Where every commit of HEAD is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The full name of one remote-tracking ref that reaches it.
    pub reference: BytePath,
    /// The commit that the ref pointed at.
    pub commit: String,
}

/// What dropping a worktree would take with it besides (`spec 5`: guard 11, and Drop).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropping {
    /// The full name of its branch; none when detached.
    pub branch: Option<BytePath>,
    /// Why that branch must stay; absent: nothing forbids to delete it.
    pub stays: Fact<Vec<String>>,
    /// Commits that no ref reaches but through the worktree and the branch's reflog, none of them
    /// in the history of another, nor in the branch's own.
    pub pins: Vec<String>,
}

/// One untracked or ignored file or symlink that the policy calls expendable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expendable {
    /// Its path, relative to the tree.
    pub path: BytePath,
    /// Its inode.
    pub inode: u64,
    /// Its length; of a symlink, that of its target's text.
    pub bytes: u64,
    /// The SHA-256 of its bytes; of a symlink, of its target's text.
    pub sha256: String,
}

/// One tracked change that a person gives up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discard {
    /// Its path, relative to the tree.
    pub path: BytePath,
    /// How it differs: in the index and in the worktree, a letter each as in `git status --short`.
    pub change: String,
    /// The blob that the index has.
    pub staged: Option<String>,
    /// The SHA-256 of what stands there; of a symlink, of its target's text.
    pub sha256: Option<String>,
}

/// Everything observed of one row. Facts that make no sense for its kind are `Unknown`, so that
/// nothing can be concluded from them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// Its name in the plan.
    pub address: Address,
    /// What it is.
    pub kind: Kind,
    /// What git has it as.
    pub role: Role,
    /// The name of its administrative entry.
    pub id: Option<BytePath>,
    /// Its path, in the store where it is found there.
    pub path: BytePath,
    /// The path that git has recorded, where that differs.
    pub git_path: Option<BytePath>,
    /// The declared store that it is a strict leaf of, as written in the policy.
    pub store: Option<String>,
    /// Registered worktrees that lie inside it, by address.
    pub contains: Vec<Address>,
    /// Which directory it is.
    pub identity: Fact<Identity>,
    /// Why its path is not what it seems: a symlink on the way, or something else in its place.
    pub swapped: Fact<String>,
    /// Whether directory and entry agree; absent: no entry claims it.
    pub registration: Fact<Registration>,
    /// An operation of owl's own on it that is not finished.
    pub open: Fact<Open>,
    /// Git's lock, with its reason.
    pub locked: Fact<BytePath>,
    /// Why the process that locked it is proven dead; absent: that is not proven.
    pub dead_lock: Fact<String>,
    /// Where HEAD stands.
    pub head: Fact<Head>,
    /// Operations in progress and lock files in the entry.
    pub operation: Fact<Found>,
    /// When it was made (`spec 4.2`).
    pub created: Fact<Timestamp>,
    /// The latest sign of life of any kind.
    pub last_sign: Fact<Timestamp>,
    /// The latest work: HEAD moves, commits, files saved.
    pub active: Fact<Timestamp>,
    /// Tracked changes, staged or not.
    pub changes: Fact<Found>,
    /// Untracked files and directories.
    pub untracked: Fact<Found>,
    /// FIFOs, sockets, and devices.
    pub special: Fact<Found>,
    /// Files that differ behind assume-unchanged, skip-worktree, or sparse patterns.
    pub flagged: Fact<Found>,
    /// Files that differ from what their smudge driver makes of the blob.
    pub filtered: Fact<Found>,
    /// Submodules with anything at their place, and submodule repositories in the entry.
    pub submodules: Fact<Found>,
    /// The same, looked at for what would go with them; absent: there are none, or the policy lets none
    /// go.
    #[serde(default = "not_looked_at")]
    pub checked_out: Fact<CheckedOut>,
    /// Repositories inside.
    pub nested: Fact<Found>,
    /// Commits that nothing would reach once it is gone.
    pub at_risk: Fact<Found>,
    /// The same commits, but for those in the history of another one: what rescue refs would have to
    /// name. Unknown if any of what is at risk is no commit.
    pub pins: Fact<Vec<String>>,
    /// What dropping it would take with it besides.
    pub drop: Fact<Dropping>,
    /// Stash entries made on its branch.
    pub stash: Fact<Found>,
    /// Objects that HEAD or the index needs and the repository lacks.
    pub missing: Fact<Found>,
    /// Ignored files that are not proven to be losable.
    pub ignored: Fact<Found>,
    /// Everything ignored, by class: also what may go with the tree.
    pub sorted: Fact<Sorted>,
    /// What the policy calls expendable; it counts neither as untracked nor as ignored.
    pub expendable: Fact<Vec<Expendable>>,
    /// Every tracked change, where a person gives them up; absent where nobody does.
    #[serde(default = "nothing")]
    pub discards: Fact<Vec<Discard>>,
    /// A digest over path, inode, length, and mtime of everything untracked and ignored.
    pub status: Fact<String>,
    /// Mount points inside.
    pub mounts: Fact<Found>,
    /// Processes that use it.
    pub processes: Fact<Vec<Use>>,
    /// Files of another owner than the repository's.
    pub foreign: Fact<Found>,
    /// What this user could not delete.
    pub undeletable: Fact<Found>,
    /// Whether the base has its work.
    pub landed: Fact<Landed>,
    /// Evidence of landing that proves nothing; absent: none is in conflict.
    pub conflict: Fact<Conflict>,
    /// How far it has landed, if only in part; absent: no commit has, or all have.
    pub partial: Fact<Partial>,
    /// Whether a remote has its work.
    pub published: Fact<Published>,
    /// Whether the branch has a commit of its own.
    pub own_commits: Fact<bool>,
    /// How many commits of HEAD neither the base nor a remote has.
    pub unvouched: Fact<u64>,
    /// Bytes on disk that removing it gives back.
    pub size: Fact<u64>,
}

/// Observations of an owl that let no submodule go have nothing to say of them.
fn not_looked_at() -> Fact<CheckedOut> {
    Fact::Absent
}

impl Tree {
    /// A row of which nothing is known but where it is; `why` says why.
    pub fn unknown(address: Address, kind: Kind, path: BytePath, why: &str) -> Self {
        Self {
            address,
            kind,
            role: Role::Linked,
            id: None,
            path,
            git_path: None,
            store: None,
            contains: Vec::new(),
            identity: Fact::unknown(why),
            swapped: Fact::unknown(why),
            registration: Fact::unknown(why),
            locked: Fact::unknown(why),
            dead_lock: Fact::unknown(why),
            head: Fact::unknown(why),
            open: Fact::unknown(why),
            operation: Fact::unknown(why),
            created: Fact::unknown(why),
            last_sign: Fact::unknown(why),
            active: Fact::unknown(why),
            changes: Fact::unknown(why),
            untracked: Fact::unknown(why),
            special: Fact::unknown(why),
            flagged: Fact::unknown(why),
            filtered: Fact::unknown(why),
            submodules: Fact::unknown(why),
            checked_out: Fact::Absent,
            nested: Fact::unknown(why),
            at_risk: Fact::unknown(why),
            pins: Fact::unknown(why),
            drop: Fact::unknown(why),
            stash: Fact::unknown(why),
            missing: Fact::unknown(why),
            ignored: Fact::unknown(why),
            sorted: Fact::unknown(why),
            expendable: Fact::unknown(why),
            discards: Fact::Absent,
            status: Fact::unknown(why),
            mounts: Fact::unknown(why),
            processes: Fact::unknown(why),
            foreign: Fact::unknown(why),
            undeletable: Fact::unknown(why),
            landed: Fact::unknown(why),
            conflict: Fact::unknown(why),
            partial: Fact::unknown(why),
            published: Fact::unknown(why),
            own_commits: Fact::unknown(why),
            unvouched: Fact::unknown(why),
            size: Fact::unknown(why),
        }
    }

    /// The commit of HEAD, if it is known and there is one.
    pub fn commit(&self) -> Option<&str> {
        self.head.known().and_then(|head| head.commit.as_deref())
    }

    /// The branch that HEAD names, without `refs/heads/`.
    pub fn branch(&self) -> Option<&[u8]> {
        let full = self.head.known()?.branch.as_ref()?.as_bytes();
        full.strip_prefix(b"refs/heads/")
    }
}

fn nothing<T>() -> Fact<T> {
    Fact::Absent
}
