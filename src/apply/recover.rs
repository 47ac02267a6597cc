//! Finishes or undoes what an earlier run left open (`spec 7.4`).
//!
//! Input: the held locks, so that no owl and no git child of a killed owl is at work there. Output:
//! one [`Done`] an open record. Invariants: the world says how far a step came, the record only
//! which step it was; whatever is whole is put back, and looked at again as if nothing had been;
//! only what git has begun to delete is finished, and of that only what is proven; what somebody has
//! taken in hand since is theirs, and is not touched; a rescue ref is never withdrawn; a file that is
//! no record of this repository and version is left alone, and stops every row of the project
//! (`observe` says so).

use super::journal::Journal;
use super::lock::Lock;
use super::taken::{Back, EntryLeft, Standing, Taken};
use super::{
    Done, Fate, Hands, Outcome, branch, decide, discard, files, job, leftover, marks, remnant,
};
use crate::journal::{Manner, Marks, Record, Stage, Work};
use crate::resource::BytePath;
use std::io;
use std::path::Path;

/// Whether an earlier run has left anything in a locked repository: what is open, or a trace. Where
/// that cannot be told, it may have.
pub fn is_anything_left(held: &[Lock], ledger: Option<&Path>) -> bool {
    let is_open = held.iter().any(|lock| {
        let journal = Journal::of(lock.common_dir());
        !matches!(files::look(&journal.folder.root()), Ok(None))
    });
    is_open || decide::is_any_left(held, ledger)
}

/// Sees to everything that is open in the locked repositories. To be called before the plan is
/// made; [`super::apply`] calls it for locks that it has not been called for.
pub fn recover(held: &[Lock], hands: &mut Hands<'_>) -> Vec<Done> {
    let mut all = Vec::new();
    for lock in held.iter().filter(|lock| !lock.is_recovered.get()) {
        lock.is_recovered.set(true);
        let journal = Journal::of(lock.common_dir());
        // What cannot be read is a problem of the project in every observation.
        let Ok(found) = journal.folder.open() else {
            continue;
        };
        for file in found {
            if let Ok(record) = file.record {
                all.push(one(&journal, record, hands));
            }
        }
        // A draft that cannot be removed now is passed over by every reader, and tried again.
        drop(journal.tidy());
        all.extend(decide::finish(lock, hands));
    }
    all
}

fn one(journal: &Journal, record: Record, hands: &mut Hands<'_>) -> Done {
    hands.world.now = (hands.clock)();
    let mut taken = Taken {
        journal: journal.clone(),
        record,
        in_place: None,
        entry_after: None,
        made: Vec::new(),
    };
    let outcome = match settle(&mut taken, hands) {
        Ok(outcome) => outcome,
        Err(why) => Outcome::failed(format!(
            "an interrupted run had taken it, and that could not be ended: {why}"
        )),
    };
    let outcome = match hands
        .audit
        .recovered((hands.clock)(), &taken.record, &outcome)
    {
        Ok(()) => outcome,
        Err(why) => outcome.with_note(&format!("its outcome could not be written down: {why}")),
    };
    Done {
        address: taken.record.address.clone(),
        outcome,
    }
}

fn settle(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    match taken.record.stage {
        Stage::Taking | Stage::Returning | Stage::Left => undo(taken),
        Stage::Deleting => match taken.record.work {
            Work::Remove => removal(taken, hands),
            Work::Prune => pruning(taken, hands),
        },
        Stage::Modules => finished(taken, hands),
        // The worktree was gone, and git did not list it, when this was written.
        Stage::Branch => with_repository(taken, hands, |taken, repository| {
            let outcome = done(taken);
            let outcome = branch::finish(taken, repository, hands, outcome);
            match outcome.fate {
                Fate::BranchKept => outcome.with_note("an earlier run had removed its worktree"),
                Fate::Removed
                | Fate::Pruned
                | Fate::Decided
                | Fate::AlreadyGone
                | Fate::Restored
                | Fate::Kept
                | Fate::PartiallyRemoved
                | Fate::Stale
                | Fate::Failed
                | Fate::NotAttempted => {
                    outcome.with_note("an earlier run had begun it, and this one finished it")
                }
            }
        }),
    }
}

/// Nothing of it was deleted: it goes back, unless somebody has given it a place.
fn undo(taken: &mut Taken) -> io::Result<Outcome> {
    let is_aside = files::look(taken.record.aside.as_path())?.is_some();
    if !is_aside && taken.standing()? == Standing::Moved {
        return brought_elsewhere(taken);
    }
    put_back(taken)
}

fn removal(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    let there = files::look(taken.place())?;
    match (taken.standing()?, there) {
        (Standing::Moved, _) => brought_elsewhere(taken),
        (Standing::Own, None) => entry_alone(taken, hands),
        (Standing::Gone, None) => finished(taken, hands),
        (Standing::Another, None) => replaced(taken, "another worktree has its name now", hands),
        // Something new at the place of a worktree that was removed in place.
        (Standing::Gone, Some(there)) if !taken.is_the_tree(&there) => {
            replaced(taken, "something new stands in its place", hands)
        }
        (Standing::Own | Standing::Another, Some(there))
            if !there.is_dir() && taken.record.manner == Manner::Moved =>
        {
            Ok(in_the_way(taken))
        }
        // Git had not begun.
        (Standing::Own, Some(_)) if files::count(taken.place())? >= taken.record.count => {
            put_back(taken)
        }
        (Standing::Own, Some(there)) if !taken.is_the_tree(&there) => put_back(taken),
        (Standing::Another, Some(_)) if taken.record.manner == Manner::InPlace => {
            replaced(taken, "another worktree has its name now", hands)
        }
        (Standing::Own | Standing::Gone | Standing::Another, Some(_)) => {
            with_repository(taken, hands, |taken, repository| {
                leftover::finish(taken, repository, hands)
            })
        }
    }
}

/// A prune is finished where git had begun, unless somebody has brought the directory back, or has
/// gone on working in it wherever it is.
fn pruning(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    match taken.standing()? {
        Standing::Gone => finished(taken, hands),
        Standing::Another => replaced(taken, "another worktree has its name now", hands),
        Standing::Moved => brought_elsewhere(taken),
        Standing::Own if taken.is_entry_dead()? => finished(taken, hands),
        Standing::Own if files::look(taken.record.path.as_path())?.is_some() => put_back(taken),
        Standing::Own => match taken.entry_left()? {
            EntryLeft::Part(_) => entry_alone(taken, hands),
            EntryLeft::Whole | EntryLeft::Nothing => put_back(taken),
        },
    }
}

/// Somebody has found the worktree, and has given it a place: it is theirs.
fn brought_elsewhere(taken: &mut Taken) -> io::Result<Outcome> {
    if let Some(why) = taken.give_modules_back()? {
        return Ok(Outcome::aside(format!(
            "an interrupted run had taken it, and somebody has brought it to another place; {why}"
        )));
    }
    if let Some(home) = taken.recorded_home()? {
        taken.give_links_back(&home)?;
    }
    taken.unlock()?;
    let note = job::undecide(&taken.record);
    taken.journal.settle(&taken.record)?;
    let outcome = Outcome::restored(
        "an interrupted run had taken it, and somebody has brought it to another place since: it was \
         not touched",
    );
    Ok(match note {
        Some(why) => outcome.with_note(&why),
        None => outcome,
    })
}

/// Git had ended, and somebody has made something of the same name, or at the same place, since.
fn replaced(taken: &mut Taken, what: &str, hands: &Hands<'_>) -> io::Result<Outcome> {
    if let Err(why) = taken.discard_modules() {
        return Ok(Outcome::failed(format!("its worktree is gone; {why}")));
    }
    with_repository(taken, hands, |taken, repository| {
        let outcome = done(taken).with_note(&format!(
            "an interrupted run had begun it; {what}, which was not touched"
        ));
        branch::finish(taken, repository, hands, outcome)
    })
}

/// The tree is gone, and its entry is not: git was stopped in between, or somebody has taken the
/// tree away. Only what is as it was goes; the other is given back, and is judged like any entry.
fn entry_alone(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    if taken.is_entry_dead()? {
        return finished(taken, hands);
    }
    taken.restore_lost_gitdir()?;
    let place = BytePath::from(taken.place());
    let mut held = None;
    let outcome = with_repository(
        taken,
        hands,
        |taken, repository| match remnant::require_as_it_was(taken, repository, hands) {
            Ok(()) => leftover::deregister(taken, repository, hands)
                .with_note("an interrupted run had begun it, and this one finished it"),
            Err(why) => {
                let (path, why) = (&taken.record.path, why.why());
                let why = format!(
                    "an interrupted run had taken it, and it is at {place} no more; its entry names \
                     {path} again, and is judged like any other: {why}"
                );
                held = Some(why.clone());
                Outcome::kept(why)
            }
        },
    )?;
    let Some(why) = held else {
        return Ok(outcome);
    };
    Ok(match put_back(taken)?.reason {
        Some(_aside) => outcome,
        None => Outcome::kept(why),
    })
}

fn done(taken: &Taken) -> Outcome {
    match taken.record.work {
        Work::Remove => Outcome::removed(taken.record.manner),
        Work::Prune => Outcome::pruned(),
    }
}

fn in_the_way(taken: &Taken) -> Outcome {
    let record = &taken.record;
    Outcome::aside(format!(
        "git was stopped while it deleted it, and something new stands at {}; what is left of the \
         entry is {} (record {})",
        BytePath::from(taken.place()),
        BytePath::from(record.entry_dir()),
        record.op
    ))
}

fn finished(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    with_repository(taken, hands, |taken, repository| {
        leftover::deregister(taken, repository, hands)
            .with_note("an interrupted run had begun it, and this one finished it")
    })
}

fn with_repository(
    taken: &mut Taken,
    hands: &Hands<'_>,
    act: impl FnOnce(&mut Taken, &crate::git::Repository) -> Outcome,
) -> io::Result<Outcome> {
    let repository = hands
        .world
        .git
        .repository(taken.record.common_dir.as_path())
        .map_err(io::Error::other)?;
    Ok(act(taken, &repository))
}

/// Rescue refs that were written for it stay until they expire: somebody may have seen them.
fn put_back(taken: &mut Taken) -> io::Result<Outcome> {
    let undecided = job::undecide(&taken.record);
    let path = taken.record.path.clone();
    let is_changed = has_changed(taken)?;
    let outcome = match taken.give_back()? {
        Back::Left(why) => Outcome::aside(format!("an interrupted run had taken it; {why}")),
        Back::Home if is_missing(taken)? => Outcome::restored(format!(
            "an interrupted run had taken it; its entry names {path} again, where nothing is: if it \
             was moved, run `git worktree repair` where it is now"
        )),
        Back::Home => match discard::gone(&taken.record, path.as_path()) {
            Some(gone) => Outcome::restored(format!(
                "an interrupted run had taken it; it is at {path} again, but {gone}"
            )),
            None if is_changed => Outcome::restored(format!(
                "an interrupted run had taken it; it is at {path} again, and has changed since"
            )),
            None => Outcome::restored(format!(
                "an interrupted run had taken it; it is at {path} as it was"
            )),
        },
    };
    Ok(match undecided {
        Some(why) => outcome.with_note(&why),
        None => outcome,
    })
}

/// Whether its files are not those that were looked at last, where that was written down.
fn has_changed(taken: &Taken) -> io::Result<bool> {
    let record = &taken.record;
    if record.stage != Stage::Deleting || files::look(taken.place())?.is_none() {
        return Ok(false);
    }
    let now: Marks = marks::marks(taken.place())?;
    Ok(now != record.marks)
}

fn is_missing(taken: &Taken) -> io::Result<bool> {
    let is_worktree = taken.record.inode.is_some();
    Ok(is_worktree && files::look(taken.record.path.as_path())?.is_none())
}
