//! Whether the base has a branch's work, and by which proof (`spec 4.1`, `performance 3`).
//!
//! Input: the painted graph, the refs of the base, and the commits that are asked about. Output:
//! one [`Landing`] each. The kinds, cheapest first: the commit is in the base (`ancestor`, which
//! stands alone); both trees are the same (`same-tree`); merged path by path into the base it
//! would add nothing (`merge-adds-nothing`); every commit has a twin in the base (`patch-ids`);
//! the branch as a whole has one (`squash`).
//!
//! Invariants:
//! - A yes means that, at some commit of the base's mainline, every path that the branch changed
//!   has the branch's change in its place, and that the base has not taken it back since.
//! - A branch whose whole change is nothing, a merge with content of its own, and a change that
//!   was taken back make the evidence conflicting: that is neither a yes nor a plain no.
//! - Where one ref of the base contains the other, the one that contains decides: what it took
//!   back is no longer landed, whatever an older state had.
//! - Nothing of the repository's configuration runs, nothing is fetched, nothing is written.
//! - What lies past a bound of [`limits`], or is missing, is unknown.
//! - The patches of the base are compared once for all branches of a project.

mod branch;
mod change;
mod limits;
mod mainline;
mod merges;
mod objects;
mod outcome;
mod patch;
mod patches;
mod path_merge;
mod renames;
mod revert;
mod table;
mod text;
mod twin;
mod wanted;

pub(crate) use branch::BaseTip;
pub(crate) use outcome::Landing;

use super::ancestry::{Ancestry, Colour, Node};
use super::{Landed, ObserveError, Proof};
use branch::{Branch, CUT, First, Tools};
use mainline::Mainline;
use objects::Objects;
use outcome::Outcome;
use patches::Search;
use std::collections::BTreeMap;
use table::Table;
use twin::Twins;
use wanted::Wanted;

/// A commit that is asked about, and the bases that may vouch for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    pub(crate) head: Node,
    pub(crate) bases: Colour,
}

/// Decides about every commit; equal questions are answered once.
pub(crate) fn landings(
    repository: &gix::Repository,
    ancestry: &Ancestry,
    bases: &[BaseTip],
    asked: &[Asked],
) -> BTreeMap<Asked, Landing> {
    let objects = Objects::new(repository);
    let tools = Tools {
        objects: &objects,
        ancestry,
    };
    let mut landings = BTreeMap::new();
    let mut open: Vec<(Asked, &BaseTip, Branch)> = Vec::new();
    let mut outcomes: BTreeMap<Asked, Vec<Outcome>> = BTreeMap::new();
    for one in asked {
        if outcomes.contains_key(one) || landings.contains_key(one) {
            continue;
        }
        let count = |base: &&BaseTip| base.colour & one.bases != 0;
        let in_it = |base: &&BaseTip| ancestry.colours_of(one.head) & base.colour != 0;
        if let Some(base) = bases.iter().filter(count).find(in_it) {
            landings.insert(
                *one,
                Landing::of(&[Outcome::Landed(ancestor(ancestry, base))]),
            );
            continue;
        }
        let told = outcomes.entry(*one).or_default();
        let counting: Vec<&BaseTip> = bases.iter().filter(count).collect();
        for base in deciding(ancestry, &counting) {
            match branch::first(tools, one.head, base) {
                Ok(First::Decided(outcome)) => told.push(uncut(ancestry, base, outcome)),
                Ok(First::Open(branch)) => open.push((*one, base, branch)),
                Err(why) => told.push(Outcome::Unknown(why.to_string())),
            }
        }
    }
    for (one, outcome) in search(tools, &open) {
        outcomes.entry(one).or_default().push(outcome);
    }
    landings.extend(
        outcomes
            .into_iter()
            .map(|(one, told)| (one, Landing::of(&told))),
    );
    landings
}

/// The commit is in the base.
fn ancestor(ancestry: &Ancestry, base: &BaseTip) -> Landed {
    Landed {
        how: Proof::Ancestor,
        base: base.name.clone(),
        commit: ancestry.id(base.node).to_string(),
        merge_base: None,
        paths: None,
        twins: Vec::new(),
        moved: Vec::new(),
    }
}

/// The bases that no other one contains; of two equal ones the first.
fn deciding<'b>(ancestry: &Ancestry, bases: &[&'b BaseTip]) -> Vec<&'b BaseTip> {
    let mut deciding: Vec<&BaseTip> = Vec::new();
    for base in bases {
        let contained = bases.iter().any(|other| {
            other.node != base.node && ancestry.colours_of(base.node) & other.colour != 0
        });
        if !contained && deciding.iter().all(|other| other.node != base.node) {
            deciding.push(base);
        }
    }
    deciding
}

/// A "no" that a shallow clone may hide the other answer from is unknown.
fn uncut(ancestry: &Ancestry, base: &BaseTip, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::No(_) if ancestry.is_cut(base.colour) => Outcome::Unknown(CUT.to_owned()),
        Outcome::Landed(_) | Outcome::Conflict(_) | Outcome::No(_) | Outcome::Unknown(_) => outcome,
    }
}

/// Looks for the patches of all open branches in one table.
fn search(tools: Tools<'_>, open: &[(Asked, &BaseTip, Branch)]) -> Vec<(Asked, Outcome)> {
    let Tools { objects, ancestry } = tools;
    let mut wanted = Wanted::default();
    let mut floor = u32::MAX;
    let mut colours = 0;
    let mut mainlines: BTreeMap<Node, Mainline> = BTreeMap::new();
    for (_, base, branch) in open {
        for change in branch
            .net
            .iter()
            .chain(branch.patches.iter().flat_map(|(_, patch)| patch))
        {
            wanted.insert(change.path.as_ref());
        }
        floor = floor.min(ancestry.level(branch.fork));
        colours |= base.colour;
        mainlines
            .entry(base.node)
            .or_insert_with(|| Mainline::of(ancestry, base.node));
    }
    if open.is_empty() {
        return Vec::new();
    }
    let table = Table::build(objects, ancestry, colours, floor, &wanted);
    let outcome = |base: &BaseTip, branch: &Branch| -> Result<Outcome, ObserveError> {
        let table = match &table {
            Ok(table) => table,
            Err(why) => return Ok(Outcome::Unknown(why.to_string())),
        };
        let bound = table.reaches_to();
        if bound.is_some_and(|level| ancestry.level(branch.fork) < level) {
            return Err(ObserveError::Bound {
                what: "commits of the base since it forked",
                limit: limits::BASE_COMMITS,
            });
        }
        let search = Search {
            tools,
            twins: Twins {
                objects,
                ancestry,
                table,
            },
            base,
            mainline: &mainlines[&base.node],
            branch,
        };
        search.outcome()
    };
    open.iter()
        .map(|(asked, base, branch)| {
            let outcome = match outcome(base, branch) {
                Ok(outcome) => uncut(ancestry, base, outcome),
                Err(why) => Outcome::Unknown(why.to_string()),
            };
            (*asked, outcome)
        })
        .collect()
}
