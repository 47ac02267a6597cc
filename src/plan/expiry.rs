//! Rescue refs past their time, as rows (`spec 3`: `ttl.rescue`; `spec 6`).
//!
//! Younger ones are no rows; `owl restore` lists them. Invariants: only a ref whose name owl itself
//! could have written is ever a row; a time in the future expires nothing. No clock decides alone: a
//! ref is as young as the youngest of its name, file, reflog and commit says, and it expires only
//! once a commit of the repository is past its time, too, so that a clock that runs ahead takes
//! nothing.

use super::{Reason, ResourceKind, Row, Step, Verdict};
use crate::assess::{Evidence, human_age};
use crate::observe::{Observation, Project, RescueRef};
use crate::policy::{Policy, show_duration};
use crate::resource::Address;
use jiff::Timestamp;
use std::time::Duration;

/// A row for every rescue ref that is past its time, or whose time cannot be right.
pub(super) fn rows(policy: &Policy, observation: &Observation) -> Vec<Row> {
    let now = observation.observed_at;
    let projects = observation.projects.iter();
    projects
        .flat_map(|project| {
            let refs = project.rescues.iter();
            refs.filter_map(move |one| row(policy, project, one, now))
        })
        .collect()
}

fn row(policy: &Policy, project: &Project, rescue: &RescueRef, now: Timestamp) -> Option<Row> {
    let limit = policy.ttl.rescue;
    let written = rescue.written();
    let since = |at: Timestamp| Duration::try_from(at.duration_since(written));
    let (verdict, reason, message) = match since(now) {
        // Named in the future, or only dated so: the latter is not owl's to report.
        Err(_) if rescue.at <= now => return None,
        Err(_) => (
            Verdict::Hold,
            Reason::UnknownExpiry,
            format!("unknown: it was written in the future ({})", rescue.at),
        ),
        Ok(age) if age <= limit => return None,
        Ok(_) if project.problem.is_some() => (
            Verdict::Hold,
            Reason::UnknownExpiry,
            "unknown: its project could not be read whole".to_owned(),
        ),
        Ok(_) if !policy.acts() => (
            Verdict::Keep,
            Reason::NoRule,
            "the policy removes nothing".to_owned(),
        ),
        Ok(_) if !policy.expires() => (
            Verdict::Keep,
            Reason::NoRule,
            "the policy, which is built in, makes no rescue refs".to_owned(),
        ),
        Ok(_) if !is_vouched(project, since, limit) => (
            Verdict::Keep,
            Reason::UnknownExpiry,
            format!(
                "past ttl.rescue ({}) by the clock alone: it expires once a commit of the \
                 repository says so, too",
                show_duration(limit)
            ),
        ),
        Ok(age) => (
            Verdict::Prune,
            Reason::Expired,
            format!(
                "rescue ref of {} ago, past ttl.rescue ({})",
                human_age(age),
                show_duration(limit)
            ),
        ),
    };
    let steps = match verdict {
        Verdict::Prune => vec![Step::ExpireRescueRef {
            reference: rescue.reference.clone(),
            commit: rescue.commit.clone(),
        }],
        Verdict::Remove | Verdict::Hold | Verdict::Keep | Verdict::Ignore => Vec::new(),
    };
    Some(Row {
        address: Address::rescue(&project.name, rescue.short()),
        kind: ResourceKind::RescueRef,
        project: project.name.clone(),
        path: project.root.as_path().to_string_lossy().into_owned(),
        path_bytes: project
            .root
            .as_str()
            .is_none()
            .then(|| project.root.clone()),
        git_path: None,
        branch: None,
        head: Some(Some(rescue.commit.clone())),
        job: None,
        verdict,
        reason,
        message,
        unfinished: None,
        since: None,
        rule: None,
        steps,
        guards: Vec::new(),
        evidence: vec![Evidence::Time {
            what: "written".to_owned(),
            at: written,
        }],
        size_bytes: None,
        active_at: None,
        identity: None,
        status: None,
        after: Vec::new(),
    })
}

/// Whether the newest commit of the repository is past the time, too.
fn is_vouched(
    project: &Project,
    since: impl Fn(Timestamp) -> Result<Duration, jiff::Error>,
    limit: Duration,
) -> bool {
    let newest = project.newest_commit.map(since);
    newest.is_some_and(|age| age.is_ok_and(|age| age > limit))
}
