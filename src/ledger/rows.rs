//! Rows to values. What a row says that no owl writes is damage, and named.

use super::{Contents, Entry, Host, LedgerError, Project, RepositoryId};
use crate::job::{Decided, Identity, Job, Origin, Outcome, Run, Runner, State, Worktree};
use crate::resource::BytePath;
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, Transaction};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Answer<T> = rusqlite::Result<T>;

/// Reads everything in one transaction.
pub(super) fn load(connection: &mut Connection, path: &Path) -> Result<Contents, LedgerError> {
    let sql = |why| LedgerError::sql(path, why);
    let transaction = connection.transaction().map_err(sql)?;
    let projects = projects(&transaction).map_err(sql)?;
    let mut entries = entries(&transaction).map_err(sql)?;
    let mut runs = runs(&transaction).map_err(sql)?;
    let mut labels = labels(&transaction).map_err(sql)?;
    for entry in &mut entries {
        if !projects.iter().any(|project| project.id == entry.project) {
            let why = format!("job {} belongs to no project", entry.id);
            return Err(LedgerError::corrupt(path, why));
        }
        entry.job.runs = runs.remove(&entry.id).unwrap_or_default();
        entry.job.labels = labels.remove(&entry.id).unwrap_or_default();
    }
    if let Some(id) = runs.keys().chain(labels.keys()).next() {
        let why = format!("there are runs or labels of job {id}, and no job {id}");
        return Err(LedgerError::corrupt(path, why));
    }
    Ok(Contents {
        path: path.into(),
        projects,
        entries,
    })
}

/// One job, without its runs and labels.
pub(super) fn entry(transaction: &Transaction<'_>, id: i64) -> Answer<Option<Entry>> {
    let mut statement = transaction.prepare("SELECT * FROM jobs WHERE id = ?1")?;
    let mut found = statement.query_map([id], job)?;
    found.next().transpose()
}

fn projects(transaction: &Transaction<'_>) -> Answer<Vec<Project>> {
    let mut statement = transaction.prepare("SELECT * FROM projects ORDER BY id")?;
    let project = |row: &Row<'_>| {
        Ok(Project {
            id: row.get("id")?,
            identity: RepositoryId {
                host: Host::named(&row.get::<_, String>("host")?),
                common_dir: bytes(row, "common_dir")?,
                device: row.get::<_, i64>("device")?.cast_unsigned(),
                inode: row.get::<_, i64>("inode")?.cast_unsigned(),
            },
            name: row.get("name")?,
            first_known: time(row, "first_known")?,
        })
    };
    statement.query_map([], project)?.collect()
}

fn entries(transaction: &Transaction<'_>) -> Answer<Vec<Entry>> {
    let mut statement = transaction.prepare("SELECT * FROM jobs ORDER BY id")?;
    statement.query_map([], job)?.collect()
}

fn job(row: &Row<'_>) -> Answer<Entry> {
    let origin = match (row.get("source")?, row.get("source_ref")?) {
        (Some(source), Some(reference)) => Some(Origin { source, reference }),
        (None | Some(_), None) | (None, Some(_)) => None,
    };
    let tip: Option<String> = row.get("decided_tip")?;
    let decided = optional(row, "decided_at", time)?.map(|at| Decided { at, tip });
    let job = Job {
        branch: optional(row, "branch", bytes)?,
        base: optional(row, "base", bytes)?,
        state: State::of(&row.get::<_, String>("state")?),
        ttl: row.get("ttl")?,
        reason: row.get("reason")?,
        labels: BTreeSet::new(),
        origin,
        created: time(row, "created")?,
        changed: time(row, "changed")?,
        worktree: worktree(row)?,
        decided,
        runs: Vec::new(),
    };
    Ok(Entry {
        id: row.get("id")?,
        project: row.get("project")?,
        job,
        drops: row.get("drops")?,
    })
}

fn worktree(row: &Row<'_>) -> Answer<Option<Worktree>> {
    let Some(path) = optional(row, "worktree", bytes)? else {
        return Ok(None);
    };
    let device: Option<i64> = row.get("worktree_device")?;
    let inode: Option<i64> = row.get("worktree_inode")?;
    let identity = match (device, inode, optional(row, "worktree_entry", bytes)?) {
        (Some(device), Some(inode), Some(entry)) => Some(Identity {
            device: device.cast_unsigned(),
            inode: inode.cast_unsigned(),
            entry,
        }),
        _ => None,
    };
    Ok(Some(Worktree { path, identity }))
}

fn runs(transaction: &Transaction<'_>) -> Answer<BTreeMap<i64, Vec<Run>>> {
    let mut statement = transaction.prepare("SELECT * FROM runs ORDER BY job, attempt")?;
    let mut rows = statement.query([])?;
    let mut runs: BTreeMap<i64, Vec<Run>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        runs.entry(row.get("job")?).or_default().push(run(row)?);
    }
    Ok(runs)
}

fn run(row: &Row<'_>) -> Answer<Run> {
    let runner = match row.get::<_, Option<u32>>("pid")? {
        None => None,
        Some(pid) => Some(Runner {
            pid,
            started: row.get::<_, i64>("pid_started")?.cast_unsigned(),
            boot: row.get("boot")?,
            pid_namespace: row.get::<_, i64>("pid_namespace")?.cast_unsigned(),
        }),
    };
    let outcome = |row: &Row<'_>, column: &str| {
        let word: String = row.get(column)?;
        Outcome::of(&word).ok_or_else(|| odd(row, column, format!("no outcome: {word}")))
    };
    Ok(Run {
        started: time(row, "started")?,
        ended: optional(row, "ended", time)?,
        outcome: optional(row, "outcome", outcome)?,
        reason: row.get("reason")?,
        runner,
    })
}

fn labels(transaction: &Transaction<'_>) -> Answer<BTreeMap<i64, BTreeSet<String>>> {
    let mut statement = transaction.prepare("SELECT job, label FROM labels")?;
    let mut rows = statement.query([])?;
    let mut labels: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        labels.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    Ok(labels)
}

fn bytes(row: &Row<'_>, column: &str) -> Answer<BytePath> {
    let bytes: Vec<u8> = row.get(column)?;
    Ok(BytePath::from_bytes(&bytes))
}

fn time(row: &Row<'_>, column: &str) -> Answer<Timestamp> {
    let text: String = row.get(column)?;
    text.parse()
        .map_err(|why: jiff::Error| odd(row, column, why.to_string()))
}

fn optional<T>(
    row: &Row<'_>,
    column: &str,
    read: impl FnOnce(&Row<'_>, &str) -> Answer<T>,
) -> Answer<Option<T>> {
    if row.get_ref(column)? == rusqlite::types::ValueRef::Null {
        return Ok(None);
    }
    read(row, column).map(Some)
}

fn odd(row: &Row<'_>, column: &str, why: String) -> rusqlite::Error {
    let nth = row.as_ref().column_index(column).unwrap_or_default();
    rusqlite::Error::FromSqlConversionFailure(nth, Type::Text, why.into())
}
