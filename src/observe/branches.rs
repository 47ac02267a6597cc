//! Which branches a drop must leave (`spec 5`, Drop; `spec 7.6`).
//!
//! Input: the repository. Output: for one branch, every reason why it stays. Invariant: fails
//! towards staying; whatever could not be read is an error, and an error keeps every branch.

use super::linked_refs;
use super::place::{contents, look, names, ref_text, trimmed};
use super::repository::Repository;
use super::{Base, NamedPlace, ObserveError, World, base, remotes::Remotes, repository};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::bstr::{BString, ByteSlice};
use std::path::Path;

/// Who holds which branch of one repository.
#[derive(Debug)]
pub(crate) struct Branches {
    uses: Vec<Use>,
    /// Every symbolic ref, with what it points at.
    symbolic: Vec<(BString, BString)>,
}

/// A branch that the main worktree or an administrative entry has.
#[derive(Debug)]
struct Use {
    branch: BString,
    /// The entry; none for the main worktree.
    entry: Option<BytePath>,
    /// What it does with it.
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    CheckedOut,
    Rebased,
    Bisected,
}

impl How {
    fn phrase(self) -> &'static str {
        match self {
            Self::CheckedOut => "checked out",
            Self::Rebased => "being rebased",
            Self::Bisected => "being bisected",
        }
    }
}

impl Branches {
    /// Reads every HEAD, rebase and bisection, and every symbolic ref.
    pub(crate) fn read(repository: &Repository) -> Result<Self, ObserveError> {
        let common_dir = repository.gix.common_dir();
        let mut uses = Vec::new();
        used_in((common_dir, common_dir), None, &mut uses)?;
        let entries = common_dir.join("worktrees");
        for name in names(&entries)?.into_iter().flatten() {
            used_in(
                (common_dir, &entries.join(&name)),
                Some(&BytePath::from(&name)),
                &mut uses,
            )?;
        }
        Ok(Self {
            uses,
            symbolic: repository.symbolic_refs()?,
        })
    }

    /// Every reason why a branch, by its full name, stays; `own` is the entry whose worktree goes
    /// with it, and whose HEAD is none.
    pub(crate) fn stays(
        &self,
        base: &Fact<Base>,
        branch: &[u8],
        own: Option<&BytePath>,
    ) -> Fact<Vec<String>> {
        let base = match base {
            Fact::Known(base) => base,
            Fact::Absent => return Fact::unknown("no base branch can be told"),
            Fact::Unknown(why) => return Fact::Unknown(why.clone()),
        };
        let Some(short) = branch.strip_prefix(b"refs/heads/") else {
            return Fact::Known(vec!["it is no branch".to_owned()]);
        };
        let mut why = Vec::new();
        let local = base.local.as_ref().map(|local| local.name.as_bytes());
        if short == base.name.as_bytes() || local == Some(branch) {
            why.push("it is the base branch".to_owned());
        }
        for (name, target) in &self.symbolic {
            let name = name.as_slice();
            if name == branch {
                why.push("it is a symbolic ref".to_owned());
            } else if target.as_slice() == branch {
                let name = BytePath::from_bytes(name);
                why.push(format!("{name} is symbolic for it"));
            } else if name.starts_with(b"refs/remotes/")
                && let Some(remote) = name.strip_suffix(b"HEAD")
                && target.strip_prefix(remote) == Some(short)
            {
                let name = BytePath::from_bytes(name);
                why.push(format!("{name} names the same branch of its remote"));
            }
        }
        for one in self.uses.iter().filter(|one| one.branch == branch) {
            let is_own = own.is_some() && one.entry.as_ref() == own;
            if is_own && one.how == How::CheckedOut {
                continue;
            }
            let place = match &one.entry {
                Some(entry) => format!("in the worktree {entry}"),
                None => "in the main worktree".to_owned(),
            };
            why.push(format!("it is {} {place}", one.how.phrase()));
        }
        if why.is_empty() {
            Fact::Absent
        } else {
            Fact::Known(why)
        }
    }
}

/// Every reason why a branch stays, asked afresh, right before it is deleted; absent if none is
/// left. The worktree that it was checked out in is gone by then.
pub fn branch_stays(
    world: &World<'_>,
    named: &NamedPlace,
    branch: &[u8],
) -> Result<Fact<Vec<String>>, ObserveError> {
    // Opened by git first, so that git has checked who owns it.
    world.git.repository(&named.place.common_dir)?;
    let shared = repository::open(&named.place)?;
    let repository = Repository::of(&shared);
    let remotes = Remotes::of(&repository, &named.place)?;
    let base = base::base(&repository, &remotes, named.base.as_deref())?;
    Ok(Branches::read(&repository)?.stays(&base, branch, None))
}

/// What one git directory has: its HEAD, and the branches of a rebase or a bisection.
fn used_in(
    (common_dir, git_dir): (&Path, &Path),
    entry: Option<&BytePath>,
    uses: &mut Vec<Use>,
) -> Result<(), ObserveError> {
    let mut add = |branch: &[u8], how| {
        uses.push(Use {
            branch: branch.into(),
            entry: entry.cloned(),
            how,
        });
    };
    let head = git_dir.join("HEAD");
    let is_link = look(&head)?.is_some_and(|metadata| metadata.is_symlink());
    if is_link
        && linked_refs::target(&head)?.is_none()
        && let Some(branch) = linked_refs::through(common_dir, &head)?
    {
        add(&branch, How::CheckedOut);
    }
    // An entry without HEAD is none for git, and has a row that says so.
    if let Some(bytes) = ref_text(&head)? {
        let value = trimmed(&bytes);
        if let Some(branch) = value.strip_prefix(b"ref: ") {
            let branch = branch.trim_start();
            if branch == b"refs/heads/.invalid" {
                let why = "is kept in a reftable, which owl cannot read";
                return Err(ObserveError::malformed(&head, why));
            }
            add(branch, How::CheckedOut);
        } else if gix::ObjectId::from_hex(value).is_err() {
            let why = "names neither a branch nor a commit";
            return Err(ObserveError::malformed(&head, why));
        }
    }
    for file in ["rebase-merge/head-name", "rebase-apply/head-name"] {
        if let Some(bytes) = contents(&git_dir.join(file))? {
            add(trimmed(&bytes), How::Rebased);
        }
    }
    if let Some(bytes) = contents(&git_dir.join("rebase-merge/update-refs"))? {
        for line in bytes.lines().filter(|line| line.starts_with(b"refs/")) {
            add(trimmed(line), How::Rebased);
        }
    }
    if let Some(bytes) = contents(&git_dir.join("BISECT_START"))? {
        let mut full = b"refs/heads/".to_vec();
        full.extend_from_slice(trimmed(&bytes));
        add(&full, How::Bisected);
    }
    Ok(())
}
