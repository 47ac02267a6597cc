//! A policy that a repository carries, as committed on its base branch.
//!
//! Never a file of a worktree: an agent could loosen the policy that judges it (A2.2).

use super::base::base;
use super::remotes::Remotes;
use super::repository::{self, Repository};
use super::{Base, ObserveError, Place};
use crate::fact::Fact;
use gix::ObjectId;

/// Where a repository may carry a policy, in the order of the search (`spec 3`).
const NAMES: [&str; 2] = ["owl.yaml", ".config/owl.yaml"];

/// The names of base branches where nothing else says which it is.
const DEFAULTS: [&str; 2] = ["main", "master"];

/// The name and bytes of the policy on the base branch, found by the default rule. The local base
/// goes before its remote-tracking ref. None if there is no base, or no policy on it; an error if the
/// base cannot be told, and there may be one.
pub fn committed_policy(place: &Place) -> Result<Option<(String, Vec<u8>)>, ObserveError> {
    let shared = repository::open(place)?;
    let repository = Repository::of(&shared);
    let remotes = Remotes::of(&repository, place)?;
    match base(&repository, &remotes, None)? {
        Fact::Known(base) => found_on(&repository, &base),
        Fact::Absent => Ok(None),
        // It matters only where one of the branches that it may be has a policy.
        Fact::Unknown(why) => {
            for name in DEFAULTS {
                let candidate = base(&repository, &remotes, Some(name))?;
                if let Fact::Known(candidate) = candidate
                    && let Some((at, _)) = found_on(&repository, &candidate)?
                {
                    let why = format!("{why}; or pass --policy: it may be {at}");
                    return Err(ObserveError::gix("which policy counts", &why));
                }
            }
            Ok(None)
        }
    }
}

/// The policy on one base.
fn found_on(
    repository: &Repository,
    base: &Base,
) -> Result<Option<(String, Vec<u8>)>, ObserveError> {
    let Some(tip) = base.local.as_ref().or(base.remote.as_ref()) else {
        return Ok(None);
    };
    let failed =
        |why: &dyn std::fmt::Display| ObserveError::gix("the policy on the base branch", why);
    let id = ObjectId::from_hex(tip.commit.as_bytes()).map_err(|why| failed(&why))?;
    let commit = repository.gix.find_commit(id).map_err(|why| failed(&why))?;
    let tree = commit.tree().map_err(|why| failed(&why))?;
    for name in NAMES {
        let found = tree
            .lookup_entry_by_path(name)
            .map_err(|why| failed(&why))?;
        if let Some(entry) = found {
            let object = entry.object().map_err(|why| failed(&why))?;
            return Ok(Some((format!("{}:{name}", tip.name), object.data.clone())));
        }
    }
    Ok(None)
}
