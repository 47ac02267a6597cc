//! `owl jobs adopt`.

use super::{contents, open, place, project_of, told};
use crate::cli::args::Format;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::settings::{Settings, now};
use crate::cli::stream;
use crate::ledger::{Host, Project, RepositoryId};
use crate::observe::settled;
use crate::report::ExitStatus;
use crate::resource::BytePath;
use std::path::Path;

/// Runs the command.
pub(super) fn run(from: &Path, project: Option<&Path>, settings: &Settings) -> Outcome {
    if settings.format != Format::Human {
        return Err(Failure::new("this command has no JSON form").hint("leave out --format json"));
    }
    let contents = contents(settings)?;
    let now = now();
    let to = project_of(&place(project, settings)?, now)?;
    let named = settings.resolve(from);
    // The old one need not be there any more.
    let named = match named.canonicalize() {
        Ok(named) => named,
        Err(_) => settled(&named)?,
    };
    let is_named = |project: &&Project| {
        let path = project.identity.common_dir.as_path();
        project.identity != to.identity && (path == named || path == named.join(".git"))
    };
    let found: Vec<&Project> = contents.projects.iter().filter(is_named).collect();
    let old = match found.as_slice() {
        [old] => *old,
        [] => {
            let why = format!(
                "the ledger knows no other repository at {}",
                BytePath::from(named)
            );
            return Err(Failure::new(why).hint("`owl jobs show ID` names the repository of a job"));
        }
        _ => {
            let why = "the ledger knows several repositories that were at that path";
            return Err(Failure::new(why)
                .hint("`owl jobs export`, edit `projects`, and import it into a new ledger"));
        }
    };
    let host = Host::here().map_err(told)?;
    let is_there = |id: &RepositoryId| {
        RepositoryId::of(id.common_dir.as_path(), &host).is_ok_and(|found| found == *id)
    };
    if is_there(&old.identity) {
        let why = format!(
            "{} is still there, and its jobs are its own",
            old.identity.common_dir
        );
        return Err(Failure::new(why).hint("adopt a repository that was moved or replaced"));
    }
    let moved = open(settings)?.adopt(old.id, &to, now).map_err(told)?;
    let there = &to.identity.common_dir;
    stream::write(|to| writeln!(to, "{moved} jobs are of {there} now"))?;
    Ok(ExitStatus::Done)
}
