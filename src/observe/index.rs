//! What only the index of a worktree tells.
//!
//! Input: the entry's index file. Output: what it tracks, gitlinks, missing objects. Invariant: an
//! index that gix cannot read answers nothing; git's own reading of it is asked elsewhere.

use super::modules::Part;
use super::objects::Existing;
use super::repository::Repository;
use super::{Found, Head, ObserveError};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Facts from one index.
pub(crate) struct IndexFacts {
    /// Gitlinks, by path.
    pub(crate) gitlinks: Vec<BytePath>,
    /// Trees and blobs that the repository lacks (`git-facts 21`).
    pub(crate) missing: Found,
}

/// What an index tracks, asked by path.
#[derive(Clone, Copy)]
pub(crate) struct Tracked<'a> {
    own: &'a State,
    /// The submodules that are looked at with it.
    parts: &'a [Part],
}

impl<'a> Tracked<'a> {
    /// The view of a decoded index.
    pub(crate) fn of(index: &'a State) -> Self {
        Self {
            own: index,
            parts: &[],
        }
    }

    /// The same, and what submodules track at their places.
    pub(crate) fn with(index: &'a State, parts: &'a [Part]) -> Self {
        Self { own: index, parts }
    }

    /// Whether this is the place of a submodule that is looked at with it.
    pub(crate) fn is_part(self, path: &Path) -> bool {
        self.parts.iter().any(|part| part.path == path)
    }

    /// Whether the path itself is an entry, whatever its kind.
    pub(crate) fn has(self, path: &Path) -> bool {
        let is_in = |(state, path): (&State, &Path)| state.entry_by_path(bytes(path)).is_some();
        self.at(path).any(is_in)
    }

    /// Each index that may have the path, and the path in it.
    fn at<'p>(self, path: &'p Path) -> impl Iterator<Item = (&'a State, &'p Path)> {
        let parts = self.parts.iter().filter_map(move |part| {
            let below = path
                .strip_prefix(&part.path)
                .map_or(Path::new(""), |below| below);
            let state: &State = &part.index;
            (!below.as_os_str().is_empty()).then_some((state, below))
        });
        std::iter::once((self.own, path)).chain(parts)
    }

    /// Whether any entry lies below the directory, or is it (a gitlink, a sparse directory).
    pub(crate) fn has_below(self, directory: &Path) -> bool {
        let is_above = |(state, directory): (&State, &Path)| {
            let mut prefix = bytes(directory).to_vec();
            prefix.push(b'/');
            let entries = state.entries();
            let at = entries.partition_point(|one| one.path(state) < prefix.as_bstr());
            let next = entries.get(at);
            next.is_some_and(|one| one.path(state).starts_with(&prefix))
        };
        self.at(directory).any(is_above) || self.has(directory)
    }

    /// Whether the directory is a gitlink.
    pub(crate) fn is_gitlink(self, directory: &Path) -> bool {
        let is_link = |(state, path): (&State, &Path)| {
            let entry = state.entry_by_path(bytes(path));
            entry.is_some_and(|one| one.mode == Mode::COMMIT)
        };
        self.at(directory).any(is_link)
    }
}

fn bytes(path: &Path) -> &BStr {
    path.as_os_str().as_bytes().as_bstr()
}

/// The facts of a decoded index; `head` is the commit of HEAD, of which everything must be there,
/// too.
pub(crate) fn facts(
    repository: &Repository,
    index: &State,
    head: Option<ObjectId>,
    existing: &Existing,
) -> Result<IndexFacts, ObserveError> {
    let mut facts = IndexFacts {
        gitlinks: Vec::new(),
        missing: missing(repository, head, existing)?,
    };
    for one in index.entries() {
        let name = || BytePath::from_bytes(one.path(index));
        if one.mode == Mode::COMMIT {
            facts.gitlinks.push(name());
        } else if !existing.has(repository, one.id) {
            facts.missing.add(name());
        }
    }
    Ok(facts)
}

/// What the repository lacks of the commit of HEAD.
pub(crate) fn missing(
    repository: &Repository,
    head: Option<ObjectId>,
    existing: &Existing,
) -> Result<Found, ObserveError> {
    let mut missing = Found::default();
    if let Some(head) = head {
        let failed = |why: &dyn std::fmt::Display| ObserveError::gix("the tree of HEAD", why);
        let commit = repository
            .gix
            .find_commit(head)
            .map_err(|why| failed(&why))?;
        let tree = commit.tree_id().map_err(|why| failed(&why))?.detach();
        existing.missing_from(repository, tree, &mut missing)?;
    }
    Ok(missing)
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
    let found = unlike_head(repository, &index, head)?;
    Ok((found.total > 0).then_some(found))
}

/// Entries that the tree of HEAD does not have, and paths of HEAD that the index lacks.
pub(crate) fn unlike_head(
    repository: &Repository,
    index: &State,
    head: &Fact<Head>,
) -> Result<Found, ObserveError> {
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix("the tree of HEAD", why);
    let mut indexed = entries(index);
    let Some(commit) = super::head::commit_id(head) else {
        return Ok(paths(&indexed));
    };
    let commit = repository
        .gix
        .find_commit(commit)
        .map_err(|why| failed(&why))?;
    let tree = commit.tree().map_err(|why| failed(&why))?;
    let committed = repository
        .gix
        .index_from_tree(&tree.id)
        .map_err(|why| failed(&why))?;
    let mut committed = entries(&committed);
    // A sparse index has one entry for a whole directory, with the id of its tree.
    for sparse in index.entries().iter().filter(|one| one.mode == Mode::DIR) {
        let path = BytePath::from_bytes(sparse.path(index));
        let found = tree
            .lookup_entry_by_path(path.as_path())
            .map_err(|why| failed(&why))?;
        if found.is_some_and(|found| found.object_id() == sparse.id) {
            indexed.retain(|(one, ..)| *one != path);
            committed.retain(|(one, ..)| !one.as_path().starts_with(path.as_path()));
        }
    }
    Ok(paths(indexed.symmetric_difference(&committed)))
}

type OneEntry = (BytePath, u32, ObjectId);

/// The paths, each once.
fn paths<'a>(entries: impl IntoIterator<Item = &'a OneEntry>) -> Found {
    let paths: BTreeSet<&BytePath> = entries.into_iter().map(|(path, ..)| path).collect();
    paths.into_iter().map(BytePath::as_path).collect()
}

fn entries(index: &State) -> BTreeSet<OneEntry> {
    let one = |entry: &gix::index::Entry| {
        (
            BytePath::from_bytes(entry.path(index)),
            entry.mode.bits(),
            entry.id,
        )
    };
    index.entries().iter().map(one).collect()
}

/// Decodes an index file; git does not look at its checksum either (`git-facts 39`).
pub(crate) fn load(repository: &Repository, path: &Path) -> Result<gix::index::File, ObserveError> {
    decode(repository, path, true)
}

/// Decodes an index file whose checksum is right.
pub(crate) fn load_whole(
    repository: &Repository,
    path: &Path,
) -> Result<gix::index::File, ObserveError> {
    decode(repository, path, false)
}

fn decode(
    repository: &Repository,
    path: &Path,
    skip_hash: bool,
) -> Result<gix::index::File, ObserveError> {
    let options = gix::index::decode::Options {
        thread_limit: Some(1),
        ..Default::default()
    };
    gix::index::File::at(path, repository.gix.object_hash(), skip_hash, options)
        .map_err(|why| ObserveError::gix("the index could not be read", &why))
}
