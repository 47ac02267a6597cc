//! Why the ledger did not answer, or did not change.

use crate::job::{Refusal, State};
use crate::resource::{BytePath, escape};
use rusqlite::ErrorCode;
use std::io;
use std::path::Path;

/// Every one of them proves nothing about jobs: it is never "no jobs".
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no ledger where one is needed.
    #[error("there is no ledger at {0}")]
    Missing(BytePath),
    /// There is a part of a ledger, and not the ledger.
    #[error("{path} is there without its ledger: somebody has moved or removed {ledger}")]
    Lost {
        /// What is left of it.
        path: BytePath,
        /// What is missing.
        ledger: BytePath,
    },
    /// The file may not be read or written, or the disk failed.
    #[error("the ledger {path} could not be used: {source}")]
    Io {
        /// Which.
        path: BytePath,
        /// Why.
        source: io::Error,
    },
    /// The same, as the database says it.
    #[error("the ledger {path} could not be used: {why}")]
    Access {
        /// Which.
        path: BytePath,
        /// What the database said.
        why: String,
    },
    /// What is there is no file.
    #[error("the ledger {0} is not a regular file")]
    NotAFile(BytePath),
    /// What is there is a file of something else, or an empty one.
    #[error("{0} is no ledger of owl's")]
    NotALedger(BytePath),
    /// What is there is damaged.
    #[error("the ledger {path} is damaged: {why}")]
    Corrupt {
        /// Which.
        path: BytePath,
        /// How it was noticed.
        why: String,
    },
    /// A newer owl wrote it.
    #[error(
        "the ledger {path} has schema {found}, and this owl knows up to {known}: use a newer owl"
    )]
    Newer {
        /// Which.
        path: BytePath,
        /// Its schema.
        found: i64,
        /// The newest that this owl knows.
        known: i64,
    },
    /// An older owl wrote it, and a reader changes nothing.
    #[error(
        "the ledger {path} has the old schema {found}: a changing jobs command brings it up to date"
    )]
    Older {
        /// Which.
        path: BytePath,
        /// Its schema.
        found: i64,
    },
    /// Others have kept it locked for longer than owl waits.
    #[error("the ledger {0} is kept locked by another program")]
    Busy(BytePath),
    /// The database refused something that it should not.
    #[error("the ledger {path}: {why}")]
    Sql {
        /// Which.
        path: BytePath,
        /// What the database said.
        why: String,
    },
    /// No job has that number.
    #[error("there is no job {0}")]
    NoSuchJob(i64),
    /// No project has that number.
    #[error("the ledger knows no project {0}")]
    NoSuchProject(i64),
    /// The verb is not possible in that state.
    #[error("job {id}: {refusal}")]
    Refused {
        /// The job.
        id: i64,
        /// Why.
        refusal: Refusal,
    },
    /// Somebody else was faster: their decision stands.
    #[error("job {id} was {expected} and is {found} by now: somebody else's decision stands")]
    Overtaken {
        /// The job.
        id: i64,
        /// The state that the change was decided on.
        expected: State,
        /// The state that won.
        found: State,
    },
    /// The branch is another open job's.
    #[error("the branch {branch} is that of job {id}, which is {state}")]
    BranchTaken {
        /// The branch.
        branch: BytePath,
        /// Whose it is.
        id: i64,
        /// The state of that job.
        state: State,
    },
    /// Another job has this name of another tool's.
    #[error(
        "{} {} is there already, as job {id}",
        escape(source_name.as_bytes()),
        escape(reference.as_bytes())
    )]
    OriginTaken {
        /// The tool.
        source_name: String,
        /// Its name for the job.
        reference: String,
        /// The job that has it.
        id: i64,
    },
    /// The very same job is there.
    #[error("it is there already, as job {0}")]
    Twin(i64),
    /// A number does not fit.
    #[error("job {0} cannot have so many runs left")]
    TooMany(i64),
    /// Nothing would be added.
    #[error("job {0} cannot be extended by no run")]
    NoRun(i64),
    /// One of several new jobs is refused, and so all of them.
    #[error("{why}")]
    InRow {
        /// Its place, from 0.
        nth: usize,
        /// Why.
        why: Box<LedgerError>,
    },
}

impl LedgerError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.into(),
            source,
        }
    }

    pub(super) fn corrupt(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::Corrupt {
            path: path.into(),
            why: escape(why.to_string().as_bytes()),
        }
    }

    /// What an answer of the database means.
    pub(super) fn sql(path: &Path, why: rusqlite::Error) -> Self {
        let code = why.sqlite_error_code();
        let is = |codes: &[ErrorCode]| code.is_some_and(|code| codes.contains(&code));
        if is(&[ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked]) {
            return Self::Busy(path.into());
        }
        let damage = [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase];
        let is_odd_value = matches!(
            why,
            rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..)
        );
        if is(&damage) || is_odd_value {
            return Self::corrupt(path, why);
        }
        let access = [
            ErrorCode::CannotOpen,
            ErrorCode::PermissionDenied,
            ErrorCode::ReadOnly,
            ErrorCode::SystemIoFailure,
            ErrorCode::DiskFull,
            ErrorCode::FileLockingProtocolFailed,
            ErrorCode::NoLargeFileSupport,
        ];
        let (path, text) = (BytePath::from(path), escape(why.to_string().as_bytes()));
        if is(&access) {
            Self::Access { path, why: text }
        } else {
            Self::Sql { path, why: text }
        }
    }
}
