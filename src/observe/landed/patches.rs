//! One branch against the patches of one base: the kinds of proof that outlive later edits.
//!
//! Input: a branch that the cheap kinds did not decide, and the table. Output: an [`Outcome`].
//! Invariants: `patch-ids` needs a twin for every commit that changes something, and the branch's
//! whole change of each path where its last twin arrived on the mainline; `squash` needs one twin
//! of the whole change; neither counts if the base took a path back since.

use super::branch::{BaseTip, Branch, Tools, confirmed, conflict, landed};
use super::change::Change;
use super::mainline::Mainline;
use super::outcome::Outcome;
use super::revert::Tip;
use super::twin::Twins;
use crate::observe::ancestry::Node;
use crate::observe::{Doubt, Landed, Moved, ObserveError, Partial, Proof, Twin};
use crate::resource::BytePath;
use std::collections::HashMap;

/// A branch, the base it is asked about, and where its patches are looked for.
pub(super) struct Search<'a> {
    pub(super) tools: Tools<'a>,
    pub(super) twins: Twins<'a>,
    pub(super) base: &'a BaseTip,
    pub(super) mainline: &'a Mainline,
    pub(super) branch: &'a Branch,
}

/// A proof, and since when the base has each path.
struct Found {
    landed: Landed,
    since: HashMap<Vec<u8>, Node>,
}

impl Search<'_> {
    /// Asks the kinds of proof that need the table.
    pub(super) fn outcome(&self) -> Result<Outcome, ObserveError> {
        let Branch {
            net,
            fork,
            lacking,
            merges,
            ..
        } = self.branch;
        let mut trouble = self.branch.trouble.clone();
        if trouble.is_none()
            && let Some(moved) =
                self.twins
                    .has_moved(lacking, (self.base.colour, self.branch.tip_tree), |node| {
                        self.counts(node)
                    })?
        {
            let mut landed = landed(self.tools, self.base, *fork, Proof::MergeAddsNothing, net);
            let named = |(from, to): (gix::bstr::BString, gix::bstr::BString)| Moved {
                from: BytePath::from_bytes(&from),
                to: BytePath::from_bytes(&to),
            };
            landed.moved = moved.into_iter().map(named).collect();
            return confirmed(self.tools, self.base, landed, merges, *fork);
        }
        let mut doubtful = None;
        let mut partial = None;
        for found in [self.patch_ids(&mut partial), self.squash()] {
            match found {
                Ok(Some(found)) => match self.unless_taken_back(found)? {
                    Outcome::Conflict(conflict) => {
                        doubtful.get_or_insert(conflict);
                    }
                    certain @ (Outcome::Landed(_) | Outcome::No(_) | Outcome::Unknown(_)) => {
                        return Ok(certain);
                    }
                },
                Ok(None) => {}
                Err(why) => trouble = Some(why.to_string()),
            }
        }
        Ok(match (doubtful, trouble) {
            (Some(conflict), _) => Outcome::Conflict(conflict),
            (None, Some(why)) => Outcome::Unknown(why),
            (None, None) => Outcome::No(partial),
        })
    }

    /// Whether a commit is one that the base has and the branch has not.
    fn counts(&self, node: Node) -> bool {
        let ancestry = self.tools.ancestry;
        ancestry.colours_of(node) & self.base.colour != 0
            && !ancestry.is_ancestor(node, self.branch.head)
    }

    fn patch_ids(&self, partial: &mut Option<Partial>) -> Result<Option<Found>, ObserveError> {
        let ancestry = self.tools.ancestry;
        let patches = &self.branch.patches;
        let mut pairs = Vec::new();
        for (commit, patch) in patches {
            if let Some(twin) = self.twins.find(patch, |node| self.counts(node))? {
                pairs.push((*commit, twin, patch));
            }
        }
        if pairs.len() < patches.len() {
            *partial = (!pairs.is_empty()).then(|| Partial {
                twins: pairs.len() as u64,
                of: patches.len() as u64,
                base: self.base.name.clone(),
            });
            return Ok(None);
        }
        let mut since = HashMap::new();
        for change in &self.branch.net {
            let touching = pairs.iter().filter_map(|(_, twin, patch)| {
                let same_path = patch.iter().find(|one| one.path == change.path)?;
                Some((*twin, same_path))
            });
            let touching: Vec<(Node, &Change)> = touching.collect();
            let last = touching
                .iter()
                .max_by_key(|(twin, _)| (ancestry.level(*twin), *twin));
            let Some((last, _)) = last else {
                return Ok(None);
            };
            let Some(arrival) = self.mainline.arrival(ancestry, *last) else {
                return Ok(None);
            };
            let confirmed = matches!(touching[..], [(twin, one)] if twin == arrival && one == change)
                || self.twins.has(std::slice::from_ref(change), arrival)?;
            if !confirmed {
                return Ok(None);
            }
            since.insert(change.path.to_vec(), arrival);
        }
        let pairs = pairs.iter().map(|(commit, twin, _)| (*commit, *twin));
        Ok(Some(Found {
            landed: self.proof(Proof::PatchIds, pairs),
            since,
        }))
    }

    fn squash(&self) -> Result<Option<Found>, ObserveError> {
        let net = &self.branch.net;
        let Some(twin) = self.twins.find(net, |node| self.counts(node))? else {
            return Ok(None);
        };
        let Some(arrival) = self.mainline.arrival(self.tools.ancestry, twin) else {
            return Ok(None);
        };
        if arrival != twin && !self.twins.has(net, arrival)? {
            return Ok(None);
        }
        let since = net.iter().map(|change| (change.path.to_vec(), arrival));
        Ok(Some(Found {
            since: since.collect(),
            landed: self.proof(Proof::Squash, [(self.branch.head, twin)]),
        }))
    }

    fn proof(&self, how: Proof, pairs: impl IntoIterator<Item = (Node, Node)>) -> Landed {
        let id = |node| self.tools.ancestry.id(node).to_string();
        let Branch { fork, net, .. } = self.branch;
        let mut landed = landed(self.tools, self.base, *fork, how, net);
        landed.twins = pairs
            .into_iter()
            .map(|(commit, twin)| Twin {
                commit: id(commit),
                twin: id(twin),
            })
            .collect();
        landed
    }

    fn unless_taken_back(&self, found: Found) -> Result<Outcome, ObserveError> {
        let Found { landed, since } = found;
        let Branch {
            net,
            fork,
            merges,
            tip_tree,
            ..
        } = self.branch;
        let tip = Tip {
            colour: self.base.colour,
            tree: *tip_tree,
        };
        let brought = |change: &Change| {
            since
                .get(change.path.as_slice())
                .map_or(*fork, |node| *node)
        };
        match self.twins.taken_back(net, brought, tip)? {
            Some(path) => {
                let doubt = Doubt::TakenBack {
                    path: BytePath::from_bytes(&path),
                };
                let conflict = conflict(self.tools, self.base, *fork, doubt, Some(landed));
                Ok(Outcome::Conflict(conflict))
            }
            None => confirmed(self.tools, self.base, landed, merges, *fork),
        }
    }
}
