//! What the commit graph says of every tree of a project, from one walk.
//!
//! Input: the base, the remote-tracking refs that count, and what each tree names. Output: per
//! tree landed, published, own commits, and commits at risk. Invariant: a "no" that a shallow
//! clone or a missing object may hide is unknown.

use super::ancestry::{
    Ancestry, Colour, LOCAL_BASE, Node, PUBLISHED, REFS, REMOTE_BASE, SURVIVES, Tip, UNSURE, WANTED,
};
use super::head::commit_id;
use super::landed::{self, Asked, BaseTip, Landing};
use super::private::Private;
use super::reflog;
use super::remotes::Remotes;
use super::repository::{Reference, Repository};
use super::{Base, BaseRef, Dropping, Found, Head, ObserveError, Published};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// Refs that a removal leaves, but that nobody may rely on: the stash may be dropped, `refs/owl`
/// expires, and the others belong to single worktrees (`spec 5`, guard 11).
pub(crate) const OUTLIVE_NOTHING: [&str; 5] = [
    "refs/stash",
    "refs/owl/",
    "refs/worktree/",
    "refs/bisect/",
    "refs/rewritten/",
];

/// The most rescue refs that one row may ask for.
const MOST_PINS: usize = 100;

/// What one tree names.
#[derive(Debug)]
pub(crate) struct Names {
    /// Its HEAD.
    pub(crate) head: Fact<Head>,
    /// What its entry keeps besides.
    pub(crate) private: Fact<Private>,
    /// What the reflog of its branch names.
    pub(crate) logged: Fact<Private>,
}

/// The graph, painted for a project.
pub(crate) struct History<'a> {
    base: &'a Fact<Base>,
    remote_refs: Vec<Reference>,
    /// Why it is unknown whether some remote-tracking refs vouch, and whether the base's is one.
    doubt: Option<String>,
    is_base_doubtful: bool,
    ancestry: Ancestry,
    /// The refs of the base, the remote-tracking one first.
    tips: Vec<BaseTip>,
    first_parents: HashSet<Node>,
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
        let all = repository.references("refs/")?;
        let outlives = |reference: &&Reference| {
            let below = |prefix: &&str| reference.name.starts_with(prefix.as_bytes());
            !OUTLIVE_NOTHING.iter().any(below)
        };
        let mut tips: Vec<Tip> = all
            .iter()
            .filter(outlives)
            .map(|reference| Tip::new(reference.target, SURVIVES | REFS))
            .collect();
        let (remote_refs, unsure) = remotes.sorted(all);
        let doubt = unsure.first().and_then(|first| remotes.doubt(&first.name));
        tips.extend(unsure.iter().map(|one| Tip::new(one.target, UNSURE)));
        tips.extend((0_u32..).zip(&remote_refs).map(|(via, reference)| Tip {
            id: reference.target,
            colour: PUBLISHED,
            via: Some(via),
        }));
        let mut bases = Vec::new();
        let mut is_base_doubtful = false;
        if let Some(base) = base.known() {
            let remote = base.remote.as_ref();
            is_base_doubtful =
                remote.is_some_and(|one| remotes.doubt(one.name.as_bytes()).is_some());
            for (reference, colour) in [(&base.remote, REMOTE_BASE), (&base.local, LOCAL_BASE)] {
                if let Some(reference) = reference {
                    bases.push((reference, object_id(&reference.commit)?, colour));
                }
            }
        }
        tips.extend(bases.iter().map(|(_, id, colour)| Tip::new(*id, *colour)));
        let wanted: Vec<ObjectId> = trees.iter().flat_map(|names| names.all()).collect();
        let logged = trees.iter().filter_map(|names| names.logged.known());
        let logged = logged.flat_map(|logged| logged.commits.iter().copied());
        tips.extend(
            wanted
                .iter()
                .copied()
                .chain(logged)
                .map(|id| Tip::new(id, WANTED)),
        );
        let mut ancestry = Ancestry::paint(repository, tips)?;
        if wanted.iter().any(|id| ancestry.colours(id) & SURVIVES == 0) {
            ancestry.extend(repository, branch_logs(repository)?)?;
        }
        ancestry.settle();
        let mut first_parents = HashSet::new();
        let mut tips = Vec::new();
        for (reference, id, colour) in bases {
            ancestry.first_parents(&id, &mut first_parents);
            let name = BytePath::from_bytes(reference.name.as_bytes());
            let node = ancestry.node(&id);
            tips.extend(node.map(|node| BaseTip { name, node, colour }));
        }
        Ok(Self {
            base,
            remote_refs,
            doubt,
            is_base_doubtful,
            ancestry,
            tips,
            first_parents,
        })
    }

    /// Whether the base has the work of each HEAD, in the order of `heads`.
    pub(crate) fn landings(&self, repository: &Repository, heads: &[&Fact<Head>]) -> Vec<Landing> {
        let asked: Vec<Result<Asked, String>> = heads.iter().map(|head| self.ask(head)).collect();
        let questions: Vec<Asked> = asked.iter().flatten().copied().collect();
        let landings = landed::landings(&repository.gix, &self.ancestry, &self.tips, &questions);
        asked
            .into_iter()
            .map(|one| match one.map(|one| landings.get(&one)) {
                Ok(Some(landing)) => landing.clone(),
                Ok(None) => Landing::unknown("it was not looked at"),
                Err(why) => Landing::unknown(&why),
            })
            .collect()
    }

    /// The question that a HEAD asks. The base branch is trivially in itself: only its
    /// remote-tracking ref can vouch for it.
    fn ask(&self, head: &Fact<Head>) -> Result<Asked, String> {
        let (head, id) = known_commit(head)?;
        let base = match self.base {
            Fact::Known(base) => base,
            Fact::Absent => return Err("no base branch can be told".to_owned()),
            Fact::Unknown(why) => return Err(why.clone()),
        };
        let bases = self.counting(base, head);
        let node = self.ancestry.node(&id);
        let head = node.ok_or_else(|| format!("the commit {id} is missing"))?;
        Ok(Asked { head, bases })
    }

    /// Whether a remote has the commit of HEAD.
    pub(crate) fn published(&self, repository: &Repository, head: &Fact<Head>) -> Fact<Published> {
        let id = match known_commit(head) {
            Ok((_, id)) => id,
            Err(why) => return Fact::Unknown(why),
        };
        let via = self
            .ancestry
            .via(&id)
            .and_then(|via| self.remote_refs.get(via as usize));
        match via {
            Some(reference) => match repository.commit_of(reference.target) {
                Ok(Some(commit)) => Fact::Known(Published {
                    reference: BytePath::from_bytes(&reference.name),
                    commit: commit.to_string(),
                }),
                Ok(None) => Fact::unknown("the remote-tracking ref names no commit"),
                Err(why) => Fact::unknown(why),
            },
            None if self.ancestry.is_cut(PUBLISHED) => {
                Fact::unknown("the history of the remotes is cut off (shallow clone)")
            }
            None => match &self.doubt {
                Some(why) if self.ancestry.colours(&id) & UNSURE != 0 => Fact::Unknown(why.clone()),
                Some(_) | None => Fact::Absent,
            },
        }
    }

    /// How many commits of HEAD neither the base nor a remote has.
    pub(crate) fn unvouched(&self, head: &Fact<Head>) -> Fact<u64> {
        match known_commit(head) {
            Ok((head, id)) => {
                let bases = self
                    .base
                    .known()
                    .map_or(0, |base| self.counting(base, head));
                Fact::Known(self.ancestry.count_without(id, bases | PUBLISHED))
            }
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
        let node = self.ancestry.node(&id);
        if !node.is_some_and(|node| self.first_parents.contains(&node)) {
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

    /// The bases that can vouch for HEAD: the base branch is trivially in itself, so that only its
    /// remote-tracking ref can vouch for a worktree that has it checked out (`git-facts 47`), and
    /// none if that may be the base branch itself under another name.
    fn counting(&self, base: &Base, head: &Head) -> Colour {
        let own = |local: &BaseRef| {
            let branch = head.branch.as_ref();
            branch.is_some_and(|branch| branch.as_bytes() == local.name.as_bytes())
        };
        match (base.local.as_ref().is_some_and(own), self.is_base_doubtful) {
            (false, _) => LOCAL_BASE | REMOTE_BASE,
            (true, false) => REMOTE_BASE,
            (true, true) => 0,
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

impl History<'_> {
    /// What rescue refs would have to name for nothing that is at risk to be lost.
    pub(crate) fn pins(&self, names: &Names) -> Fact<Vec<String>> {
        let private = match (&names.private, &names.head) {
            (Fact::Unknown(why), _) | (_, Fact::Unknown(why)) => return Fact::Unknown(why.clone()),
            (Fact::Known(private), _) => private,
            (Fact::Absent, _) => return Fact::Absent,
        };
        if !private.others.is_empty() {
            return Fact::unknown("what it names is not only commits, which no branch brings back");
        }
        match self.uppermost(names.all().collect(), SURVIVES) {
            Ok(pins) if pins.is_empty() => Fact::Absent,
            Ok(pins) => Fact::Known(pins),
            Err(why) => Fact::Unknown(why),
        }
    }

    /// What dropping it would take with it: also the branch's reflog, so that only refs count.
    pub(crate) fn drop(&self, names: &Names, stays: Fact<Vec<String>>) -> Fact<Dropping> {
        let head = match &names.head {
            Fact::Known(head) => head,
            Fact::Absent => return Fact::unknown("there is no HEAD"),
            Fact::Unknown(why) => return Fact::Unknown(why.clone()),
        };
        let mut commits: Vec<ObjectId> = names.all().collect();
        for one in [&names.private, &names.logged] {
            match one {
                Fact::Known(found) if found.others.is_empty() => commits.extend(&found.commits),
                Fact::Known(_) => {
                    let why = "what it names is not only commits, which no branch brings back";
                    return Fact::unknown(why);
                }
                Fact::Absent => {}
                Fact::Unknown(why) => return Fact::Unknown(why.clone()),
            }
        }
        match self.uppermost(commits, REFS) {
            Ok(pins) => Fact::Known(Dropping {
                branch: head.branch.clone(),
                stays,
                pins,
            }),
            Err(why) => Fact::Unknown(why),
        }
    }

    /// Of the commits without a colour, those that are in the history of no other.
    fn uppermost(&self, commits: Vec<ObjectId>, colour: Colour) -> Result<Vec<String>, String> {
        let mut nodes = Vec::new();
        for id in commits {
            let node = self.ancestry.node(&id);
            nodes.push(node.ok_or_else(|| format!("the commit {id} is missing"))?);
        }
        let found = self.ancestry.uppermost(nodes, colour);
        if found.len() > MOST_PINS {
            let many = found.len();
            return Err(format!(
                "{many} commits would need a rescue ref each (at most {MOST_PINS})"
            ));
        }
        let mut found: Vec<String> = found
            .into_iter()
            .map(|node| self.ancestry.id(node).to_string())
            .collect();
        found.sort_unstable();
        Ok(found)
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
