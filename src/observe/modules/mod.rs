//! Submodules that may go with their worktree, since nothing of them would be lost
//! (`spec 3`, `submodules: remove-published`; guard 9).
//!
//! Input: a worktree with submodules at their places, and where their repositories are: below
//! `modules/` of the administrative entry, which dies with it (`git-facts 23`), or where owl has put
//! them. Output: [`CheckedOut`], and for the walk what each of them tracks and ignores. Invariants:
//! every repository below `modules/` is that of exactly one submodule, and every place that is not
//! vacant has one, at any depth; the first thing that is nowhere else is named; what cannot be told
//! is an error of the whole.

mod config;
mod inventory;
mod lent;
mod link;
mod own;
mod part;
mod vouch;

pub use inventory::inventory;

use super::dirt::Dirt;
use super::place::names;
use super::processes::Inode;
use super::reach::DEEPEST;
use super::submodules::is_vacant;
use super::{Depth, ObserveError};
use crate::git;
use crate::resource::BytePath;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::index::State;
use gix::index::entry::Mode;
use part::Why;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The submodules that are checked out in a worktree, looked at for what would go with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedOut {
    /// Each of them, a submodule before those inside it.
    pub parts: Vec<Submodule>,
    /// What is nowhere else, or not proven to be, as sentences; nothing: all of them may go.
    pub own: Vec<String>,
}

/// One submodule that is checked out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submodule {
    /// Its place, relative to the worktree.
    pub path: BytePath,
    /// Its repository, relative to `modules/` of the administrative entry.
    pub repository: BytePath,
    /// Its commit, which is the one that is recorded.
    pub commit: String,
}

/// Where the submodules of a worktree and their repositories are.
pub(crate) struct Seat<'a> {
    /// Where the worktree stands.
    pub(crate) root: &'a Path,
    /// Where it stood when it was taken; its links speak of that.
    pub(crate) home: &'a Path,
    /// Its administrative entry.
    pub(crate) entry: &'a Path,
    /// The directory of their repositories.
    pub(crate) modules: &'a Path,
    /// The links that owl has taken away, by place; none if they are where git put them.
    pub(crate) links: Option<&'a BTreeMap<PathBuf, BytePath>>,
    /// The common git directory.
    pub(crate) common_dir: &'a Path,
    /// Who should own everything.
    pub(crate) owner: u32,
    /// How closely tracked files are looked at.
    pub(crate) depth: Depth,
    /// The repository of the worktree.
    pub(crate) git: &'a git::Repository,
}

/// What one submodule tracks, and what git lists in it.
pub(crate) struct Part {
    /// Its place, relative to the worktree.
    pub(crate) path: PathBuf,
    /// Its index.
    pub(crate) index: gix::index::File,
    /// What git lists in it.
    pub(crate) dirt: Dirt,
}

/// What was found.
#[derive(Default)]
pub(crate) struct Looked {
    /// The fact.
    pub(crate) found: CheckedOut,
    /// For the walk; complete only if the submodules have nothing of their own.
    pub(crate) parts: Vec<Part>,
    /// Every directory of their repositories.
    pub(crate) directories: Vec<Inode>,
}

/// Looks at every submodule of the worktree whose index this is.
pub(crate) fn look(seat: &Seat<'_>, index: &State) -> Result<Looked, ObserveError> {
    let mut looked = Looked::default();
    let is_there = super::place::look(seat.modules)?.is_some();
    if is_there {
        // Before anything in it is opened: whose it is, nobody else would ask.
        let walk = super::occupied::plain_walk(seat.modules, seat.owner)?;
        for (what, found) in [
            ("belongs to somebody else", &walk.foreign),
            ("is mounted", &walk.mounts),
            ("is a FIFO, socket, or device", &walk.special),
            ("could not be deleted", &walk.undeletable),
        ] {
            if found.total > 0 {
                let why = format!("in their repositories {what}: {found}");
                looked.found.own.push(why);
            }
        }
        looked.directories = walk.directories;
        if !looked.found.own.is_empty() {
            return Ok(looked);
        }
    }
    container(seat, index, (Path::new(""), Path::new("")), &mut looked)?;
    if !looked.found.own.is_empty() || (looked.found.parts.is_empty() && !is_there) {
        return Ok(looked);
    }
    let parts = looked.found.parts.iter();
    let known: BTreeSet<&Path> = parts.map(|one| one.repository.as_path()).collect();
    if let Some(stray) = stray(seat.modules, Path::new(""), &known)? {
        let what = BytePath::from(Path::new("modules").join(stray));
        let why = format!("{what} is the repository of none that is checked out");
        looked.found.own.push(why);
    }
    looked.found.own.extend(lent::lent(seat)?);
    Ok(looked)
}

/// The submodules of one index, whose repositories lie below `prefix` of `modules/`.
fn container(
    seat: &Seat<'_>,
    index: &State,
    (at, prefix): (&Path, &Path),
    looked: &mut Looked,
) -> Result<(), ObserveError> {
    for (link, recorded) in gitlinks(index) {
        let path = at.join(link);
        let is_taken = seat.links.is_some_and(|links| links.contains_key(&path));
        if !is_taken && is_vacant(&seat.root.join(&path))? {
            continue;
        }
        let shown = BytePath::from(path.clone());
        let found = match part::part(seat, &path, recorded, prefix) {
            Ok(found) => found,
            Err(Why::Own(why)) => {
                looked.found.own.push(format!("{shown}: {why}"));
                continue;
            }
            Err(Why::Unknown(why)) => {
                return Err(ObserveError::gix(format!("the submodule {shown}"), &why));
            }
        };
        let repository = found.repository.clone();
        let is_shared = |one: &Submodule| one.repository.as_path() == repository;
        if looked.found.parts.iter().any(is_shared) {
            let why = format!("{shown}: another submodule has the same repository");
            looked.found.own.push(why);
            continue;
        }
        looked.found.parts.push(Submodule {
            path: shown,
            repository: repository.clone().into(),
            commit: recorded.to_string(),
        });
        let inner = repository.join("modules");
        container(seat, &found.part.index, (&path, &inner), looked)?;
        looked.parts.push(found.part);
    }
    Ok(())
}

/// The gitlinks of an index, whether `.gitmodules` knows them or not (D2).
fn gitlinks(index: &State) -> Vec<(PathBuf, ObjectId)> {
    let entries = index.entries().iter();
    let links = entries.filter(|one| one.mode == Mode::COMMIT);
    links
        .map(|one| {
            let path = BytePath::from_bytes(one.path(index).as_bytes());
            (path.as_path().to_owned(), one.id)
        })
        .collect()
}

/// The first file below `modules/` that lies in no known repository.
fn stray(
    modules: &Path,
    at: &Path,
    known: &BTreeSet<&Path>,
) -> Result<Option<PathBuf>, ObserveError> {
    if at.components().count() > DEEPEST {
        return Err(ObserveError::Bound {
            what: "directories inside each other in `modules`",
            limit: DEEPEST,
        });
    }
    for name in names(&modules.join(at))?.into_iter().flatten() {
        let path = at.join(name);
        let place = modules.join(&path);
        let is_directory = super::place::look(&place)?.is_some_and(|metadata| metadata.is_dir());
        let found = if known.contains(path.as_path()) {
            stray(modules, &path.join("modules"), known)?
        } else if is_directory {
            stray(modules, &path, known)?
        } else {
            Some(path)
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
