//! Writes the journal (`spec 7.4`; the form and the reading are in `crate::journal`).
//!
//! Invariants: a record is on the disk, whole, before the side effect that it announces; it goes
//! only when nothing is left to be done or undone; where nothing is open, no trace is left.

use super::files;
use crate::journal::{Folder, Record, Stage};
use std::fs;
use std::io;
use std::path::PathBuf;

/// The end of a name of a file that is not announced yet.
const DRAFT: &str = ".tmp";

/// The journal of one repository; the caller holds its lock.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    pub(super) folder: Folder,
}

impl Journal {
    pub(super) fn of(common_dir: &std::path::Path) -> Self {
        Self {
            folder: Folder::of(common_dir),
        }
    }

    /// A name in the journal's folder for a file that is to be renamed to its place. Readers pass
    /// it over, and [`Journal::tidy`] removes one that was left behind.
    pub(super) fn draft(&self, op: &str, what: &str) -> PathBuf {
        self.folder.journal().join(format!("{op}.{what}{DRAFT}"))
    }

    /// Writes down what is about to be done.
    pub(super) fn announce(&self, record: &Record) -> io::Result<()> {
        let (root, journal) = (self.folder.root(), self.folder.journal());
        let aside = self.folder.aside();
        // Either may have gone when another operation was settled and it was empty.
        if files::look(&journal)?.is_none() || files::look(&aside)?.is_none() {
            fs::create_dir_all(&journal)?;
            fs::create_dir_all(&aside)?;
            files::sync_directory(&root)?;
            files::sync_parent(&root)?;
        }
        let bytes = record.to_bytes()?;
        let draft = self.draft(&record.op, "record");
        files::remove_own(&draft)?;
        files::replace(&self.folder.file(&record.op), &bytes, &draft, 0o600)
    }

    /// The same, for the next stage of a record.
    pub(super) fn advance(&self, record: &mut Record, stage: Stage) -> io::Result<()> {
        record.stage = stage;
        self.announce(record)
    }

    /// Forgets an operation of which nothing is open any more.
    pub(super) fn settle(&self, record: &Record) -> io::Result<()> {
        files::remove_own(&self.folder.file(&record.op))?;
        files::sync_directory(&self.folder.journal())?;
        self.remove_empty()
    }

    /// Removes files that a killed owl had not announced yet.
    pub(super) fn tidy(&self) -> io::Result<()> {
        let entries = match fs::read_dir(self.folder.journal()) {
            Ok(entries) => entries,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return self.remove_empty(),
            Err(why) => return Err(why),
        };
        for entry in entries {
            let path = entry?.path();
            let is_draft = path.extension().is_some_and(|end| end == &DRAFT[1..]);
            if is_draft && files::look(&path)?.is_some_and(|found| found.is_file()) {
                files::remove_own(&path)?;
            }
        }
        self.remove_empty()
    }

    fn remove_empty(&self) -> io::Result<()> {
        files::remove_if_empty(&self.folder.aside())?;
        files::remove_if_empty(&self.folder.modules())?;
        files::remove_if_empty(&self.folder.journal())?;
        files::remove_if_empty(&self.folder.root())
    }
}
