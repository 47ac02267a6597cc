//! The first parents of a base: the states that the base itself has been in.
//!
//! A commit that came by a merge counts from the merge on; a merge may have dropped what it
//! brought.

use crate::observe::ancestry::{Ancestry, Node};

/// The commits that a base ref pointed at, the oldest first.
pub(super) struct Mainline(Vec<Node>);

impl Mainline {
    /// Follows the first parents of a tip.
    pub(super) fn of(ancestry: &Ancestry, tip: Node) -> Self {
        let mut chain = vec![tip];
        let mut at = tip;
        while let Some(parent) = ancestry.parents(at).first() {
            chain.push(*parent);
            at = *parent;
        }
        chain.reverse();
        Self(chain)
    }

    /// The first commit of the mainline that has a commit which its tip reaches.
    pub(super) fn arrival(&self, ancestry: &Ancestry, commit: Node) -> Option<Node> {
        let level = |node: &Node| ancestry.level(*node);
        if let Ok(at) = self.0.binary_search_by_key(&level(&commit), level)
            && self.0[at] == commit
        {
            return Some(commit);
        }
        let lacks = |node: &Node| !ancestry.is_ancestor(commit, *node);
        self.0.get(self.0.partition_point(lacks)).copied()
    }
}
