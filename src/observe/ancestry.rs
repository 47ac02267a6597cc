//! Which commits are reachable from which tips: one walk for all trees of a project.
//!
//! Input: tips, each with a colour. Output: the colours of every commit that a tip reaches.
//! Invariants: exact, whatever the commit dates say; the parents are those that the objects
//! record, since grafts are not read and replace refs are off (`git-facts 41`); a parent that is
//! missing is remembered, so that a "no" can be told from a "could not tell".

use super::ObserveError;
use super::repository::Repository;
use gix::ObjectId;
use std::collections::{HashMap, HashSet};

/// A set of tips that a commit may be reachable from, as bits.
pub(crate) type Colour = u8;

/// The local base.
pub(crate) const LOCAL_BASE: Colour = 1;
/// The remote-tracking base.
pub(crate) const REMOTE_BASE: Colour = 2;
/// A remote-tracking ref that vouches.
pub(crate) const PUBLISHED: Colour = 4;
/// Any ref that outlives a removal, or the reflog of a branch.
pub(crate) const SURVIVES: Colour = 8;
/// A commit that is asked about.
pub(crate) const WANTED: Colour = 16;

/// Where a walk starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tip {
    /// The commit.
    pub(crate) id: ObjectId,
    /// What reaching it from here means.
    pub(crate) colour: Colour,
    /// Which published ref it is, by the caller's index.
    pub(crate) via: Option<usize>,
}

impl Tip {
    /// A tip that needs no name.
    pub(crate) fn new(id: ObjectId, colour: Colour) -> Self {
        Self {
            id,
            colour,
            via: None,
        }
    }
}

/// What a walk found.
pub(crate) struct Ancestry {
    painted: HashMap<ObjectId, Commit>,
    shallow: HashSet<ObjectId>,
    /// Colours whose walk met the boundary of a shallow clone or a missing commit.
    cut: Colour,
}

struct Commit {
    colours: Colour,
    parents: Vec<ObjectId>,
    /// The first published ref that reached it.
    via: Option<usize>,
}

impl Ancestry {
    /// Paints everything that the tips reach.
    pub(crate) fn paint(
        repository: &Repository,
        tips: impl IntoIterator<Item = Tip>,
    ) -> Result<Self, ObserveError> {
        let shallow = repository
            .gix
            .shallow_commits()
            .map_err(|why| ObserveError::gix("the boundary of the shallow clone", &why))?;
        let mut ancestry = Self {
            painted: HashMap::new(),
            shallow: shallow.map_or_else(HashSet::new, |commits| commits.iter().copied().collect()),
            cut: 0,
        };
        ancestry.extend(repository, tips)?;
        Ok(ancestry)
    }

    /// Paints more.
    pub(crate) fn extend(
        &mut self,
        repository: &Repository,
        tips: impl IntoIterator<Item = Tip>,
    ) -> Result<(), ObserveError> {
        // A commit-graph that cannot be read is only slower to do without.
        let cache = repository.gix.commit_graph_if_enabled().unwrap_or_default();
        let mut graph = repository.gix.revision_graph::<()>(cache.as_ref());
        let mut work: Vec<Tip> = tips.into_iter().collect();
        while let Some(Tip { id, colour, via }) = work.pop() {
            if let Some(known) = self.painted.get_mut(&id) {
                let colour = colour & !known.colours;
                if colour != 0 {
                    known.colours |= colour;
                    known.via = known.via.or(via);
                    work.extend(known.parents.iter().map(|id| Tip {
                        id: *id,
                        colour,
                        via,
                    }));
                }
                continue;
            }
            let failed =
                |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {id}"), why);
            let found = graph.try_lookup(&id).map_err(|why| failed(&why))?;
            let mut parents = Vec::new();
            if self.shallow.contains(&id) {
                self.cut |= colour;
            } else if let Some(commit) = found {
                for parent in commit.iter_parents() {
                    parents.push(parent.map_err(|why| failed(&why))?);
                }
            } else {
                self.cut |= colour;
                continue;
            }
            work.extend(parents.iter().map(|id| Tip {
                id: *id,
                colour,
                via,
            }));
            self.painted.insert(
                id,
                Commit {
                    colours: colour,
                    parents,
                    via,
                },
            );
        }
        Ok(())
    }

    /// The colours of a commit.
    pub(crate) fn colours(&self, id: &ObjectId) -> Colour {
        self.painted.get(id).map_or(0, |commit| commit.colours)
    }

    /// Which published ref reaches a commit, by the caller's index.
    pub(crate) fn via(&self, id: &ObjectId) -> Option<usize> {
        self.painted.get(id).and_then(|commit| commit.via)
    }

    /// Whether a "no" for this colour may only mean that history is cut off.
    pub(crate) fn is_cut(&self, colour: Colour) -> bool {
        self.cut & colour != 0
    }

    /// The commits along the first parents of a painted tip, itself included.
    pub(crate) fn first_parents(&self, tip: ObjectId) -> HashSet<ObjectId> {
        let mut chain = HashSet::new();
        let mut at = Some(tip);
        while let Some(id) = at.filter(|id| chain.insert(*id)) {
            at = self
                .painted
                .get(&id)
                .and_then(|commit| commit.parents.first().copied());
        }
        chain
    }

    /// How many commits a tip reaches that carry none of `colours`; the tip must be painted with
    /// a colour of its own.
    pub(crate) fn count_without(&self, tip: ObjectId, colours: Colour) -> u64 {
        let mut seen = HashSet::new();
        let mut work = vec![tip];
        while let Some(id) = work.pop() {
            if self.colours(&id) & colours == 0
                && seen.insert(id)
                && let Some(commit) = self.painted.get(&id)
            {
                work.extend(&commit.parents);
            }
        }
        seen.len() as u64
    }
}
