//! How two commits of a painted graph are related: in, forked from, or merged with one another.
//!
//! Input: an [`Ancestry`] after its last paint. Output: own commits, fork points, merge bases,
//! ancestry of any two commits. Invariants: exact, whatever the commit dates say; a walk goes no
//! deeper than the level of what it looks for; no walk goes through the base.

use super::ancestry::{Ancestry, Colour, Node};
use std::collections::{BinaryHeap, HashMap, HashSet};

/// What a branch has that its base has not.
#[derive(Debug)]
pub(crate) struct Own {
    /// Its commits, each before its parents' where one line leads through both.
    pub(crate) commits: Vec<Node>,
    /// The best commits that it shares with the base; more than one after a criss-cross merge.
    pub(crate) forks: Vec<Node>,
    /// History ended before the base was met, for want of objects.
    pub(crate) cut: bool,
}

impl Ancestry {
    /// What `tip` has without the base of a colour; none if it has more than `limit` commits.
    pub(crate) fn own(&self, tip: Node, base: Colour, limit: usize) -> Option<Own> {
        let mut seen = HashSet::from([tip]);
        let mut work = vec![tip];
        let (mut commits, mut forks, mut cut) = (Vec::new(), Vec::new(), false);
        while let Some(node) = work.pop() {
            if self.colours_of(node) & base != 0 {
                forks.push(node);
                continue;
            }
            if commits.len() == limit {
                return None;
            }
            cut |= self.is_boundary(node);
            commits.push(node);
            work.extend(self.parents(node).iter().filter(|one| seen.insert(**one)));
        }
        commits.sort_by_key(|node| (std::cmp::Reverse(self.level(*node)), *node));
        Some(Own {
            commits,
            forks: self.maximal(forks),
            cut,
        })
    }

    /// Those of `nodes` that none of the others contains.
    fn maximal(&self, mut nodes: Vec<Node>) -> Vec<Node> {
        nodes.sort_unstable();
        let others = nodes.clone();
        nodes.retain(|node| {
            let contains = |other: &Node| other != node && self.is_ancestor(*node, *other);
            !others.iter().any(contains)
        });
        nodes
    }

    /// Those of `nodes` that lack a colour and that no other of them reaches through commits that
    /// lack it.
    pub(crate) fn uppermost(&self, mut nodes: Vec<Node>, colour: Colour) -> Vec<Node> {
        nodes.retain(|node| self.colours_of(*node) & colour == 0);
        // A commit lies below everything that reaches it.
        nodes.sort_by_key(|node| (std::cmp::Reverse(self.level(*node)), *node));
        nodes.dedup();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for node in nodes {
            if !seen.insert(node) {
                continue;
            }
            found.push(node);
            let mut work = vec![node];
            while let Some(node) = work.pop() {
                let parents = self.parents(node).iter().copied();
                let lacking = parents.filter(|one| self.colours_of(*one) & colour == 0);
                work.extend(lacking.filter(|one| seen.insert(*one)));
            }
        }
        found
    }

    /// Whether `descendant` is `ancestor` or reaches it.
    pub(crate) fn is_ancestor(&self, ancestor: Node, descendant: Node) -> bool {
        let floor = self.level(ancestor);
        let mut seen = HashSet::new();
        let mut work = vec![descendant];
        while let Some(node) = work.pop() {
            if node == ancestor {
                return true;
            }
            if self.level(node) > floor && seen.insert(node) {
                work.extend(self.parents(node));
            }
        }
        false
    }

    /// The best common ancestors of two commits.
    pub(crate) fn merge_bases(&self, one: Node, two: Node) -> Vec<Node> {
        const ONE: u8 = 1;
        const TWO: u8 = 2;
        const STALE: u8 = 4;
        let mut flags: HashMap<Node, u8> = HashMap::new();
        let mut queue = BinaryHeap::new();
        // How many in the queue are not known to lie below a common ancestor.
        let mut open = 0_usize;
        let mut found = Vec::new();
        for (node, flag) in [(one, ONE), (two, TWO)] {
            if flags
                .insert(node, flags.get(&node).map_or(0, |f| *f) | flag)
                .is_none()
            {
                queue.push((self.level(node), node));
                open += 1;
            }
        }
        // Levels make a commit leave the queue only after everything that leads to it.
        while let Some((_, node)) = queue.pop() {
            let flag = flags[&node];
            if flag & STALE == 0 {
                open -= 1;
            }
            let mut passed = flag;
            if flag == ONE | TWO {
                found.push(node);
                passed |= STALE;
            }
            for parent in self.parents(node) {
                if let Some(known) = flags.get_mut(parent) {
                    if *known & STALE == 0 && passed & STALE != 0 {
                        open -= 1;
                    }
                    *known |= passed;
                } else {
                    flags.insert(*parent, passed);
                    queue.push((self.level(*parent), *parent));
                    open += usize::from(passed & STALE == 0);
                }
            }
            if open == 0 {
                break;
            }
        }
        found.sort_unstable();
        found
    }
}
