//! Three-way merges, path by path, without renames, drivers, or attributes (`performance 3`).
//!
//! Input: what stood at a path before, and what each side made of it. Output: what both make of it
//! together. Invariant: what is no plain text merges only where one side left it alone or both
//! did the same.

use super::change::{Change, Entry};
use super::objects::Objects;
use super::text;
use crate::observe::ObserveError;
use gix::ObjectId;
use gix::objs::tree::EntryKind;

/// What a path comes to.
#[derive(Debug)]
pub(super) enum Merged {
    /// An entry that one side has, or nothing.
    Entry(Option<Entry>),
    /// A file that no side has.
    Text(EntryKind, Vec<u8>),
    /// The sides are in each other's way.
    Conflict,
}

/// Merges one path.
pub(super) fn three_way(
    objects: &Objects<'_>,
    old: Option<Entry>,
    ours: Option<Entry>,
    theirs: Option<Entry>,
) -> Result<Merged, ObserveError> {
    if theirs == old || ours == theirs {
        return Ok(Merged::Entry(ours));
    }
    if ours == old {
        return Ok(Merged::Entry(theirs));
    }
    let (Some(old), Some(ours), Some(theirs)) = (old, ours, theirs) else {
        return Ok(Merged::Conflict);
    };
    if !(old.is_file() && ours.is_file() && theirs.is_file()) {
        return Ok(Merged::Conflict);
    }
    // There are two modes of a file: if both sides changed it, they agree.
    let mode = if theirs.mode == old.mode {
        ours.mode
    } else {
        theirs.mode
    };
    let kept = |id| Ok(Merged::Entry(Some(Entry { mode, id })));
    if theirs.id == old.id || ours.id == theirs.id {
        return kept(ours.id);
    }
    if ours.id == old.id {
        return kept(theirs.id);
    }
    let texts = (
        objects.text(old.id)?,
        objects.text(ours.id)?,
        objects.text(theirs.id)?,
    );
    let (Some(old), Some(ours), Some(theirs)) = texts else {
        return Ok(Merged::Conflict);
    };
    Ok(match text::merge(&old, &ours, &theirs) {
        Some(bytes) => Merged::Text(mode, bytes),
        None => Merged::Conflict,
    })
}

impl Merged {
    /// Whether it comes to exactly this entry.
    pub(super) fn is(
        &self,
        objects: &Objects<'_>,
        entry: Option<Entry>,
    ) -> Result<bool, ObserveError> {
        match (self, entry) {
            (Self::Entry(merged), entry) => Ok(*merged == entry),
            (Self::Text(mode, bytes), Some(entry)) if entry.mode == *mode => {
                Ok(objects.text(entry.id)?.as_ref() == Some(bytes))
            }
            (Self::Text(..) | Self::Conflict, _) => Ok(false),
        }
    }
}

/// Whether the merge of `change` into a file that stands there now adds nothing to it.
pub(super) fn has(
    objects: &Objects<'_>,
    change: &Change,
    now: Option<Entry>,
) -> Result<bool, ObserveError> {
    three_way(objects, change.old, now, change.new)?.is(objects, now)
}

/// The paths whose change a tree does not have: merged into it, they would add something.
pub(super) fn lacking<'c>(
    objects: &Objects<'_>,
    changes: &'c [Change],
    tree: ObjectId,
) -> Result<Vec<&'c Change>, ObserveError> {
    let mut lacking = Vec::new();
    let mut failed = None;
    for change in changes {
        let now = objects.entry(tree, change.path.as_ref())?;
        match has(objects, change, now) {
            Ok(true) => {}
            Ok(false) => lacking.push(change),
            Err(why) => failed = Some(why),
        }
    }
    // One path that is lacking decides, whatever could not be compared.
    match failed {
        Some(why) if lacking.is_empty() => Err(why),
        Some(_) | None => Ok(lacking),
    }
}
