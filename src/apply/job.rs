//! The job of a row that is removed or pruned: decided right before anything is deleted, taken back
//! if the row is given back, and told when worktree and branch are gone (`spec 8`, A3.7, A4.16).
//!
//! Invariants: the record names the decision before it is taken; it is taken by compare-and-set, so
//! that somebody else's wins; exactly this one is taken back, and only while nothing is deleted.

use super::Hands;
use super::look_again::Stop;
use crate::job::{BranchFate, Disposal};
use crate::journal::{Record, RecordedJob};
use crate::ledger::{Contents, Host, Ledger, LedgerError, Reading, RepositoryId, read};
use crate::plan::{Row, Step, deleted_branch};
use crate::policy::JobSource;
use crate::resource::BytePath;
use jiff::Timestamp;
use std::path::Path;

/// The job of a row, as its record names it; none for a row without a job of the ledger.
pub(super) fn of(
    row: &Row,
    hands: &Hands<'_>,
    now: Timestamp,
) -> Result<Option<RecordedJob>, String> {
    let Some(Some(job)) = &row.job else {
        return Ok(None);
    };
    if job.source != JobSource::Ledger.to_string() {
        return Ok(None);
    }
    let Some(path) = &hands.world.ledger else {
        return Err("the ledger of its job cannot be found any more".to_owned());
    };
    let id = job
        .name
        .parse()
        .map_err(|_| format!("job {} has no number", job.name))?;
    let found = contents(path).map_err(|why| why.to_string())?;
    let Some(entry) = found.job(id) else {
        return Err(format!("the ledger has no job {id} any more"));
    };
    let disposal = disposal(row, entry.job.changed, now);
    let state = disposal.as_ref().map_or(&job.state, |one| &one.to).clone();
    Ok(Some(RecordedJob {
        ledger: BytePath::from(path.as_path()),
        id,
        state,
        disposal,
    }))
}

/// The decision among the steps of a row.
pub(super) fn disposal(row: &Row, since: Timestamp, now: Timestamp) -> Option<Disposal> {
    let drops = deleted_branch(&row.steps).is_some();
    for step in &row.steps {
        if let Step::SetJobState { from, to, tip, .. } = step {
            return Some(Disposal {
                from: from.clone(),
                since,
                to: to.clone(),
                at: now,
                tip: tip.clone(),
                drops,
            });
        }
    }
    None
}

/// Everything in a ledger.
pub(super) fn contents(path: &Path) -> Result<Contents, LedgerError> {
    Ledger::open(path)?.contents()
}

/// An open job of the ledger that has the branch, by its full name.
pub(super) fn open_on(
    branch: &[u8],
    common_dir: &Path,
    hands: &Hands<'_>,
) -> Result<Option<i64>, String> {
    let Some(path) = &hands.world.ledger else {
        return Ok(None);
    };
    let contents = match read(path).map_err(|why| why.to_string())? {
        Reading::There(contents) => contents,
        Reading::Missing => return Ok(None),
    };
    let host = Host::here().map_err(|why| why.to_string())?;
    let identity = RepositoryId::of(common_dir, &host).map_err(|why| why.to_string())?;
    let Some(project) = contents.project_of(&identity) else {
        return Ok(None);
    };
    let mut jobs = contents.jobs_of(project.id);
    let found = jobs.find(|entry| {
        !entry.job.state.is_decided() && entry.job.full_branch().as_deref() == Some(branch)
    });
    Ok(found.map(|entry| entry.id))
}

/// Takes the decision of the record, if it has one.
pub(super) fn decide(record: &Record) -> Result<(), Stop> {
    let Some((job, disposal)) = decision(record) else {
        return Ok(());
    };
    let mut ledger = open(job).map_err(|why| Stop::kept(why.to_string()))?;
    ledger
        .decide(job.id, disposal)
        .map_err(|why| Stop::kept(refused(job.id, &why)))
}

/// Why a decision was not taken.
pub(super) fn refused(id: i64, why: &LedgerError) -> String {
    if let LedgerError::Overtaken { found, .. } = why {
        return format!("job {id} is {found} now: somebody else has decided");
    }
    why.to_string()
}

/// Takes the decision of the record back, if it was taken; why that could not be done, if so.
pub(super) fn undecide(record: &Record) -> Option<String> {
    let (job, disposal) = decision(record)?;
    let undone = open(job).and_then(|mut ledger| ledger.undecide(job.id, disposal));
    match undone {
        Ok(_) => None,
        Err(why) => Some(format!("job {} stays {}: {why}", job.id, disposal.to)),
    }
}

/// Tells the ledger that the worktree of the record is gone, and what became of the branch; what
/// went wrong, if anything did.
pub(super) fn disposed(record: &Record, branch: BranchFate) -> Option<String> {
    let job = record.job.as_ref()?;
    let told = open(job).and_then(|mut ledger| ledger.dispose(job.id, &job.state, branch));
    told.err()
        .map(|why| format!("job {} still names its worktree: {why}", job.id))
}

fn decision(record: &Record) -> Option<(&RecordedJob, &Disposal)> {
    let job = record.job.as_ref()?;
    Some((job, job.disposal.as_ref()?))
}

fn open(job: &RecordedJob) -> Result<Ledger, LedgerError> {
    Ledger::open(job.ledger.as_path())
}
