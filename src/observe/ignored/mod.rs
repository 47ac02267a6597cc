//! Ignored content, sorted by evidence into what may be lost and what may not (`spec 5.4`).
//!
//! Input: one pass over the tree, directory by directory, file by file (`walk.rs`), with what git
//! lists as ignored and what the index tracks. Output: a [`Sorted`].
//!
//! For each ignored file the first of these decides; directories have no say but through the
//! files in them, so that an ignored directory is fine only if everything in it is:
//!
//! 1. the policy's `precious`: data;
//! 2. in a directory that a producer is proven to have written (`ecosystem 5b`), with no tracked file
//!    below: rebuildable, unless it lies directly there and the producer does not write such a file,
//!    or the producer's own record does not name it (`roster/`), or it is a key (an `id_*` file that
//!    a package's own record lists is none);
//! 3. a symlink to the main worktree's same path, or a file byte-equal to it: a copy;
//! 4. the policy's `rebuildable`, a key below such a path excepted;
//! 5. a name that holds nothing of a person's: trivial;
//! 6. data, which holds the tree.
//!
//! Invariants: no symlink is followed, no mount is entered; what could not be read is unknown,
//! never rebuildable; memory does not grow with the number of files.

mod documents;
mod kept;
mod level;
mod pattern;
mod producer;
mod producers;
mod roster;
mod sorted;
mod sorter;
mod trivial;
mod twin;

pub(crate) use level::Level;
pub use sorted::{Amount, Holding, Sorted};
pub(crate) use sorter::{Sorter, Within};
pub(crate) use twin::{Gap, MainWorktree};
