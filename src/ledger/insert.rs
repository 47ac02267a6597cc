//! New jobs: all of them, or none.

use super::{Ledger, LedgerError, RepositoryId};
use crate::job::{Job, Runner, State};
use crate::resource::BytePath;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction, params};
use std::path::Path;

/// A repository that the ledger is to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProject {
    /// Which one it is.
    pub identity: RepositoryId,
    /// What it is called.
    pub name: String,
    /// Since when it is known; of one that is known already nothing changes.
    pub first_known: Timestamp,
}

/// A job that is to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// Its repository.
    pub project: NewProject,
    /// The job.
    pub job: Job,
}

impl Ledger {
    /// Adds one job; its number.
    pub fn add(&mut self, new: &NewJob) -> Result<i64, LedgerError> {
        let path = self.path.clone();
        self.change_with(|transaction| {
            let project = project(transaction, &path, &new.project)?;
            job(transaction, &path, project, &new.job)
        })
    }

    /// Adds repositories and jobs in their order, or nothing at all: [`LedgerError::InRow`] says
    /// which job was refused.
    pub fn import(
        &mut self,
        projects: &[NewProject],
        jobs: &[NewJob],
    ) -> Result<Vec<i64>, LedgerError> {
        let path = self.path.clone();
        self.change_with(|transaction| {
            for new in projects {
                project(transaction, &path, new)?;
            }
            let add = |(nth, new): (usize, &NewJob)| {
                let project = project(transaction, &path, &new.project)?;
                job(transaction, &path, project, &new.job).map_err(|why| {
                    // That one is about no job, and is tried again.
                    if matches!(why, LedgerError::Busy(_)) {
                        return why;
                    }
                    let why = why.into();
                    LedgerError::InRow { nth, why }
                })
            };
            jobs.iter().enumerate().map(add).collect()
        })
    }
}

/// The number of a repository, which is added if need be.
pub(super) fn project(
    transaction: &Transaction<'_>,
    path: &Path,
    new: &NewProject,
) -> Result<i64, LedgerError> {
    let sql = |why| LedgerError::sql(path, why);
    let identity = &new.identity;
    let key = (
        identity.host.as_str(),
        identity.common_dir.as_bytes(),
        identity.device.cast_signed(),
        identity.inode.cast_signed(),
    );
    let find = "SELECT id FROM projects
        WHERE host = ?1 AND common_dir = ?2 AND device = ?3 AND inode = ?4";
    let found = transaction.query_row(find, key, |row| row.get(0));
    if let Some(id) = found.optional().map_err(sql)? {
        return Ok(id);
    }
    let add = "INSERT INTO projects (host, common_dir, device, inode, name, first_known)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values = params![
        key.0,
        key.1,
        key.2,
        key.3,
        new.name,
        new.first_known.to_string()
    ];
    transaction.execute(add, values).map_err(sql)?;
    Ok(transaction.last_insert_rowid())
}

fn job(
    transaction: &Transaction<'_>,
    path: &Path,
    project: i64,
    job: &Job,
) -> Result<i64, LedgerError> {
    let sql = |why| LedgerError::sql(path, why);
    require_free(transaction, path, project, job)?;
    let origin = job.origin.as_ref();
    let decided = job.decided.as_ref();
    let add = "INSERT INTO jobs (project, source, source_ref, branch, base, state, ttl, reason,
        created, changed, decided_at, decided_tip)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let values = params![
        project,
        origin.map(|origin| &origin.source),
        origin.map(|origin| &origin.reference),
        job.branch.as_ref().map(BytePath::as_bytes),
        job.base.as_ref().map(BytePath::as_bytes),
        job.state.as_str(),
        job.ttl,
        job.reason,
        job.created.to_string(),
        job.changed.to_string(),
        decided.map(|decided| decided.at.to_string()),
        decided.and_then(|decided| decided.tip.as_ref()),
    ];
    transaction.execute(add, values).map_err(sql)?;
    let id = transaction.last_insert_rowid();
    if let Some(worktree) = &job.worktree {
        set_worktree(transaction, path, id, worktree)?;
    }
    for label in &job.labels {
        let add = "INSERT INTO labels (job, label) VALUES (?1, ?2)";
        transaction.execute(add, params![id, label]).map_err(sql)?;
    }
    for (nth, run) in job.runs.iter().enumerate() {
        let attempt = i64::try_from(nth).map_err(|_| LedgerError::TooMany(id))? + 1;
        begin_run(
            transaction,
            path,
            id,
            attempt,
            run.started,
            run.runner.as_ref(),
        )?;
        let end = "UPDATE runs SET ended = ?3, outcome = ?4, reason = ?5
            WHERE job = ?1 AND attempt = ?2";
        let ended = run.ended.map(|ended| ended.to_string());
        let outcome = run.outcome.map(crate::job::Outcome::as_str);
        let values = params![id, attempt, ended, outcome, run.reason];
        transaction.execute(end, values).map_err(sql)?;
    }
    Ok(id)
}

/// Records the worktree of a job, and which one it is.
pub(super) fn set_worktree(
    transaction: &Transaction<'_>,
    path: &Path,
    id: i64,
    worktree: &crate::job::Worktree,
) -> Result<(), LedgerError> {
    let identity = worktree.identity.as_ref();
    let set = "UPDATE jobs SET worktree = ?2, worktree_device = ?3, worktree_inode = ?4,
        worktree_entry = ?5 WHERE id = ?1";
    let values = params![
        id,
        worktree.path.as_bytes(),
        identity.map(|identity| identity.device.cast_signed()),
        identity.map(|identity| identity.inode.cast_signed()),
        identity.map(|identity| identity.entry.as_bytes()),
    ];
    let done = transaction.execute(set, values);
    done.map(|_| ()).map_err(|why| LedgerError::sql(path, why))
}

/// Records that a run has begun.
pub(super) fn begin_run(
    transaction: &Transaction<'_>,
    path: &Path,
    id: i64,
    attempt: i64,
    started: Timestamp,
    runner: Option<&Runner>,
) -> Result<(), LedgerError> {
    let add = "INSERT INTO runs (job, attempt, started, pid, pid_started, boot, pid_namespace)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![
        id,
        attempt,
        started.to_string(),
        runner.map(|runner| runner.pid),
        runner.map(|runner| runner.started.cast_signed()),
        runner.map(|runner| &runner.boot),
        runner.map(|runner| runner.pid_namespace.cast_signed()),
    ];
    let done = transaction.execute(add, values);
    done.map(|_| ()).map_err(|why| LedgerError::sql(path, why))
}

/// What no two jobs may share.
fn require_free(
    transaction: &Transaction<'_>,
    path: &Path,
    project: i64,
    job: &Job,
) -> Result<(), LedgerError> {
    let sql = |why| LedgerError::sql(path, why);
    if let Some(origin) = &job.origin {
        let find = "SELECT id FROM jobs WHERE source = ?1 AND source_ref = ?2";
        let values = (&origin.source, &origin.reference);
        let found = transaction.query_row(find, values, |row| row.get(0));
        if let Some(id) = found.optional().map_err(sql)? {
            return Err(LedgerError::OriginTaken {
                source_name: origin.source.clone(),
                reference: origin.reference.clone(),
                id,
            });
        }
    }
    let Some(branch) = &job.branch else {
        return Ok(());
    };
    let find = "SELECT id FROM jobs WHERE project = ?1 AND branch = ?2 AND created = ?3";
    let values = (project, branch.as_bytes(), job.created.to_string());
    let found = transaction.query_row(find, values, |row| row.get(0));
    if let Some(id) = found.optional().map_err(sql)? {
        return Err(LedgerError::Twin(id));
    }
    if job.state.is_decided() {
        return Ok(());
    }
    let find = "SELECT id, state FROM jobs WHERE project = ?1 AND branch = ?2
        AND state NOT IN ('done', 'cancelled')";
    let found = transaction.query_row(find, (project, branch.as_bytes()), |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?))
    });
    match found.optional().map_err(sql)? {
        None => Ok(()),
        Some((id, state)) => Err(LedgerError::BranchTaken {
            branch: branch.clone(),
            id,
            state: State::of(&state),
        }),
    }
}
