//! What only the index of a worktree tells.
//!
//! Input: the entry's index file. Output: flags, gitlinks, missing objects, files with a filter
//! driver. Invariant: an index that gix cannot read answers nothing; git's own reading of it is
//! asked elsewhere.

use super::repository::Repository;
use super::{Found, Head, ObserveError};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::ObjectId;
use gix::index::entry::{Flags, Mode};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// Facts from one index.
pub(crate) struct IndexFacts {
    /// Entries under assume-unchanged or skip-worktree.
    pub(crate) flagged: Found,
    /// Files that a filter driver rewrites.
    pub(crate) filtered: Found,
    /// Gitlinks.
    pub(crate) gitlinks: Found,
    /// Blobs that the repository lacks (`git-facts 21`).
    pub(crate) missing: Found,
}

/// Objects that were found to exist, shared by the trees of a project.
#[derive(Default)]
pub(crate) struct Existing(Mutex<HashSet<ObjectId>>);

impl Existing {
    /// Whether the repository has the object.
    pub(crate) fn has(&self, repository: &Repository, id: ObjectId) -> bool {
        if self.seen().contains(&id) {
            return true;
        }
        let found = repository.gix.has_object(id);
        if found {
            self.seen().insert(id);
        }
        found
    }

    /// What a thread that panicked had put in before is as true as ever.
    fn seen(&self) -> MutexGuard<'_, HashSet<ObjectId>> {
        match self.0.lock() {
            Ok(seen) => seen,
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}

/// Reads the index of an entry.
pub(crate) fn read(
    repository: &Repository,
    entry: &Path,
    existing: &Existing,
) -> Result<IndexFacts, ObserveError> {
    let index = load(repository, &entry.join("index"))?;
    let mut facts = IndexFacts {
        flagged: Found::default(),
        filtered: super::filters::filtered(repository, &index)?,
        gitlinks: Found::default(),
        missing: Found::default(),
    };
    for one in index.entries() {
        let name = || BytePath::from_bytes(one.path(&index));
        if one
            .flags
            .intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE)
        {
            facts.flagged.add(name());
        }
        if one.mode == Mode::COMMIT {
            facts.gitlinks.add(name());
        } else if !existing.has(repository, one.id) {
            facts.missing.add(name());
        }
    }
    Ok(facts)
}

/// What an entry without a directory has staged and HEAD does not have: it is only in its index
/// (`git-facts 20`). None if nothing.
pub(crate) fn staged(
    repository: &Repository,
    entry: &Path,
    head: &Fact<Head>,
) -> Result<Option<Found>, ObserveError> {
    let path = entry.join("index");
    if super::place::look(&path)?.is_none() {
        return Ok(None);
    }
    let index = load(repository, &path)?;
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix("the tree of HEAD", why);
    let committed = match super::head::commit_id(head) {
        Some(commit) => {
            let commit = repository
                .gix
                .find_commit(commit)
                .map_err(|why| failed(&why))?;
            let tree = commit.tree_id().map_err(|why| failed(&why))?;
            let index = repository
                .gix
                .index_from_tree(&tree)
                .map_err(|why| failed(&why))?;
            entries(&index)
        }
        None => BTreeSet::new(),
    };
    let found: Found = entries(&index)
        .difference(&committed)
        .map(|(path, ..)| path.as_path())
        .collect();
    Ok((found.total > 0).then_some(found))
}

fn entries(index: &gix::index::State) -> BTreeSet<(BytePath, u32, ObjectId)> {
    let one = |entry: &gix::index::Entry| {
        (
            BytePath::from_bytes(entry.path(index)),
            entry.mode.bits(),
            entry.id,
        )
    };
    index.entries().iter().map(one).collect()
}

fn load(repository: &Repository, path: &Path) -> Result<gix::index::File, ObserveError> {
    let options = gix::index::decode::Options {
        thread_limit: Some(1),
        ..Default::default()
    };
    gix::index::File::at(path, repository.gix.object_hash(), true, options)
        .map_err(|why| ObserveError::gix("the index could not be read", &why))
}
