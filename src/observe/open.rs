//! Operations of owl's own that are not finished, as rows (`spec 7.4`).
//!
//! Input: the journal of a repository, and what stands in owl's own folder. Output: which rows are
//! in the middle of something, and a row for what no other row speaks of. Invariant: nothing that
//! owl has taken is ever without a row.

use super::registry::Candidate;
use super::running::is_running;
use super::{Kind, ObserveError, Tree, World};
use crate::fact::Fact;
use crate::journal::{Folder, Record, Stage};
use crate::resource::{Address, BytePath};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How an operation of owl's stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenStage {
    /// Another owl is at it.
    Running,
    /// It was interrupted.
    Interrupted,
    /// The worktree waits aside, since its old place was taken.
    Aside,
}

/// An operation of owl's on a row that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// How it stands.
    pub stage: OpenStage,
    /// The sentence for people, with every path that matters.
    pub message: String,
}

/// The open operations of one project.
#[derive(Default)]
pub(crate) struct Operations {
    records: Vec<Record>,
    standing: Vec<PathBuf>,
    aside: PathBuf,
    /// Where this very owl has the row that it is looking at.
    own: Option<PathBuf>,
    is_running: bool,
    /// What in the journal could not be understood; nothing of the project may be touched.
    pub(crate) problems: Vec<String>,
}

impl Operations {
    /// Reads the journal of the repository, but for the operation `own`.
    pub(crate) fn read(
        world: &World<'_>,
        common_dir: &Path,
        own: Option<&str>,
    ) -> Result<Self, ObserveError> {
        let folder = Folder::of(common_dir);
        let failed = |why| ObserveError::read(&folder.root(), why);
        let mut operations = Self {
            standing: folder.standing_aside().map_err(failed)?,
            aside: folder.aside(),
            ..Self::default()
        };
        for found in folder.open().map_err(failed)? {
            match found.record {
                Ok(record) if own == Some(record.op.as_str()) => {
                    let own = record.aside.as_path().to_owned();
                    operations.standing.retain(|place| *place != own);
                    operations.own = Some(own);
                }
                Ok(record) => operations.records.push(record),
                Err(why) => operations.problems.push(format!(
                    "owl's journal {} {why}; nothing here is touched until it has been looked at \
                     and moved away",
                    BytePath::from(found.file)
                )),
            }
        }
        if !operations.records.is_empty() {
            operations.is_running = is_running(world, common_dir)?;
        }
        Ok(operations)
    }

    /// What stands in owl's own folder.
    pub(crate) fn standing(&self) -> &[PathBuf] {
        &self.standing
    }

    /// Says of every tree whether it is in the middle of something; adds rows for what is left over.
    pub(crate) fn mark(&self, project: &str, candidates: &[Candidate], trees: &mut Vec<Tree>) {
        let mut spoken: BTreeSet<&Path> = BTreeSet::new();
        let mut named: BTreeSet<&str> = BTreeSet::new();
        for (candidate, tree) in candidates.iter().zip(trees.iter_mut()) {
            let record = self.records.iter().find(|one| is_of(one, candidate));
            let place = candidate.path.as_path();
            tree.open = match record {
                Some(record) => {
                    named.insert(&record.op);
                    spoken.insert(record.aside.as_path());
                    Fact::Known(self.open(record))
                }
                None if self.own.as_deref() == Some(place) => Fact::Absent,
                None if place.starts_with(&self.aside) => Fact::Known(unnamed(place)),
                None => Fact::Absent,
            };
            if let Some(standing) = self.standing.iter().find(|one| *one == place) {
                spoken.insert(standing);
            }
        }
        for record in &self.records {
            if !named.contains(record.op.as_str()) {
                spoken.insert(record.aside.as_path());
                trees.push(self.row(project, record, trees));
            }
        }
        for place in &self.standing {
            if !spoken.contains(place.as_path()) {
                let address = Address::directory(project, place.as_os_str().as_bytes());
                let why = "it stands in owl's own folder";
                let mut tree = Tree::unknown(address, Kind::Directory, place.clone().into(), why);
                tree.open = Fact::Known(unnamed(place));
                trees.push(tree);
            }
        }
    }

    /// The row of an operation whose entry is gone.
    fn row(&self, project: &str, record: &Record, trees: &[Tree]) -> Tree {
        let is_taken = trees.iter().any(|tree| tree.address == record.address);
        let address = if is_taken {
            Address::directory(project, record.aside.as_bytes())
        } else {
            record.address.clone()
        };
        let why = "git does not list it any more";
        let mut tree = Tree::unknown(address, Kind::Worktree, record.aside.clone(), why);
        tree.open = Fact::Known(self.open(record));
        tree
    }

    fn open(&self, record: &Record) -> Open {
        let (aside, path) = (&record.aside, &record.path);
        let (stage, message) = match record.stage {
            Stage::Left => (
                OpenStage::Aside,
                format!(
                    "it waits at {aside}, locked, since it could not be put back to {path}; move away \
                     what stands there, if anything does, and run `owl apply`, which tries again"
                ),
            ),
            Stage::Taking | Stage::Deleting | Stage::Modules | Stage::Branch | Stage::Returning
                if self.is_running =>
            {
                (OpenStage::Running, "apply is running".to_owned())
            }
            Stage::Taking | Stage::Returning => (
                OpenStage::Interrupted,
                format!(
                    "owl was interrupted while it had it at {aside}; the next `owl apply` puts it \
                     back to {path}"
                ),
            ),
            Stage::Deleting => (
                OpenStage::Interrupted,
                format!(
                    "owl was interrupted while it was removed from {path}; the next `owl apply` \
                     finishes it, or puts it back (record {})",
                    record.op
                ),
            ),
            Stage::Modules => (
                OpenStage::Interrupted,
                format!(
                    "it is removed, but owl was interrupted before the repositories of its submodules \
                     were; the next `owl apply` does that (record {})",
                    record.op
                ),
            ),
            Stage::Branch => (
                OpenStage::Interrupted,
                format!(
                    "it is removed, and its branch is still there: the next `owl apply` deletes it, \
                     unless the policy keeps it by then; `owl restore` calls that off (record {})",
                    record.op
                ),
            ),
        };
        Open { stage, message }
    }
}

fn is_of(record: &Record, candidate: &Candidate) -> bool {
    let Some((id, _)) = &candidate.entry else {
        return false;
    };
    let places = [record.aside.as_path(), record.path.as_path()];
    *id == record.entry && places.contains(&candidate.path.as_path())
}

fn unnamed(place: &Path) -> Open {
    Open {
        stage: OpenStage::Interrupted,
        message: format!(
            "it stands in owl's own folder, at {}, and no record of the journal speaks of it; look \
             at it, and move it with `git worktree move`",
            BytePath::from(place)
        ),
    }
}
