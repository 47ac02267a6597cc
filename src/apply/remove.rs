//! Removes one worktree: taken, looked at where nobody can reach it, deleted by git without force,
//! verified (`spec 7.4`, `spec 7.5`).
//!
//! Input: a row that has just been looked at, with git as second witness. Output: first a
//! [`Doomed`] worktree that stands aside and was looked at there, whole; then what became of it.
//! Invariants: the first half and the last are done by one thread, one row after another; only the
//! deletion in between runs side by side with others; a deletion that fails half way leaves its
//! record open.

use super::journal::Journal;
use super::look_again::{Fresh, Stop, look_taken};
use super::taken::{Back, Taken};
use super::{Hands, Outcome};
use super::{branch, discard, files, job, marks, modules, rescue};
use crate::git::{GitError, Repository};
use crate::journal::{Lifted, Manner, Marks, Record, Stage, Work};
use crate::plan::{Row, Step, lifted_lock};
use crate::resource::BytePath;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// How often and after which pause git's list is asked again; it may fail while git is deleting
/// another entry (`incidents 118`).
const LIST_TRIES: u32 = 5;
const LIST_PAUSE: Duration = Duration::from_millis(50);

/// A worktree that may be deleted now.
pub(super) struct Doomed {
    pub(super) taken: Taken,
    repository: Repository,
}

/// Takes a worktree and looks at it there; what does not stand is given back.
pub(super) fn prepare(
    repository: &Repository,
    fresh: &Fresh,
    hands: &mut Hands<'_>,
) -> Result<Doomed, Stop> {
    let mut taken = begin(repository, fresh, Work::Remove, hands)
        .map_err(|why| Stop::kept(format!("{} was not touched: {why}", fresh.row.address)))?;
    match take_and_look(&mut taken, repository, fresh, hands) {
        Ok(()) => Ok(Doomed {
            taken,
            repository: repository.clone(),
        }),
        Err(stop) => Err(give_back(&mut taken, repository, stop)),
    }
}

fn take_and_look(
    taken: &mut Taken,
    repository: &Repository,
    fresh: &Fresh,
    hands: &mut Hands<'_>,
) -> Result<(), Stop> {
    taken.take().map_err(Stop::kept)?;
    taken.take_modules().map_err(Stop::kept)?;
    taken.mark_entry().map_err(Stop::kept)?;
    taken.record.inventory = taken.inventory().map_err(Stop::kept)?;
    let failed = |why: io::Error| Stop::kept(why.to_string());
    let before = marks::marks(taken.place()).map_err(failed)?;
    hands.world.now = (hands.clock)();
    let aside = taken.as_aside(&fresh.row, fresh.store.clone());
    look_taken(&fresh.row, aside, hands)?;
    taken.write_rescues(repository).map_err(Stop::kept)?;
    if !taken.record.discards.is_empty() && taken.record.manner == Manner::InPlace {
        let why = "it cannot be moved out of reach, and so nothing in it can be given up";
        return Err(Stop::kept(why));
    }
    if gives_up(&fresh.row) {
        // Whatever may still refuse it comes before that.
        looked_at(taken.place(), &before).map_err(Stop::kept)?;
        require_quiet(taken)?;
    }
    job::decide(&taken.record)?;
    taken.record.unlinks = discard::paths(&fresh.row);
    if !taken.record.unlinks.is_empty() {
        taken
            .journal
            .advance(&mut taken.record, Stage::Taking)
            .map_err(failed)?;
    }
    discard::discard(taken.place(), &fresh.row).map_err(Stop::kept)?;
    taken.record.marks = looked_at(taken.place(), &before).map_err(Stop::kept)?;
    let index = taken.record.entry_dir().join("index");
    taken.record.index_mark = marks::mark_of(&index).map_err(failed)?;
    taken.record.count = files::count(taken.place()).map_err(failed)?;
    require_quiet(taken)?;
    taken
        .journal
        .advance(&mut taken.record, Stage::Deleting)
        .map_err(failed)?;
    taken.unlock().map_err(failed)
}

/// Nobody has written in what is not out of reach by its path alone.
fn require_quiet(taken: &Taken) -> Result<(), Stop> {
    taken.require_quiet_entry().map_err(Stop::kept)?;
    if taken.inventory().map_err(Stop::kept)? != taken.record.inventory {
        let why = "somebody wrote in the repositories of its submodules a moment ago";
        return Err(Stop::kept(why));
    }
    Ok(())
}

fn gives_up(row: &Row) -> bool {
    let is_loss = |step: &Step| {
        matches!(
            step,
            Step::DiscardExpendable { .. } | Step::DiscardChange { .. }
        )
    };
    row.steps.iter().any(is_loss)
}

/// The tracked paths whose changes a person gives up.
fn given_up(row: &Row) -> Vec<BytePath> {
    let mut paths = Vec::new();
    for step in &row.steps {
        if let Step::DiscardChange { path, .. } = step {
            paths.push(path.clone());
        }
    }
    paths
}

/// The marks of everything that is there now. Each was there before the look, as it is now, so that
/// the look has seen it; what has come in since, or was written in, has not been judged.
fn looked_at(place: &Path, before: &Marks) -> Result<Marks, String> {
    let items = marks::items(place).map_err(|why| why.to_string())?;
    match items.iter().find(|item| !item.is_among(before)) {
        None => Ok(items.iter().map(marks::Item::mark).collect()),
        Some(item) => Err(format!(
            "{} came in, or was written, while it was looked at",
            BytePath::from(item.path.clone())
        )),
    }
}

/// Lets git delete it; may run side by side with others.
pub(super) fn delete(doomed: &Doomed) -> Result<(), GitError> {
    let place = doomed.taken.place();
    if doomed.taken.record.discards.is_empty() {
        doomed.repository.remove_worktree(place)
    } else {
        doomed.repository.remove_given_up_worktree(place)
    }
}

/// What became of it.
pub(super) fn conclude(mut doomed: Doomed, said: Result<(), String>, hands: &Hands<'_>) -> Outcome {
    let (taken, repository) = (&mut doomed.taken, &doomed.repository);
    let outcome = match said {
        // What stands there whole, whatever git says, goes back to where it was.
        Ok(()) if matches!(files::look(taken.place()), Ok(Some(_))) => {
            let why = "git says it is removed, but something is still there";
            after_failure(taken, repository, why, Outcome::kept)
        }
        Ok(()) => verified(taken, repository, hands),
        Err(why) => after_failure(taken, repository, &why, Outcome::failed),
    };
    match &taken.in_place {
        Some(why) => outcome.with_note(&format!(
            "done in place, since a move proved impossible: {why}"
        )),
        None => outcome,
    }
}

/// `removed` only if git said so, the place where it was looked at last is empty, and git no longer
/// lists it; a new thing at the old place is named. Then its branch goes, if that was planned.
pub(super) fn verified(taken: &mut Taken, repository: &Repository, hands: &Hands<'_>) -> Outcome {
    let unsure = |why: String| Outcome::kept(format!("git says it is removed, but {why}"));
    match files::look(taken.place()) {
        Ok(None) => {}
        Ok(Some(_)) => {
            let place = BytePath::from(taken.place());
            return unsure(format!("something is still there: {place}"));
        }
        Err(why) => return unsure(format!("its place cannot be looked at: {why}")),
    }
    match is_registered(taken, repository) {
        Ok(false) => {}
        Ok(true) => return unsure("still lists it".to_owned()),
        Err(why) => return unsure(format!("cannot list: {why}")),
    }
    if let Err(why) = taken.discard_modules() {
        let before = taken.record.count;
        let after = files::count(&taken.modules()).map_or(before, |after| after);
        return Outcome::partial(before, after, &format!("the worktree is gone; {why}"));
    }
    let record = &taken.record;
    let outcome = match record.work {
        Work::Remove => Outcome::removed(record.manner),
        Work::Prune => Outcome::pruned(),
    };
    let outcome = match files::look(record.path.as_path()) {
        Ok(None) => outcome,
        Ok(Some(_)) => outcome.with_note(&format!(
            "something new stands at {}, which was not touched",
            record.path
        )),
        Err(why) => outcome.with_note(&format!("its old place cannot be looked at: {why}")),
    };
    branch::finish(taken, repository, hands, outcome)
}

/// Whether the entry is there, or git lists the place.
pub(super) fn is_registered(taken: &Taken, repository: &Repository) -> Result<bool, String> {
    if taken.entry_is_own().map_err(|why| why.to_string())? {
        return Ok(true);
    }
    let mut tries = 0;
    loop {
        match repository.worktrees() {
            Ok(listed) => {
                let place = taken.place();
                return Ok(listed.iter().any(|one| one.path.as_path() == place));
            }
            Err(_) if tries < LIST_TRIES => {
                tries += 1;
                thread::sleep(LIST_PAUSE);
            }
            Err(why) => return Err(why.to_string()),
        }
    }
}

/// A failed deletion that took nothing with it is undone; one that did leaves its record open (C6).
fn after_failure(
    taken: &mut Taken,
    repository: &Repository,
    why: &str,
    whole: fn(String) -> Outcome,
) -> Outcome {
    let before = taken.record.count;
    let place = BytePath::from(taken.place());
    let after = match files::look(taken.place()) {
        Ok(None) => 0,
        Ok(Some(_)) => match files::count(taken.place()) {
            Ok(after) => after,
            Err(uncounted) => {
                return Outcome::failed(format!(
                    "{why}; and {place} cannot be counted: {uncounted}"
                ));
            }
        },
        Err(uncounted) => {
            return Outcome::failed(format!(
                "{why}; and {place} cannot be looked at: {uncounted}"
            ));
        }
    };
    match taken.entry_is_own() {
        // Something may have come in as well; what is given back is looked at like anything else.
        Ok(true) if after >= before => {
            let stop = Stop::Settled(whole(why.to_owned()));
            return give_back(taken, repository, stop).outcome();
        }
        Ok(_) => {}
        Err(unsure) => {
            return Outcome::failed(format!(
                "{why}; and its entry cannot be looked at: {unsure}"
            ));
        }
    }
    let next = format!(
        "{why}; what is left is at {place}: mend the cause and run `owl apply`, which finishes it"
    );
    Outcome::partial(before, after, &next)
}

/// Puts a taken row back, and says so if it could not be. The rescue refs that were made for it a
/// moment ago name nothing then that the row itself does not.
pub(super) fn give_back(taken: &mut Taken, repository: &Repository, stop: Stop) -> Stop {
    rescue::withdraw(repository, &std::mem::take(&mut taken.made));
    let stop = match job::undecide(&taken.record) {
        Some(why) => Stop::Settled(stop.outcome().with_note(&why)),
        None => stop,
    };
    let path = taken.record.path.clone();
    match taken.give_back() {
        Ok(Back::Home) => match discard::gone(&taken.record, path.as_path()) {
            Some(note) => Stop::Settled(stop.outcome().with_note(&note)),
            None => stop,
        },
        Ok(Back::Left(where_it_is)) => {
            let outcome = stop.outcome();
            Stop::Settled(Outcome::aside(format!(
                "{}; {where_it_is}",
                outcome.message
            )))
        }
        Err(why) => {
            let aside = &taken.record.aside;
            let said = stop.outcome().message;
            let never_moved = matches!(files::look(aside.as_path()), Ok(None));
            Stop::Settled(if never_moved {
                Outcome::kept(format!(
                    "{said}; it was not moved from {path}, and what was begun could not be undone \
                     ({why}): the next `owl apply` tries again"
                ))
            } else {
                Outcome::aside(format!(
                    "{said}; and it could not be put back to {path} ({why}): it is at {aside}, and \
                     the next `owl apply` tries again"
                ))
            })
        }
    }
}

fn modified(path: &Path) -> io::Result<(i64, i64)> {
    let there = std::fs::symlink_metadata(path)?;
    Ok((there.mtime(), there.mtime_nsec()))
}

/// The lock that a step lifts, if it says what it said.
fn lifted(row: &Row, entry: &Path) -> Result<Option<Lifted>, String> {
    let Some(reason) = lifted_lock(&row.steps) else {
        return Ok(None);
    };
    let path = entry.join("locked");
    let failed = |why: io::Error| format!("its lock cannot be read: {why}");
    let bytes = files::contents(&path).map_err(failed)?;
    let metadata = std::fs::symlink_metadata(&path).map_err(failed)?;
    match bytes {
        Some(bytes) if metadata.is_file() && bytes.trim_ascii_end() == reason.as_bytes() => {
            Ok(Some(Lifted {
                bytes: BytePath::from_bytes(&bytes),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                mode: metadata.mode() & 0o777,
            }))
        }
        Some(_) | None => Err("its lock has changed".to_owned()),
    }
}

/// Opens a record for a row that has just been looked at.
pub(super) fn begin(
    repository: &Repository,
    fresh: &Fresh,
    work: Work,
    hands: &Hands<'_>,
) -> Result<Taken, String> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let now = (hands.clock)();
    let common_dir = fresh.common_dir.as_path();
    let journal = Journal::of(common_dir);
    let pid = std::process::id();
    let nth = COUNTER.fetch_add(1, Ordering::Relaxed);
    let op = format!("{}-{pid}-{nth}", now.as_millisecond());
    let path = fresh.row.place();
    let entry = common_dir.join("worktrees").join(fresh.entry.as_path());
    let failed = |why: io::Error| why.to_string();
    let there = std::fs::metadata(&entry).map_err(failed)?;
    let common = std::fs::metadata(common_dir).map_err(failed)?;
    let needed = |path: PathBuf| {
        files::contents(&path)
            .map_err(failed)?
            .ok_or_else(|| format!("{} is missing", BytePath::from(path.clone())))
    };
    let dot_git = match work {
        Work::Remove => Some(needed(path.join(".git"))?),
        Work::Prune => None,
    };
    let is_relative = dot_git
        .as_ref()
        .is_some_and(|bytes| !bytes.starts_with(b"gitdir: /"));
    let record = Record {
        aside: journal.folder.aside().join(&op).into(),
        began: now,
        pid,
        common_dir: fresh.common_dir.clone(),
        common_inode: common.ino(),
        policy: hands.policy.source.sha256.clone(),
        address: fresh.row.address.clone(),
        project: fresh.row.project.clone(),
        work,
        manner: Manner::Moved,
        stage: Stage::Taking,
        entry: fresh.entry.clone(),
        entry_inode: there.ino(),
        entry_born: files::born(&there),
        entry_mark: marks::mark_of(&entry.join("commondir"))
            .map_err(failed)?
            .ok_or("its commondir file is missing")?,
        entry_modified: (there.mtime(), there.mtime_nsec()),
        path: path.into(),
        inode: fresh.row.identity.map(|identity| identity.inode),
        born: match work {
            Work::Remove => files::born(&std::fs::symlink_metadata(path).map_err(failed)?),
            Work::Prune => None,
        },
        store: fresh.store.clone(),
        gitdir_modified: modified(&entry.join("gitdir")).map_err(failed)?,
        dot_git_modified: match work {
            Work::Remove => modified(&path.join(".git")).map_err(failed)?,
            Work::Prune => (0, 0),
        },
        gitdir: BytePath::from_bytes(&needed(entry.join("gitdir"))?),
        dot_git: dot_git.map(|bytes| BytePath::from_bytes(&bytes)),
        is_relative,
        branch: fresh.row.branch.clone().flatten(),
        head: fresh.row.head.clone().flatten(),
        job: job::of(&fresh.row, hands, now)?,
        lifted: lifted(&fresh.row, &entry)?,
        rescues: rescue::names(repository, &fresh.row, now)?,
        deletes: branch::deleted(&fresh.row),
        discards: given_up(&fresh.row),
        unlinks: Vec::new(),
        submodules: match work {
            Work::Remove => modules::links(&fresh.row)?,
            Work::Prune => Vec::new(),
        },
        inventory: None,
        count: 0,
        marks: Marks::default(),
        index_mark: None,
        op,
    };
    journal
        .announce(&record)
        .map_err(|why| format!("the journal could not be written: {why}"))?;
    Ok(Taken {
        journal,
        record,
        in_place: None,
        entry_after: None,
        made: Vec::new(),
    })
}
