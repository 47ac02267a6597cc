//! Takes the submodules of a worktree out of everybody's reach, and lets their repositories go when
//! the worktree is gone (`spec 7.4`, `submodules: remove-published`).
//!
//! Git refuses to remove a worktree with a submodule in it, and with `--force` it would check nothing
//! any more. So owl never forces: it puts `modules/` of the administrative entry into its own folder,
//! in one rename, and takes away the link of each submodule. To git the submodules are then as if they
//! had never been initialised, so that its plain removal, with its own check of all the rest, does the
//! deleting. `git submodule deinit` would do less, and would edit the configuration that all worktrees
//! share.
//!
//! Input: a worktree that stands aside. Invariants: both happen before the last look, so that nobody
//! can reach by name what was looked at; both are journalled, and undone whatever was the last step;
//! the repositories are unlinked only after git has removed the worktree, and only if nothing in them
//! is other than when they were looked at.

use super::files;
use super::leftover::unlink_all;
use super::marks;
use super::taken::{Standing, Taken};
use crate::journal::{Link, Manner, Record, Stage};
use crate::observe::{TakenModules, inventory};
use crate::plan::{Row, Step};
use crate::resource::BytePath;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The links of the submodules that the steps of a row name, as they are now.
pub(super) fn links(row: &Row) -> Result<Vec<Link>, String> {
    let mut links = Vec::new();
    for step in &row.steps {
        let Step::RemoveSubmodule {
            path,
            repository,
            commit,
        } = step
        else {
            continue;
        };
        let file = row.place().join(path.as_path()).join(".git");
        let failed = |why: io::Error| format!("the link of {path} cannot be read: {why}");
        let there = files::look(&file).map_err(failed)?;
        let bytes = files::contents(&file).map_err(failed)?;
        let (Some(there), Some(bytes)) = (there.filter(std::fs::Metadata::is_file), bytes) else {
            return Err(format!("the link of {path} is gone"));
        };
        links.push(Link {
            path: path.clone(),
            repository: repository.clone(),
            commit: commit.clone(),
            bytes: BytePath::from_bytes(&bytes),
            modified: (there.mtime(), there.mtime_nsec()),
            mode: there.permissions().mode() & 0o777,
        });
    }
    Ok(links)
}

impl Taken {
    /// Takes the repositories, and then the links; nothing if there are none.
    pub(super) fn take_modules(&self) -> Result<(), String> {
        if self.record.submodules.is_empty() {
            return Ok(());
        }
        if self.record.manner == Manner::InPlace {
            return Err("it has submodules, and can only be removed where it can be moved".into());
        }
        let stored = self.modules();
        let failed = |why: io::Error| format!("its modules could not be taken: {why}");
        let folder = self.journal.folder.modules();
        if files::look(&folder).map_err(failed)?.is_none() {
            std::fs::create_dir(&folder).map_err(failed)?;
            files::sync_parent(&folder).map_err(failed)?;
        }
        let own = self.record.entry_dir().join("modules");
        files::rename_new(&own, &stored).map_err(|why| failed(why.into()))?;
        files::sync_directory(&folder).map_err(failed)?;
        files::sync_parent(&own).map_err(failed)?;
        for link in &self.record.submodules {
            self.take_link(link)?;
        }
        Ok(())
    }

    fn take_link(&self, link: &Link) -> Result<(), String> {
        let file = self.place().join(link.path.as_path()).join(".git");
        let failed =
            |why: io::Error| format!("the link of {} could not be taken: {why}", link.path);
        if files::contents(&file).map_err(failed)?.as_deref() != Some(link.bytes.as_bytes()) {
            return Err(format!("the link of {} has changed", link.path));
        }
        files::remove_own(&file).map_err(failed)?;
        files::sync_parent(&file).map_err(failed)
    }

    /// Where the repositories are while they are taken.
    pub(super) fn modules(&self) -> PathBuf {
        self.journal.folder.modules().join(&self.record.op)
    }

    /// How they are to be looked at.
    pub(super) fn taken_modules(&self) -> Option<TakenModules> {
        let links = self.record.submodules.iter();
        (!self.record.submodules.is_empty()).then(|| TakenModules {
            directory: self.modules(),
            links: links
                .map(|link| (link.path.as_path().to_owned(), link.bytes.clone()))
                .collect(),
        })
    }

    /// A digest over them; none if there are none.
    pub(super) fn inventory(&self) -> Result<Option<String>, String> {
        if self.record.submodules.is_empty() {
            return Ok(None);
        }
        inventory(&self.modules())
            .map(Some)
            .map_err(|why| why.to_string())
    }

    /// Puts the repositories back into the entry, before the worktree goes home. The sentence says why
    /// they could not be.
    pub(super) fn give_modules_back(&self) -> io::Result<Option<String>> {
        let stored = self.modules();
        if self.record.submodules.is_empty() || files::look(&stored)?.is_none() {
            return Ok(None);
        }
        let shown = BytePath::from(stored.clone());
        if !matches!(self.standing()?, Standing::Own | Standing::Moved) {
            return Ok(Some(format!(
                "its entry is gone, and the repositories of its submodules wait at {shown}"
            )));
        }
        let own = self.record.entry_dir().join("modules");
        if let Err(why) = files::rename_new(&stored, &own) {
            return Ok(Some(format!(
                "the repositories of its submodules could not be put back ({why}), and wait at {shown}"
            )));
        }
        files::sync_parent(&own)?;
        files::sync_directory(&self.journal.folder.modules())?;
        Ok(None)
    }

    /// Puts the links back in the worktree, which is out of owl's folder again.
    pub(super) fn give_links_back(&self, home: &Path) -> io::Result<()> {
        for (nth, link) in self.record.submodules.iter().enumerate() {
            let place = home.join(link.path.as_path());
            let file = place.join(".git");
            let is_there = files::look(&place)?.is_some_and(|metadata| metadata.is_dir());
            if !is_there || files::look(&file)?.is_some() {
                continue;
            }
            let draft = self.journal.draft(&self.record.op, &format!("link{nth}"));
            files::remove_own(&draft)?;
            files::restore(&file, link.bytes.as_bytes(), &draft, link.mode)?;
            files::set_modified(&file, link.modified)?;
        }
        Ok(())
    }

    /// Unlinks the repositories of a worktree that is gone, if nothing in them has changed since they
    /// were looked at. Once that was seen, the rest of them goes whenever this is called.
    pub(super) fn discard_modules(&mut self) -> Result<(), String> {
        let stored = self.modules();
        let failed = |why: io::Error| format!("{}: {why}", BytePath::from(stored.clone()));
        if self.record.submodules.is_empty() || files::look(&stored).map_err(failed)?.is_none() {
            return Ok(());
        }
        if self.record.stage != Stage::Modules {
            require_same(&self.record, &stored)?;
            self.journal
                .advance(&mut self.record, Stage::Modules)
                .map_err(failed)?;
        }
        let files = marks::all(&stored).map_err(|why| failed(why.into()))?;
        let files = files.into_iter().map(|item| item.path).collect();
        unlink_all(&stored, &files)
            .map_err(|(path, why)| format!("{} could not be removed: {why}", BytePath::from(path)))
    }
}

/// Requires that the repositories are what they were when they were looked at.
pub(super) fn require_same(record: &Record, stored: &Path) -> Result<(), String> {
    match inventory(stored) {
        Ok(now) if record.inventory.as_ref() == Some(&now) => Ok(()),
        Ok(_) => Err(format!(
            "the repositories of its submodules have changed since they were looked at, and are left \
             at {}: look at them, and move them away",
            BytePath::from(stored)
        )),
        Err(why) => Err(why.to_string()),
    }
}
