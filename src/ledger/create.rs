//! Makes a ledger where there is none.
//!
//! It is built beside its place and linked there, so that no half of one is ever found, of two
//! processes one wins, and an empty file at its place is always damage.

use super::schema::{APPLICATION_ID, MIGRATIONS, migrate};
use super::{LedgerError, open};
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Makes it; one that another process has made meanwhile is left as it is.
pub(super) fn create(path: &Path) -> Result<(), LedgerError> {
    let io = |why| LedgerError::io(path, why);
    let Some(directory) = path.parent() else {
        return Err(LedgerError::NotAFile(path.into()));
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|why| LedgerError::io(directory, why))?;
    let draft = draft(path)?;
    let made = build(&draft).and_then(|()| match fs::hard_link(&draft, path) {
        Ok(()) => Ok(()),
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(why) => Err(io(why)),
    });
    #[expect(clippy::disallowed_methods, reason = "owl's own draft, made above")]
    let cleared = fs::remove_file(&draft).map_err(io);
    made?;
    cleared?;
    // So that what is decided a moment later does not outlive its ledger.
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .map_err(|why| LedgerError::io(directory, why))
}

/// A new, empty file beside the ledger.
fn draft(path: &Path) -> Result<PathBuf, LedgerError> {
    for nth in 0_u32.. {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".new-{}-{nth}", std::process::id()));
        let draft = PathBuf::from(name);
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&draft);
        match made {
            Ok(_) => return Ok(draft),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => return Err(LedgerError::io(&draft, why)),
        }
    }
    Err(LedgerError::Busy(path.into()))
}

fn build(draft: &Path) -> Result<(), LedgerError> {
    let sql = |why| LedgerError::sql(draft, why);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(draft, flags).map_err(sql)?;
    open::settle(&connection).map_err(sql)?;
    connection
        .pragma_update(None, "application_id", APPLICATION_ID)
        .map_err(sql)?;
    migrate(&mut connection, draft, &MIGRATIONS)?;
    // Kept in the file: nobody has to change it later, which needs everybody else to be away.
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(sql)?;
    if mode != "wal" {
        let why = format!("this file system takes no write-ahead log, only {mode}");
        return Err(LedgerError::Access {
            path: draft.into(),
            why,
        });
    }
    connection.close().map_err(|(_, why)| sql(why))
}
