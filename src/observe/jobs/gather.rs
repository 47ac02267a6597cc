//! Everything that all sources say, read once for all projects.

use super::list::Lists;
use super::{Jobs, Knowledge, ObservedJob, SourceRead, Standing, command};
use crate::fact::Fact;
use crate::job::parse_list;
use crate::ledger::{Contents, Difference, Host, Reading, RepositoryId, read};
use crate::observe::{NamedPlace, ObserveError, World};
use crate::policy::{JobSource, Policy};
use crate::resource::{BytePath, shell_word};
use std::path::{Path, PathBuf};

/// What the sources say, before it is told apart by repository.
pub(crate) struct Gathered {
    host: Result<Host, String>,
    /// Nothing: there is no ledger.
    ledger: Result<Option<Contents>, String>,
    lists: Vec<(String, Result<Lists, String>)>,
}

impl Gathered {
    /// Reads the ledger, and asks the other sources.
    pub(crate) fn of(world: &World<'_>, policy: &Policy) -> Self {
        let ledger = match &world.ledger {
            // Without a home nobody has made one; `assess` says what that proves.
            None => Ok(None),
            Some(path) => match read(path) {
                Ok(Reading::Missing) => Ok(None),
                Ok(Reading::There(contents)) => Ok(Some(contents)),
                Err(why) => Err(why.to_string()),
            },
        };
        let sources = policy.jobs.iter().flatten();
        let lists = sources.filter_map(|source| {
            let text = match source {
                JobSource::Ledger => return None,
                JobSource::File(path) => {
                    place_of(world, path).and_then(|path| command::read(&path))
                }
                JobSource::Command(words) => command::printed(world.git, words),
            };
            let name = source.to_string();
            let list = text.and_then(|text| {
                parse_list(&name, &text, world.now).map_err(|found| match found.first() {
                    Some(first) => first.to_string(),
                    None => "it is no job list".to_owned(),
                })
            });
            Some((name, list.map(Lists::new)))
        });
        Self {
            host: Host::here().map_err(|why| why.to_string()),
            ledger,
            lists: lists.collect(),
        }
    }

    /// The jobs of one repository.
    pub(crate) fn jobs(&self, world: &World<'_>, named: &NamedPlace) -> Jobs {
        let mut jobs = Jobs::none();
        jobs.ledger_path = world.ledger.clone().map(BytePath::from);
        let identity = self.identity(&named.place.common_dir);
        jobs.ledger = match (&self.ledger, &identity) {
            (Ok(None), _) => Fact::Absent,
            (Ok(Some(contents)), Ok(identity)) => Fact::Known(Knowledge {
                since: of_ledger(contents, identity, world, &mut jobs),
            }),
            (Err(why), _) | (Ok(Some(_)), Err(why)) => Fact::unknown(why),
        };
        for (source, lists) in &self.lists {
            let read = match (lists, &identity) {
                (Ok(lists), Ok(identity)) => {
                    lists.jobs_of(source, (identity, named), world, &mut jobs.list)
                }
                (Err(why), _) | (Ok(_), Err(why)) => Err(why.clone()),
            };
            jobs.sources.push(SourceRead {
                name: source.clone(),
                read: Fact::from_result(read),
            });
        }
        jobs
    }

    fn identity(&self, common_dir: &Path) -> Result<RepositoryId, String> {
        let host = self.host.as_ref().map_err(Clone::clone)?;
        let identity = RepositoryId::of(common_dir, host);
        identity.map_err(|why| ObserveError::read(common_dir, why).to_string())
    }
}

/// Adds what the ledger has of this repository and of what is almost it; since when it knows it.
fn of_ledger(
    contents: &Contents,
    identity: &RepositoryId,
    world: &World<'_>,
    jobs: &mut Jobs,
) -> Option<jiff::Timestamp> {
    let source = || JobSource::Ledger.to_string();
    let project = contents.project_of(identity);
    for entry in project.into_iter().flat_map(|one| contents.jobs_of(one.id)) {
        let name = (entry.id.to_string(), source(), Standing::Ledger);
        let job = ObservedJob::new(name, &entry.job, &world.proc_root);
        jobs.list.push(ObservedJob {
            drops: entry.drops,
            ..job
        });
    }
    for (other, difference) in contents.almost(identity) {
        let open = contents.jobs_of(other.id);
        let open: Vec<_> = open.filter(|one| !one.job.state.is_decided()).collect();
        for entry in &open {
            let name = (entry.id.to_string(), source(), Standing::Stray);
            let job = ObservedJob::new(name, &entry.job, &world.proc_root);
            jobs.list.push(job);
        }
        if !open.is_empty() {
            jobs.notes
                .push(almost(&other.identity, difference, open.len()));
        }
    }
    project.map(|project| project.first_known)
}

fn almost(other: &RepositoryId, difference: Difference, open: usize) -> String {
    let path = &other.common_dir;
    let what = match difference {
        Difference::Moved => format!("this repository when it was at {path}"),
        Difference::Replaced => format!("another repository that was at {path}"),
        Difference::OtherHost => format!("the repository at {path} on another machine"),
    };
    let jobs = if open == 1 { "1 open job" } else { "open jobs" };
    let count = if open == 1 {
        String::new()
    } else {
        format!("{open} ")
    };
    let word = shell_word(path.as_bytes());
    format!(
        "the ledger has {count}{jobs} of {what}, and does nothing on their account; if they are \
         this one's, `owl jobs adopt {word}`"
    )
}

fn place_of(world: &World<'_>, path: &str) -> Result<PathBuf, String> {
    match (path.strip_prefix("~/"), world.home.as_deref()) {
        (Some(below), Some(home)) => Ok(home.join(below)),
        (Some(_), None) => Err("HOME is not set".to_owned()),
        (None, _) => Ok(world.here.join(path)),
    }
}
