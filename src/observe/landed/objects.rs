//! Trees and blobs, read without any configuration of the repository having a say.
//!
//! Output: entries, changes between trees, texts. Invariants: nothing is fetched, so what a
//! partial clone lacks is an error; no attribute, driver, or filter is asked; what is too large
//! to compare is an error, never "different".

use super::change::{Change, Entry};
use super::limits;
use super::text::{self, Hunk};
use super::wanted::Wanted;
use crate::observe::ObserveError;
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::objs::tree::{EntryKind, EntryRef};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

type Hunks = Option<Rc<[Hunk]>>;

/// The objects of one project.
pub(super) struct Objects<'r> {
    gix: &'r gix::Repository,
    compared: Cell<u64>,
    hunks: RefCell<HashMap<(ObjectId, ObjectId), Hunks>>,
}

impl<'r> Objects<'r> {
    pub(super) fn new(gix: &'r gix::Repository) -> Self {
        Self {
            gix,
            compared: Cell::new(0),
            hunks: RefCell::default(),
        }
    }

    /// The tree of a commit.
    pub(super) fn tree_of(&self, commit: ObjectId) -> Result<ObjectId, ObserveError> {
        let found = self.gix.find_commit(commit);
        let tree = found.and_then(|commit| commit.tree_id().map(gix::Id::detach));
        tree.map_err(|why| ObserveError::gix(format!("the tree of {commit}"), &why))
    }

    /// What a tree has at a path; a directory is nothing there.
    pub(super) fn entry(&self, tree: ObjectId, path: &BStr) -> Result<Option<Entry>, ObserveError> {
        let mut at = tree;
        let mut names = path.split_str("/").peekable();
        while let Some(name) = names.next() {
            let data = self.tree(Some(at))?;
            let Some(entry) = self
                .entries(&data, at)?
                .into_iter()
                .find(|one| one.filename == name)
            else {
                return Ok(None);
            };
            match (names.peek(), entry.mode.is_tree()) {
                (None, false) => return Ok(Some(entry_of(&entry))),
                (Some(_), true) => {}
                (None, true) | (Some(_), false) => return Ok(None),
            }
            at = entry.oid.to_owned();
        }
        Ok(None)
    }

    /// Every path whose entry differs, or the wanted ones of them; directories are entered, and
    /// do not count.
    pub(super) fn changes(
        &self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        wanted: Option<&Wanted>,
    ) -> Result<Vec<Change>, ObserveError> {
        let mut found = Vec::new();
        self.compare(old, new, wanted, &mut BString::default(), &mut found)?;
        found.sort_unstable();
        Ok(found)
    }

    fn compare(
        &self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        wanted: Option<&Wanted>,
        below: &mut BString,
        found: &mut Vec<Change>,
    ) -> Result<(), ObserveError> {
        if old == new {
            return Ok(());
        }
        let (old_data, new_data) = (self.tree(old)?, self.tree(new)?);
        let mut old = old
            .map_or(Ok(Vec::new()), |id| self.entries(&old_data, id))?
            .into_iter()
            .peekable();
        let mut new = new
            .map_or(Ok(Vec::new()), |id| self.entries(&new_data, id))?
            .into_iter()
            .peekable();
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(two)) => in_tree_order(one, two),
            };
            let before = if order.is_le() { old.next() } else { None };
            let after = if order.is_ge() { new.next() } else { None };
            let Some(any) = before.as_ref().or(after.as_ref()) else {
                return Ok(());
            };
            let is_directory = any.mode.is_tree();
            let name = any.filename;
            let inside = match wanted {
                Some(wanted) if is_directory => match wanted.below(name) {
                    Some(inside) => Some(inside),
                    None => continue,
                },
                Some(wanted) if !wanted.has(name) => continue,
                Some(_) | None => None,
            };
            let (before, after) = (
                before.map(|one| entry_of(&one)),
                after.map(|one| entry_of(&one)),
            );
            if before == after {
                continue;
            }
            let length = below.len();
            if !below.is_empty() {
                below.push_byte(b'/');
            }
            below.push_str(name);
            if is_directory {
                let id = |entry: Option<Entry>| entry.map(|entry| entry.id);
                self.compare(id(before), id(after), inside, below, found)?;
            } else if found.len() == limits::PATHS {
                return Err(ObserveError::Bound {
                    what: "changed paths",
                    limit: limits::PATHS,
                });
            } else {
                found.push(Change {
                    path: below.clone(),
                    old: before,
                    new: after,
                });
            }
            below.truncate(length);
        }
    }

    fn tree(&self, id: Option<ObjectId>) -> Result<Vec<u8>, ObserveError> {
        let Some(id) = id else {
            return Ok(Vec::new());
        };
        let failed = |why: &dyn std::fmt::Display| ObserveError::gix(format!("the tree {id}"), why);
        let object = self.gix.find_object(id).map_err(|why| failed(&why))?;
        if object.kind != gix::objs::Kind::Tree {
            return Err(failed(&"it is no tree"));
        }
        Ok(object.detach().data)
    }

    fn entries<'d>(&self, data: &'d [u8], id: ObjectId) -> Result<Vec<EntryRef<'d>>, ObserveError> {
        let entries = gix::objs::TreeRefIter::from_bytes(data, self.gix.object_hash());
        let all: Result<Vec<_>, _> = entries.collect();
        all.map_err(|why| ObserveError::gix(format!("the tree {id}"), &why))
    }

    /// The bytes of a file, if it is text; its size is looked at first.
    pub(super) fn text(&self, id: ObjectId) -> Result<Option<Vec<u8>>, ObserveError> {
        let failed = |why: &dyn std::fmt::Display| ObserveError::gix(format!("the file {id}"), why);
        let header = self.gix.find_header(id).map_err(|why| failed(&why))?;
        if header.size() > limits::TEXT_BYTES {
            return Err(failed(&"it is too large to be compared line by line"));
        }
        let compared = self.compared.get() + header.size();
        if compared > limits::COMPARED_BYTES {
            return Err(failed(
                &"too much has been compared in this project already",
            ));
        }
        self.compared.set(compared);
        let data = self
            .gix
            .find_object(id)
            .map_err(|why| failed(&why))?
            .detach()
            .data;
        Ok(text::is_text(&data).then_some(data))
    }

    /// The hunks between two files; none if one of them is binary.
    pub(super) fn hunks(&self, old: ObjectId, new: ObjectId) -> Result<Hunks, ObserveError> {
        if let Some(known) = self.hunks.borrow().get(&(old, new)) {
            return Ok(known.clone());
        }
        let found: Hunks = match (self.text(old)?, self.text(new)?) {
            (Some(old), Some(new)) => Some(text::hunks(&old, &new).into()),
            _ => None,
        };
        self.hunks.borrow_mut().insert((old, new), found.clone());
        Ok(found)
    }
}

/// The order of git's trees, where a directory sorts as if its name ended in a slash. A directory
/// and a file of one name are two entries.
fn in_tree_order(one: &EntryRef<'_>, two: &EntryRef<'_>) -> Ordering {
    let key = |entry: &EntryRef<'_>| {
        let end = entry.mode.is_tree().then_some(b'/');
        entry.filename.bytes().chain(end).collect::<Vec<u8>>()
    };
    let common = one.filename.len().min(two.filename.len());
    match one.filename[..common].cmp(&two.filename[..common]) {
        Ordering::Equal => key(one).cmp(&key(two)),
        differs @ (Ordering::Less | Ordering::Greater) => differs,
    }
}

fn entry_of(entry: &EntryRef<'_>) -> Entry {
    let mode: EntryKind = entry.mode.kind();
    Entry {
        mode,
        id: entry.oid.to_owned(),
    }
}
