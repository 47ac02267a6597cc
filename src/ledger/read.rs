//! The ledger read, and nothing else.
//!
//! `SQLite` itself is no mere reader of a ledger with a write-ahead log: a read-only connection makes
//! the log and its index (`-wal`, `-shm`) where they are missing, and cannot take them away. So:
//!
//! - Where there is no log, nobody has the ledger open for writing, and the file alone is the whole
//!   truth. It is read as `immutable`, which creates and locks nothing, and works in a directory
//!   that may not be written. It is read twice, and that counts only if both say the same, the file
//!   is still the same, and there is still no log: a writer cannot come and go unnoticed.
//! - Where there is a log, somebody has the ledger open, or was killed. `SQLite` reads file and log,
//!   through the index that is there. Where the index is missing (a copy), `SQLite` makes it; where it
//!   may not, that is an error.

use super::open::{is_there, lies, log_of, require_sound, settle};
use super::schema::{VERSION, version};
use super::{Contents, LedgerError, rows};
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How often a reading that a writer has disturbed is begun anew; each time there is a log to read
/// instead, but for writers that come and go.
const TRIES: usize = 100;

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// There is no ledger: nothing is known of any job.
    Missing,
    /// Everything in it, at one moment.
    There(Contents),
}

/// Reads the ledger at a path; writes nothing, and creates nothing where there is none.
pub fn read(path: &Path) -> Result<Reading, LedgerError> {
    for _ in 0..TRIES {
        if !is_there(path)? {
            return Ok(Reading::Missing);
        }
        let log = log_of(path);
        if lies(&log)? {
            match contents(path, "mode=ro") {
                // The last writer may have taken the log away in between.
                Err(LedgerError::Access { .. }) if !lies(&log)? => continue,
                other => return other.map(Reading::There),
            }
        }
        let before = stamp(path)?;
        let (first, second) = (
            contents(path, "mode=ro&immutable=1"),
            contents(path, "mode=ro&immutable=1"),
        );
        if lies(&log)? || stamp(path)? != before {
            continue;
        }
        match (first, second) {
            (Ok(first), Ok(second)) if first == second => return Ok(Reading::There(first)),
            (Err(why), Err(_)) => return Err(why),
            (Ok(_), Ok(_) | Err(_)) | (Err(_), Ok(_)) => {}
        }
    }
    Err(LedgerError::Busy(path.into()))
}

fn contents(path: &Path, how: &str) -> Result<Contents, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let sql = |why| LedgerError::sql(path, why);
    let mut connection = Connection::open_with_flags(uri(path, how), flags).map_err(sql)?;
    settle(&connection).map_err(sql)?;
    let found = version(&connection, path)?;
    if found < VERSION {
        return Err(LedgerError::Older {
            path: path.into(),
            found,
        });
    }
    require_sound(&connection, path)?;
    rows::load(&mut connection, path)
}

/// What changes with every write to the file.
fn stamp(path: &Path) -> Result<impl PartialEq, LedgerError> {
    let found = fs::metadata(path).map_err(|why| LedgerError::io(path, why))?;
    Ok((
        (found.dev(), found.ino(), found.size()),
        (
            found.mtime(),
            found.mtime_nsec(),
            found.ctime(),
            found.ctime_nsec(),
        ),
    ))
}

/// The path as `SQLite` takes it, every byte that has a meaning of its own escaped.
fn uri(path: &Path, how: &str) -> OsString {
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            write!(uri, "%{byte:02X}").expect("because writing to a string cannot fail");
        }
    }
    format!("{uri}?{how}").into()
}
