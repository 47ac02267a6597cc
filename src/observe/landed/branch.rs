//! One branch against one base, without the patches of the base: the cheap kinds of proof.
//!
//! Input: two commits of the graph. Output: an [`Outcome`], or the [`Branch`] whose patches must
//! be looked for. Invariants: a branch whose whole change is nothing proves nothing; with several
//! merge bases, a proof must hold from each of them.

use super::change::Change;
use super::objects::Objects;
use super::outcome::Outcome;
use super::path_merge::lacking;
use super::{limits, merges};
use crate::observe::ancestry::{Ancestry, Colour, Node};
use crate::observe::lineage::Own;
use crate::observe::{Conflict, Doubt, Found, Landed, ObserveError, Proof};
use crate::resource::BytePath;
use gix::ObjectId;

/// One ref of the base, as the walk found it.
#[derive(Clone, Debug)]
pub(crate) struct BaseTip {
    /// The full name of the ref.
    pub(crate) name: BytePath,
    /// The commit it pointed at.
    pub(crate) node: Node,
    /// The colour of what it reaches.
    pub(crate) colour: Colour,
}

/// What is read with.
#[derive(Clone, Copy)]
pub(super) struct Tools<'a> {
    pub(super) objects: &'a Objects<'a>,
    pub(super) ancestry: &'a Ancestry,
}

/// A branch that the cheap kinds did not decide.
pub(super) struct Branch {
    pub(super) head: Node,
    /// Its one merge base.
    pub(super) fork: Node,
    /// What it changes as a whole.
    pub(super) net: Vec<Change>,
    /// What of that the base lacks now.
    pub(super) lacking: Vec<Change>,
    /// What each commit changes that is no merge and not empty, the latest first.
    pub(super) patches: Vec<(Node, Vec<Change>)>,
    pub(super) merges: Vec<Node>,
    pub(super) tip_tree: ObjectId,
    /// What could not be compared.
    pub(super) trouble: Option<String>,
}

/// Decided, or not yet.
pub(super) enum First {
    Decided(Outcome),
    Open(Branch),
}

/// Asks the kinds of proof that need two trees and the merge base.
pub(super) fn first(tools: Tools<'_>, head: Node, base: &BaseTip) -> Result<First, ObserveError> {
    let Tools { objects, ancestry } = tools;
    let decided = |outcome| Ok(First::Decided(outcome));
    let Some(own) = ancestry.own(head, base.colour, limits::OWN_COMMITS) else {
        return Err(ObserveError::Bound {
            what: "commits of its own",
            limit: limits::OWN_COMMITS,
        });
    };
    if own.cut {
        return decided(Outcome::Unknown(CUT.to_owned()));
    }
    if own.forks.is_empty() {
        return decided(Outcome::No(None));
    }
    let tree = |node| objects.tree_of(ancestry.id(node));
    let (head_tree, tip_tree) = (tree(head)?, tree(base.node)?);
    let mut nets = Vec::new();
    for fork in &own.forks {
        nets.push(objects.changes(Some(tree(*fork)?), Some(head_tree), None)?);
    }
    let fork = own.forks[0];
    if nets.iter().any(Vec::is_empty) {
        let doubt = Doubt::NetEmpty;
        return decided(Outcome::Conflict(conflict(tools, base, fork, doubt, None)));
    }
    let mut trouble = None;
    let mut missing = Vec::new();
    for net in &nets {
        match lacking(objects, net, tip_tree) {
            Ok(found) => missing.extend(found.into_iter().cloned()),
            Err(why) => trouble = Some(why.to_string()),
        }
    }
    let proof = if head_tree == tip_tree {
        Some(Proof::SameTree)
    } else {
        (missing.is_empty() && trouble.is_none()).then_some(Proof::MergeAddsNothing)
    };
    let (merges, plain): (Vec<Node>, Vec<Node>) = own
        .commits
        .iter()
        .partition(|node| ancestry.parents(**node).len() > 1);
    if let Some(proof) = proof {
        let landed = landed(tools, base, fork, proof, &nets[0]);
        return decided(confirmed(tools, base, landed, &merges, fork)?);
    }
    let Own { forks, .. } = &own;
    if forks.len() > 1 {
        return decided(Outcome::Unknown(
            "it shares several latest commits with the base (criss-cross merges)".to_owned(),
        ));
    }
    let mut patches = Vec::new();
    for node in plain {
        let before = ancestry
            .parents(node)
            .first()
            .map(|parent| tree(*parent))
            .transpose()?;
        let patch = objects.changes(before, Some(tree(node)?), None)?;
        if !patch.is_empty() {
            patches.push((node, patch));
        }
    }
    Ok(First::Open(Branch {
        head,
        fork,
        net: nets.swap_remove(0),
        lacking: missing,
        patches,
        merges,
        tip_tree,
        trouble,
    }))
}

/// Why a "no" of a shallow clone is none.
pub(super) const CUT: &str = "the history of the base is cut off (shallow clone)";

/// A yes, unless a merge of the branch has content of its own.
pub(super) fn confirmed(
    tools: Tools<'_>,
    base: &BaseTip,
    landed: Landed,
    merges: &[Node],
    fork: Node,
) -> Result<Outcome, ObserveError> {
    for merge in merges {
        if let Some(path) = merges::own_content(tools.objects, tools.ancestry, *merge)? {
            let doubt = Doubt::OwnMerge {
                commit: tools.ancestry.id(*merge).to_string(),
                path: BytePath::from_bytes(&path),
            };
            return Ok(Outcome::Conflict(conflict(
                tools,
                base,
                fork,
                doubt,
                Some(landed),
            )));
        }
    }
    Ok(Outcome::Landed(landed))
}

/// A proof, named.
pub(super) fn landed(
    tools: Tools<'_>,
    base: &BaseTip,
    fork: Node,
    how: Proof,
    net: &[Change],
) -> Landed {
    let paths = net.iter().map(|change| BytePath::from_bytes(&change.path));
    Landed {
        how,
        base: base.name.clone(),
        commit: tools.ancestry.id(base.node).to_string(),
        merge_base: Some(tools.ancestry.id(fork).to_string()),
        paths: Some(paths.collect::<Found>()),
        twins: Vec::new(),
        moved: Vec::new(),
    }
}

/// A doubt, named.
pub(super) fn conflict(
    tools: Tools<'_>,
    base: &BaseTip,
    fork: Node,
    doubt: Doubt,
    despite: Option<Landed>,
) -> Conflict {
    Conflict {
        doubt,
        base: base.name.clone(),
        commit: tools.ancestry.id(base.node).to_string(),
        merge_base: tools.ancestry.id(fork).to_string(),
        despite: despite.map(Box::new),
    }
}
