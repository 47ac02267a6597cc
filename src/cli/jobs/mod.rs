//! `owl jobs`: the ledger from the command line (`spec 8`).
//!
//! Invariants: a command that only reads makes no ledger; whatever is refused changes nothing; a
//! decision records the commit of the branch that it is about.

mod add;
mod adopt;
mod args;
mod dispose;
mod exchange;
mod moves;
mod show;

pub(super) use args::JobsCommand;

use super::discovery::NO_REPOSITORY;
use super::failure::{Failure, Outcome, WithHint};
use super::settings::Settings;
use crate::job::{DEFAULT_TTL, Outcome as Ended, Verb};
use crate::ledger::{
    Change, Contents, Host, Ledger, LedgerError, NewProject, Reading, RepositoryId, default_path,
    read,
};
use crate::observe::{Place, name_of};
use crate::resource::BytePath;
use anyhow::Context;
use args::Ending;
use jiff::Timestamp;
use std::path::{Path, PathBuf};

/// Runs the command.
pub(super) fn run(command: &JobsCommand, settings: &Settings) -> Outcome {
    match command {
        JobsCommand::Add(args) => add::run(args, settings),
        JobsCommand::Start { id, pid } => moves::start(*id, *pid, settings),
        JobsCommand::Finish {
            id,
            outcome,
            reason,
        } => {
            let outcome = match outcome {
                Ending::Succeeded => Ended::Succeeded,
                Ending::Failed => Ended::Failed,
                Ending::Interrupted => Ended::Interrupted,
            };
            moves::step(
                *id,
                &because(Verb::Finish(outcome), reason.as_ref()),
                settings,
            )
        }
        JobsCommand::Extend { id, ttl } => {
            let runs = runs(*ttl)?;
            let change = Change {
                runs,
                ..Change::new(Verb::Extend)
            };
            moves::step(*id, &change, settings)
        }
        JobsCommand::Block { id, reason } => {
            moves::step(*id, &because(Verb::Block, reason.as_ref()), settings)
        }
        JobsCommand::Unblock { id } => moves::step(*id, &Change::new(Verb::Unblock), settings),
        JobsCommand::Accept(args) => dispose::run(Verb::Accept, args, settings),
        JobsCommand::Drop(args) => dispose::run(Verb::Drop, args, settings),
        JobsCommand::Cancel { id, reason } => {
            moves::cancel(*id, because(Verb::Cancel, reason.as_ref()), settings)
        }
        JobsCommand::List(args) => show::list(args, settings),
        JobsCommand::Show { id } => show::show(*id, settings),
        JobsCommand::Import { file } => exchange::import(file, settings),
        JobsCommand::Export => exchange::export(settings),
        JobsCommand::Adopt { from, project } => adopt::run(from, project.as_deref(), settings),
    }
}

fn because(verb: Verb, reason: Option<&String>) -> Change {
    Change {
        reason: reason.filter(|reason| !reason.is_empty()).cloned(),
        ..Change::new(verb)
    }
}

/// A number of runs: none, or less, is refused (A1.6).
fn runs(ttl: i64) -> Result<u32, Failure> {
    match u32::try_from(ttl) {
        Ok(runs) if runs > 0 => Ok(runs),
        Ok(_) | Err(_) => {
            let why = format!("a ttl of {ttl} is not possible: it is a number of runs, 1 or more");
            Err(Failure::new(why).hint(format!("leave --ttl out for {DEFAULT_TTL}")))
        }
    }
}

/// Where the ledger is.
pub(super) fn ledger_path(settings: &Settings) -> Result<PathBuf, Failure> {
    let missing = || Failure::new("where the ledger is cannot be told");
    let home = settings.data_home.as_deref();
    home.map(default_path)
        .ok_or_else(|| missing().hint("set XDG_DATA_HOME or HOME to an absolute path"))
}

/// The ledger for a change; only `add` and `import` make one.
fn open(settings: &Settings) -> Result<Ledger, Failure> {
    Ledger::open(&ledger_path(settings)?).map_err(told)
}

fn open_or_create(settings: &Settings) -> Result<Ledger, Failure> {
    Ledger::open_or_create(&ledger_path(settings)?).map_err(told)
}

/// Everything in the ledger; one that is not there holds no answer, and so is an error.
fn contents(settings: &Settings) -> Result<Contents, Failure> {
    let path = ledger_path(settings)?;
    match read(&path).map_err(told)? {
        Reading::There(contents) => Ok(contents),
        Reading::Missing => Err(told(LedgerError::Missing(path.into()))),
    }
}

/// An error of the ledger with the way out.
fn told(why: LedgerError) -> Failure {
    let hint = match &why {
        LedgerError::Missing(_) => Some(
            "no job was ever recorded there: `owl jobs add` makes it; \
             else XDG_DATA_HOME or HOME is not the one that it was recorded under",
        ),
        LedgerError::Lost { .. } => Some("put the ledger back; nothing was done"),
        LedgerError::Io { .. } | LedgerError::Access { .. } => {
            Some("owl takes no ledger that it cannot use for an empty one; nothing was done")
        }
        LedgerError::NotAFile(_) | LedgerError::NotALedger(_) | LedgerError::Corrupt { .. } => {
            Some("move it away, and `owl jobs import` what `owl jobs export` wrote before")
        }
        LedgerError::Busy(_) => Some("nothing was done; try again"),
        LedgerError::NoSuchJob(_) => Some("`owl jobs list` names them"),
        LedgerError::BranchTaken { .. } => {
            Some("one open job a branch: finish that one first, or take another branch")
        }
        LedgerError::Newer { .. }
        | LedgerError::Older { .. }
        | LedgerError::Sql { .. }
        | LedgerError::NoSuchProject(_)
        | LedgerError::Refused { .. }
        | LedgerError::Overtaken { .. }
        | LedgerError::OriginTaken { .. }
        | LedgerError::Twin(_)
        | LedgerError::TooMany(_)
        | LedgerError::NoRun(_)
        | LedgerError::InRow { .. } => None,
    };
    let failure = Failure::from(why);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The repository that a directory lies in.
fn place(directory: Option<&Path>, settings: &Settings) -> Result<Place, Failure> {
    match directory {
        Some(directory) => Place::of(&settings.resolve(directory))
            .or_hint("name a directory of the repository with --project"),
        None => Place::of(&settings.here).or_hint(NO_REPOSITORY),
    }
}

/// A repository as the ledger is to know it.
pub(super) fn project_of(place: &Place, now: Timestamp) -> Result<NewProject, Failure> {
    let host = Host::here().map_err(told)?;
    let shown = BytePath::from(place.common_dir.clone());
    let identity = RepositoryId::of(&place.common_dir, &host)
        .with_context(|| format!("which repository {shown} is could not be told"))?;
    Ok(NewProject {
        identity,
        name: name_of(place),
        first_known: now,
    })
}
