//! Finishes or undoes what an earlier run left open (`spec 7.4`).
//!
//! Input: the held locks, so that no owl and no git child of a killed owl is at work there. Output:
//! one [`Done`] an open record. Invariants: the world says how far a step came, the record only
//! which step it was; whatever is whole is put back, and looked at again as if nothing had been;
//! only what git has begun to delete is finished, and of that only what is proven; a file that is
//! no record of this repository and version is left alone, and stops every row of the project
//! (`observe` says so).

use super::journal::Journal;
use super::lock::Lock;
use super::taken::{Back, EntryLeft, Taken};
use super::{Done, Hands, Outcome, branch, decide, files, job, leftover, rescue};
use crate::journal::{Manner, Record, Stage, Work};
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
        Stage::Taking | Stage::Returning | Stage::Left => put_back(taken, hands),
        Stage::Deleting => match taken.record.work {
            Work::Remove => removal(taken, hands),
            Work::Prune => pruning(taken, hands),
        },
        Stage::Modules => finished(taken, hands),
        // The worktree was gone, and git did not list it, when this was written.
        Stage::Branch => with_repository(taken, hands, |taken, repository| {
            let outcome = match taken.record.work {
                Work::Remove => Outcome::removed(taken.record.manner),
                Work::Prune => Outcome::pruned(),
            };
            branch::finish(taken, repository, hands, outcome)
                .with_note("an interrupted run had begun it, and this one finished it")
        }),
    }
}

fn removal(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    let is_registered = taken.entry_is_own()?;
    match files::look(taken.place())? {
        None => finished(taken, hands),
        Some(there) if !there.is_dir() => Ok(in_the_way(taken)),
        // Git had not begun.
        Some(_) if is_registered && files::count(taken.place())? >= taken.record.count => {
            put_back(taken, hands)
        }
        Some(there) if is_another(taken, &there) => {
            // Something new at the place of a worktree that was removed in place.
            if is_registered {
                put_back(taken, hands)
            } else {
                finished(taken, hands)
            }
        }
        Some(_) => with_repository(taken, hands, |taken, repository| {
            leftover::finish(taken, repository, hands)
        }),
    }
}

fn is_another(taken: &Taken, there: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    taken.record.manner == Manner::InPlace && taken.record.inode != Some(there.ino())
}

/// A prune is finished unless somebody has brought the directory back.
fn pruning(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    if files::look(taken.record.path.as_path())?.is_none() {
        return finished(taken, hands);
    }
    match taken.entry_left()? {
        EntryLeft::Nothing => finished(taken, hands),
        EntryLeft::Whole => put_back(taken, hands),
        EntryLeft::Part(_) => Ok(in_the_way(taken)),
    }
}

fn in_the_way(taken: &Taken) -> Outcome {
    let record = &taken.record;
    Outcome::aside(format!(
        "git was stopped while it deleted it, and something new stands at {}; what is left of the \
         entry is {} (record {})",
        record.path,
        crate::resource::BytePath::from(record.entry_dir()),
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

fn put_back(taken: &mut Taken, hands: &Hands<'_>) -> io::Result<Outcome> {
    rescue::withdraw_in(&taken.record, hands);
    let note = job::undecide(&taken.record);
    let outcome = match taken.give_back()? {
        Back::Home => Outcome::restored(format!(
            "an interrupted run had taken it; it is at {} as it was",
            taken.record.path
        )),
        Back::Left(why) => Outcome::aside(format!("an interrupted run had taken it; {why}")),
    };
    Ok(match note {
        Some(why) => outcome.with_note(&why),
        None => outcome,
    })
}
