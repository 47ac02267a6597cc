//! Whether the repository has every object that a checkout rests on (`spec 5.1`).
//!
//! Input: the tree of HEAD. Output: what is missing below it. Invariant: where an object is gone,
//! the checked-out file may be its last copy, and git's status does not look (`git-facts 21`); a
//! tree is taken as whole only after everything below it was found.

use super::alternates::alternates;
use super::reach::DEEPEST;
use super::repository::Repository;
use super::{Found, ObserveError};
use crate::resource::BytePath;
use gix::ObjectId;
use gix::objs::tree::EntryKind;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// Trees that were found whole, and blobs that were found, shared by the worktrees of a project:
/// each is looked up once.
#[derive(Default)]
pub(crate) struct Existing {
    seen: Mutex<HashSet<ObjectId>>,
    /// Held while one thread looks through the tree of a commit: the next one has most of it, too.
    turn: Mutex<()>,
}

impl Existing {
    /// Whether the repository has a blob.
    pub(crate) fn has(&self, repository: &Repository, id: ObjectId) -> bool {
        self.knows(&id) || (repository.gix.has_object(id) && self.remember(id))
    }

    /// Adds what is missing of the whole tree of a commit to `missing`, by path.
    pub(crate) fn missing_from(
        &self,
        repository: &Repository,
        tree: ObjectId,
        missing: &mut Found,
    ) -> Result<(), ObserveError> {
        if self.knows(&tree) {
            return Ok(());
        }
        let _turn = locked(&self.turn);
        self.missing_below(repository, tree, (Path::new(""), 0), missing)
    }

    /// Adds what is missing below a tree to `missing`, by path.
    fn missing_below(
        &self,
        repository: &Repository,
        tree: ObjectId,
        (path, depth): (&Path, usize),
        missing: &mut Found,
    ) -> Result<(), ObserveError> {
        if self.knows(&tree) {
            return Ok(());
        }
        if depth > DEEPEST {
            return Err(ObserveError::Bound {
                what: "directories inside each other in the tree of HEAD",
                limit: DEEPEST,
            });
        }
        let failed =
            |why: &dyn std::fmt::Display| ObserveError::gix(format!("the tree {tree}"), why);
        let found = repository
            .gix
            .try_find_object(tree)
            .map_err(|why| failed(&why))?;
        let Some(object) = found else {
            missing.add(if path.as_os_str().is_empty() {
                Path::new(".")
            } else {
                path
            });
            return Ok(());
        };
        let before = missing.total;
        let object = object.try_into_tree().map_err(|why| failed(&why))?;
        for entry in object.iter() {
            let entry = entry.map_err(|why| failed(&why))?;
            let below = path.join(BytePath::from_bytes(entry.filename()).as_path());
            match entry.mode().kind() {
                EntryKind::Tree => {
                    let inner = (below.as_path(), depth + 1);
                    self.missing_below(repository, entry.object_id(), inner, missing)?;
                }
                EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link => {
                    if !repository.gix.has_object(entry.object_id()) {
                        missing.add(below);
                    }
                }
                EntryKind::Commit => {}
            }
        }
        if missing.total == before {
            self.remember(tree);
        }
        Ok(())
    }

    fn knows(&self, id: &ObjectId) -> bool {
        self.seen().contains(id)
    }

    fn remember(&self, id: ObjectId) -> bool {
        self.seen().insert(id);
        true
    }

    fn seen(&self) -> MutexGuard<'_, HashSet<ObjectId>> {
        locked(&self.seen)
    }
}

/// What a thread that panicked had put in before is as true as ever.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    }
}

/// Object directories that the repository borrows from, at any remove, and that lie in the tree at `root`: with
/// the tree, every object that is only there would go.
pub(crate) fn lent_from(common_dir: &Path, root: &Path) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for one in alternates(&common_dir.join("objects"))? {
        // A missing one is told by the objects that are missing with it.
        if let Some(real) = one.real
            && let Ok(inside) = real.strip_prefix(root)
        {
            found.add(inside);
        }
    }
    Ok(found)
}
