//! Whether the branches of jobs in review have landed: by the branch, whatever is checked out.

use super::Jobs;
use crate::fact::Fact;
use crate::job::State;
use crate::observe::history::{History, Names};
use crate::observe::remotes::Remotes;
use crate::observe::repository::Repository;
use crate::observe::{Base, Head, ObserveError};
use crate::resource::BytePath;

/// Whether any branch must be looked at.
pub(crate) fn wanted(jobs: &Jobs) -> bool {
    jobs.list.iter().any(|job| job.state == State::Review)
}

/// Fills in what the graph says of their branches.
pub(crate) fn landings(
    repository: &Repository,
    base: &Fact<Base>,
    remotes: &Remotes,
    jobs: &mut Jobs,
) -> Result<(), ObserveError> {
    let mut names = Vec::new();
    let mut asked = Vec::new();
    for (nth, job) in jobs.list.iter_mut().enumerate() {
        if job.state != State::Review {
            continue;
        }
        let Some(branch) = job.full_branch() else {
            job.tip = Fact::Absent;
            continue;
        };
        job.tip = tip(repository, &branch);
        if let Fact::Known(commit) = &job.tip {
            names.push(Names {
                head: Fact::Known(Head {
                    branch: Some(BytePath::from_bytes(&branch)),
                    commit: Some(commit.clone()),
                }),
                private: Fact::Absent,
                logged: Fact::Absent,
            });
            asked.push(nth);
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    let history = History::new(repository, base, remotes, &names.iter().collect::<Vec<_>>())?;
    let heads: Vec<_> = names.iter().map(|one| &one.head).collect();
    for (nth, landing) in asked.into_iter().zip(history.landings(repository, &heads)) {
        // What is in conflict proves nothing.
        jobs.list[nth].landed = match landing.conflict {
            Fact::Known(_) => Fact::Absent,
            Fact::Absent | Fact::Unknown(_) => landing.landed,
        };
    }
    Ok(())
}

fn tip(repository: &Repository, branch: &[u8]) -> Fact<String> {
    let found = repository.resolve(branch).and_then(|id| match id {
        Some(id) => Ok(repository.commit_of(id)?.map(|id| id.to_string())),
        None => Ok(None),
    });
    Fact::from_optional(found)
}
