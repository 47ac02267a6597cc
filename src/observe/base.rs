//! The branch that a project's work lands in (`spec 3`, "Base").
//!
//! Input: the repository and the policy's `base`. Output: the branch, with its local and its
//! remote-tracking ref. Invariant: full ref names only, so that a tag `main` or a branch
//! `origin/main` has no say (`git-facts 40`).

use super::remotes::Remotes;
use super::repository::Repository;
use super::{Base, BaseRef, ObserveError};
use crate::fact::Fact;
use gix::bstr::{BStr, ByteSlice};
use jiff::Timestamp;

/// Finds the base; absent if no branch qualifies, unknown if two do.
pub(crate) fn base(
    repository: &Repository,
    remotes: &Remotes,
    declared: Option<&str>,
) -> Result<Fact<Base>, ObserveError> {
    if let Some(name) = declared {
        let found = named(repository, remotes, name)?;
        return Ok(found.map_or_else(
            || Fact::Unknown(format!("the policy's base branch {name} does not exist")),
            Fact::Known,
        ));
    }
    if let Some(remote) = remotes.principal() {
        let prefix = format!("refs/remotes/{remote}/");
        if let Some(target) = repository.symbolic(&format!("{prefix}HEAD"))?
            && let Some(name) = target.strip_prefix(prefix.as_bytes())
        {
            let name = match name.to_str() {
                Ok(name) => name,
                Err(why) => return Ok(Fact::unknown(format!("the HEAD of {remote}: {why}"))),
            };
            if let Some(base) = named(repository, remotes, name)? {
                return Ok(Fact::Known(base));
            }
        }
    }
    if let Some(name) = repository.config("init.defaultBranch") {
        let name = match name.to_str() {
            Ok(name) => name,
            Err(why) => return Ok(Fact::unknown(format!("init.defaultBranch: {why}"))),
        };
        if let Some(base) = named(repository, remotes, name)? {
            return Ok(Fact::Known(base));
        }
    }
    let (main, master) = (
        named(repository, remotes, "main")?,
        named(repository, remotes, "master")?,
    );
    Ok(match (main, master) {
        (Some(_), Some(_)) => Fact::Unknown(
            "both main and master exist, and nothing says which is the base; name it with `base`"
                .to_owned(),
        ),
        (Some(base), None) | (None, Some(base)) => Fact::Known(base),
        (None, None) => Fact::Absent,
    })
}

/// The base of this name, if there is a local or a remote-tracking ref of it.
fn named(
    repository: &Repository,
    remotes: &Remotes,
    name: &str,
) -> Result<Option<Base>, ObserveError> {
    let local = reference(repository, format!("refs/heads/{name}"))?;
    let remote = match remotes.principal() {
        Some(remote) => reference(repository, format!("refs/remotes/{remote}/{name}"))?,
        None => None,
    };
    if local.is_none() && remote.is_none() {
        return Ok(None);
    }
    let fetched_at = match &remote {
        Some(remote) => fetched_at(repository, &remote.name),
        None => Fact::Absent,
    };
    Ok(Some(Base {
        name: name.to_owned(),
        local,
        remote,
        fetched_at,
    }))
}

fn reference(repository: &Repository, name: String) -> Result<Option<BaseRef>, ObserveError> {
    let Some(id) = repository.resolve(name.as_bytes())? else {
        return Ok(None);
    };
    let commit = repository.commit_of(id)?;
    Ok(commit.map(|commit| BaseRef {
        name,
        commit: commit.to_string(),
    }))
}

/// The later of the ref's last reflog entry and the time of `FETCH_HEAD`.
fn fetched_at(repository: &Repository, name: &str) -> Fact<Timestamp> {
    let logged = super::reflog::last(repository.gix.common_dir(), BStr::new(name));
    let head = repository.gix.common_dir().join("FETCH_HEAD");
    let fetched = super::ages::modified(&head);
    match (logged, fetched) {
        (Fact::Known(logged), Fact::Known(fetched)) => Fact::Known(logged.max(fetched)),
        (Fact::Known(at), Fact::Absent) | (Fact::Absent, Fact::Known(at)) => Fact::Known(at),
        (Fact::Absent, Fact::Absent) => Fact::Absent,
        (Fact::Unknown(why), _) | (_, Fact::Unknown(why)) => Fact::Unknown(why),
    }
}
