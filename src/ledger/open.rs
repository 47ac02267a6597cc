//! The ledger opened for changing.

use super::schema::{MIGRATIONS, VERSION, migrate, version};
use super::{Contents, LedgerError, create, rows};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long one lock is waited for, and how often.
const PATIENCE: Duration = Duration::from_secs(30);
const TRIES: usize = 4;

/// A ledger that can be changed. Any number of processes may have it open.
#[derive(Debug)]
pub struct Ledger {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
}

impl Ledger {
    /// Opens the ledger, and makes it where there is none.
    pub fn open_or_create(path: &Path) -> Result<Self, LedgerError> {
        if !is_there(path)? {
            create::create(path)?;
        }
        Self::open(path)
    }

    /// Opens a ledger that is there.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        if !is_there(path)? {
            return Err(LedgerError::Missing(path.into()));
        }
        let sql = |why| LedgerError::sql(path, why);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(sql)?;
        settle(&connection).map_err(sql)?;
        let found = version(&connection, path)?;
        require_sound(&connection, path)?;
        if found < VERSION {
            migrate(&mut connection, path, &MIGRATIONS)?;
        }
        Ok(Self {
            path: path.to_owned(),
            connection,
        })
    }

    /// Everything in it, at one moment.
    pub fn contents(&mut self) -> Result<Contents, LedgerError> {
        rows::load(&mut self.connection, &self.path)
    }

    /// Runs a change as one immediate transaction, again where others kept the ledger locked.
    pub(super) fn change_with<T>(
        &mut self,
        change: impl Fn(&Transaction<'_>) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let mut left = TRIES;
        loop {
            left -= 1;
            match self.attempt(&change) {
                Err(LedgerError::Busy(_)) if left > 0 => {}
                other => return other,
            }
        }
    }

    fn attempt<T>(
        &mut self,
        change: impl Fn(&Transaction<'_>) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let path = self.path.clone();
        let sql = |why| LedgerError::sql(&path, why);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(sql)?;
        // Dropped without a commit, it is undone.
        let done = change(&transaction)?;
        transaction.commit().map_err(sql)?;
        Ok(done)
    }
}

/// What every connection is set to.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)
}

/// Whether a ledger is there; an error if something else is, or if it cannot be told.
pub(super) fn is_there(path: &Path) -> Result<bool, LedgerError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(_) => Err(LedgerError::NotAFile(path.into())),
        Err(why) if why.kind() == ErrorKind::NotFound => {
            // A symlink that leads nowhere may lead to an unmounted disk.
            if lies(path)? {
                return Err(LedgerError::io(path, why));
            }
            let log = log_of(path);
            if lies(&log)? {
                return Err(LedgerError::Lost {
                    path: log.into(),
                    ledger: path.into(),
                });
            }
            Ok(false)
        }
        Err(why) => Err(LedgerError::io(path, why)),
    }
}

/// The write-ahead log of a ledger.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Whether anything is at a path.
pub(super) fn lies(path: &Path) -> Result<bool, LedgerError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(false),
        Err(why) => Err(LedgerError::io(path, why)),
    }
}

/// Looks through the whole file: a query alone would not notice a page that it does not need.
pub(super) fn require_sound(connection: &Connection, path: &Path) -> Result<(), LedgerError> {
    let said: String = connection
        .pragma_query_value(None, "quick_check", |row| row.get(0))
        .map_err(|why| LedgerError::sql(path, why))?;
    if said == "ok" {
        Ok(())
    } else {
        Err(LedgerError::corrupt(path, said))
    }
}
