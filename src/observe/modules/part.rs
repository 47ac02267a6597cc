//! One submodule: its place, its repository, and whether anything of either is nowhere else.
//!
//! Input: the place, and the commit that is recorded for it. Output: what the walk needs of it, or
//! the first thing that is its own. Invariants: HEAD is the commit that is recorded; no file differs
//! from it, by the same probes as in the worktree; git agrees with gix that a remote has it.

use super::{Part, Seat, config, link, own};
use crate::fact::Fact;
use crate::git::Oid;
use crate::observe::content::Contents;
use crate::observe::objects::Existing;
use crate::observe::place::{in_the_way, look};
use crate::observe::repository::{self, Repository};
use crate::observe::walk::listed;
use crate::observe::{
    Depth, Found, ObserveError, dirt, draft, head, hidden, index, operation, proof,
};
use gix::ObjectId;
use std::path::{Path, PathBuf};

/// Why a submodule may not go.
pub(super) enum Why {
    /// Something of it is nowhere else, or is not as git leaves it; the sentence says what.
    Own(String),
    /// It could not be told.
    Unknown(ObserveError),
}

impl Why {
    pub(super) fn own(why: impl Into<String>) -> Self {
        Self::Own(why.into())
    }
}

impl From<ObserveError> for Why {
    fn from(why: ObserveError) -> Self {
        Self::Unknown(why)
    }
}

/// A submodule that has nothing of its own.
pub(super) struct Harmless {
    /// Its repository, relative to `modules/`.
    pub(super) repository: PathBuf,
    pub(super) part: Part,
}

/// Looks at the submodule at `path`.
pub(super) fn part(
    seat: &Seat<'_>,
    path: &Path,
    recorded: ObjectId,
    prefix: &Path,
) -> Result<Harmless, Why> {
    let place = seat.root.join(path);
    if let Some(why) = in_the_way(seat.root, &place)? {
        return Err(Why::Own(why));
    }
    let relative = link::follow(seat, path, prefix)?;
    let git_dir = seat.modules.join(&relative);
    if let Some(why) = in_the_way(seat.modules, &git_dir)? {
        return Err(Why::Own(why));
    }
    if !look(&git_dir)?.is_some_and(|metadata| metadata.is_dir()) {
        return Err(Why::own("its repository is gone"));
    }
    if let Some(why) = config::unusual(seat, path, &relative)? {
        return Err(Why::Own(why));
    }
    none(&operation::operation(&git_dir)?, "in progress")?;
    if let Some(why) = own::unusual(&git_dir)? {
        return Err(Why::Own(why));
    }
    let shared = repository::open_module(&git_dir)?;
    let repository = Repository::of(&shared);
    let head = head::head(&repository, &git_dir)?;
    if head.commit.as_deref() != Some(recorded.to_string().as_str()) {
        return Err(Why::own("its HEAD is not the commit that is recorded"));
    }
    let head = Fact::Known(head);
    let git = seat
        .git
        .submodule(&git_dir, &place)
        .map_err(ObserveError::from)?;
    let dirt = dirt::dirt(&git, &place, &head)?;
    none(&dirt.changes, "tracked changes")?;
    none(&listed(&dirt.untracked), "untracked")?;
    let index = index::load(&repository, &git_dir.join("index"))?;
    let hidden = {
        let mut contents = Contents::new(&repository, &git, &index, &place)?;
        hidden::hidden(&index, &mut contents)?
    };
    none(&hidden.flagged, "edited behind a flag of the index")?;
    none(&hidden.filtered, "not what their filter driver writes")?;
    match seat.depth {
        Depth::Stat => {}
        Depth::Content => {
            let differing = proof::differing(&shared, &git, &index, &place, &head)?;
            none(&differing, "tracked changes")?;
        }
    }
    let facts = index::facts(&repository, &index, Some(recorded), &Existing::default())?;
    none(&facts.missing, "missing from its repository")?;
    let vouching = own::own(seat, &repository, (&relative, path), recorded)?;
    let tips: Vec<Oid> = vouching
        .iter()
        .filter_map(|id| Oid::parse(id.to_string().as_bytes()))
        .collect();
    let commit = Oid::parse(recorded.to_string().as_bytes());
    let commit = commit.ok_or_else(|| Why::own("its commit has no id"))?;
    match git.unpublished_count(&commit, &tips) {
        Ok(0) => {}
        Ok(_) => {
            let why = "git and gix disagree whether a remote has it";
            return Err(ObserveError::gix("its commit", &why).into());
        }
        Err(why) => return Err(ObserveError::from(why).into()),
    }
    let drafts = draft::drafts(&repository, &git_dir, Some(recorded))?;
    none(&drafts, "a message that no commit has")?;
    Ok(Harmless {
        repository: relative,
        part: Part {
            path: path.to_owned(),
            index,
            dirt,
        },
    })
}

/// Requires that nothing was found.
fn none(found: &Found, what: &str) -> Result<(), Why> {
    if found.total == 0 {
        return Ok(());
    }
    Err(Why::Own(format!("{what}: {found}")))
}
