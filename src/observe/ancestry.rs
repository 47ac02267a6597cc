//! Which commits are reachable from which tips: one walk for all trees of a project.
//!
//! Input: tips, each with a colour. Output: the colours of every commit that a tip reaches.
//! Invariants: exact, whatever the commit dates say; the parents are those that the objects
//! record, since grafts are not read and replace refs are off (`git-facts 41`); a parent that is
//! missing is remembered, so that a "no" can be told from a "could not tell".

use super::ObserveError;
use super::repository::Repository;
use gix::ObjectId;
use gix::hashtable::HashMap;
use std::collections::HashSet;

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

/// Any ref that outlives a removal.
pub(crate) const REFS: Colour = 32;
/// A remote-tracking ref of which it is unknown whether it vouches.
pub(crate) const UNSURE: Colour = 64;

/// A commit, by its place in the walk.
pub(crate) type Node = usize;

/// Where a walk starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tip {
    /// The commit, or a tag of one.
    pub(crate) id: ObjectId,
    /// What reaching it from here means.
    pub(crate) colour: Colour,
    /// Which published ref it is, by the caller's index.
    pub(crate) via: Option<u32>,
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
    index: HashMap<ObjectId, Node>,
    commits: Vec<Commit>,
    /// The parents of all commits, one commit's after another's.
    parents: Vec<Node>,
    /// Per commit one more than the highest of its parents, so that a commit is never reachable
    /// from one of the same or of a lower level. Empty until [`Ancestry::level`].
    levels: Vec<u32>,
    shallow: HashSet<ObjectId>,
    /// Colours whose walk met the boundary of a shallow clone or a missing commit.
    cut: Colour,
}

struct Commit {
    id: ObjectId,
    colours: Colour,
    state: State,
    /// The first published ref that reached it.
    via: Option<u32>,
    /// Where its parents start, and how many there are.
    parents: (usize, usize),
}

/// How much is known of a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A parent of something; not looked at yet.
    Named,
    /// Its parents are known.
    Read,
    /// History ends here for want of objects: a shallow boundary.
    Boundary,
    /// It is missing, or no commit.
    Missing,
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
            index: HashMap::default(),
            commits: Vec::new(),
            parents: Vec::new(),
            levels: Vec::new(),
            shallow: shallow.map_or_else(HashSet::new, |commits| commits.iter().copied().collect()),
            cut: 0,
        };
        ancestry.extend(repository, tips)?;
        Ok(ancestry)
    }

    /// Paints more. A tip of a ref that names no commit vouches for none, and cuts nothing off.
    pub(crate) fn extend(
        &mut self,
        repository: &Repository,
        tips: impl IntoIterator<Item = Tip>,
    ) -> Result<(), ObserveError> {
        let cache = repository
            .gix
            .commit_graph_if_enabled()
            .map_err(|why| ObserveError::gix("the commit-graph", &why))?;
        let mut graph = repository.gix.revision_graph::<()>(cache.as_ref());
        let mut work = Vec::new();
        for tip in tips {
            if let Some(start) = self.start(repository, &mut graph, tip)? {
                work.push((start, tip.colour, tip.via));
            }
        }
        while let Some((node, colour, via)) = work.pop() {
            let fresh = colour & !self.commits[node].colours;
            if fresh == 0 {
                continue;
            }
            self.commits[node].colours |= fresh;
            self.commits[node].via = self.commits[node].via.or(via);
            match self.read(&mut graph, node)? {
                State::Read => {}
                State::Named | State::Boundary | State::Missing => self.cut |= fresh,
            }
            work.extend(
                self.parents(node)
                    .iter()
                    .map(|parent| (*parent, fresh, via)),
            );
        }
        self.levels.clear();
        Ok(())
    }

    /// The commit of a tip, through tags.
    fn start(
        &mut self,
        repository: &Repository,
        graph: &mut gix::revwalk::Graph<'_, '_, ()>,
        tip: Tip,
    ) -> Result<Option<Node>, ObserveError> {
        let node = self.name(tip.id);
        if self.read(graph, node)? != State::Missing {
            return Ok(Some(node));
        }
        match repository.commit_of(tip.id) {
            Ok(Some(commit)) if commit != tip.id => Ok(Some(self.name(commit))),
            Ok(_) if tip.colour & (SURVIVES | PUBLISHED) != 0 => Ok(None),
            // A ref that cannot be read saves no commit, but it might have been published there.
            Err(_) if tip.colour & (SURVIVES | PUBLISHED) != 0 => {
                self.cut |= tip.colour & PUBLISHED;
                Ok(None)
            }
            Ok(_) | Err(_) => Ok(Some(node)),
        }
    }

    /// The node of an id, made if there is none.
    fn name(&mut self, id: ObjectId) -> Node {
        let next = self.commits.len();
        let node = *self.index.entry(id).or_insert(next);
        if node == next {
            self.commits.push(Commit {
                id,
                colours: 0,
                state: State::Named,
                via: None,
                parents: (0, 0),
            });
        }
        node
    }

    /// Learns the parents of a commit.
    fn read(
        &mut self,
        graph: &mut gix::revwalk::Graph<'_, '_, ()>,
        node: Node,
    ) -> Result<State, ObserveError> {
        if self.commits[node].state != State::Named {
            return Ok(self.commits[node].state);
        }
        let id = self.commits[node].id;
        let failed =
            |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {id}"), why);
        let state = if self.shallow.contains(&id) {
            State::Boundary
        } else if let Some(commit) = graph.try_lookup(&id).map_err(|why| failed(&why))? {
            let first = self.parents.len();
            for parent in commit.iter_parents() {
                let parent = self.name(parent.map_err(|why| failed(&why))?);
                self.parents.push(parent);
            }
            self.commits[node].parents = (first, self.parents.len() - first);
            State::Read
        } else {
            State::Missing
        };
        self.commits[node].state = state;
        Ok(state)
    }

    /// Levels the graph, for [`Ancestry::level`]; to be called after the last paint.
    pub(crate) fn settle(&mut self) {
        let mut children = vec![0_u32; self.commits.len()];
        for parent in &self.parents {
            children[*parent] += 1;
        }
        let mut order: Vec<Node> = (0..self.commits.len())
            .filter(|node| children[*node] == 0)
            .collect();
        let mut next = 0;
        while let Some(node) = order.get(next).copied() {
            next += 1;
            for parent in self.parents(node) {
                children[*parent] -= 1;
                if children[*parent] == 0 {
                    order.push(*parent);
                }
            }
        }
        let mut levels = vec![0; self.commits.len()];
        for node in order.into_iter().rev() {
            let below = self.parents(node).iter().map(|parent| levels[*parent]);
            levels[node] = 1 + below.fold(0, u32::max);
        }
        self.levels = levels;
    }

    /// The node of a commit that was painted.
    pub(crate) fn node(&self, id: &ObjectId) -> Option<Node> {
        self.index
            .get(id)
            .copied()
            .filter(|node| self.is_there(*node))
    }

    /// The id of a node.
    pub(crate) fn id(&self, node: Node) -> ObjectId {
        self.commits[node].id
    }

    /// How far it is from the roots of history.
    pub(crate) fn level(&self, node: Node) -> u32 {
        self.levels[node]
    }

    /// The parents that its object records.
    pub(crate) fn parents(&self, node: Node) -> &[Node] {
        let (first, count) = self.commits[node].parents;
        &self.parents[first..first + count]
    }

    /// Whether the commit itself is there.
    pub(crate) fn is_there(&self, node: Node) -> bool {
        match self.commits[node].state {
            State::Read | State::Boundary => true,
            State::Named | State::Missing => false,
        }
    }

    /// Whether history ends at a commit only for want of objects.
    pub(crate) fn is_boundary(&self, node: Node) -> bool {
        self.commits[node].state != State::Read
    }

    /// The colours of a node.
    pub(crate) fn colours_of(&self, node: Node) -> Colour {
        self.commits[node].colours
    }

    /// The colours of a commit.
    pub(crate) fn colours(&self, id: &ObjectId) -> Colour {
        self.node(id).map_or(0, |node| self.commits[node].colours)
    }

    /// Which published ref reaches a commit, by the caller's index.
    pub(crate) fn via(&self, id: &ObjectId) -> Option<u32> {
        self.node(id).and_then(|node| self.commits[node].via)
    }

    /// Whether a "no" for this colour may only mean that history is cut off.
    pub(crate) fn is_cut(&self, colour: Colour) -> bool {
        self.cut & colour != 0
    }

    /// Every commit that carries one of `colours`, above a level, the highest first.
    pub(crate) fn coloured(&self, colours: Colour, above: u32) -> Vec<Node> {
        let mut found: Vec<Node> = (0..self.commits.len())
            .filter(|node| self.colours_of(*node) & colours != 0 && self.level(*node) > above)
            .filter(|node| self.is_there(*node))
            .collect();
        found.sort_by_key(|node| (std::cmp::Reverse(self.level(*node)), *node));
        found
    }

    /// Marks the commits along the first parents of a painted tip, itself included.
    pub(crate) fn first_parents(&self, tip: &ObjectId, chain: &mut HashSet<Node>) {
        let mut at = self.node(tip);
        while let Some(node) = at.filter(|node| chain.insert(*node)) {
            at = self.parents(node).first().copied();
        }
    }

    /// How many commits a tip reaches that carry none of `colours`; the tip must be painted with
    /// a colour of its own.
    pub(crate) fn count_without(&self, tip: ObjectId, colours: Colour) -> u64 {
        let mut seen = HashSet::new();
        let mut work: Vec<Node> = self.node(&tip).into_iter().collect();
        while let Some(node) = work.pop() {
            if self.colours_of(node) & colours == 0 && self.is_there(node) && seen.insert(node) {
                work.extend(self.parents(node));
            }
        }
        seen.len() as u64
    }
}
