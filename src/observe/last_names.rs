//! What would lose its last name with a branch (`spec 7.6`).
//!
//! The reflog goes with the branch, and may have grown since it was planned. Input: a branch, and
//! the commits that rescue refs of this very deletion name. Output: the commits that neither these
//! nor any other ref that stays reaches. Invariant: what cannot be told is an error or unknown.

use super::ancestry::{Ancestry, REFS, Tip, WANTED};
use super::history::OUTLIVE_NOTHING;
use super::repository::Repository;
use super::{NamedPlace, ObserveError, World, private, repository};
use crate::fact::Fact;
use gix::ObjectId;

/// The commits that only a branch, by its full name, and its reflog name; absent if there are none.
pub fn last_names(
    world: &World<'_>,
    named: &NamedPlace,
    branch: &[u8],
    rescued: &[String],
) -> Result<Fact<Vec<String>>, ObserveError> {
    // Opened by git first, so that git has checked who owns it.
    world.git.repository(&named.place.common_dir)?;
    let shared = repository::open(&named.place)?;
    let repository = Repository::of(&shared);
    let logged = private::logged_by(&repository, branch)?;
    if let Some(other) = logged.others.first() {
        return Ok(Fact::Known(vec![other.to_string()]));
    }
    let mut wanted: Vec<ObjectId> = logged.commits.into_iter().collect();
    wanted.extend(repository.resolve(branch)?);
    let mut tips: Vec<Tip> = wanted.iter().map(|id| Tip::new(*id, WANTED)).collect();
    for hex in rescued {
        let id = ObjectId::from_hex(hex.as_bytes());
        let id = id.map_err(|why| ObserveError::gix(format!("the id {hex}"), &why))?;
        tips.push(Tip::new(id, REFS));
    }
    for one in repository.references("refs/")? {
        let outlives = !OUTLIVE_NOTHING
            .iter()
            .any(|prefix| one.name.starts_with(prefix.as_bytes()));
        if outlives && one.name.as_slice() != branch {
            tips.push(Tip::new(one.target, REFS));
        }
    }
    let mut ancestry = Ancestry::paint(&repository, tips)?;
    ancestry.settle();
    let mut nodes = Vec::new();
    for id in wanted {
        match ancestry.node(&id) {
            Some(node) => nodes.push(node),
            None => return Ok(Fact::Unknown(format!("the commit {id} is missing"))),
        }
    }
    let found: Vec<String> = ancestry
        .uppermost(nodes, REFS)
        .into_iter()
        .map(|node| ancestry.id(node).to_string())
        .collect();
    Ok(if found.is_empty() {
        Fact::Absent
    } else {
        Fact::Known(found)
    })
}
