//! What a verdict rests on, printable and checkable by a person.

use crate::observe::processes::How;
use crate::observe::{Doubt, Found, Moved, Proof, Twin};
use crate::resource::BytePath;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One piece of evidence (`spec 2`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evidence {
    /// `commit` is an ancestor of `base_commit`, which `base` points at.
    Ancestor {
        /// The full name of the base ref.
        base: BytePath,
        /// The commit of the base ref.
        base_commit: String,
        /// The commit of HEAD.
        commit: String,
    },
    /// `commit` and `base_commit` have the same tree.
    SameTree {
        /// The full name of the base ref.
        base: BytePath,
        /// The commit of the base ref.
        base_commit: String,
        /// The commit of HEAD.
        commit: String,
        /// Where the branch forked from the base.
        merge_base: String,
        /// What the branch changed since.
        paths: Found,
    },
    /// Merging `commit` into `base_commit` changes nothing.
    MergeAddsNothing {
        /// The full name of the base ref.
        base: BytePath,
        /// The commit of the base ref.
        base_commit: String,
        /// The commit of HEAD.
        commit: String,
        /// Where the branch forked from the base.
        merge_base: String,
        /// What the branch changed since.
        paths: Found,
        /// Files that the base has under another name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moved: Vec<Moved>,
    },
    /// Every commit of the branch that changes something has a twin in the base.
    PatchIds {
        /// The full name of the base ref.
        base: BytePath,
        /// The commit of the base ref.
        base_commit: String,
        /// The commit of HEAD.
        commit: String,
        /// Where the branch forked from the base.
        merge_base: String,
        /// What the branch changed since.
        paths: Found,
        /// The commits with their twins, the latest first.
        twins: Vec<Twin>,
    },
    /// The branch as a whole is the same patch as one commit of the base.
    Squash {
        /// The full name of the base ref.
        base: BytePath,
        /// The commit of the base ref.
        base_commit: String,
        /// The commit of HEAD.
        commit: String,
        /// Where the branch forked from the base.
        merge_base: String,
        /// What the branch changed since.
        paths: Found,
        /// The commit of the base that is the same patch.
        twin: String,
    },
    /// Why a proof of landing proves nothing.
    Doubt {
        /// The full name of the base ref.
        base: BytePath,
        /// The commit of the base ref.
        base_commit: String,
        /// The commit of HEAD.
        commit: String,
        /// Where the branch forked from the base.
        merge_base: String,
        /// What speaks against it.
        doubt: Doubt,
    },
    /// A remote-tracking ref reaches the commit.
    Published {
        /// The full name of the ref.
        reference: BytePath,
        /// The commit of the ref.
        reference_commit: String,
        /// The commit of HEAD.
        commit: String,
    },
    /// Things found, counted, the first few named.
    Found {
        /// What they are.
        what: String,
        /// How many and which.
        #[serde(flatten)]
        found: Found,
    },
    /// A moment that an age counts from.
    Time {
        /// What happened then.
        what: String,
        /// When.
        at: Timestamp,
    },
    /// A process that uses the tree.
    Process {
        /// Its id.
        pid: u32,
        /// Its name, escaped.
        command: String,
        /// In which way it uses the tree.
        how: How,
        /// Through which path.
        path: BytePath,
    },
    /// A sentence that needs no more structure.
    Note {
        /// The sentence.
        text: String,
    },
}

impl Evidence {
    /// Evidence that a count of things is.
    pub fn found(what: &str, found: &Found) -> Self {
        Self::Found {
            what: what.to_owned(),
            found: found.clone(),
        }
    }

    /// The reason code that a landed proof gives a removal (`spec 12`).
    pub fn code_of(proof: Proof) -> &'static str {
        match proof {
            Proof::Ancestor => "ancestor",
            Proof::SameTree => "same-tree",
            Proof::MergeAddsNothing => "merge-adds-nothing",
            Proof::PatchIds => "patch-ids",
            Proof::Squash => "squash",
        }
    }
}
