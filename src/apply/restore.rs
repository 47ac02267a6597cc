//! Brings a branch back from its rescue ref (`spec 7.6`).
//!
//! Invariants: a branch is only ever made, at exactly the rescued commit, and none is moved or
//! replaced; the rescue ref stays until it expires. The caller holds the lock of the repository.

use crate::git::{GitError, Oid, Repository};
use crate::observe::RescueRef;
use crate::resource::{BytePath, escape};

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// The branch is there again.
    Back,
    /// It was there already, at this commit.
    AlreadyThere,
}

/// Why a branch was not brought back.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// No branch may have this name.
    #[error("{} cannot be the name of a branch; choose one with --as", escape(.0))]
    BadName(Vec<u8>),
    /// There is a branch of this name at another commit.
    #[error("{0} is there, at {1}; choose another name with --as")]
    Taken(BytePath, String),
    /// There is a symbolic ref of this name, to nowhere.
    #[error("{0} is a symbolic ref to a branch that is not there; choose another name with --as")]
    Symbolic(BytePath),
    /// The rescue ref has moved, or is gone.
    #[error("{0} does not name {1} any more")]
    Moved(BytePath, String),
    /// Git gave no answer, or refused.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Makes `refs/heads/BRANCH` at the commit of a rescue ref.
pub fn restore(
    repository: &Repository,
    rescue: &RescueRef,
    branch: &[u8],
) -> Result<Brought, RestoreError> {
    if branch.is_empty() || branch.starts_with(b"-") || branch == b"HEAD" {
        return Err(RestoreError::BadName(branch.to_vec()));
    }
    let moved = || RestoreError::Moved(rescue.reference.clone(), rescue.commit.clone());
    let oid = Oid::parse(rescue.commit.as_bytes()).ok_or_else(moved)?;
    if repository.resolve(rescue.reference.as_bytes())? != Some(oid.clone()) {
        return Err(moved());
    }
    let full = [b"refs/heads/", branch].concat();
    let there = match repository.refs(&[&full]) {
        Ok(found) => found.into_iter().find(|one| one.name == full),
        Err(GitError::BadArgument { .. }) => return Err(RestoreError::BadName(branch.to_vec())),
        Err(why) => return Err(why.into()),
    };
    match there {
        Some(one) if one.symbolic.is_none() && one.oid == oid => Ok(Brought::AlreadyThere),
        Some(one) => {
            let full = BytePath::from_bytes(&full);
            Err(RestoreError::Taken(full, one.oid.to_string()))
        }
        // Git would put the branch in its place.
        None if repository.is_symbolic(&full)? => {
            Err(RestoreError::Symbolic(BytePath::from_bytes(&full)))
        }
        None => {
            let message = format!("owl: restored from {}", rescue.reference);
            repository.create_refs(&[(&full, &oid)], &message)?;
            Ok(Brought::Back)
        }
    }
}
