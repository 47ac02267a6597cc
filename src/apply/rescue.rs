//! Rescue refs of a row: written before anything is deleted, withdrawn if the row is given back in
//! the same run (`spec 7.6`).
//!
//! Invariants: the record names every ref before it is written; a ref is only ever made, never
//! moved; one is withdrawn only while it still names the commit that the record has.

use crate::git::{GitError, Oid, Repository};
use crate::journal::Pinned;
use crate::plan::{Row, Step, deleted_branch};
use crate::resource::{Address, BytePath, RESCUE_PREFIX, RescueKind, RescueName};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// How far two clocks may be apart, in seconds.
const A_DAY: i64 = 86_400;

/// The refs that the steps of a row ask for, with names that are free now.
pub(super) fn names(
    repository: &Repository,
    row: &Row,
    now: Timestamp,
) -> Result<Vec<Pinned>, String> {
    let mut pinned = Vec::new();
    let is_wanted = |step: &Step| matches!(step, Step::WriteRescueRef { .. });
    if !row.steps.iter().any(is_wanted) {
        return Ok(pinned);
    }
    let found = repository.refs(&[RESCUE_PREFIX.as_bytes()]);
    let found = found.map_err(|why| why.to_string())?;
    let taken: BTreeSet<Vec<u8>> = found.into_iter().map(|one| one.name).collect();
    let own = deleted_branch(&row.steps).map(|(_, commit)| commit);
    require_clock(repository, now)?;
    let mut next = [0, 1];
    for step in &row.steps {
        let Step::WriteRescueRef { under, commit } = step else {
            continue;
        };
        let short = under.as_bytes().strip_prefix(RESCUE_PREFIX.as_bytes());
        let short = short.ok_or_else(|| format!("{under} is no place for a rescue ref"))?;
        // The branch's own comes first.
        let kind = if pinned.is_empty() && own == Some(commit.as_str()) {
            RescueKind::Branch
        } else {
            RescueKind::Pin
        };
        let reference = loop {
            let nth = &mut next[usize::from(kind == RescueKind::Pin)];
            let name = RescueName {
                name: BytePath::from_bytes(short),
                at: whole_second(now)?,
                kind,
                nth: *nth,
            };
            *nth += 1;
            let full = name.full();
            if !taken.contains(full.as_bytes()) {
                break full;
            }
        };
        pinned.push(Pinned {
            reference,
            commit: commit.clone(),
        });
    }
    Ok(pinned)
}

/// A ref that is named by a clock that lags behind would be taken for an old one later: no clock
/// may say less than the commits that the branches and the remotes have, but for a day.
fn require_clock(repository: &Repository, now: Timestamp) -> Result<(), String> {
    let newest = repository.newest_commit(&[b"refs/heads/", b"refs/remotes/"]);
    let Some((name, at)) = newest.map_err(|why| why.to_string())? else {
        return Ok(());
    };
    if at <= now.as_second().saturating_add(A_DAY) {
        return Ok(());
    }
    let at = Timestamp::from_second(at).map_or_else(|_| at.to_string(), |at| at.to_string());
    Err(format!(
        "the clock says {now}, but {} names a commit of {at}: a rescue ref that is written now would \
         expire too early; set the clock",
        BytePath::from_bytes(&name)
    ))
}

fn whole_second(now: Timestamp) -> Result<Timestamp, String> {
    Timestamp::from_second(now.as_second()).map_err(|why| why.to_string())
}

/// Makes those of a row's rescue refs that are not there yet, and says which; all are there when
/// this returns.
pub(super) fn write(
    repository: &Repository,
    rescues: &[Pinned],
    address: &Address,
) -> Result<Vec<Pinned>, String> {
    let failed =
        |why: &dyn std::fmt::Display| format!("its rescue refs could not be written: {why}");
    let (mut missing, mut made) = (Vec::new(), Vec::new());
    for one in rescues {
        match found(repository, one).map_err(|why| failed(&why))? {
            Standing::Own => {}
            Standing::Missing => {
                missing.push((one.reference.as_bytes(), oid(one)?));
                made.push(one.clone());
            }
            Standing::Other => return Err(failed(&format!("{} is taken", one.reference))),
        }
    }
    if missing.is_empty() {
        return Ok(made);
    }
    let refs: Vec<(&[u8], &Oid)> = missing.iter().map(|(name, oid)| (*name, oid)).collect();
    let message = format!("owl: rescued with {address}");
    repository
        .create_refs(&refs, &message)
        .map_err(|why| failed(&why))?;
    for one in rescues {
        match found(repository, one).map_err(|why| failed(&why))? {
            Standing::Own => {}
            Standing::Missing | Standing::Other => {
                return Err(failed(&format!("{} is not there", one.reference)));
            }
        }
    }
    Ok(made)
}

/// Withdraws rescue refs that this very run has made, as far as they are there: what they would
/// name stays where it was. One that cannot be withdrawn does no harm, and expires; so does one of
/// an earlier run, which somebody may rely on by now.
pub(super) fn withdraw(repository: &Repository, rescues: &[Pinned]) {
    for one in rescues {
        let (Ok(Standing::Own), Ok(oid)) = (found(repository, one), oid(one)) else {
            continue;
        };
        drop(repository.delete_ref(one.reference.as_bytes(), &oid));
    }
}

/// What stands under the name of a ref.
pub(super) enum Standing {
    /// It names the commit.
    Own,
    /// There is none.
    Missing,
    /// It names another object, or is symbolic.
    Other,
}

/// Looks a ref up.
pub(super) fn found(repository: &Repository, pinned: &Pinned) -> Result<Standing, GitError> {
    let name = pinned.reference.as_bytes();
    let mut refs = repository.refs(&[name])?.into_iter();
    Ok(match refs.find(|one| one.name == name) {
        Some(one) if one.symbolic.is_none() && one.oid.as_str() == pinned.commit => Standing::Own,
        Some(_) => Standing::Other,
        None => Standing::Missing,
    })
}

/// The commit of a ref as an object id.
pub(super) fn oid(pinned: &Pinned) -> Result<Oid, String> {
    let commit = &pinned.commit;
    Oid::parse(commit.as_bytes()).ok_or_else(|| format!("{commit} is no object id"))
}
