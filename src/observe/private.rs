//! What only an administrative entry keeps: its HEAD reflog, its private refs, its pseudo refs, and
//! what it fetched from nowhere that is known.
//!
//! Git deletes all of them with the worktree, and with them the last name of a commit
//! (`git-facts 14`).

use super::ObserveError;
use super::fetched;
use super::place::{below, contents, look, names, trimmed};
use super::reflog;
use super::repository::Repository;
use super::rewrites::superseded;
use gix::ObjectId;
use gix::bstr::BStr;
use std::collections::BTreeSet;
use std::path::Path;

/// Objects that an entry names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Private {
    /// Commits, which may be reachable from elsewhere.
    pub(crate) commits: BTreeSet<ObjectId>,
    /// Tags, trees, and blobs: nothing is asked about them, they count as the only copy.
    pub(crate) others: BTreeSet<ObjectId>,
}

/// Objects that the entry names, besides HEAD; those that the repository lacks are already lost
/// and left out.
pub(crate) fn named_by(repository: &Repository, entry: &Path) -> Result<Private, ObserveError> {
    let mut logged = logged(entry, BStr::new("HEAD"))?;
    let mut refs = BTreeSet::new();
    private_refs(entry, &mut refs)?;
    pseudo_refs(entry, &mut refs)?;
    refs.extend(fetched::fetched(repository, entry)?);
    private_logs(&entry.join("logs"), &mut logged)?;
    sorted(repository, logged.into_iter().chain(refs))
}

/// What the reflog of a branch, by its full name, names: it goes with the branch.
pub(crate) fn logged_by(repository: &Repository, branch: &[u8]) -> Result<Private, ObserveError> {
    let logged = logged(repository.gix.common_dir(), BStr::new(branch))?;
    sorted(repository, logged.into_iter())
}

/// Every object of a reflog but the steps of finished rebases.
fn logged(git_dir: &Path, name: &BStr) -> Result<BTreeSet<ObjectId>, ObserveError> {
    let mut logged = BTreeSet::new();
    let log = reflog::read(git_dir, name)?;
    let log: Vec<_> = log.into_iter().flatten().collect();
    let mut before = None;
    for (one, superseded) in log.iter().zip(superseded(&log)) {
        // What it came from is what the entry before went to, unless that one was expired.
        logged.extend(one.old.filter(|old| before != Some(*old)));
        logged.extend(one.new.filter(|_| !superseded));
        before = one.new;
    }
    Ok(logged)
}

fn sorted(
    repository: &Repository,
    ids: impl Iterator<Item = ObjectId>,
) -> Result<Private, ObserveError> {
    let mut private = Private::default();
    for id in ids {
        if !repository.gix.has_object(id) {
            continue;
        }
        // A tag object is lost with its only name, even if its commit is not.
        if repository.commit_of(id)? == Some(id) {
            private.commits.insert(id);
        } else {
            private.others.insert(id);
        }
    }
    Ok(private)
}

fn private_refs(entry: &Path, ids: &mut BTreeSet<ObjectId>) -> Result<(), ObserveError> {
    for path in below(entry.join("refs")) {
        let path = path?;
        let Some(bytes) = contents(&path)? else {
            continue;
        };
        let value = trimmed(&bytes);
        if value.starts_with(b"ref: ") {
            continue;
        }
        let id = ObjectId::from_hex(value)
            .map_err(|_| ObserveError::malformed(&path, "is a private ref that names no object"))?;
        ids.insert(id);
    }
    Ok(())
}

/// More than an id and a line end need.
const LONGEST: u64 = 128;

/// `ORIG_HEAD` and whatever else holds nothing but an id, whatever it is called. `FETCH_HEAD` and HEAD are asked
/// for elsewhere, and `AUTO_MERGE` is a tree that git leaves behind after each rebase.
pub(crate) fn pseudo_refs(entry: &Path, ids: &mut BTreeSet<ObjectId>) -> Result<(), ObserveError> {
    for name in names(entry)?.into_iter().flatten() {
        let path = entry.join(&name);
        let is_file =
            look(&path)?.is_some_and(|metadata| metadata.is_file() && metadata.len() <= LONGEST);
        let is_gits = ["HEAD", "FETCH_HEAD", "AUTO_MERGE"]
            .iter()
            .any(|one| name == *one);
        if !is_file || is_gits {
            continue;
        }
        if let Some(bytes) = contents(&path)?
            && let Ok(id) = ObjectId::from_hex(trimmed(&bytes))
        {
            ids.insert(id);
        }
    }
    Ok(())
}

/// The other reflogs: of private refs, and of pseudo refs where somebody keeps those
/// (`core.logAllRefUpdates=always`). What is no reflog is an error.
fn private_logs(logs: &Path, ids: &mut BTreeSet<ObjectId>) -> Result<(), ObserveError> {
    let elsewhere = ["HEAD", "AUTO_MERGE"].map(|name| logs.join(name));
    for path in below(logs.to_owned()) {
        let path = path?;
        for logged in reflog::read_file(&path)?.into_iter().flatten() {
            if !elsewhere.contains(&path) {
                ids.extend(logged.old);
                ids.extend(logged.new);
            }
        }
    }
    Ok(())
}
