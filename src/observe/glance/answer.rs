//! The fast answer for one whole worktree.

use super::{Closer, Glance, Ready, ready};
use crate::observe::dirt::Dirt;
use crate::observe::ignored::{Gap, MainWorktree, Sorter};
use crate::observe::index::Tracked;
use crate::observe::walk::{Told, Walk, Walker};
use crate::policy::{Lists, Losable};
use crate::resource::BytePath;
use rustix::process::geteuid;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What a glance has told of a tree.
pub(crate) struct Answer {
    /// Everything that the walk saw.
    pub(crate) walk: Walk,
    /// What git would call dirty.
    pub(crate) dirt: Dirt,
    /// The index that it rests on.
    pub(crate) index: gix::index::File,
    /// Whether any filter driver is configured.
    pub(crate) has_drivers: bool,
}

/// Walks the tree and tells as it goes; `owner`, `others`, `main`, `lists` and `expendable` are the
/// walk's.
pub(crate) fn answer(
    asked: &Ready<'_>,
    owner: u32,
    others: &BTreeSet<PathBuf>,
    (main, lists, expendable): (Option<&MainWorktree>, &Lists, &Losable),
) -> Result<Answer, Closer> {
    let (index, ground) = ready(asked)?;
    let walker = Walker {
        owner,
        others,
        told: Told::Glanced(Glance {
            index: &index,
            ground,
            user: geteuid().as_raw(),
        }),
        expendable,
        sorter: Sorter {
            tree: asked.root,
            main,
            lists,
            tracked: Some(Tracked::of(&index)),
            gap: Gap::default(),
        },
    };
    let mut walk = walker.glance(asked.root)?;
    walk.changed.sort();
    let dirt = Dirt {
        changes: walk.changed.iter().map(BytePath::as_path).collect(),
        // Nobody gives anything up on a glance.
        changed: Vec::new(),
        untracked: walk.untracked.clone(),
        ignored: walk.ignored.clone(),
        directories: BTreeSet::new(),
    };
    Ok(Answer {
        walk,
        dirt,
        index,
        has_drivers: ground.has_drivers,
    })
}
