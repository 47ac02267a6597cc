//! Every tracked file against the commit, by bytes: the look right before a removal (`spec 5.1`).
//!
//! Input: a decoded index and HEAD. Output: what differs. Invariants: nothing is taken from stat
//! data, so that an edit whose size and times were put back is found; what is staged is found as
//! well, since the index must be exactly the tree of HEAD; any error is an error of the whole.

use super::content::Contents;
use super::repository::Repository;
use super::{Found, Head, ObserveError, index};
use crate::fact::Fact;
use crate::git;
use crate::resource::BytePath;
use gix::index::entry::{Flags, Mode};
use gix::index::{Entry, State};
use std::collections::BTreeSet;
use std::path::Path;

/// The least number of entries that is worth a thread.
const SHARE: usize = 500;

/// The most threads: reading waits for the disk.
const THREADS: usize = 8;

/// What differs from the commit of HEAD.
pub(crate) fn differing(
    shared: &gix::ThreadSafeRepository,
    git: &git::Repository,
    index: &State,
    root: &Path,
    head: &Fact<Head>,
) -> Result<Found, ObserveError> {
    let staged = index::unlike_head(&Repository::of(shared), index, head)?;
    let edited = edited(shared, git, index, root, &BTreeSet::new())?;
    Ok(staged.and(&edited))
}

/// What differs from the index on the disk, but for these paths.
pub(crate) fn edited(
    shared: &gix::ThreadSafeRepository,
    git: &git::Repository,
    index: &State,
    root: &Path,
    but: &BTreeSet<&[u8]>,
) -> Result<Found, ObserveError> {
    let share = index.entries().len().div_ceil(THREADS).max(SHARE);
    let parts: Vec<Result<Found, ObserveError>> = std::thread::scope(|scope| {
        let workers: Vec<_> = index
            .entries()
            .chunks(share)
            .map(|entries| scope.spawn(move || part(shared, git, (index, entries), root, but)))
            .collect();
        workers
            .into_iter()
            .map(|worker| match worker.join() {
                Ok(found) => found,
                Err(_) => Err(ObserveError::gix("the files", &"a comparison broke off")),
            })
            .collect()
    });
    let mut found = Found::default();
    for part in parts {
        found = found.and(&part?);
    }
    Ok(found)
}

fn part(
    shared: &gix::ThreadSafeRepository,
    git: &git::Repository,
    (index, entries): (&State, &[Entry]),
    root: &Path,
    but: &BTreeSet<&[u8]>,
) -> Result<Found, ObserveError> {
    let repository = Repository::of(shared);
    let mut contents = Contents::new(&repository, git, index, root)?;
    let mut found = Found::default();
    for entry in entries {
        let skipped = entry.flags.contains(Flags::SKIP_WORKTREE);
        if but.contains::<[u8]>(entry.path(index)) {
            continue;
        }
        if entry.mode == Mode::DIR || (skipped && !contents.is_there(entry)?) {
            continue;
        }
        if !contents.is_same(entry)? {
            found.add(BytePath::from_bytes(entry.path(index)));
        }
    }
    Ok(found)
}
