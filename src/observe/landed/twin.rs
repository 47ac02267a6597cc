//! Finds the commit of the base that is the same patch as a commit, or as a whole branch.
//!
//! Input: the changes, and which base commits may count. Output: the latest twin. Invariants: a
//! twin changes the same paths and no others, in the same way ([`super::patch`]), and the merge
//! of the changes at that commit confirms it: it adds nothing there, or makes exactly that commit
//! of the one before. So a twin has every line of the change where the change has it.

use super::change::Change;
use super::objects::Objects;
use super::patch;
use super::path_merge::{lacking, three_way};
use super::table::{Table, Touch};
use crate::observe::ObserveError;
use crate::observe::ancestry::{Ancestry, Node};

/// Where twins are looked for.
#[derive(Clone, Copy)]
pub(super) struct Twins<'a> {
    pub(super) objects: &'a Objects<'a>,
    pub(super) ancestry: &'a Ancestry,
    pub(super) table: &'a Table,
}

impl Twins<'_> {
    /// The latest twin among the commits that count.
    pub(super) fn find(
        &self,
        changes: &[Change],
        counts: impl Fn(Node) -> bool,
    ) -> Result<Option<Node>, ObserveError> {
        let rarest = changes
            .iter()
            .min_by_key(|change| self.table.touches(change.path.as_ref()).len());
        let Some(rarest) = rarest else {
            return Ok(None);
        };
        let mut failed = None;
        for touch in self.table.touches(rarest.path.as_ref()) {
            if counts(touch.commit) {
                match self.is_twin(changes, touch) {
                    Ok(true) => return Ok(Some(touch.commit)),
                    Ok(false) => {}
                    Err(why) => failed = Some(why),
                }
            }
        }
        failed.map_or(Ok(None), Err)
    }

    fn is_twin(&self, changes: &[Change], touch: &Touch) -> Result<bool, ObserveError> {
        let mut touches = Vec::with_capacity(changes.len());
        for change in changes {
            let Some(found) = self.table.beside(touch, change.path.as_ref()) else {
                return Ok(false);
            };
            touches.push(found);
        }
        // Modes and ids first: they cost nothing.
        for (change, found) in changes.iter().zip(&touches) {
            if !patch::same(
                self.objects,
                (change.old, change.new),
                (found.old, found.new),
            )? {
                return Ok(false);
            }
        }
        let whole = self
            .table
            .whole(self.objects, self.ancestry, touch.commit)?;
        Ok(whole.len() == changes.len()
            && (self.made_by(changes, &touches)? || self.has(changes, touch.commit)?))
    }

    /// Whether merging the changes into the commit before makes exactly this one.
    fn made_by(&self, changes: &[Change], touches: &[Touch]) -> Result<bool, ObserveError> {
        for (change, touch) in changes.iter().zip(touches) {
            let merged = three_way(self.objects, change.old, touch.old, change.new)?;
            if !merged.is(self.objects, touch.new)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a base commit has all of the changes.
    pub(super) fn has(&self, changes: &[Change], commit: Node) -> Result<bool, ObserveError> {
        let tree = self.objects.tree_of(self.ancestry.id(commit))?;
        Ok(lacking(self.objects, changes, tree)?.is_empty())
    }
}
