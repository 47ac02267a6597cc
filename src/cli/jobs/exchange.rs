//! `owl jobs import` and `export`.

use super::{contents, open_or_create, place, project_of, told};
use crate::cli::args::Format;
use crate::cli::discovery::choose_in;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::settings::{Settings, now};
use crate::cli::{file, stream};
use crate::diag::{Code, Sink};
use crate::job::{Listed, ListedProject, Listing, MOST_BYTES, parse_list};
use crate::ledger::{Host, LedgerError, NewJob, NewProject, RepositoryId};
use crate::observe::Place;
use crate::policy::Policy;
use crate::report::ExitStatus;
use crate::resource::BytePath;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

const NOTHING: &str = "nothing was imported";

/// Prints everything.
pub(super) fn export(settings: &Settings) -> Outcome {
    let text = contents(settings)?.export();
    stream::write(|to| to.write_all(text.as_bytes()))?;
    Ok(ExitStatus::Done)
}

/// Adds everything of a list, or nothing.
pub(super) fn import(name: &Path, settings: &Settings) -> Outcome {
    let bytes = if name == Path::new("-") {
        standard_input()?
    } else {
        file::read(name, settings, "the job list", MOST_BYTES)?
    };
    let now = now();
    let shown = name.to_string_lossy();
    let listing =
        parse_list(&shown, &bytes, now).map_err(|found| Failure::found(NOTHING, found))?;
    let text = String::from_utf8_lossy(&bytes);
    let refuse = |listed: &Listed, why: &str| {
        let mut sink = Sink::new(&shown, &text);
        sink.error(Code::BadValue, listed.at, why);
        Failure::found(NOTHING, sink.into_found())
    };
    let mut resolver = Resolver {
        settings,
        now,
        listing: &listing,
        places: BTreeMap::new(),
    };
    let mut jobs = Vec::new();
    for listed in &listing.jobs {
        let job = resolver
            .resolve(listed)
            .map_err(|why| refuse(listed, &why.text()))?;
        jobs.push(job);
    }
    let projects: Vec<NewProject> = listing.projects.iter().map(known).collect();
    let mut ledger = open_or_create(settings)?;
    let ids = match ledger.import(&projects, &jobs) {
        Ok(ids) => ids,
        Err(LedgerError::InRow { nth, why }) => {
            return Err(refuse(
                &listing.jobs[nth],
                &format!("this job is refused: {why}"),
            ));
        }
        Err(why) => return Err(told(why)),
    };
    match settings.format {
        Format::Human => stream::write(|to| ids.iter().try_for_each(|id| writeln!(to, "{id}")))?,
        Format::Json | Format::Jsonl => {
            let document = serde_json::json!({
                "format_version": "1.0",
                "kind": "imported",
                "owl_version": env!("CARGO_PKG_VERSION"),
                "ids": ids,
            });
            stream::write(|to| writeln!(to, "{document:#}"))?;
        }
    }
    Ok(ExitStatus::Done)
}

fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(MOST_BYTES)? + 1;
    std::io::stdin()
        .lock()
        .take(limit)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A repository whose identity the list brings along, as `export` wrote it.
fn known(listed: &ListedProject) -> NewProject {
    NewProject {
        identity: RepositoryId {
            host: Host::named(&listed.host),
            common_dir: listed.path.clone(),
            device: listed.device,
            inode: listed.inode,
        },
        name: listed.name.clone(),
        first_known: listed.first_known,
    }
}

/// Finds the repositories and worktrees that a list speaks of.
struct Resolver<'a> {
    settings: &'a Settings,
    now: Timestamp,
    listing: &'a Listing,
    /// Those that were looked at already, by path as written.
    places: BTreeMap<Option<BytePath>, (Place, Policy, NewProject)>,
}

impl Resolver<'_> {
    fn resolve(&mut self, listed: &Listed) -> Result<NewJob, Failure> {
        if let Some(project) = self.brought_along(listed)? {
            let project = known(project);
            let job = listed.job.clone();
            // Recorded elsewhere, so that nothing here is looked at; a path must say where it is.
            if job
                .worktree
                .as_ref()
                .is_some_and(|tree| tree.path.as_path().is_relative())
            {
                return Err(Failure::new("its worktree must be an absolute path"));
            }
            return Ok(NewJob { project, job });
        }
        let settings = self.settings;
        let key = listed.project.clone();
        if !self.places.contains_key(&key) {
            let directory = key.as_ref().map(BytePath::as_path);
            let place = place(directory, settings)?;
            let policy = choose_in(&place, settings)?.policy;
            let project = project_of(&place, self.now)?;
            self.places.insert(key.clone(), (place, policy, project));
        }
        let (place, policy, project) = &self.places[&key];
        let mut job = listed.job.clone();
        if let Some(tree) = &mut job.worktree {
            let path: PathBuf = place.root.join(tree.path.as_path());
            let found = super::add::worktree(&path, place, policy, settings)?;
            tree.path = found.path;
            tree.identity = tree.identity.take().or(found.identity);
        }
        Ok(NewJob {
            project: project.clone(),
            job,
        })
    }

    fn brought_along(&self, listed: &Listed) -> Result<Option<&ListedProject>, Failure> {
        let projects = &self.listing.projects;
        if let Some(number) = listed.project_number {
            let found = number.checked_sub(1).and_then(|nth| projects.get(nth));
            let found = found.filter(|project| Some(&project.path) == listed.project.as_ref());
            let none = "`project_number` names no project of this path";
            return found.map(Some).ok_or_else(|| Failure::new(none));
        }
        let mut same = projects
            .iter()
            .filter(|project| Some(&project.path) == listed.project.as_ref());
        let first = same.next();
        if same.next().is_some() {
            return Err(Failure::new(
                "two projects have this path: `project_number` tells which",
            ));
        }
        Ok(first)
    }
}
