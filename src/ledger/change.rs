//! One step in the life of a job, by compare-and-set (`spec 7.7`, A3.6, A4.16).

use super::insert::{begin_run, set_worktree};
use super::{Ledger, LedgerError, rows};
use crate::job::{BranchFate, Disposal, Job, Outcome, Runner, State, Verb, Worktree, next, spends};
use jiff::Timestamp;
use rusqlite::{Transaction, params};
use std::path::Path;

/// What is to be done to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The verb.
    pub verb: Verb,
    /// Why.
    pub reason: Option<String>,
    /// How many runs `extend` adds.
    pub runs: u32,
    /// The process of the run that `start` begins.
    pub runner: Option<Runner>,
    /// The worktree as it is when `start` begins a run.
    pub worktree: Option<Worktree>,
    /// The commit of the branch when a decision is taken: by `accept`, `drop`, or `cancel`.
    pub tip: Option<String>,
}

/// What has been done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The state before.
    pub before: State,
    /// The state now; the same where only the disposal is to be finished.
    pub after: State,
    /// How many runs are left.
    pub ttl: u32,
}

impl Change {
    /// A verb, and nothing else.
    pub fn new(verb: Verb) -> Self {
        Self {
            verb,
            reason: None,
            runs: 0,
            runner: None,
            worktree: None,
            tip: None,
        }
    }
}

impl Ledger {
    /// Takes a job one step on. With `expected`, only from that state: else
    /// [`LedgerError::Overtaken`] says what somebody else has made of it.
    pub fn change(
        &mut self,
        id: i64,
        expected: Option<&State>,
        change: &Change,
        now: Timestamp,
    ) -> Result<Changed, LedgerError> {
        let path = self.path.clone();
        self.change_with(|transaction| {
            let job = require_job(transaction, &path, id, expected)?;
            apply(transaction, &path, id, &job, change, now)
        })
    }

    /// Takes a decision, if the job is still in the state that it was decided in.
    pub fn decide(&mut self, id: i64, disposal: &Disposal) -> Result<(), LedgerError> {
        let path = self.path.clone();
        let change = Change {
            tip: disposal.tip.clone(),
            ..Change::new(disposal.verb())
        };
        self.change_with(|transaction| {
            let job = require_job(transaction, &path, id, Some(&disposal.from))?;
            apply(transaction, &path, id, &job, &change, disposal.at)?;
            if disposal.drops {
                let set = "UPDATE jobs SET drops = 1 WHERE id = ?1";
                require_one(transaction.execute(set, params![id]), &path)?;
            }
            Ok(())
        })
    }

    /// Takes a decision back of which nothing has been carried out, if it is still this one: the
    /// job is as it was before. Whether it was there to be taken back.
    pub fn undecide(&mut self, id: i64, disposal: &Disposal) -> Result<bool, LedgerError> {
        let path = self.path.clone();
        self.change_with(|transaction| {
            let set = "UPDATE jobs SET state = ?3, changed = ?4, decided_at = NULL,
                decided_tip = NULL, drops = 0 WHERE id = ?1 AND decided_at = ?2";
            let (at, since) = (disposal.at.to_string(), disposal.since.to_string());
            let values = params![id, at, disposal.from.as_str(), since];
            let done = transaction.execute(set, values);
            done.map(|count| count == 1)
                .map_err(|why| LedgerError::sql(&path, why))
        })
    }

    /// Ends a disposal in one transaction, if the job is still in that state: it names no worktree
    /// any more, and its branch as far as that is still there (A3.4, A3.7). A job that was not
    /// itself dropped keeps the name of a branch that a rule has deleted.
    pub fn dispose(
        &mut self,
        id: i64,
        expected: &State,
        branch: BranchFate,
    ) -> Result<(), LedgerError> {
        let set = match branch {
            BranchFate::Gone if *expected == State::Cancelled => ", branch = NULL, drops = 0",
            BranchFate::Stays => ", drops = 0",
            BranchFate::NotAsked | BranchFate::Gone => "",
        };
        let set = format!(
            "UPDATE jobs SET worktree = NULL, worktree_device = NULL, worktree_inode = NULL,
            worktree_entry = NULL{set} WHERE id = ?1 AND state = ?2"
        );
        self.set(id, expected, &set, None)
    }

    /// Records that the branch of a job that was dropped before is to be deleted now.
    pub fn drop_branch(&mut self, id: i64, expected: &State) -> Result<(), LedgerError> {
        let set = "UPDATE jobs SET drops = 1 WHERE id = ?1 AND state = ?2";
        self.set(id, expected, set, None)
    }

    /// Records the commit that a decision was about, where the decision has none yet.
    pub fn set_decided_tip(
        &mut self,
        id: i64,
        expected: &State,
        tip: &str,
    ) -> Result<(), LedgerError> {
        let set = "UPDATE jobs SET decided_tip = coalesce(decided_tip, ?3)
            WHERE id = ?1 AND state = ?2";
        self.set(id, expected, set, Some(tip))
    }

    fn set(
        &mut self,
        id: i64,
        expected: &State,
        set: &str,
        value: Option<&str>,
    ) -> Result<(), LedgerError> {
        let path = self.path.clone();
        self.change_with(|transaction| {
            require_job(transaction, &path, id, Some(expected))?;
            let done = match value {
                Some(value) => transaction.execute(set, params![id, expected.as_str(), value]),
                None => transaction.execute(set, params![id, expected.as_str()]),
            };
            require_one(done, &path)
        })
    }
}

fn require_job(
    transaction: &Transaction<'_>,
    path: &Path,
    id: i64,
    expected: Option<&State>,
) -> Result<Job, LedgerError> {
    let found = rows::entry(transaction, id).map_err(|why| LedgerError::sql(path, why))?;
    let job = found.ok_or(LedgerError::NoSuchJob(id))?.job;
    match expected {
        Some(expected) if *expected != job.state => Err(LedgerError::Overtaken {
            id,
            expected: expected.clone(),
            found: job.state,
        }),
        Some(_) | None => Ok(job),
    }
}

fn apply(
    transaction: &Transaction<'_>,
    path: &Path,
    id: i64,
    job: &Job,
    change: &Change,
    now: Timestamp,
) -> Result<Changed, LedgerError> {
    let sql = |why| LedgerError::sql(path, why);
    let (verb, before) = (change.verb, &job.state);
    let spent = u32::from(spends(verb, before));
    if verb == Verb::Extend && change.runs == 0 {
        return Err(LedgerError::NoRun(id));
    }
    let added = if verb == Verb::Extend { change.runs } else { 0 };
    let ttl = job.ttl.saturating_sub(spent).checked_add(added);
    let ttl = ttl.ok_or(LedgerError::TooMany(id))?;
    let after = next(verb, before, ttl).map_err(|refusal| LedgerError::Refused { id, refusal })?;
    let changed = Changed {
        before: before.clone(),
        after: after.clone(),
        ttl,
    };
    // A decision stands, with its time and tip: only its disposal is finished.
    if before.is_decided() {
        return Ok(changed);
    }
    let reason = match (&change.reason, verb) {
        (Some(reason), _) => Some(reason),
        (None, Verb::Accept | Verb::Drop | Verb::Extend) if after != State::Pending => {
            job.reason.as_ref()
        }
        (None, _) => None,
    };
    let set = "UPDATE jobs SET state = ?3, ttl = ?4, reason = ?5, changed = ?6
        WHERE id = ?1 AND state = ?2";
    let when = if after == *before { job.changed } else { now };
    let values = params![
        id,
        before.as_str(),
        after.as_str(),
        ttl,
        reason,
        when.to_string()
    ];
    require_one(transaction.execute(set, values), path)?;
    if after.is_decided() {
        let set = "UPDATE jobs SET decided_at = ?2, decided_tip = ?3 WHERE id = ?1";
        let values = params![id, now.to_string(), change.tip];
        require_one(transaction.execute(set, values), path)?;
    }
    if verb == Verb::Start {
        let count = "SELECT coalesce(max(attempt), 0) FROM runs WHERE job = ?1";
        let last: i64 = transaction
            .query_row(count, [id], |row| row.get(0))
            .map_err(sql)?;
        begin_run(transaction, path, id, last + 1, now, change.runner.as_ref())?;
        if let Some(worktree) = &change.worktree {
            set_worktree(transaction, path, id, worktree)?;
        }
    }
    if let Some(outcome) = outcome(verb).filter(|_| spent == 1) {
        let end = "UPDATE runs SET ended = ?2, outcome = ?3, reason = ?4
            WHERE job = ?1 AND ended IS NULL";
        let values = params![id, now.to_string(), outcome.as_str(), change.reason];
        // A job that came active from another tool has no run in progress.
        transaction.execute(end, values).map_err(sql)?;
    }
    Ok(changed)
}

/// How the run in progress ends.
fn outcome(verb: Verb) -> Option<Outcome> {
    match verb {
        Verb::Finish(outcome) => Some(outcome),
        Verb::Block => Some(Outcome::Failed),
        Verb::Cancel => Some(Outcome::Interrupted),
        Verb::Start | Verb::Accept | Verb::Drop | Verb::Extend | Verb::Unblock => None,
    }
}

fn require_one(done: rusqlite::Result<usize>, path: &Path) -> Result<(), LedgerError> {
    match done {
        Ok(1) => Ok(()),
        Ok(count) => Err(LedgerError::Sql {
            path: path.into(),
            why: format!("{count} rows where one belongs"),
        }),
        Err(why) => Err(LedgerError::sql(path, why)),
    }
}
