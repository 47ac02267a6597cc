//! Whether a merge in a branch has content of its own (`git-facts 43`: an evil merge).
//!
//! Input: a merge commit. Output: a path at which it is not what its parents merge to, path by
//! path. Such content is in no commit's patch, and a merge that drops work shows in no diff of the
//! whole branch. Invariant: what cannot be merged again (an octopus, several merge bases, a
//! conflict that somebody resolved, a rename on one side) counts as content of its own.

use super::change::{Change, Entry};
use super::objects::Objects;
use super::path_merge::three_way;
use crate::observe::ObserveError;
use crate::observe::ancestry::{Ancestry, Node};
use gix::bstr::BString;
use std::collections::BTreeMap;

/// What stands at a path in the merge base, in both parents, and in the merge.
#[derive(Default)]
struct Path {
    old: Option<Entry>,
    ours: Option<Entry>,
    theirs: Option<Entry>,
    merged: Option<Entry>,
}

/// The path of the merge's own content; empty if the merge as a whole cannot be told.
pub(super) fn own_content(
    objects: &Objects<'_>,
    ancestry: &Ancestry,
    merge: Node,
) -> Result<Option<BString>, ObserveError> {
    let whole = Ok(Some(BString::default()));
    let [one, two] = ancestry.parents(merge) else {
        return whole;
    };
    let [base] = ancestry.merge_bases(*one, *two)[..] else {
        return whole;
    };
    let tree = |node| objects.tree_of(ancestry.id(node)).map(Some);
    let (base, ours, theirs, merged) = (tree(base)?, tree(*one)?, tree(*two)?, tree(merge)?);
    let mut paths: BTreeMap<BString, Path> = BTreeMap::new();
    for Change { path, old, new } in objects.changes(base, ours, None)? {
        paths.insert(
            path,
            Path {
                old,
                ours: new,
                theirs: old,
                merged: new,
            },
        );
    }
    for Change { path, old, new } in objects.changes(base, theirs, None)? {
        let untouched = Path {
            old,
            ours: old,
            theirs: old,
            merged: old,
        };
        paths.entry(path).or_insert(untouched).theirs = new;
    }
    for Change { path, old, new } in objects.changes(ours, merged, None)? {
        let untouched = Path {
            old,
            ours: old,
            theirs: old,
            merged: old,
        };
        paths.entry(path).or_insert(untouched).merged = new;
    }
    for (
        path,
        Path {
            old,
            ours,
            theirs,
            merged,
        },
    ) in paths
    {
        if !three_way(objects, old, ours, theirs)?.is(objects, merged)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
