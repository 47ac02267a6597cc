//! The patches of the base, shared by all branches of a project and keyed by path.
//!
//! Input: the commits of the base that some branch has not, and the paths that branches changed.
//! Output: per path the commits that changed it, the latest first. A merge counts as the patch
//! that it brings to its first parent, as a squash does; the commits that it merges count too.
//! Invariant: built once, by one comparison a commit, of directories with a wanted path only.

use super::change::{Change, Entry};
use super::limits;
use super::objects::Objects;
use super::wanted::Wanted;
use crate::observe::ObserveError;
use crate::observe::ancestry::{Ancestry, Colour, Node};
use gix::bstr::{BStr, BString};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// One base commit's change of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) commit: Node,
    /// Its place in the order of the table, the latest first.
    rank: usize,
    pub(super) old: Option<Entry>,
    pub(super) new: Option<Entry>,
}

/// The patches of the base.
#[derive(Default)]
pub(super) struct Table {
    touches: HashMap<BString, Vec<Touch>>,
    whole: RefCell<HashMap<Node, Rc<[Change]>>>,
    /// The level above which it is whole, if the bound cut it short.
    reaches_to: Option<u32>,
}

impl Table {
    /// Compares every commit of the colours above a level with its first parent.
    pub(super) fn build(
        objects: &Objects<'_>,
        ancestry: &Ancestry,
        colours: Colour,
        above: u32,
        wanted: &Wanted,
    ) -> Result<Self, ObserveError> {
        let mut table = Self::default();
        let mut commits = ancestry.coloured(colours, above);
        if let Some(first) = commits.get(limits::BASE_COMMITS) {
            table.reaches_to = Some(ancestry.level(*first));
            commits.truncate(limits::BASE_COMMITS);
        }
        let mut trees: HashMap<Node, gix::ObjectId> = HashMap::new();
        let mut tree = |node| -> Result<gix::ObjectId, ObserveError> {
            if let Some(tree) = trees.get(&node) {
                return Ok(*tree);
            }
            let tree = objects.tree_of(ancestry.id(node))?;
            trees.insert(node, tree);
            Ok(tree)
        };
        for (rank, commit) in commits.into_iter().enumerate() {
            // What a boundary commit changed cannot be told.
            let first = match ancestry.parents(commit).first() {
                _ if ancestry.is_boundary(commit) => continue,
                Some(parent) if !ancestry.is_there(*parent) => continue,
                Some(parent) => Some(tree(*parent)?),
                None => None,
            };
            for Change { path, old, new } in
                objects.changes(first, Some(tree(commit)?), Some(wanted))?
            {
                table.touches.entry(path).or_default().push(Touch {
                    commit,
                    rank,
                    old,
                    new,
                });
            }
        }
        Ok(table)
    }

    /// The level above which the table is whole; none if it is whole down to where it was asked to
    /// reach.
    pub(super) fn reaches_to(&self) -> Option<u32> {
        self.reaches_to
    }

    /// Who changed a path, the latest first.
    pub(super) fn touches(&self, path: &BStr) -> &[Touch] {
        self.touches.get(path).map_or(&[], Vec::as_slice)
    }

    /// What the commit of a touch did to another path.
    pub(super) fn beside(&self, touch: &Touch, path: &BStr) -> Option<Touch> {
        let touches = self.touches(path);
        let found = touches.binary_search_by_key(&touch.rank, |one| one.rank);
        found.map_or(None, |at| Some(touches[at]))
    }

    /// Everything that a base commit changed, wanted or not.
    pub(super) fn whole(
        &self,
        objects: &Objects<'_>,
        ancestry: &Ancestry,
        commit: Node,
    ) -> Result<Rc<[Change]>, ObserveError> {
        if let Some(known) = self.whole.borrow().get(&commit) {
            return Ok(known.clone());
        }
        let parent = ancestry.parents(commit).first();
        let parent = parent
            .map(|parent| objects.tree_of(ancestry.id(*parent)))
            .transpose()?;
        let tree = objects.tree_of(ancestry.id(commit))?;
        let found: Rc<[Change]> = objects.changes(parent, Some(tree), None)?.into();
        self.whole.borrow_mut().insert(commit, found.clone());
        Ok(found)
    }
}
