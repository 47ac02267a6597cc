//! What the graph says of the branches of jobs: by the branch, whatever is checked out.

use super::{Jobs, ObservedJob};
use crate::fact::Fact;
use crate::job::State;
use crate::observe::branches::Branches;
use crate::observe::history::{History, Names};
use crate::observe::private::logged_by;
use crate::observe::remotes::Remotes;
use crate::observe::repository::Repository;
use crate::observe::{Base, Head, ObserveError};
use crate::policy::Order;
use crate::resource::BytePath;

/// Whether any branch must be looked at.
pub(crate) fn wanted(jobs: &Jobs, order: Option<&Order>) -> bool {
    jobs.list.iter().any(|job| is_wanted(job, order))
}

fn is_wanted(job: &ObservedJob, order: Option<&Order>) -> bool {
    job.state == State::Review || order.is_some_and(|order| order.job == job.name)
}

/// Fills in what the graph says of their branches.
pub(crate) fn landings(
    repository: &Repository,
    (base, remotes): (&Fact<Base>, &Remotes),
    order: Option<&Order>,
    jobs: &mut Jobs,
) -> Result<(), ObserveError> {
    let mut names = Vec::new();
    let mut asked = Vec::new();
    for (nth, job) in jobs.list.iter_mut().enumerate() {
        if !is_wanted(job, order) {
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
                logged: Fact::from_result(logged_by(repository, &branch)),
            });
            asked.push((nth, branch));
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    let branches = Branches::read(repository);
    let history = History::new(repository, base, remotes, &names.iter().collect::<Vec<_>>())?;
    let heads: Vec<_> = names.iter().map(|one| &one.head).collect();
    let landings = history.landings(repository, &heads);
    for (((nth, branch), landing), names) in asked.into_iter().zip(landings).zip(&names) {
        let job = &mut jobs.list[nth];
        // What is in conflict proves nothing.
        job.landed = match landing.conflict {
            Fact::Known(_) => Fact::Absent,
            Fact::Absent | Fact::Unknown(_) => landing.landed,
        };
        let stays = match &branches {
            Ok(branches) => branches.stays(base, &branch, None),
            Err(why) => Fact::unknown(why),
        };
        job.dropping = history.drop(names, stays);
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
