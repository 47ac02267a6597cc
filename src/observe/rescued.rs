//! Rescue refs: what a drop, or a removal in a store of `rescue`, has pinned (`spec 13`).

use super::ages::timestamp;
use super::place::look;
use super::repository::{Reference, Repository};
use super::{ObserveError, reflog};
use crate::resource::{BytePath, RESCUE_PREFIX, RescueName};
use gix::bstr::ByteSlice;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

/// One rescue ref whose name owl itself could have written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RescueRef {
    /// The full name.
    pub reference: BytePath,
    /// When it was written, as its name says.
    pub at: Timestamp,
    /// The commit that it points at.
    pub commit: String,
    /// The latest time that anything else says of it: its commit, its file, its reflog.
    #[serde(default)]
    pub latest: Option<Timestamp>,
}

impl RescueRef {
    /// When it was written, as far as anything tells: a clock that was behind has named it too early.
    pub fn written(&self) -> Timestamp {
        self.latest.map_or(self.at, |latest| latest.max(self.at))
    }

    /// Its name without `refs/owl/rescue/`.
    pub fn short(&self) -> &[u8] {
        let full = self.reference.as_bytes();
        full.strip_prefix(RESCUE_PREFIX.as_bytes())
            .map_or(full, |short| short)
    }
}

/// Every rescue ref of a repository, by name; symbolic ones, strange names, and what is no commit
/// are none.
pub(crate) fn rescued(repository: &Repository) -> Result<Vec<RescueRef>, ObserveError> {
    let mut rescued = Vec::new();
    for one in repository.references(RESCUE_PREFIX)? {
        let Some(name) = RescueName::parse(&one.name) else {
            continue;
        };
        // What is lost anyway is no error of the whole project.
        if !repository.gix.has_object(one.target)
            || repository.commit_of(one.target)? != Some(one.target)
        {
            continue;
        }
        rescued.push(RescueRef {
            reference: BytePath::from_bytes(&one.name),
            at: name.at,
            commit: one.target.to_string(),
            latest: latest(repository, &one)?,
        });
    }
    Ok(rescued)
}

/// The latest of the commit's date, the file's mtime, and the reflog; a packed ref has no file.
fn latest(repository: &Repository, one: &Reference) -> Result<Option<Timestamp>, ObserveError> {
    let file = repository
        .gix
        .common_dir()
        .join(OsStr::from_bytes(&one.name));
    let modified = match look(&file)? {
        Some(there) => Some(timestamp(there.mtime(), there.mtime_nsec())?),
        None => None,
    };
    let log = reflog::read(repository.gix.common_dir(), one.name.as_bstr())?;
    let logged = log.iter().flatten().map(|logged| logged.at).max();
    let committed = repository.committed_at(one.target)?;
    Ok([modified, logged, committed].into_iter().flatten().max())
}

/// The newest commit that a branch or a remote-tracking branch names, but for those of the future:
/// clocks of several machines have dated them, and owl's runs make none.
pub(crate) fn newest(
    repository: &Repository,
    now: Timestamp,
) -> Result<Option<Timestamp>, ObserveError> {
    let mut newest = None;
    for prefix in ["refs/heads/", "refs/remotes/"] {
        for one in repository.references(prefix)? {
            if !repository.gix.has_object(one.target) {
                continue;
            }
            let Some(commit) = repository.commit_of(one.target)? else {
                continue;
            };
            let at = repository.committed_at(commit)?;
            newest = newest.max(at.filter(|at| *at <= now));
        }
    }
    Ok(newest)
}
