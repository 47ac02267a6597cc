//! The stable codes of the guards, in the order of `spec 5`.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A guard, by the code that it holds with. The order of the variants is the order in
        /// which guards are asked and shown.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code as it stands in JSON and in the table.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// Not a strict leaf of a declared store.
    OutsideStore = "outside-store",
    /// The main worktree.
    MainWorktree = "main-worktree",
    /// The bare repository itself.
    Bare = "bare",
    /// A sound worktree of another repository, in an absolute store.
    OtherRepository = "other-repository",
    /// Another owl is at it.
    ApplyRunning = "apply-running",
    /// owl was interrupted while it was at it.
    Interrupted = "interrupted",
    /// owl has it aside, since its old place was taken.
    Aside = "aside",
    /// The path is not what it seems.
    PathSwapped = "path-swapped",
    /// No administrative entry claims it.
    Unregistered = "unregistered",
    /// Directory and entry do not name each other.
    RegistrationBroken = "registration-broken",
    /// Git's lock.
    Locked = "locked",
    /// Its store demands a job, and none recorded it.
    ClaimMissing = "claim-missing",
    /// Nobody can tell which job it belongs to.
    ClaimAmbiguous = "claim-ambiguous",
    /// A job that is not finished.
    InUse = "in-use",
    /// Too young, or touched a moment ago.
    Fresh = "fresh",
    /// Something of git's is half done.
    OperationInProgress = "operation-in-progress",
    /// Tracked changes.
    Uncommitted = "uncommitted",
    /// Untracked files.
    Untracked = "untracked",
    /// FIFOs, sockets, devices.
    SpecialFile = "special-file",
    /// Edits that git was told not to see.
    HiddenEdits = "hidden-edits",
    /// Submodules.
    Submodule = "submodule",
    /// Repositories inside.
    NestedRepository = "nested-repository",
    /// Commits that nothing else would reach.
    CommitsAtRisk = "commits-at-risk",
    /// A stash entry made on its branch.
    Stash = "stash",
    /// HEAD names no readable branch.
    Unborn = "unborn",
    /// No base can be told.
    NoBase = "no-base",
    /// Ignored content.
    IgnoredData = "ignored-data",
    /// Another file system inside.
    MountInside = "mount-inside",
    /// A process uses it.
    ProcessInside = "process-inside",
    /// It could not be deleted whole.
    Undeletable = "undeletable",
    /// Files of another owner.
    ForeignOwner = "foreign-owner",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_unique_and_serialise_as_they_print() {
        let mut texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        for code in Code::ALL {
            assert_eq!(
                serde_json::to_string(code).expect("a code"),
                format!("\"{code}\"")
            );
        }
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), Code::ALL.len());
    }
}
