//! Prunes one stale administrative entry, and no other (A4.10, `spec 7.4`).
//!
//! Git checks nothing when it forgets a worktree whose directory is gone, and removes the directory
//! if it has come back meanwhile and is clean. So the entry is taken first: locked, and told that
//! its worktree is at a place in owl's own folder where nothing is. Whoever brings the directory
//! back then brings it back to a place that git's removal does not look at; and it is looked once
//! more whether anybody has, before git is asked.

use super::files;
use super::look_again::{Fresh, Stop, gone, look_taken};
use super::remove::{begin, give_back, verified};
use super::taken::{EntryLeft, Taken};
use super::{Hands, Outcome, job};
use crate::git::Repository;
use crate::journal::{Stage, Work};
use crate::resource::BytePath;

/// Prunes the entry of a row that has just been looked at.
pub(super) fn prune(
    repository: &Repository,
    fresh: &Fresh,
    hands: &mut Hands<'_>,
) -> Result<Outcome, Stop> {
    let mut taken = begin(repository, fresh, Work::Prune, hands)
        .map_err(|why| Stop::kept(format!("{} was not touched: {why}", fresh.row.address)))?;
    if let Err(stop) = take_and_look(&mut taken, repository, fresh, hands) {
        return Err(give_back(&mut taken, repository, stop));
    }
    Ok(match repository.prune_entry(taken.place()) {
        Ok(()) => verified(&mut taken, repository, hands),
        Err(why) => after_failure(&mut taken, repository, &why.to_string(), hands),
    })
}

/// An entry that is still whole is given back; one of which git has deleted a part is none any
/// more, and its record stays open for the next run, which finishes it.
fn after_failure(
    taken: &mut Taken,
    repository: &Repository,
    why: &str,
    hands: &Hands<'_>,
) -> Outcome {
    let entry = BytePath::from(taken.record.entry_dir());
    match taken.entry_left() {
        Ok(EntryLeft::Whole) => {
            let failed = Stop::Settled(Outcome::failed(why.to_owned()));
            give_back(taken, repository, failed).outcome()
        }
        Ok(EntryLeft::Nothing) => verified(taken, repository, hands),
        Ok(EntryLeft::Part(after)) => {
            let next = format!(
                "{why}; what is left is {entry}: mend the cause and run `owl apply`, which finishes it"
            );
            Outcome::partial(taken.record.count, after, &next)
        }
        Err(unsure) => Outcome::failed(format!("{why}; and {entry} cannot be counted: {unsure}")),
    }
}

fn take_and_look(
    taken: &mut Taken,
    repository: &Repository,
    fresh: &Fresh,
    hands: &mut Hands<'_>,
) -> Result<(), Stop> {
    taken.take().map_err(Stop::kept)?;
    taken.mark_entry().map_err(Stop::kept)?;
    hands.world.now = (hands.clock)();
    let aside = taken.as_aside(&fresh.row, fresh.store.clone());
    look_taken(&fresh.row, aside, hands)?;
    if gone(&fresh.row) != Some(true) {
        return Err(Stop::kept("its directory is there again"));
    }
    taken.write_rescues(repository).map_err(Stop::kept)?;
    taken.require_quiet_entry().map_err(Stop::kept)?;
    let failed = |why: std::io::Error| Stop::kept(why.to_string());
    taken.record.count = files::count(&taken.record.entry_dir()).map_err(failed)?;
    taken
        .journal
        .advance(&mut taken.record, Stage::Deleting)
        .map_err(failed)?;
    job::decide(&taken.record)?;
    taken.unlock().map_err(failed)
}
