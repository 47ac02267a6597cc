//! A job list of another tool, told apart by repository.

use super::{ObservedJob, Standing};
use crate::job::{Job, Listed, ListedProject, Listing};
use crate::ledger::{Host, RepositoryId};
use crate::observe::place::settle;
use crate::observe::{NamedPlace, World, locate};
use crate::resource::BytePath;

/// A list that could be read.
pub(super) struct Lists(Listing);

/// Which repository a job is of.
enum Of {
    This,
    Another,
    /// The list does not say.
    Nobody,
}

impl Lists {
    pub(super) fn new(listing: Listing) -> Self {
        Self(listing)
    }

    /// Adds the jobs of this repository, and those of none; an error if that cannot be told of one.
    pub(super) fn jobs_of(
        &self,
        source: &str,
        (identity, named): (&RepositoryId, &NamedPlace),
        world: &World<'_>,
        to: &mut Vec<ObservedJob>,
    ) -> Result<(), String> {
        let mut found = Vec::new();
        for listed in &self.0.jobs {
            let standing = match self.whose(listed, identity, world)? {
                Of::This => Standing::Listed,
                Of::Nobody => Standing::Stray,
                Of::Another => continue,
            };
            let name = match &listed.job.origin {
                Some(origin) => format!("{}:{}", origin.source, origin.reference),
                None => format!("{source}:{}", listed.at.line),
            };
            let job = settled(listed, named)?;
            let is_same = |one: &&ObservedJob| one.name == name;
            // Another list's job of that name is another row, and both hold.
            let times = to.iter().chain(&found).filter(is_same).count();
            let name = if times == 0 {
                name
            } else {
                format!("{name} in {source}:{}", listed.at.line)
            };
            let name = (name, source.to_owned(), standing);
            found.push(ObservedJob::new(name, &job, &world.proc_root));
        }
        to.append(&mut found);
        Ok(())
    }

    fn whose(
        &self,
        listed: &Listed,
        identity: &RepositoryId,
        world: &World<'_>,
    ) -> Result<Of, String> {
        let Some(path) = &listed.project else {
            return Ok(Of::Nobody);
        };
        let projects = &self.0.projects;
        let same: Vec<&ListedProject> = projects.iter().filter(|one| one.path == *path).collect();
        let number = listed.project_number.and_then(|nth| nth.checked_sub(1));
        let brought = match (number.map(|nth| projects.get(nth)), same.as_slice()) {
            (Some(Some(one)), _) if one.path == *path => Some(one),
            (Some(_), _) => {
                return Err(at(listed, "`project_number` names no project of this path"));
            }
            (None, []) => None,
            (None, [one]) => Some(*one),
            (None, _) => return Err(at(listed, "two projects have this path")),
        };
        let is_it = if let Some(one) = brought {
            is_this(one, identity)
        } else {
            let place = locate::Place::of(&world.here.join(path.as_path()));
            // What cannot be looked at may be this one under another name.
            let place = place.map_err(|why| at(listed, &why.to_string()))?;
            BytePath::from(place.common_dir) == identity.common_dir
        };
        Ok(if is_it { Of::This } else { Of::Another })
    }
}

fn is_this(listed: &ListedProject, identity: &RepositoryId) -> bool {
    let other = RepositoryId {
        host: Host::named(&listed.host),
        common_dir: listed.path.clone(),
        device: listed.device,
        inode: listed.inode,
    };
    other == *identity
}

/// The job with the path of its worktree as owl keeps paths.
fn settled(listed: &Listed, named: &NamedPlace) -> Result<Job, String> {
    let mut job = listed.job.clone();
    if let Some(worktree) = &mut job.worktree {
        let path = named.place.root.join(worktree.path.as_path());
        let settled = settle(&path).map_err(|why| at(listed, &why.to_string()))?;
        worktree.path = settled.into();
    }
    Ok(job)
}

fn at(listed: &Listed, why: &str) -> String {
    format!("line {}: {why}", listed.at.line)
}
