//! Takes a worktree, or an entry whose worktree is gone, out of everybody's reach; and gives it
//! back (`spec 7.4`).
//!
//! Input: a row that has just been looked at. Output: a [`Taken`] whose entry owl has locked and
//! whose directory stands in owl's own folder. owl renames the directory itself and then puts the
//! entry's `gitdir` right, rather than by `git worktree move`, which replaces and does not flush.
//!
//! Invariants: the entry is locked before the directory moves, so that between the two steps no
//! `git worktree prune` takes an entry whose directory is not where it says; the record is on the
//! disk before that, with the bytes of every file that is rewritten; nothing is ever renamed onto
//! something; giving back is the same whatever step was the last, and may be done again.

use super::journal::Journal;
use super::{files, marks, rescue};
use crate::git::Repository;
use crate::journal::{Lifted, Manner, Pinned, Record, Stage, Work};
use crate::observe::Aside;
use crate::plan::Row;
use crate::resource::BytePath;
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How long after its last record owl may still have written in an entry.
const OWN_WRITES: i64 = 2;

/// What owl has taken.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) journal: Journal,
    pub(super) record: Record,
    /// Why it was not moved, if it was not.
    pub(super) in_place: Option<String>,
    /// The entry's mtime after owl's own last write in it.
    pub(super) entry_after: Option<(i64, i64)>,
    /// The rescue refs that this very run has made for it.
    pub(super) made: Vec<Pinned>,
}

/// Whether the entry that was taken is still there as owl left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is.
    Own,
    /// Nothing of its name is there.
    Gone,
    /// It is there, and names another place: somebody has moved its worktree since.
    Moved,
    /// One of its name is there, and was made since; or nothing proves that it was not.
    Another,
}

/// What is left of an entry that was to be pruned.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EntryLeft {
    /// All of it.
    Whole,
    /// So many files and directories, and no more.
    Part(u64),
    /// It is gone, or another one has its name.
    Nothing,
}

/// Where something stands after it was given back.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Back {
    /// Where it was.
    Home,
    /// Aside, and locked: its old place is taken, or cannot be reached.
    Left(String),
}

impl Taken {
    /// Takes what the record speaks of: lock, move, new name. On an error nothing is promised but
    /// that [`Taken::give_back`] undoes whatever was done.
    pub(super) fn take(&mut self) -> Result<(), String> {
        self.lock()?;
        let path = self.record.path.clone();
        if self.record.inode.is_some() {
            require_directory(path.as_path(), &self.record)?;
            if let Err(why) = files::rename_new(path.as_path(), self.record.aside.as_path()) {
                return self.stay(why);
            }
            require_directory(self.record.aside.as_path(), &self.record)?;
            let synced = files::sync_directory(&self.journal.folder.aside())
                .and_then(|()| files::sync_parent(path.as_path()));
            synced.map_err(|why| format!("the move could not be flushed: {why}"))?;
            self.point_dot_git_at_entry()?;
        }
        self.name_aside()
            .map_err(|why| format!("its gitdir file could not be rewritten: {why}"))
    }

    /// Makes the rescue refs of the record that are not there yet.
    pub(super) fn write_rescues(&mut self, repository: &Repository) -> Result<(), String> {
        let (rescues, address) = (&self.record.rescues, &self.record.address);
        self.made = rescue::write(repository, rescues, address)?;
        Ok(())
    }

    /// Notes that owl has written in the entry for the last time before it is looked at.
    pub(super) fn mark_entry(&mut self) -> Result<(), String> {
        self.entry_after = Some(self.entry_time()?);
        Ok(())
    }

    /// Requires that nobody has written in the entry since. The entry is not out of reach as the
    /// directory is: who names it outright can start an operation in it after it was looked at.
    pub(super) fn require_quiet_entry(&self) -> Result<(), String> {
        if self.entry_after == Some(self.entry_time()?) {
            return Ok(());
        }
        Err("somebody wrote in its administrative entry a moment ago".to_owned())
    }

    fn entry_time(&self) -> Result<(i64, i64), String> {
        let there = std::fs::symlink_metadata(self.record.entry_dir())
            .map_err(|why| format!("its entry cannot be looked at: {why}"))?;
        Ok((there.mtime(), there.mtime_nsec()))
    }

    /// Where it stands now.
    pub(super) fn place(&self) -> &Path {
        match self.record.manner {
            Manner::Moved => self.record.aside.as_path(),
            Manner::InPlace => self.record.path.as_path(),
        }
    }

    /// How it is to be looked at.
    pub(super) fn as_aside(&self, row: &Row, store: Option<String>) -> Aside {
        Aside {
            op: self.record.op.clone(),
            address: row.address.clone(),
            entry: self.record.entry.clone(),
            store,
            path: row.place().to_owned(),
            git_path: row.git_path.clone(),
            place: self.place().to_owned(),
            is_remnant: false,
            lock_reason: self.record.lock_reason(),
            lifted: self.record.lifted.as_ref().map(Lifted::reason),
            modules: self.taken_modules(),
        }
    }

    /// A move that the system refuses is done without; one that fails for another reason is not.
    fn stay(&mut self, why: Errno) -> Result<(), String> {
        match why {
            Errno::XDEV
            | Errno::ACCESS
            | Errno::PERM
            | Errno::ROFS
            | Errno::BUSY
            | Errno::INVAL
            | Errno::NOSYS
            | Errno::OPNOTSUPP => {}
            Errno::NOENT => return Err("it vanished a moment ago".to_owned()),
            other => return Err(format!("it could not be moved aside: {other}")),
        }
        self.record.manner = Manner::InPlace;
        self.in_place = Some(why.to_string());
        self.journal
            .announce(&self.record)
            .map_err(|why| format!("the journal could not be written: {why}"))
    }

    fn lock(&self) -> Result<(), String> {
        let record = &self.record;
        let target = record.entry_dir().join("locked");
        let reason = format!("{}\n", record.lock_reason());
        let draft = self.journal.draft(&record.op, "lock");
        if let Some(lifted) = &record.lifted {
            return lift(&target, lifted, reason.as_bytes(), &draft);
        }
        files::create(&target, reason.as_bytes(), &draft, 0o644).map_err(|why| {
            if why.kind() == io::ErrorKind::AlreadyExists {
                "somebody locked it a moment ago".to_owned()
            } else {
                format!("it could not be locked: {why}")
            }
        })
    }

    /// Locks an entry that was unlocked for git, before its directory moves.
    fn lock_again(&self) -> io::Result<()> {
        if self.record.stage != Stage::Deleting || !self.entry_is_own()? {
            return Ok(());
        }
        let target = self.record.entry_dir().join("locked");
        let draft = self.journal.draft(&self.record.op, "lock");
        files::remove_own(&draft)?;
        let reason = format!("{}\n", self.record.lock_reason());
        match files::create(&target, reason.as_bytes(), &draft, 0o644) {
            // Somebody's lock does as well.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// Unlocks the entry, if the lock is owl's own.
    pub(super) fn unlock(&self) -> io::Result<()> {
        let path = self.record.entry_dir().join("locked");
        let Some(reason) = files::contents(&path)? else {
            return Ok(());
        };
        if reason.trim_ascii_end() == self.record.lock_reason().as_bytes() {
            files::remove_own(&path)?;
            files::sync_parent(&path)?;
        }
        Ok(())
    }

    /// Ends owl's own lock: the one that it lifted comes back, with its exact bytes.
    fn put_lock_back(&self) -> io::Result<()> {
        let Some(lifted) = &self.record.lifted else {
            return self.unlock();
        };
        let path = self.record.entry_dir().join("locked");
        let draft = self.journal.draft(&self.record.op, "lock");
        files::remove_own(&draft)?;
        let bytes = lifted.bytes.as_bytes();
        match files::contents(&path)? {
            Some(now) if now.trim_ascii_end() == self.record.lock_reason().as_bytes() => {
                files::replace(&path, bytes, &draft, lifted.mode)?;
            }
            // It was not lifted yet, or somebody has locked it anew.
            Some(_) => return Ok(()),
            None => files::restore(&path, bytes, &draft, lifted.mode)?,
        }
        files::set_modified(&path, lifted.modified)
    }

    /// A `.git` file that names its entry relative to itself is rewritten while it is aside.
    fn point_dot_git_at_entry(&self) -> Result<(), String> {
        if !self.record.is_relative {
            return Ok(());
        }
        let mut bytes = b"gitdir: ".to_vec();
        bytes.extend_from_slice(self.record.entry_dir().as_os_str().as_bytes());
        bytes.push(b'\n');
        self.write_dot_git(self.record.aside.as_path(), &bytes)
            .map_err(|why| format!("its .git file could not be rewritten: {why}"))
    }

    /// Puts the `.git` file of a half-deleted tree back, if git has deleted it: then its commands
    /// work there.
    pub(super) fn restore_link(&self) -> Result<(), String> {
        let at = self.place().join(".git");
        let said = |why: io::Error| why.to_string();
        if files::look(&at).map_err(said)?.is_some() {
            return Ok(());
        }
        match (&self.record.dot_git, self.record.manner) {
            (Some(_), Manner::Moved) if self.record.is_relative => self.point_dot_git_at_entry(),
            (Some(bytes), _) => self
                .write_dot_git(self.place(), bytes.as_bytes())
                .map_err(said),
            (None, _) => Ok(()),
        }
    }

    fn write_dot_git(&self, tree: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = tree.join(".git");
        let mode = match files::look(&path)? {
            Some(there) => there.permissions().mode() & 0o777,
            None => 0o644,
        };
        let draft = self.journal.draft(&self.record.op, "dotgit");
        files::remove_own(&draft)?;
        files::replace(&path, bytes, &draft, mode)
    }

    fn write_gitdir(&self, bytes: &[u8]) -> io::Result<()> {
        let path = self.record.entry_dir().join("gitdir");
        let mode = match files::look(&path)? {
            Some(there) => there.permissions().mode() & 0o777,
            None => 0o644,
        };
        let draft = self.journal.draft(&self.record.op, "gitdir");
        files::remove_own(&draft)?;
        files::replace(&path, bytes, &draft, mode)
    }

    /// Puts everything back as it was before owl took it. Where the old place is taken it stays
    /// aside, locked, and the record stays open.
    pub(super) fn give_back(&mut self) -> io::Result<Back> {
        let last_write = self.last_record()?;
        let touched = self.entry_modified()?;
        self.lock_again()?;
        if self.record.stage != Stage::Left {
            self.journal.advance(&mut self.record, Stage::Returning)?;
        }
        if let Some(why) = self.give_modules_back()? {
            self.journal.advance(&mut self.record, Stage::Left)?;
            let aside = &self.record.aside;
            return Ok(Back::Left(format!("{why}; it waits at {aside}, locked")));
        }
        let (aside, path) = (self.record.aside.clone(), self.record.path.clone());
        if self.record.inode.is_some() && files::look(aside.as_path())?.is_some() {
            if let Err(why) = files::rename_new(aside.as_path(), path.as_path()) {
                self.journal.advance(&mut self.record, Stage::Left)?;
                return Ok(Back::Left(why_left(why, &aside, &path)));
            }
            files::sync_parent(path.as_path())?;
            files::sync_directory(&self.journal.folder.aside())?;
        }
        self.restore_dot_git()?;
        self.give_links_back(path.as_path())?;
        if self.entry_is_own()? {
            self.restore_gitdir()?;
            self.put_lock_back()?;
            self.restore_modified(touched, last_write)?;
        }
        self.journal.settle(&self.record)?;
        Ok(Back::Home)
    }

    /// Only the bytes that owl itself wrote are taken back.
    fn restore_dot_git(&self) -> io::Result<()> {
        let Some(bytes) = self
            .record
            .dot_git
            .as_ref()
            .filter(|_| self.record.is_relative)
        else {
            return Ok(());
        };
        let path = self.record.path.as_path();
        let own = [b"gitdir: ", self.record.entry_dir().as_os_str().as_bytes()].concat();
        match files::contents(&path.join(".git"))? {
            Some(now) if now.trim_ascii_end() == own => {
                self.write_dot_git(path, bytes.as_bytes())?;
                files::set_modified(&path.join(".git"), self.record.dot_git_modified)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn restore_gitdir(&self) -> io::Result<()> {
        let now = files::contents(&self.record.entry_dir().join("gitdir"))?;
        let own = self.record.aside.as_path().join(".git");
        match now {
            Some(now) if now.trim_ascii_end() != own.as_os_str().as_bytes() => Ok(()),
            Some(_) | None => {
                self.write_gitdir(self.record.gitdir.as_bytes())?;
                let gitdir = self.record.entry_dir().join("gitdir");
                files::set_modified(&gitdir, self.record.gitdir_modified)
            }
        }
    }

    /// Whether the entry is still the one that was taken, as owl left it.
    pub(super) fn entry_is_own(&self) -> io::Result<bool> {
        Ok(self.standing()? == Standing::Own)
    }

    /// What stands under the entry's name. An inode number comes again, and so does the text of
    /// `gitdir`: what git wrote once, or the birth of the directory, does not. Once the deletion was
    /// announced `gitdir` must name the place that owl gave it, unless git has deleted that file.
    pub(super) fn standing(&self) -> io::Result<Standing> {
        let record = &self.record;
        let entry = record.entry_dir();
        let Some(there) = files::look(&entry)? else {
            return Ok(Standing::Gone);
        };
        let is_taken = there.is_dir()
            && there.ino() == record.entry_inode
            && match marks::mark_of(&entry.join("commondir"))? {
                Some(mark) => mark == record.entry_mark && is_same_birth(record.entry_born, &there),
                None => record.entry_born.is_some() && record.entry_born == files::born(&there),
            };
        if !is_taken {
            return Ok(Standing::Another);
        }
        let Some(gitdir) = files::contents(&entry.join("gitdir"))? else {
            return Ok(Standing::Own);
        };
        let own = record.aside.as_path().join(".git");
        let is_at_aside = gitdir.trim_ascii_end() == own.as_os_str().as_bytes();
        let is_at_home = gitdir == record.gitdir.as_bytes();
        Ok(if is_at_aside || (is_at_home && !self.names_aside()) {
            Standing::Own
        } else {
            Standing::Moved
        })
    }

    /// Whether the entry can name no other place than the one aside, as far as owl is concerned.
    fn names_aside(&self) -> bool {
        let is_announced = match self.record.stage {
            Stage::Deleting | Stage::Modules | Stage::Branch => true,
            Stage::Taking | Stage::Returning | Stage::Left => false,
        };
        let is_renamed = match (self.record.work, self.record.manner) {
            (Work::Prune, _) | (Work::Remove, Manner::Moved) => true,
            (Work::Remove, Manner::InPlace) => false,
        };
        is_announced && is_renamed
    }

    /// Where the entry says that the worktree is.
    pub(super) fn recorded_home(&self) -> io::Result<Option<PathBuf>> {
        let gitdir = files::contents(&self.record.entry_dir().join("gitdir"))?;
        let named = gitdir.as_deref().map(<[u8]>::trim_ascii_end);
        let home = named.and_then(|bytes| bytes.strip_suffix(b"/.git"));
        Ok(home.map(|home| self.record.entry_dir().join(OsStr::from_bytes(home))))
    }

    /// Whether git has deleted so much of the entry that nobody can use what is left of it. Without
    /// these two no git finds a repository there; without `gitdir`, or without the index, it does.
    pub(super) fn is_entry_dead(&self) -> io::Result<bool> {
        let entry = self.record.entry_dir();
        for name in ["HEAD", "commondir"] {
            if files::look(&entry.join(name))?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the `gitdir` file anew, as owl had written it, if git has deleted it: then the entry
    /// can be looked at.
    pub(super) fn restore_lost_gitdir(&self) -> io::Result<()> {
        if files::look(&self.record.entry_dir().join("gitdir"))?.is_some() {
            return Ok(());
        }
        match (self.record.work, self.record.manner) {
            (Work::Remove, Manner::InPlace) => self.write_gitdir(self.record.gitdir.as_bytes()),
            (Work::Prune, _) | (Work::Remove, Manner::Moved) => self.name_aside(),
        }
    }

    /// Lets the entry say that its worktree is aside.
    pub(super) fn name_aside(&self) -> io::Result<()> {
        let mut gitdir = self.record.aside.as_path().join(".git").into_os_string();
        gitdir.push("\n");
        self.write_gitdir(gitdir.as_bytes())
    }

    /// Whether the directory at the worktree's place is the one that was taken.
    pub(super) fn is_the_tree(&self, there: &Metadata) -> bool {
        is_tree_of(&self.record, there)
    }

    /// How much of the entry is left, where the record counted that. The lock was counted, and may be
    /// gone already.
    pub(super) fn entry_left(&self) -> io::Result<EntryLeft> {
        if !self.entry_is_own()? {
            return Ok(EntryLeft::Nothing);
        }
        let entry = self.record.entry_dir();
        let there = files::count(&entry)?;
        let has_lock = files::look(&entry.join("locked"))?.is_some();
        Ok(if there + u64::from(!has_lock) >= self.record.count {
            EntryLeft::Whole
        } else {
            EntryLeft::Part(there)
        })
    }

    fn last_record(&self) -> io::Result<Option<i64>> {
        let file = self.journal.folder.file(&self.record.op);
        Ok(files::look(&file)?.map(|there| there.mtime()))
    }

    fn entry_modified(&self) -> io::Result<Option<i64>> {
        Ok(files::look(&self.record.entry_dir())?.map(|there| there.mtime()))
    }

    /// What owl wrote in the entry is no sign of life. If somebody else has written there since,
    /// the time stays what it is.
    fn restore_modified(&self, touched: Option<i64>, last_write: Option<i64>) -> io::Result<()> {
        let (Some(touched), Some(last_write)) = (touched, last_write) else {
            return Ok(());
        };
        if touched > last_write + OWN_WRITES {
            return Ok(());
        }
        files::set_modified(&self.record.entry_dir(), self.record.entry_modified)
    }
}

/// Puts owl's lock in the place of a dead one, if that is still the one that was looked at.
fn lift(target: &Path, lifted: &Lifted, reason: &[u8], draft: &Path) -> Result<(), String> {
    let failed = |why: io::Error| format!("its lock could not be lifted: {why}");
    files::write_new(draft, reason, 0o644).map_err(failed)?;
    let exchange = || files::exchange(draft, target).map_err(|why| failed(why.into()));
    exchange()?;
    let was = files::contents(draft).map_err(failed)?;
    if was.as_deref() != Some(lifted.bytes.as_bytes()) {
        exchange()?;
        files::remove_own(draft).map_err(failed)?;
        return Err("somebody locked it anew a moment ago".to_owned());
    }
    files::remove_own(draft).map_err(failed)?;
    files::sync_parent(target).map_err(failed)
}

fn why_left(why: Errno, aside: &BytePath, path: &BytePath) -> String {
    let why = match why {
        Errno::EXIST | Errno::NOTEMPTY => "something new stands at its old place".to_owned(),
        other => format!("it could not be moved back ({other})"),
    };
    format!("{why}: it waits at {aside}, locked; its old place is {path}")
}

/// Whether something was born when the record says, as far as both are known.
fn is_same_birth(born: Option<(i64, i64)>, there: &Metadata) -> bool {
    match (born, files::born(there)) {
        (Some(then), Some(now)) => then == now,
        (None, _) | (_, None) => true,
    }
}

fn is_tree_of(record: &Record, there: &Metadata) -> bool {
    there.is_dir() && record.inode == Some(there.ino()) && is_same_birth(record.born, there)
}

/// Requires that a directory is the one that was looked at, and reached without a symlink (C6).
pub(super) fn require_directory(path: &Path, record: &Record) -> Result<(), String> {
    let shown = || BytePath::from(path);
    let there = files::look(path).map_err(|why| format!("look at {}: {why}", shown()))?;
    if !there.is_some_and(|there| is_tree_of(record, &there)) {
        return Err(format!("another directory stands at {} now", shown()));
    }
    let resolved: PathBuf =
        std::fs::canonicalize(path).map_err(|why| format!("resolve {}: {why}", shown()))?;
    if resolved.as_os_str() != path.as_os_str() {
        return Err(format!("{} is reached through a symlink", shown()));
    }
    Ok(())
}
