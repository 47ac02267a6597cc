//! Whether the base took a change back after it had it.
//!
//! Input: a change, the base commit that brought it, and the base. Output: the first path that
//! stands as it stood before: the same entry again, the mode again, or one hunk of the change
//! replaced by exactly the lines that it replaced. It is looked for in every commit of the
//! base after it that changed the path, and at the tip. Invariants: a base that edited the lines otherwise
//! has moved on, which is no revert; a file that one commit moves to another name is not deleted,
//! and is looked at there, unless it is moved again;
//! what lies before the bringing commit does not count, so that landed again is landed.

use super::change::{Change, Entry};
use super::renames::moved_to;
use super::table::Touch;
use super::twin::Twins;
use crate::observe::ObserveError;
use crate::observe::ancestry::{Colour, Node};
use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

/// The base that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Tip {
    pub(super) colour: Colour,
    pub(super) tree: ObjectId,
}

impl Twins<'_> {
    /// The path that a later commit of the base took back.
    pub(super) fn taken_back(
        &self,
        changes: &[Change],
        since: impl Fn(&Change) -> Node,
        tip: Tip,
    ) -> Result<Option<BString>, ObserveError> {
        for change in changes {
            if self.is_taken_back(change, since(change), tip)? {
                return Ok(Some(change.path.clone()));
            }
        }
        Ok(None)
    }

    fn is_taken_back(&self, change: &Change, since: Node, tip: Tip) -> Result<bool, ObserveError> {
        let path = change.path.as_bstr();
        let floor = self.ancestry.level(since);
        let coloured = self.table.touches(path).iter().filter(|touch| {
            let colours = self.ancestry.colours_of(touch.commit);
            colours & tip.colour != 0 && self.ancestry.level(touch.commit) > floor
        });
        // Work that forked before the change came never had it, and so took nothing back.
        let had_it = |touch: &Touch| self.ancestry.is_ancestor(since, touch.commit);
        let mut has_moved = false;
        for touch in coloured {
            let was_removed = touch.new.is_none() && change.new.is_some();
            if was_removed
                && had_it(touch)
                && let Some(to) = moved_to(self, touch)?
            {
                has_moved = true;
                let there = self.objects.entry(tip.tree, to.as_ref())?;
                if self.stands_as_before(change, there)? {
                    return Ok(true);
                }
            } else if self.stands_as_before(change, touch.new)? && had_it(touch) {
                return Ok(true);
            }
        }
        let now = self.objects.entry(tip.tree, path)?;
        Ok(!(now.is_none() && has_moved) && self.stands_as_before(change, now)?)
    }

    /// Whether a version of the path lacks the change because it has what was before.
    fn stands_as_before(&self, change: &Change, now: Option<Entry>) -> Result<bool, ObserveError> {
        if now == change.old {
            return Ok(true);
        }
        let (Some(old), Some(new), Some(now)) = (change.old, change.new, now) else {
            return Ok(false);
        };
        if !(old.is_file() && new.is_file() && now.is_file()) {
            return Ok(false);
        }
        if old.mode != new.mode && now.mode == old.mode {
            return Ok(true);
        }
        if old.id == new.id || now.id == new.id {
            return Ok(false);
        }
        if now.id == old.id {
            return Ok(true);
        }
        let hunks = (
            self.objects.hunks(new.id, old.id)?,
            self.objects.hunks(new.id, now.id)?,
        );
        let (Some(back), Some(since)) = hunks else {
            return Ok(false);
        };
        Ok(since.iter().any(|hunk| back.contains(hunk)))
    }
}
