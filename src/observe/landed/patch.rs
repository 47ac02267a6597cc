//! When two patches are the same.
//!
//! Two changes of a path are the same if both sides of both are the same entries; or if they
//! change files to files, with the same modes before and after, and replace the same runs of
//! lines by the same runs of lines in the same order. Lines are bytes with their line ends, so
//! that blanks count (`git-facts 42`); line numbers and context do not, so that other work in the
//! file does not hide it. Two patches are the same if they change the same paths, each in the
//! same way. What is not text is the same by id alone.
//!
//! Invariant: a likeness only. The same lines may stand in two places of a file: whoever finds one
//! lets a three-way merge at that commit confirm it.

use super::change::Entry;
use super::objects::Objects;
use crate::observe::ObserveError;

/// What stood at a path, and what stands there after.
pub(super) type Sides = (Option<Entry>, Option<Entry>);

/// Whether two changes of a path are the same.
pub(super) fn same(objects: &Objects<'_>, one: Sides, two: Sides) -> Result<bool, ObserveError> {
    if one == two {
        return Ok(true);
    }
    let ((Some(old), Some(new)), (Some(other_old), Some(other_new))) = (one, two) else {
        return Ok(false);
    };
    let files = [old, new, other_old, other_new]
        .iter()
        .all(|entry| entry.is_file());
    if !files || (old.mode, new.mode) != (other_old.mode, other_new.mode) {
        return Ok(false);
    }
    let mode_only = (old.id == new.id, other_old.id == other_new.id);
    if mode_only.0 || mode_only.1 {
        return Ok(mode_only.0 && mode_only.1);
    }
    let hunks = (
        objects.hunks(old.id, new.id)?,
        objects.hunks(other_old.id, other_new.id)?,
    );
    let (Some(one), Some(two)) = hunks else {
        return Ok(false);
    };
    Ok(one
        .iter()
        .map(|hunk| hunk.lines)
        .eq(two.iter().map(|hunk| hunk.lines)))
}
