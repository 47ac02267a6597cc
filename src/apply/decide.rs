//! Decides about a job without a worktree: its state, and for a drop its branch (`spec 8`, A3.4).
//!
//! The ledger is the journal here: the state and the intention to delete the branch are one
//! transaction, and the next run finishes what was intended. Invariants: the rescue refs are there
//! before that; somebody else's decision wins; what stands where the worktree was is not touched.

use super::job;
use super::lock::Lock;
use super::look_again::Stop;
use super::{Done, Hands, Outcome, branch, rescue};
use crate::git::Repository;
use crate::job::{BranchFate, State};
use crate::ledger::{Contents, Host, Ledger, LedgerError, Reading, RepositoryId, read};
use crate::observe::{Focus, Observation, ObservedJob, observe};
use crate::plan::{Plan, Reason, Row, Verdict, moved};
use crate::policy::{Action, Order, Policy};
use crate::resource::Address;
use std::collections::BTreeSet;
use std::path::Path;

/// Looks at the job again, and decides.
pub(super) fn decide(row: &Row, hands: &Hands<'_>) -> Result<Outcome, Stop> {
    let (fresh, repository) = look((&row.address, &row.project), hands.policy, hands)?;
    let moved = moved(row, &fresh);
    if !moved.is_empty() {
        return Err(Stop::Unsure(Outcome::kept(moved.join("; "))));
    }
    carry_out(&fresh, &repository, hands)
}

/// A row of a project as it is now, and its repository.
fn look(
    (address, project): (&Address, &str),
    policy: &Policy,
    hands: &Hands<'_>,
) -> Result<(Row, Repository), Stop> {
    let unsure = |why: String| Stop::Unsure(Outcome::kept(why));
    let scope = hands.scope.only(project);
    let glance = Focus::Only(BTreeSet::new());
    let mut observation = observe(&hands.world, policy, &scope, &glance);
    // Whether what stands where a worktree was recorded is that one, only a close look tells.
    let close = recorded(&observation, address);
    if !close.is_empty() {
        observation = observe(&hands.world, policy, &scope, &Focus::Only(close));
    }
    let Some(project) = observation.projects.first() else {
        return Err(Stop::kept("its project is no longer in scope"));
    };
    if let Some(problem) = &project.problem {
        let why = format!("its project cannot be read any more: {problem}");
        return Err(unsure(why));
    }
    let repository = hands.world.git.repository(project.common_dir.as_path());
    let repository = repository.map_err(|why| unsure(why.to_string()))?;
    match Plan::new(policy, &observation).row(address) {
        Some(fresh) => Ok((fresh.clone(), repository)),
        None => Err(Stop::kept("it has a worktree now, or is gone")),
    }
}

/// What stands where the job of an address recorded its worktree.
fn recorded(observation: &Observation, address: &Address) -> BTreeSet<Address> {
    let mut found = BTreeSet::new();
    for project in &observation.projects {
        let is_it = |job: &&ObservedJob| Address::job(&project.name, &job.name) == *address;
        let job = project.jobs.list.iter().find(is_it);
        if let Some(place) = job.and_then(|job| job.worktree.as_ref()) {
            let trees = project.trees.iter();
            let there = trees.filter(|tree| tree.path == place.path);
            found.extend(there.map(|tree| tree.address.clone()));
        }
    }
    found
}

fn carry_out(fresh: &Row, repository: &Repository, hands: &Hands<'_>) -> Result<Outcome, Stop> {
    let now = hands.world.now;
    let Some(named) = job::of(fresh, hands, now).map_err(Stop::kept)? else {
        return Err(Stop::kept("its job is not one of the ledger"));
    };
    let path = named.ledger.as_path();
    let mut ledger = Ledger::open(path).map_err(|why| Stop::kept(why.to_string()))?;
    let deletes = branch::deleted(fresh);
    let rescues = rescue::names(repository, fresh, now).map_err(Stop::kept)?;
    let made = rescue::write(repository, &rescues, &fresh.address).map_err(Stop::kept)?;
    let decided = match &named.disposal {
        Some(disposal) => ledger.decide(named.id, disposal),
        None if deletes.is_some() => ledger.drop_branch(named.id, &named.state),
        None => Ok(()),
    };
    if let Err(why) = decided {
        rescue::withdraw(repository, &made);
        return Err(Stop::kept(job::refused(named.id, &why)));
    }
    let mut outcome = Outcome::decided();
    let mut told = BranchFate::NotAsked;
    if let Some(pinned) = deletes {
        let place = (repository, repository.common_dir());
        match branch::delete(place, &pinned, &rescues, &fresh.address, hands) {
            branch::Branch::Gone => told = BranchFate::Gone,
            branch::Branch::Stays(why) => {
                told = BranchFate::Stays;
                outcome = outcome.branch_kept(&format!("{} stays: {why}", pinned.reference));
            }
            branch::Branch::Failed(why) => {
                return Ok(outcome.branch_kept(&format!(
                    "{} could not be deleted, which the next `owl apply` tries again: {why}",
                    pinned.reference
                )));
            }
        }
    }
    // What it recorded is not there, or not to be used: the job is rid of it (A3.4, A3.7).
    let cleared = ledger.dispose(named.id, &named.state, told);
    Ok(match cleared {
        Ok(()) => outcome,
        Err(why) => outcome.with_note(&format!(
            "job {} was not brought up to date: {why}",
            named.id
        )),
    })
}

/// The jobs of a locked repository that were dropped by a run which was stopped before it had
/// deleted the branch.
fn stopped(common_dir: &Path, contents: &Contents) -> Result<Vec<i64>, String> {
    if contents.entries.iter().all(|entry| !entry.drops) {
        return Ok(Vec::new());
    }
    let host = Host::here().map_err(|why| why.to_string())?;
    let identity = RepositoryId::of(common_dir, &host).map_err(|why| why.to_string())?;
    let Some(project) = contents.project_of(&identity) else {
        return Ok(Vec::new());
    };
    let open = contents.jobs_of(project.id).filter(|entry| entry.drops);
    Ok(open.map(|entry| entry.id).collect())
}

/// Whether a run that was stopped has left a drop unfinished, or that cannot be told.
pub(super) fn is_any_left(held: &[Lock], ledger: Option<&Path>) -> bool {
    match ledger.map_or(Ok(None), there) {
        Ok(None) => false,
        Ok(Some(contents)) => held.iter().any(|lock| {
            let found = stopped(lock.common_dir(), &contents);
            !matches!(found, Ok(found) if found.is_empty())
        }),
        Err(_unreadable) => true,
    }
}

/// A ledger, if there is one.
fn there(path: &Path) -> Result<Option<Contents>, LedgerError> {
    match read(path)? {
        Reading::There(contents) => Ok(Some(contents)),
        Reading::Missing => Ok(None),
    }
}

/// Finishes the drops that an earlier run has left in a locked repository. A ledger that cannot be
/// read is a problem of the project in every observation.
pub(super) fn finish(lock: &Lock, hands: &mut Hands<'_>) -> Vec<Done> {
    let ledger = hands.world.ledger.as_deref();
    let found = match ledger.map_or(Ok(None), there) {
        Ok(Some(contents)) => stopped(lock.common_dir(), &contents),
        Ok(None) => return Vec::new(),
        Err(unreadable) => {
            drop(unreadable);
            return Vec::new();
        }
    };
    let mut places = hands.scope.places.iter();
    let project = places.find(|one| one.place.common_dir == lock.common_dir());
    let (Some(project), Ok(found)) = (project, found) else {
        return Vec::new();
    };
    let project = project.name.clone();
    let mut done = Vec::new();
    for id in found {
        hands.world.now = (hands.clock)();
        let address = Address::job(&project, &id.to_string());
        let outcome = match finish_one(id, (&address, &project), hands) {
            Ok(outcome) => outcome.with_note("an interrupted run had dropped it"),
            Err(stop) => stop.outcome(),
        };
        done.push(Done { address, outcome });
    }
    done
}

fn finish_one(id: i64, wanted: (&Address, &str), hands: &Hands<'_>) -> Result<Outcome, Stop> {
    let order = Order {
        job: id.to_string(),
        then: Action::Drop,
        discard: false,
    };
    let policy = hands.policy.clone().under_order(order);
    let (fresh, repository) = look(wanted, &policy, hands)?;
    let ledger = || match &hands.world.ledger {
        Some(path) => Ledger::open(path).map_err(|why| Stop::kept(why.to_string())),
        None => Err(Stop::kept("there is no ledger")),
    };
    let kept = |why: LedgerError| Stop::kept(why.to_string());
    let state = State::Cancelled;
    match (fresh.verdict, &fresh.reason) {
        (Verdict::Prune, _) => carry_out(&fresh, &repository, hands),
        // What forbids it is there to stay, as far as owl can tell.
        (Verdict::Hold, Reason::BranchStays) => {
            ledger()?
                .dispose(id, &state, BranchFate::Stays)
                .map_err(kept)?;
            Ok(Outcome::decided().branch_kept(&fresh.message))
        }
        (Verdict::Keep, _) => {
            ledger()?
                .dispose(id, &state, BranchFate::Gone)
                .map_err(kept)?;
            Ok(Outcome::decided().with_note("its branch was gone"))
        }
        (Verdict::Hold | Verdict::Ignore | Verdict::Remove, _) => Err(Stop::kept(fresh.message)),
    }
}
