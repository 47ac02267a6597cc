//! What outlives a submodule and has its commits.
//!
//! Input: its repository. Output: the remote-tracking refs that vouch, and the tags that the main
//! worktree's own repository of the same submodule has as well. Invariant: a remote whose URL leads
//! to something that goes with a worktree vouches for nothing.

use super::Seat;
use crate::observe::place::{lexical, look};
use crate::observe::remotes::Remotes;
use crate::observe::repository::{self, Reference, Repository};
use crate::observe::{ObserveError, Place};
use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What vouches for the commits of one submodule.
pub(super) struct Vouch {
    /// Remote-tracking refs of remotes that count.
    pub(super) refs: Vec<Reference>,
    /// Tags of the main worktree's repository of the same submodule, by name and object.
    pub(super) tags: BTreeSet<(BString, ObjectId)>,
}

impl Vouch {
    /// Reads it; `path` is the submodule's place, and `relative` its repository.
    pub(super) fn of(
        seat: &Seat<'_>,
        repository: &Repository,
        (relative, path): (&Path, &Path),
        all: &[Reference],
    ) -> Result<Self, ObserveError> {
        let home = Place {
            root: seat.home.join(path),
            common_dir: repository.gix.common_dir().to_owned(),
        };
        let (mut refs, _) = Remotes::of(repository, &home)?.sorted(all.to_vec());
        for name in repository.gix.remote_names() {
            let remote = repository
                .gix
                .find_remote(name.as_bstr())
                .map_err(|why| ObserveError::gix(format!("the remote {name}"), &why))?;
            let url = remote.url(gix::remote::Direction::Fetch);
            let dies = match url {
                Some(url) => goes_too(seat, &home.root, url)?,
                None => true,
            };
            if dies {
                let prefix = format!("refs/remotes/{name}/");
                refs.retain(|one| !one.name.starts_with(prefix.as_bytes()));
            }
        }
        Ok(Self {
            refs,
            tags: tags(&seat.common_dir.join("modules").join(relative))?,
        })
    }
}

/// The tags of the main worktree's repository; none where there is none, or where its history is
/// cut off.
fn tags(git_dir: &Path) -> Result<BTreeSet<(BString, ObjectId)>, ObserveError> {
    if look(&git_dir.join("HEAD"))?.is_none() || look(&git_dir.join("shallow"))?.is_some() {
        return Ok(BTreeSet::new());
    }
    let shared = repository::open_module(git_dir)?;
    let sibling = Repository::of(&shared);
    let tags = sibling.references("refs/tags/")?.into_iter();
    Ok(tags
        .filter(|one| sibling.gix.has_object(one.target))
        .map(|one| (one.name, one.target))
        .collect())
}

/// Whether a URL is a path to something that a removal takes along, this one or another of the same
/// repository: a worktree's `modules/`, or what owl has taken.
fn goes_too(seat: &Seat<'_>, home: &Path, url: &gix::Url) -> Result<bool, ObserveError> {
    if url.scheme != gix::url::Scheme::File {
        return Ok(false);
    }
    let path = gix::path::from_bstr(url.path.as_bstr())
        .map_err(|why| ObserveError::gix("the URL of a remote", &why))?;
    let named = lexical(&home.join(path));
    if dies(seat, &named) {
        return Ok(true);
    }
    let real = match std::fs::canonicalize(&named) {
        Ok(real) => real,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(false),
        Err(why) => return Err(ObserveError::read(&named, why)),
    };
    match Place::of(&real) {
        Ok(place) => Ok(dies(seat, &real) || dies(seat, &place.common_dir)),
        Err(ObserveError::NotARepository(_)) => Ok(dies(seat, &real)),
        Err(why) => Err(why),
    }
}

fn dies(seat: &Seat<'_>, path: &Path) -> bool {
    let (entries, own) = (
        seat.common_dir.join("worktrees"),
        seat.common_dir.join("owl"),
    );
    let ends: [PathBuf; 4] = [seat.home.to_owned(), seat.root.to_owned(), entries, own];
    ends.iter().any(|end| path.starts_with(end))
}
