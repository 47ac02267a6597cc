//! `owl jobs add`.

use super::args::AddArgs;
use super::{open_or_create, place, project_of, runs, told};
use crate::cli::args::Format;
use crate::cli::discovery::choose_in;
use crate::cli::failure::{Failure, Outcome, WithHint};
use crate::cli::settings::{Settings, now};
use crate::cli::stream;
use crate::job::{Job, Origin, Worktree, is_branch_name};
use crate::ledger::NewJob;
use crate::observe::{Place, Recorded, is_in_a_store, record_worktree, settled};
use crate::policy::Policy;
use crate::report::ExitStatus;
use crate::resource::{BytePath, escape};
use std::ffi::OsStr;
use std::path::Path;

/// Runs the command.
pub(super) fn run(args: &AddArgs, settings: &Settings) -> Outcome {
    let now = now();
    let branch = branch(&args.branch)?;
    let base = args.base.as_deref().map(self::branch).transpose()?;
    let ttl = runs(args.ttl)?;
    let place = place(args.project.as_deref(), settings)?;
    let worktree = match &args.worktree {
        None => None,
        Some(path) => {
            let policy = choose_in(&place, settings)?.policy;
            let path = settings.resolve(path);
            Some(worktree(&path, &place, &policy, settings)?)
        }
    };
    let origin = match (&args.source, &args.reference) {
        (Some(source), Some(reference)) => Some(Origin {
            source: source.clone(),
            reference: reference.clone(),
        }),
        (Some(_) | None, None) | (None, Some(_)) => None,
    };
    let job = Job {
        base,
        ttl,
        origin,
        labels: args.label.iter().cloned().collect(),
        worktree,
        ..Job::new(branch, now)
    };
    let project = project_of(&place, now)?;
    let mut ledger = open_or_create(settings)?;
    let id = ledger.add(&NewJob { project, job }).map_err(told)?;
    match settings.format {
        Format::Human => stream::write(|to| writeln!(to, "{id}"))?,
        Format::Json | Format::Jsonl => super::show::print_one(&mut ledger, id, settings)?,
    }
    Ok(ExitStatus::Done)
}

fn branch(name: &OsStr) -> Result<BytePath, Failure> {
    let name = BytePath::from(name);
    if is_branch_name(name.as_bytes()) {
        return Ok(name);
    }
    let failure = Failure::new(format_args!("{name} cannot be the name of a branch"));
    Err(failure.hint("write it without refs/heads/, as `git branch` shows it"))
}

/// The worktree of a job, which must be in a store, as it is now.
pub(super) fn worktree(
    path: &Path,
    place: &Place,
    policy: &Policy,
    settings: &Settings,
) -> Result<Worktree, Failure> {
    let path = settled(path)?;
    let shown = BytePath::from(path.clone());
    if !is_in_a_store(policy, place, settings.home.as_deref(), &path) {
        let name = escape(policy.source.name.as_bytes());
        let why = format!("the worktree {shown} is in no store of the policy {name}");
        let hint = "owl touches nothing outside a store: put it into one, or declare one";
        return Err(Failure::new(why).hint(hint));
    }
    match record_worktree(place, &path).or_hint("nothing was recorded")? {
        Recorded::Worktree(worktree) => Ok(worktree),
        Recorded::Other(why) => {
            Err(Failure::new(why).hint("`git worktree list` names the worktrees of a repository"))
        }
    }
}
