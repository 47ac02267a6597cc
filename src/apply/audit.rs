//! The audit log: an attempt line before, an outcome line after, for every row (C6, `spec 13`).
//!
//! One `O_APPEND` write a line, flushed to the disk before anything is touched; rotated by size.

use super::Outcome;
use crate::journal::{Record, Work};
use crate::observe::RescueRef;
use crate::plan::{Row, Step};
use crate::resource::{Address, BytePath, escape};
use jiff::Timestamp;
use rustix::fs::{FlockOperation, flock};
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Size at which a log is set aside; one older log is kept.
const ROTATE_AT: u64 = 16 << 20;

/// An audit log that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the audit log {path} could not be written: {source}")]
pub struct AuditError {
    path: BytePath,
    source: io::Error,
}

/// The log of this user.
#[derive(Debug)]
pub struct Audit {
    path: PathBuf,
    policy: String,
}

#[derive(Serialize)]
struct Line<'a> {
    time: Timestamp,
    event: &'a str,
    pid: u32,
    policy: &'a str,
    address: &'a str,
    path: &'a str,
    branch: Option<&'a str>,
    head: Option<&'a str>,
    verdict: &'a str,
    reason: String,
    #[serde(skip_serializing_if = "<[Step]>::is_empty")]
    steps: &'a [Step],
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a Outcome>,
}

impl Audit {
    /// The log in the state directory `state` (`$XDG_STATE_HOME`); `policy` is the digest that
    /// every line names. Makes the directory, and rotates a log that has grown large.
    pub fn open(state: &Path, policy: &str) -> Result<Self, AuditError> {
        let dir = state.join("owl");
        let path = dir.join("audit.jsonl");
        let failed = |source| AuditError {
            path: path.clone().into(),
            source,
        };
        fs::create_dir_all(&dir).map_err(failed)?;
        // One at a time: of two that find it large, the second would replace the first one's copy.
        let folder = fs::File::open(&dir).map_err(failed)?;
        flock(&folder, FlockOperation::LockExclusive).map_err(|why| failed(why.into()))?;
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.len() > ROTATE_AT => {
                fs::rename(&path, dir.join("audit.1.jsonl")).map_err(failed)?;
            }
            Ok(_) => {}
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            Err(why) => return Err(failed(why)),
        }
        Ok(Self {
            path,
            policy: policy.to_owned(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes down that a row is about to be carried out; on the disk when this returns.
    pub fn attempt(&self, now: Timestamp, row: &Row) -> Result<(), AuditError> {
        self.write(now, "attempt", row, None)
    }

    /// Writes down what became of it.
    pub fn outcome(&self, now: Timestamp, row: &Row, outcome: &Outcome) -> Result<(), AuditError> {
        self.write(now, "outcome", row, Some(outcome))
    }

    /// Writes down what became of an operation that an earlier run had left open.
    pub fn recovered(
        &self,
        time: Timestamp,
        record: &Record,
        outcome: &Outcome,
    ) -> Result<(), AuditError> {
        self.append(&Line {
            time,
            event: "recovered",
            pid: std::process::id(),
            policy: &self.policy,
            address: record.address.as_str(),
            path: &record.path.as_path().to_string_lossy(),
            branch: record.branch.as_deref(),
            head: record.head.as_deref(),
            verdict: match record.work {
                Work::Remove => "remove",
                Work::Prune => "prune",
            },
            reason: format!("operation {}", record.op),
            steps: &[],
            outcome: Some(outcome),
        })
    }

    /// Writes down that a branch is about to be brought back.
    pub fn restoring(
        &self,
        time: Timestamp,
        address: &Address,
        rescue: &RescueRef,
        branch: &[u8],
    ) -> Result<(), AuditError> {
        self.append(&Line {
            time,
            event: "restore",
            pid: std::process::id(),
            policy: &self.policy,
            address: address.as_str(),
            path: &rescue.reference.to_string(),
            branch: Some(&escape(branch)),
            head: Some(&rescue.commit),
            verdict: "restore",
            reason: "asked for".to_owned(),
            steps: &[],
            outcome: None,
        })
    }

    fn write(
        &self,
        time: Timestamp,
        event: &str,
        row: &Row,
        outcome: Option<&Outcome>,
    ) -> Result<(), AuditError> {
        self.append(&Line {
            time,
            event,
            pid: std::process::id(),
            policy: &self.policy,
            address: row.address.as_str(),
            path: &row.path,
            branch: row.branch.as_ref().and_then(Option::as_deref),
            head: row.head.as_ref().and_then(Option::as_deref),
            verdict: row.verdict.as_str(),
            reason: row.reason.to_string(),
            // Those of an outcome say what became of each.
            steps: if outcome.is_none() { &row.steps } else { &[] },
            outcome,
        })
    }

    fn append(&self, line: &Line<'_>) -> Result<(), AuditError> {
        let failed = |source| AuditError {
            path: self.path.clone().into(),
            source,
        };
        let mut text = serde_json::to_vec(line).map_err(|why| failed(why.into()))?;
        text.push(b'\n');
        let mut options = OpenOptions::new();
        let mut file = options
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&self.path)
            .map_err(failed)?;
        file.write_all(&text).map_err(failed)?;
        file.sync_data().map_err(failed)
    }
}
