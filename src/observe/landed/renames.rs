//! Where the base moved a file to, so that a change of it can be looked for there.
//!
//! Only a path that is gone in the base is followed, and only to a path that the very commit which
//! removed it added with the same mode and bytes. A file that was edited while it was moved is not
//! followed: its change is then not found, which is timid, and never wrong.

use super::change::Change;
use super::path_merge;
use super::table::Touch;
use super::twin::Twins;
use crate::observe::ObserveError;
use crate::observe::ancestry::{Colour, Node};
use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

/// Where the commit of a touch moved the file to that it removed.
pub(super) fn moved_to(twins: &Twins<'_>, touch: &Touch) -> Result<Option<BString>, ObserveError> {
    if touch.old.is_none() || touch.new.is_some() {
        return Ok(None);
    }
    let whole = twins
        .table
        .whole(twins.objects, twins.ancestry, touch.commit)?;
    let mut targets = whole
        .iter()
        .filter(|one| one.old.is_none() && one.new == touch.old);
    Ok(match (targets.next(), targets.next()) {
        (Some(target), None) => Some(target.path.clone()),
        // Two copies: neither is the file.
        (Some(_), Some(_)) | (None, _) => None,
    })
}

/// A path of a change, and where the base has it now.
pub(super) type Moved = (BString, BString);

impl Twins<'_> {
    /// Whether a base has the changes that it seems to lack under the names that it has given the
    /// files since; with those names if so.
    pub(super) fn has_moved(
        &self,
        lacking: &[Change],
        base: (Colour, ObjectId),
        counts: impl Fn(Node) -> bool,
    ) -> Result<Option<Vec<Moved>>, ObserveError> {
        let (colour, tree) = base;
        let mut moved = Vec::new();
        for change in lacking {
            let path = change.path.as_bstr();
            let gone = change.old.is_some() && change.new.is_some();
            if !gone || self.objects.entry(tree, path)?.is_some() {
                return Ok(None);
            }
            let mut touches = self.table.touches(path).iter().filter(|touch| {
                counts(touch.commit) && self.ancestry.colours_of(touch.commit) & colour != 0
            });
            let latest = touches.find(|touch| touch.new.is_none());
            let target = latest
                .map(|touch| moved_to(self, touch))
                .transpose()?
                .flatten();
            let Some(target) = target else {
                return Ok(None);
            };
            let now = self.objects.entry(tree, target.as_ref())?;
            if now.is_none() || !path_merge::has(self.objects, change, now)? {
                return Ok(None);
            }
            moved.push((change.path.clone(), target));
        }
        Ok((!moved.is_empty()).then_some(moved))
    }
}
