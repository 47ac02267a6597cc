//! The facts of one worktree that only its files tell.
//!
//! Input: a sound worktree. Output: its [`Tree`] filled in, and what the process survey must look
//! for. Invariant: every probe fails on its own, into its own facts.

use super::dirt::{self, Dirt};
use super::history::Names;
use super::index::{self, Existing, IndexFacts};
use super::node::look_at;
use super::processes::{Inode, Place as Watched};
use super::repository::Repository;
use super::walk::{Walk, Walker, listed};
use super::{Aside, Found, ObserveError, Tree, ages, head, operation, private};
use crate::fact::Fact;
use crate::git;
use crate::resource::BytePath;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a scan needs to know of the project.
pub(crate) struct Scanner<'a> {
    /// The repository as git has it.
    pub(crate) git: &'a git::Repository,
    /// Objects that are known to exist.
    pub(crate) existing: &'a Existing,
    /// The owner of the common directory.
    pub(crate) owner: u32,
    /// What owl has done to the one tree that is scanned.
    pub(crate) aside: Option<&'a Aside>,
}

/// The rest of a scan, for the steps that look at all trees at once.
pub(crate) struct Scanned {
    /// What the tree names in the graph.
    pub(crate) names: Names,
    /// What the process survey looks for.
    pub(crate) watched: Watched,
}

/// The facts that the entry alone tells: lock, HEAD, operations.
fn entry_facts(
    repository: &Repository,
    entry: &Path,
    tree: &mut Tree,
    aside: Option<&Aside>,
) -> Names {
    tree.locked = match (lock(entry), aside) {
        (Fact::Known(reason), Some(aside)) if reason.as_bytes() == aside.lock_reason.as_bytes() => {
            Fact::Absent
        }
        (locked, _) => locked,
    };
    tree.head = Fact::from_result(head::head(repository, entry));
    tree.operation = match operation::operation(entry) {
        Ok(found) => found.into_fact(),
        Err(why) => Fact::unknown(why),
    };
    let private = Fact::from_result(private::named_by(repository, entry));
    Names {
        head: tree.head.clone(),
        private,
    }
}

/// The lock of an entry; a lock that cannot be read is a lock.
fn lock(entry: &Path) -> Fact<BytePath> {
    let path = entry.join("locked");
    match super::place::look(&path) {
        Ok(None) => Fact::Absent,
        Ok(Some(_)) => match super::place::contents(&path) {
            Ok(Some(reason)) => Fact::Known(BytePath::from_bytes(super::place::trimmed(&reason))),
            Ok(None) => Fact::Absent,
            Err(why) => Fact::unknown(why),
        },
        Err(why) => Fact::unknown(why),
    }
}

impl Scanner<'_> {
    /// Scans a worktree; `others` are the registered worktrees inside it.
    pub(crate) fn worktree(
        &self,
        repository: &Repository,
        entry: &Path,
        tree: &mut Tree,
        others: &BTreeSet<PathBuf>,
    ) -> Scanned {
        let names = entry_facts(repository, entry, tree, self.aside);
        let root = tree.path.as_path().to_owned();
        let dirt = dirt::dirt(self.git, &root, &tree.head);
        let no_paths = BTreeSet::new();
        let (ignored, untracked) = match &dirt {
            Ok(dirt) => (&dirt.ignored, &dirt.untracked),
            Err(_) => (&no_paths, &no_paths),
        };
        let walker = Walker {
            owner: self.owner,
            others,
            ignored,
            untracked,
        };
        let walk = walker.walk(&root);
        let index = index::read(repository, entry, self.existing);
        fill_walk(tree, &walk);
        fill_dirt(tree, &dirt, &walk, others);
        fill_index(tree, index, entry);
        let newest = match &walk {
            Ok(walk) => walk.newest(),
            Err(why) => Fact::unknown(why),
        };
        self.fill_ages(tree, entry, &newest);
        let inodes = walk.map(|walk| walk.directories).unwrap_or_default();
        Scanned {
            names,
            watched: watched(&[&root, entry], inodes),
        }
    }

    /// Scans an entry whose directory is gone.
    pub(crate) fn entry(&self, repository: &Repository, entry: &Path, tree: &mut Tree) -> Scanned {
        let names = entry_facts(repository, entry, tree, self.aside);
        self.fill_ages(tree, entry, &Fact::Absent);
        tree.changes = Fact::from_optional(index::staged(repository, entry, &tree.head));
        tree.submodules = Fact::from_optional(submodule_repositories(entry));
        tree.missing = Fact::Absent;
        Scanned {
            names,
            watched: watched(&[entry], Vec::new()),
        }
    }

    fn fill_ages(&self, tree: &mut Tree, entry: &Path, files: &Fact<jiff::Timestamp>) {
        let ages::Ages {
            created,
            last_sign,
            active,
        } = ages::ages(entry, files, self.aside.is_some());
        tree.created = created;
        tree.last_sign = last_sign;
        tree.active = active;
    }
}

fn fill_walk(tree: &mut Tree, walk: &Result<Walk, ObserveError>) {
    let fact = |pick: fn(&Walk) -> &Found| match walk {
        Ok(walk) => pick(walk).clone().into_fact(),
        Err(why) => Fact::unknown(why),
    };
    tree.special = fact(|walk| &walk.special);
    tree.mounts = fact(|walk| &walk.mounts);
    tree.nested = fact(|walk| &walk.nested);
    tree.foreign = fact(|walk| &walk.foreign);
    tree.undeletable = fact(|walk| &walk.undeletable);
    tree.size = match walk {
        Ok(walk) => Fact::Known(walk.size),
        Err(why) => Fact::unknown(why),
    };
}

/// Ignored and untracked paths count only with a file in them that is not of another row: git
/// lists a directory that holds nothing but registered worktrees, too.
fn fill_dirt(
    tree: &mut Tree,
    dirt: &Result<Dirt, ObserveError>,
    walk: &Result<Walk, ObserveError>,
    others: &BTreeSet<PathBuf>,
) {
    let dirt = match dirt {
        Ok(dirt) => dirt,
        Err(why) => {
            tree.changes = Fact::unknown(why);
            tree.untracked = Fact::unknown(why);
            tree.ignored = Fact::unknown(why);
            return;
        }
    };
    tree.changes = dirt.changes.clone().into_fact();
    match walk {
        Ok(walk) => {
            // A path that git lists and the walk did not meet has vanished or appeared meanwhile.
            let met = |listed: &BTreeSet<PathBuf>, found: &BTreeSet<PathBuf>| {
                let unmet = |path: &&PathBuf| !found.contains(*path) && !others.contains(*path);
                let files = listed
                    .iter()
                    .filter(|path| !dirt.directories.contains(*path));
                let mut all = found.clone();
                all.extend(files.filter(unmet).cloned());
                all
            };
            tree.untracked = listed(&met(&dirt.untracked, &walk.untracked)).into_fact();
            tree.ignored = listed(&met(&dirt.ignored, &walk.ignored)).into_fact();
        }
        Err(why) => {
            tree.untracked = Fact::unknown(why);
            tree.ignored = Fact::unknown(why);
        }
    }
}

fn fill_index(tree: &mut Tree, index: Result<IndexFacts, ObserveError>, entry: &Path) {
    match index {
        Ok(IndexFacts {
            flagged,
            filtered,
            mut gitlinks,
            missing,
        }) => {
            tree.flagged = flagged.into_fact();
            tree.filtered = filtered.into_fact();
            tree.missing = missing.into_fact();
            tree.submodules = match submodule_repositories(entry) {
                Ok(None) => gitlinks.into_fact(),
                Ok(Some(repositories)) => {
                    repositories
                        .first
                        .into_iter()
                        .for_each(|name| gitlinks.add(name.as_path()));
                    gitlinks.into_fact()
                }
                Err(why) => Fact::unknown(why),
            };
        }
        Err(why) => {
            tree.flagged = Fact::unknown(&why);
            tree.filtered = Fact::unknown(&why);
            tree.missing = Fact::unknown(&why);
            tree.submodules = Fact::unknown(&why);
        }
    }
}

/// Repositories of submodules, which live in the entry and die with it (`git-facts 23`).
fn submodule_repositories(entry: &Path) -> Result<Option<Found>, ObserveError> {
    let names = super::place::names(&entry.join("modules"))?
        .into_iter()
        .flatten();
    let found: Found = names.map(|name| Path::new("modules").join(name)).collect();
    Ok((found.total > 0).then_some(found))
}

pub(crate) fn watched(roots: &[&Path], mut inodes: Vec<Inode>) -> Watched {
    for root in roots {
        if let Ok(node) = look_at_root(root) {
            inodes.push(node);
        }
    }
    Watched {
        roots: roots.iter().map(|root| (*root).to_owned()).collect(),
        inodes,
    }
}

fn look_at_root(root: &Path) -> Result<Inode, ObserveError> {
    let node = look_at(rustix::fs::CWD, OsStr::new(root.as_os_str()))
        .map_err(|why| ObserveError::read(root, why.into()))?;
    Ok(node.inode)
}
