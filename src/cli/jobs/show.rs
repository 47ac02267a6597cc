//! `owl jobs list` and `show`, and how a job is printed.

use super::args::ListArgs;
use super::{contents, place, told};
use crate::cli::args::Format;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::settings::{Settings, now};
use crate::cli::stream;
use crate::job::State;
use crate::ledger::{Contents, Entry, Host, Ledger, LedgerError, Project, RepositoryId};
use crate::render::{ShownJob, human_job, human_jobs, json_job, json_jobs};
use crate::report::ExitStatus;
use crate::resource::{BytePath, shell_word};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// Lists jobs.
pub(super) fn list(args: &ListArgs, settings: &Settings) -> Outcome {
    let contents = contents(settings)?;
    let problems = problems(&contents)?;
    let states: Vec<State> = args
        .state
        .iter()
        .map(|word| state(word, &contents))
        .collect::<Result<_, _>>()?;
    let project = match &args.project {
        None => None,
        Some(named) => Some(projects(named, &contents, settings)?),
    };
    let is_wanted = |entry: &&Entry| {
        (states.is_empty() || states.contains(&entry.job.state))
            && project
                .as_ref()
                .is_none_or(|ids| ids.contains(&entry.project))
    };
    let jobs: Vec<ShownJob<'_>> = contents
        .entries
        .iter()
        .filter(is_wanted)
        .filter_map(|entry| shown(&contents, &problems, entry))
        .collect();
    stream::write(|to| match settings.format {
        Format::Json | Format::Jsonl => json_jobs(&contents.path, &jobs, to),
        Format::Human => human_jobs(&jobs, now(), settings.width, to),
    })?;
    Ok(ExitStatus::Done)
}

/// Shows one job.
pub(super) fn show(id: i64, settings: &Settings) -> Outcome {
    print(&contents(settings)?, id, settings)?;
    Ok(ExitStatus::Done)
}

/// Prints a job as the ledger has it now.
pub(super) fn print_job(id: i64, settings: &Settings) -> Result<(), Failure> {
    print(&contents(settings)?, id, settings)
}

/// Prints a job of a ledger that is open.
pub(super) fn print_one(ledger: &mut Ledger, id: i64, settings: &Settings) -> Result<(), Failure> {
    print(&ledger.contents().map_err(told)?, id, settings)
}

fn print(contents: &Contents, id: i64, settings: &Settings) -> Result<(), Failure> {
    let problems = problems(contents)?;
    let entry = contents.job(id);
    let job = entry.and_then(|entry| shown(contents, &problems, entry));
    let job = job.ok_or_else(|| told(LedgerError::NoSuchJob(id)))?;
    stream::write(|to| match settings.format {
        Format::Json | Format::Jsonl => json_job(&contents.path, &job, to),
        Format::Human => human_job(&job, now(), to),
    })
}

fn shown<'a>(
    contents: &'a Contents,
    problems: &'a BTreeMap<i64, String>,
    entry: &'a Entry,
) -> Option<ShownJob<'a>> {
    let project = contents.project(entry.project)?;
    Some(ShownJob {
        id: entry.id,
        project: &project.name,
        project_path: &project.identity.common_dir,
        project_problem: problems.get(&project.id).map(String::as_str),
        job: &entry.job,
    })
}

/// A state that is known, or that a job is in; else a typing error would read as "none".
fn state(word: &str, contents: &Contents) -> Result<State, Failure> {
    let state = State::of(word);
    if state.is_known()
        || contents
            .entries
            .iter()
            .any(|entry| entry.job.state == state)
    {
        return Ok(state);
    }
    let words = State::KNOWN
        .map(|state| state.as_str().to_owned())
        .join(", ");
    let failure = Failure::new(format_args!("{state} is no state of a job"));
    Err(failure.hint(format!("there are: {words}")))
}

/// The projects that a directory or a name means: a name is a label, and may be that of several.
fn projects(named: &Path, contents: &Contents, settings: &Settings) -> Result<Vec<i64>, Failure> {
    let by_name = contents
        .projects
        .iter()
        .filter(|project| named.to_str() == Some(&project.name));
    let ids: Vec<i64> = by_name.map(|project| project.id).collect();
    if !ids.is_empty() {
        return Ok(ids);
    }
    let identity = super::project_of(&place(Some(named), settings)?, now())?.identity;
    let found = contents.project_of(&identity);
    Ok(found.map(|project| project.id).into_iter().collect())
}

/// Which repositories are not what they were when they were recorded, and what to do.
fn problems(contents: &Contents) -> Result<BTreeMap<i64, String>, Failure> {
    let host = Host::here().map_err(told)?;
    let problem = |project: &Project| Some((project.id, problem(project, &host)?));
    Ok(contents.projects.iter().filter_map(problem).collect())
}

fn problem(project: &Project, host: &Host) -> Option<String> {
    let identity = &project.identity;
    let path = &identity.common_dir;
    if identity.host != *host {
        let adopt = adopt(path);
        return Some(format!(
            "{path} was recorded on another machine, so that owl acts on none of its jobs; {adopt}"
        ));
    }
    match RepositoryId::of(path.as_path(), host) {
        Ok(found) if found == *identity => None,
        Ok(_) => Some(format!(
            "{path} is another directory than the one that was recorded; {}",
            adopt(path)
        )),
        Err(why) if why.kind() == ErrorKind::NotFound => Some(format!(
            "{path} is not there; was it moved? {}",
            adopt(path)
        )),
        Err(why) => Some(format!("{path} could not be looked at: {why}")),
    }
}

fn adopt(path: &BytePath) -> String {
    let word = shell_word(path.as_bytes());
    format!("in the repository that it is now: owl jobs adopt {word}")
}
