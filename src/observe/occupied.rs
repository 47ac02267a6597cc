//! Who uses one tree right now, asked before anything else about it (`spec 7.4`).
//!
//! Once nobody can reach a tree by its path any more, nobody can change it who does not already
//! hold something in it. So a look that finds no such process, and only then reads the content, has
//! seen the content as it stays.

use super::ignored::{Gap, Sorter};
use super::place::look;
use super::processes::{self, Use};
use super::scan::watched;
use super::walk::{Told, Walk, Walker};
use super::{ObserveError, World};
use crate::fact::Fact;
use crate::policy::Losable;
use std::collections::BTreeSet;
use std::path::Path;

/// What lies in a directory that no unlinking of single files can be right about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacles {
    /// Mount points, FIFOs, sockets, devices, repositories; none if there are none.
    pub found: Option<String>,
}

/// Looks for obstacles in what is left of a tree.
pub fn obstacles(tree: &Path) -> Result<Obstacles, ObserveError> {
    let walk = plain_walk(tree, 0)?;
    let kinds = [
        ("mount points", walk.mounts),
        ("FIFOs, sockets, or devices", walk.special),
        ("repositories", walk.nested),
    ];
    let found = kinds
        .iter()
        .find(|(_, found)| found.total > 0)
        .map(|(what, found)| format!("{what}: {found}"));
    Ok(Obstacles { found })
}

/// A walk that knows nothing of git; `owner` is who should own everything.
pub(crate) fn plain_walk(tree: &Path, owner: u32) -> Result<Walk, ObserveError> {
    let (nothing, lists) = (BTreeSet::new(), crate::policy::Lists::default());
    let walker = Walker {
        owner,
        others: &nothing,
        told: Told::Listed {
            ignored: &nothing,
            untracked: &nothing,
        },
        expendable: &Losable::default(),
        sorter: Sorter {
            tree,
            main: None,
            lists: &lists,
            tracked: None,
            gap: Gap::default(),
        },
    };
    walker.walk(tree)
}

/// The uses of a tree, if it is there, of its entry, and of its submodules' repositories, where they
/// are not in the entry.
pub fn occupied(
    world: &World<'_>,
    tree: Option<&Path>,
    (entry, modules): (&Path, Option<&Path>),
) -> Result<Fact<Vec<Use>>, ObserveError> {
    let (mut roots, mut inodes) = (Vec::new(), Vec::new());
    let is_there = look(entry)?.is_some();
    if is_there {
        roots.push(entry);
    }
    if let Some(tree) = tree {
        roots.push(tree);
        inodes = plain_walk(tree, 0)?.directories;
    }
    if let Some(modules) = modules
        && look(modules)?.is_some()
    {
        roots.push(modules);
        inodes.extend(plain_walk(modules, 0)?.directories);
    }
    let mut place = watched(&roots, inodes)?;
    if !is_there {
        // Git may have deleted it; a process may stand in it all the same.
        place.roots.push(entry.to_owned());
    }
    let survey = match processes::survey(&world.proc_root, world.own_pid, &[place]) {
        Ok(survey) => survey,
        Err(why) => return Ok(Fact::unknown(why)),
    };
    Ok(match survey.places.first() {
        Some(occupancy) if occupancy.is_used() => Fact::Known(occupancy.uses().cloned().collect()),
        Some(_) => Fact::Absent,
        None => Fact::unknown("the survey left it out"),
    })
}
