//! `owl jobs start`, `finish`, `extend`, `block`, `unblock`, `cancel`.

use super::{contents, open, told};
use crate::cli::args::Format;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::settings::{Settings, now};
use crate::cli::stream;
use crate::job::{State, Verb, Worktree};
use crate::ledger::{Change, Contents, Host, RepositoryId};
use crate::observe::{Place, Recorded, record_worktree, runner};
use crate::render::Role;
use crate::report::ExitStatus;
use anyhow::Context;
use std::path::Path;

/// Takes a job one step on.
pub(super) fn step(id: i64, change: &Change, settings: &Settings) -> Outcome {
    take(id, None, change, settings)
}

/// A run begins: the process and the worktree are recorded as they are now.
pub(super) fn start(id: i64, pid: Option<u32>, settings: &Settings) -> Outcome {
    let before = contents(settings)?;
    let mut change = Change::new(Verb::Start);
    if let Some(pid) = pid {
        let found = runner(Path::new("/proc"), pid)
            .with_context(|| format!("whether there is a process {pid} could not be told"))?;
        let none = || Failure::new(format_args!("there is no process {pid}"));
        change.runner = Some(found.ok_or_else(|| none().hint("leave --pid out, or name one"))?);
    }
    change.worktree = worktree_now(&before, id)?;
    take(id, None, &change, settings)
}

/// Taken back: what the branch is then is recorded, as with every decision (`spec 8`).
pub(super) fn cancel(id: i64, mut change: Change, settings: &Settings) -> Outcome {
    let before = contents(settings)?;
    let expected = before.job(id).map(|entry| entry.job.state.clone());
    match tip(&before, id, settings) {
        Ok(tip) => change.tip = tip,
        Err(why) => {
            let word = Role::Warning.paint("warning:");
            let what = "the commit of the branch could not be recorded, so that owl will hold it";
            stream::say(|to| writeln!(to, "{word} {what}: {why:#}"));
        }
    }
    take(id, expected.as_ref(), &change, settings)
}

fn take(id: i64, expected: Option<&State>, change: &Change, settings: &Settings) -> Outcome {
    let mut ledger = open(settings)?;
    let changed = ledger.change(id, expected, change, now()).map_err(told)?;
    match settings.format {
        Format::Human => stream::write(|to| writeln!(to, "{id} {}", changed.after))?,
        Format::Json | Format::Jsonl => super::show::print_one(&mut ledger, id, settings)?,
    }
    Ok(ExitStatus::Done)
}

/// The place of a job's repository, if it is still the one that the ledger knows.
pub(super) fn place_of(contents: &Contents, id: i64) -> anyhow::Result<Option<Place>> {
    let Some(entry) = contents.job(id) else {
        return Ok(None);
    };
    let project = contents.project(entry.project);
    let Some(identity) = project.map(|project| &project.identity) else {
        return Ok(None);
    };
    let found = RepositoryId::of(identity.common_dir.as_path(), &Host::here()?);
    if !found.is_ok_and(|found| found == *identity) {
        return Ok(None);
    }
    Ok(Some(Place::of(identity.common_dir.as_path())?))
}

/// The recorded worktree as it is now; a job without one, or whose repository is not there, keeps
/// what it has.
fn worktree_now(contents: &Contents, id: i64) -> Result<Option<Worktree>, Failure> {
    let Some(recorded) = contents
        .job(id)
        .and_then(|entry| entry.job.worktree.as_ref())
    else {
        return Ok(None);
    };
    let Some(place) = place_of(contents, id)? else {
        return Ok(None);
    };
    match record_worktree(&place, recorded.path.as_path())? {
        Recorded::Worktree(worktree) => Ok(Some(worktree)),
        Recorded::Other(why) => {
            let why = format!("job {id} cannot start: {why}");
            Err(Failure::new(why).hint("its worktree was recorded with `owl jobs add`"))
        }
    }
}

/// The commit of a job's branch; none if it has no branch, or that is not there.
pub(super) fn tip(
    contents: &Contents,
    id: i64,
    settings: &Settings,
) -> anyhow::Result<Option<String>> {
    let Some(branch) = contents.job(id).and_then(|entry| entry.job.full_branch()) else {
        return Ok(None);
    };
    let place = place_of(contents, id)?.ok_or_else(|| {
        anyhow::anyhow!("the repository of job {id} is not the one that the ledger knows")
    })?;
    let git = settings
        .git()
        .map_err(|_| anyhow::anyhow!("there is no git to ask"))?;
    let found = git.repository(&place.common_dir)?.resolve(&branch)?;
    Ok(found.map(|oid| oid.as_str().to_owned()))
}
