//! What the commit graph says of every tree of a project, from one walk.
//!
//! Input: the base, the remote-tracking refs that count, and what each tree names. Output: per
//! tree landed, published, own commits, and commits at risk. Invariant: a "no" that a shallow
//! clone or a missing object may hide is unknown.

use super::ancestry::{Ancestry, LOCAL_BASE, PUBLISHED, REMOTE_BASE, SURVIVES, Tip, WANTED};
use super::head::commit_id;
use super::private::Private;
use super::reflog;
use super::remotes::Remotes;
use super::repository::{Reference, Repository};
use super::{Base, BaseRef, Found, Head, Landed, ObserveError, Proof, Published};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// Refs that a removal leaves, but that nobody may rely on: the stash may be dropped, `refs/owl`
/// expires, and the others belong to single worktrees (`spec 5`, guard 11).
const OUTLIVE_NOTHING: [&str; 5] = [
    "refs/stash",
    "refs/owl/",
    "refs/worktree/",
    "refs/bisect/",
    "refs/rewritten/",
];

/// What one tree names.
#[derive(Debug)]
pub(crate) struct Names {
    /// Its HEAD.
    pub(crate) head: Fact<Head>,
    /// What its entry keeps besides.
    pub(crate) private: Fact<Private>,
}

/// The graph, painted for a project.
pub(crate) struct History<'a> {
    base: &'a Fact<Base>,
    remote_refs: Vec<(Reference, ObjectId)>,
    ancestry: Ancestry,
    first_parents: HashSet<ObjectId>,
}

impl<'a> History<'a> {
    /// Walks the graph once, and a second time from the branches' reflogs only if something that a
    /// tree names is not reachable from any ref.
    pub(crate) fn new(
        repository: &Repository,
        base: &'a Fact<Base>,
        remotes: &Remotes,
        trees: &[&Names],
    ) -> Result<Self, ObserveError> {
        let commit = |reference: Reference| match repository.commit_of(reference.target) {
            Ok(Some(commit)) => Some((reference, commit)),
            // A ref that names no commit vouches for none.
            Ok(None) | Err(_) => None,
        };
        let remote_refs: Vec<_> = remotes
            .references(repository)?
            .into_iter()
            .filter_map(commit)
            .collect();
        let mut tips = Vec::new();
        for reference in repository.references("refs/")?.into_iter() {
            let outlives = |prefix: &&str| !reference.name.starts_with(prefix.as_bytes());
            if OUTLIVE_NOTHING.iter().all(|prefix| outlives(&prefix)) {
                tips.extend(commit(reference).map(|(_, id)| Tip::new(id, SURVIVES)));
            }
        }
        for (via, (_, id)) in remote_refs.iter().enumerate() {
            let via = u32::try_from(via).map_or(None, Some);
            tips.push(Tip {
                id: *id,
                colour: PUBLISHED,
                via,
            });
        }
        let mut base_tips = Vec::new();
        if let Some(base) = base.known() {
            for (reference, colour) in [(&base.local, LOCAL_BASE), (&base.remote, REMOTE_BASE)] {
                let id = reference
                    .as_ref()
                    .map(|one| object_id(&one.commit))
                    .transpose()?;
                base_tips.extend(id.map(|id| Tip::new(id, colour)));
            }
        }
        tips.extend(&base_tips);
        let wanted: Vec<ObjectId> = trees.iter().flat_map(|names| names.all()).collect();
        tips.extend(wanted.iter().map(|id| Tip::new(*id, WANTED)));
        let mut ancestry = Ancestry::paint(repository, tips)?;
        if wanted.iter().any(|id| ancestry.colours(id) & SURVIVES == 0) {
            ancestry.extend(repository, branch_logs(repository)?)?;
        }
        let first_parents = base_tips
            .iter()
            .flat_map(|tip| ancestry.first_parents(tip.id))
            .collect();
        Ok(Self {
            base,
            remote_refs,
            ancestry,
            first_parents,
        })
    }

    /// Whether the base has the commit of HEAD.
    pub(crate) fn landed(&self, head: &Fact<Head>) -> Fact<Landed> {
        let (head, id) = match known_commit(head) {
            Ok(known) => known,
            Err(why) => return Fact::Unknown(why),
        };
        let base = match self.base {
            Fact::Known(base) => base,
            Fact::Absent => return Fact::unknown("no base branch can be told"),
            Fact::Unknown(why) => return Fact::Unknown(why.clone()),
        };
        // The base branch is trivially in itself; only its remote-tracking ref can vouch for it.
        let own = |local: &BaseRef| {
            head.branch
                .as_ref()
                .is_some_and(|branch| branch.as_bytes() == local.name.as_bytes())
        };
        let colours = self.ancestry.colours(&id);
        let mut cut = false;
        let candidates = [(&base.remote, REMOTE_BASE), (&base.local, LOCAL_BASE)];
        for (reference, colour) in candidates {
            let Some(reference) = reference else { continue };
            if colour == LOCAL_BASE && own(reference) {
                continue;
            }
            if colours & colour != 0 {
                return Fact::Known(Landed {
                    how: Proof::Ancestor,
                    base: BytePath::from_bytes(reference.name.as_bytes()),
                    commit: reference.commit.clone(),
                });
            }
            cut |= self.ancestry.is_cut(colour);
        }
        if cut {
            Fact::unknown("the history of the base is cut off (shallow clone)")
        } else {
            Fact::Absent
        }
    }

    /// Whether a remote has the commit of HEAD.
    pub(crate) fn published(&self, head: &Fact<Head>) -> Fact<Published> {
        let id = match known_commit(head) {
            Ok((_, id)) => id,
            Err(why) => return Fact::Unknown(why),
        };
        let via = self
            .ancestry
            .via(&id)
            .and_then(|via| self.remote_refs.get(via as usize));
        match via {
            Some((reference, commit)) => Fact::Known(Published {
                reference: BytePath::from_bytes(&reference.name),
                commit: commit.to_string(),
            }),
            None if self.ancestry.is_cut(PUBLISHED) => {
                Fact::unknown("the history of the remotes is cut off (shallow clone)")
            }
            None => Fact::Absent,
        }
    }

    /// How many commits of HEAD neither the base nor a remote has.
    pub(crate) fn unvouched(&self, head: &Fact<Head>) -> Fact<u64> {
        match known_commit(head) {
            Ok((_, id)) => Fact::Known(
                self.ancestry
                    .count_without(id, LOCAL_BASE | REMOTE_BASE | PUBLISHED),
            ),
            Err(why) => Fact::Unknown(why),
        }
    }

    /// Whether the branch has a commit of its own (`spec 3`, `own-commits`).
    pub(crate) fn own_commits(
        &self,
        repository: &Repository,
        entry: &Path,
        head: &Fact<Head>,
    ) -> Fact<bool> {
        let (head, id) = match known_commit(head) {
            Ok(known) => known,
            Err(why) => return Fact::Unknown(why),
        };
        if self.base.known().is_none() {
            return Fact::unknown("no base branch can be told");
        }
        if !self.first_parents.contains(&id) {
            return Fact::Known(true);
        }
        let log = match &head.branch {
            Some(branch) => reflog::read(repository.gix.common_dir(), branch.as_bytes().as_bstr()),
            None => reflog::read(entry, BStr::new("HEAD")),
        };
        match log {
            Ok(Some(entries)) => Fact::Known(entries.iter().any(made_a_commit)),
            Ok(None) => {
                Fact::unknown("the branch has no reflog that tells whether it was worked on")
            }
            Err(why) => Fact::unknown(why),
        }
    }

    /// Commits that the tree names, and that nothing would reach once it is gone.
    pub(crate) fn at_risk(&self, names: &Names) -> Fact<Found> {
        if let Fact::Unknown(why) = &names.private {
            return Fact::Unknown(why.clone());
        }
        if let Fact::Unknown(why) = &names.head {
            return Fact::Unknown(why.clone());
        }
        let others = names
            .private
            .known()
            .into_iter()
            .flat_map(|one| &one.others);
        names
            .all()
            .filter(|id| self.ancestry.colours(id) & SURVIVES == 0)
            .chain(others.copied())
            .map(|id| BytePath::from(id.to_string()))
            .collect::<Found>()
            .into_fact()
    }
}

impl Names {
    /// Every commit that it names, in a fixed order, each once.
    fn all(&self) -> impl Iterator<Item = ObjectId> {
        let mut all: BTreeSet<ObjectId> = commit_id(&self.head).into_iter().collect();
        if let Fact::Known(private) = &self.private {
            all.extend(&private.commits);
        }
        all.into_iter()
    }
}

/// Reflog messages of git that say that a commit was made, rather than one checked out.
fn made_a_commit(logged: &reflog::Logged) -> bool {
    const MADE: [&[u8]; 6] = [
        b"commit",
        b"cherry-pick",
        b"revert",
        b"merge",
        b"rebase",
        b"am",
    ];
    MADE.iter().any(|start| logged.message.starts_with(start))
}

/// Tips from the reflogs of every branch: a kept branch keeps its reflog.
fn branch_logs(repository: &Repository) -> Result<Vec<Tip>, ObserveError> {
    let mut tips = BTreeSet::new();
    for branch in repository.references("refs/heads/")? {
        for logged in reflog::read(repository.gix.common_dir(), branch.name.as_ref())?
            .into_iter()
            .flatten()
        {
            tips.extend(logged.old);
            tips.extend(logged.new);
        }
    }
    tips.retain(|id| repository.gix.has_object(id));
    Ok(tips.into_iter().map(|id| Tip::new(id, SURVIVES)).collect())
}

fn known_commit(head: &Fact<Head>) -> Result<(&Head, ObjectId), String> {
    match head {
        Fact::Known(known) => match commit_id(head) {
            Some(id) => Ok((known, id)),
            None => Err("HEAD names no commit".to_owned()),
        },
        Fact::Absent => Err("there is no HEAD".to_owned()),
        Fact::Unknown(why) => Err(why.clone()),
    }
}

fn object_id(hex: &str) -> Result<ObjectId, ObserveError> {
    ObjectId::from_hex(hex.as_bytes())
        .map_err(|why| ObserveError::gix(format!("the id {hex}"), &why))
}
