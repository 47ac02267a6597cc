//! The tables, and how an older ledger becomes a newer one.

use super::LedgerError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// `owlL` in the header of the file: what says that it is a ledger (`PRAGMA application_id`).
pub(super) const APPLICATION_ID: i64 = 0x6f77_6c4c;

/// What brings a ledger from each version to the next; the first one makes it.
pub(super) const MIGRATIONS: [&str; 2] = [FIRST, DROPS];

/// The newest version.
pub(super) const VERSION: i64 = 2;

const FIRST: &str = "
CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    host TEXT NOT NULL,
    common_dir BLOB NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    name TEXT NOT NULL,
    first_known TEXT NOT NULL,
    UNIQUE (host, common_dir, device, inode)
) STRICT;
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects (id) ON UPDATE CASCADE ON DELETE RESTRICT,
    source TEXT,
    source_ref TEXT,
    branch BLOB,
    base BLOB,
    state TEXT NOT NULL,
    ttl INTEGER NOT NULL CHECK (ttl >= 0),
    reason TEXT,
    created TEXT NOT NULL,
    changed TEXT NOT NULL,
    worktree BLOB,
    worktree_device INTEGER,
    worktree_inode INTEGER,
    worktree_entry BLOB,
    decided_at TEXT,
    decided_tip TEXT,
    UNIQUE (source, source_ref),
    CHECK ((source IS NULL) = (source_ref IS NULL)),
    CHECK (worktree IS NOT NULL OR worktree_device IS NULL),
    CHECK ((worktree_device IS NULL) = (worktree_inode IS NULL)),
    CHECK ((worktree_device IS NULL) = (worktree_entry IS NULL)),
    CHECK (decided_at IS NOT NULL OR decided_tip IS NULL)
) STRICT;
CREATE INDEX jobs_of_project ON jobs (project);
CREATE UNIQUE INDEX branch_of_one_open_job ON jobs (project, branch)
    WHERE state NOT IN ('done', 'cancelled');
CREATE TABLE labels (
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    PRIMARY KEY (job, label)
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt > 0),
    started TEXT NOT NULL,
    ended TEXT,
    outcome TEXT,
    reason TEXT,
    pid INTEGER,
    pid_started INTEGER,
    boot TEXT,
    pid_namespace INTEGER,
    PRIMARY KEY (job, attempt),
    CHECK ((ended IS NULL) = (outcome IS NULL)),
    CHECK ((pid IS NULL) = (pid_started IS NULL)),
    CHECK ((pid IS NULL) = (boot IS NULL)),
    CHECK ((pid IS NULL) = (pid_namespace IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_run_in_progress ON runs (job) WHERE ended IS NULL;
";

/// A drop whose branch is still to be deleted, at `decided_tip`: set with the state, so that a run
/// that is killed then is finished by the next.
const DROPS: &str = "
ALTER TABLE jobs ADD COLUMN drops INTEGER NOT NULL DEFAULT 0
    CHECK (drops = 0 OR (drops = 1 AND state = 'cancelled' AND branch IS NOT NULL));
";

/// The version of a ledger; an error if it is none, or a newer one.
pub(super) fn version(connection: &Connection, path: &Path) -> Result<i64, LedgerError> {
    let number = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map_err(|why| LedgerError::sql(path, why))
    };
    if number("application_id")? != APPLICATION_ID {
        return Err(LedgerError::NotALedger(path.into()));
    }
    let found = number("user_version")?;
    if found > VERSION {
        return Err(LedgerError::Newer {
            path: path.into(),
            found,
            known: VERSION,
        });
    }
    Ok(found)
}

/// Brings a ledger up to date, whole or not at all; the first of several processes does it.
pub(super) fn migrate(
    connection: &mut Connection,
    path: &Path,
    migrations: &[&str],
) -> Result<(), LedgerError> {
    let sql = |why| LedgerError::sql(path, why);
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(sql)?;
    let found: i64 = transaction
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(sql)?;
    let done = usize::try_from(found).map_err(|_| LedgerError::corrupt(path, "its version"))?;
    for (version, step) in (1_i64..).zip(migrations).skip(done) {
        transaction.execute_batch(step).map_err(sql)?;
        transaction
            .pragma_update(None, "user_version", version)
            .map_err(sql)?;
    }
    transaction.commit().map_err(sql)
}

#[cfg(test)]
mod tests {
    use super::{FIRST, MIGRATIONS, VERSION, migrate};
    use rusqlite::Connection;
    use std::path::Path;

    fn version(connection: &Connection) -> i64 {
        connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .expect("it has one")
    }

    #[test]
    fn a_migration_is_done_whole_or_not_at_all_and_only_once() {
        assert_eq!(i64::try_from(MIGRATIONS.len()), Ok(VERSION));
        let path = Path::new("in memory");
        let mut connection = Connection::open_in_memory().expect("memory is there");
        migrate(&mut connection, path, &[FIRST]).expect("it is new");
        assert_eq!(version(&connection), 1);
        let broken = [
            FIRST,
            "CREATE TABLE more (x TEXT) STRICT; CREATE TABLE jobs (x TEXT);",
        ];
        migrate(&mut connection, path, &broken).expect_err("the table is there");
        assert_eq!(version(&connection), 1);
        let count = "SELECT count(*) FROM sqlite_schema WHERE name = 'more'";
        let more: i64 = connection
            .query_row(count, [], |row| row.get(0))
            .expect("it answers");
        assert_eq!(more, 0, "half a migration");
        let whole = [FIRST, "CREATE TABLE more (x TEXT) STRICT;"];
        migrate(&mut connection, path, &whole).expect("it is the next one");
        migrate(&mut connection, path, &whole).expect("it is done already");
        assert_eq!(version(&connection), 2);
    }
}
