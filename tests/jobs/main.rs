//! The ledger and the life of a job (`spec 8`, A1), through the binary and the library.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests build the world, and take their own files away"
)]

#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod broken;
mod crowd;
mod exchange;
mod identity;
mod life;
mod reading;

use owl::ledger::{Contents, Reading};
use owl_binary::Run;
use std::path::PathBuf;
use support::Repo;

impl Repo {
    /// Where the ledger of the tests' home is.
    fn ledger(&self) -> PathBuf {
        self.root().join("home/.local/share/owl/ledger.db")
    }

    /// Runs the binary, which must succeed; what it printed.
    fn done(&self, words: &str) -> String {
        let run = self.owl(words);
        assert_eq!(run.code(), Some(0), "{run}");
        run.stdout().trim_end().to_owned()
    }

    /// Runs the binary, which must refuse.
    fn refused(&self, words: &str) -> Run {
        let run = self.owl(words);
        assert_eq!(run.code(), Some(2), "{run}");
        assert_eq!(run.stdout(), "", "{run}");
        run
    }

    /// Everything in the ledger.
    fn contents(&self) -> Contents {
        match owl::ledger::read(&self.ledger()).expect("it can be read") {
            Reading::There(contents) => contents,
            Reading::Missing => panic!("it is there"),
        }
    }

    /// Changes the ledger behind owl's back.
    fn sql(&self, statement: &str) {
        let connection = rusqlite::Connection::open(self.ledger()).expect("it is there");
        connection
            .execute_batch(statement)
            .expect("it is a statement");
    }

    /// What `SQLite` itself says of the ledger.
    fn integrity(&self) -> String {
        let connection = rusqlite::Connection::open(self.ledger()).expect("it is there");
        let check = connection.pragma_query_value(None, "integrity_check", |row| row.get(0));
        check.expect("it answers")
    }

    /// Every file beside the ledger with its bytes.
    fn beside(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let directory = self.ledger().parent().expect("it has one").to_owned();
        let Ok(entries) = std::fs::read_dir(directory) else {
            return Vec::new();
        };
        let mut found: Vec<_> = entries
            .map(|entry| {
                let entry = entry.expect("it can be read");
                let kind = entry.file_type().expect("it has one");
                let bytes = if kind.is_file() {
                    std::fs::read(entry.path()).expect("it can be read")
                } else {
                    Vec::new()
                };
                (entry.path(), bytes)
            })
            .collect();
        found.sort();
        found
    }
}
