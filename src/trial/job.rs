//! What the sources of jobs know of a worktree that a test describes.
//!
//! Invariant: a job is one of the ledger, and the only one of its repository; every other source
//! of the policy was read, and has none.

use super::sketch::{PLACE, WHY};
use crate::fact::Fact;
use crate::job::{DEFAULT_TTL, State};
use crate::observe::{
    Jobs, Knowledge, ObservedJob, RecordedPlace, Running, SourceRead, Standing, Tree,
};
use crate::policy::{JobSource, Policy, Sketch, SketchedJob};
use crate::resource::BytePath;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;
use std::time::Duration;

/// Said where a policy needs a ledger, and the test says of no job.
const NO_LEDGER: &str = "the test names no `job`, so there is no ledger of jobs; `job: none` is a \
                         ledger that has none";

/// The jobs of the tree's repository; an error where the job's age is no time.
pub(super) fn jobs(
    policy: &Policy,
    sketch: &Sketch,
    tree: &Tree,
    now: Timestamp,
) -> Result<Jobs, String> {
    let sources = policy.jobs.iter().flatten();
    let sources = sources.filter_map(|source| match source {
        JobSource::Ledger => None,
        JobSource::File(_) | JobSource::Command(_) => Some(SourceRead {
            name: source.to_string(),
            read: Fact::Known(()),
        }),
    });
    let known = |since| Fact::Known(Knowledge { since: Some(since) });
    let (ledger, list) = match &sketch.job {
        None if policy.needs_a_ledger() => (Fact::unknown(NO_LEDGER), Vec::new()),
        None => (Fact::Absent, Vec::new()),
        Some(SketchedJob::Unknown) => (Fact::unknown(WHY), Vec::new()),
        Some(SketchedJob::None) => (known(now), Vec::new()),
        Some(SketchedJob::Gone) => (known(Timestamp::MIN), Vec::new()),
        Some(SketchedJob::Of { state, labels, age }) => {
            let since = before(now, *age)?;
            let job = job(sketch, tree, (state, labels, since));
            (known(Timestamp::MIN), vec![job])
        }
    };
    Ok(Jobs {
        ledger,
        sources: sources.collect(),
        list,
        ..Jobs::none()
    })
}

fn before(now: Timestamp, age: Duration) -> Result<Timestamp, String> {
    let age = SignedDuration::try_from(age).map_err(|why| why.to_string())?;
    now.checked_sub(age).map_err(|why| why.to_string())
}

fn job(
    sketch: &Sketch,
    tree: &Tree,
    (state, labels, since): (&State, &BTreeSet<String>, Timestamp),
) -> ObservedJob {
    let commit = tree.commit().map(ToOwned::to_owned);
    // A job always has a branch; a detached tree is on none.
    let branch = sketch.branch.as_ref().unwrap_or(&sketch.name);
    let identity = tree.id.clone().map(|id| (PLACE.device, PLACE.inode, id));
    let in_review = *state == State::Review;
    ObservedJob {
        name: "1".to_owned(),
        source: JobSource::Ledger.to_string(),
        standing: Standing::Ledger,
        state: state.clone(),
        branch: Some(BytePath::from(branch.as_str())),
        base: None,
        ttl: if *state == State::Exhausted {
            0
        } else {
            DEFAULT_TTL
        },
        reason: None,
        labels: labels.clone(),
        created: since,
        changed: since,
        waiting_since: since,
        active_since: since,
        worktree: Some(RecordedPlace {
            path: tree.path.clone(),
            identity,
        }),
        decided_tip: commit.clone().filter(|_| state.is_decided()),
        running: (*state == State::Active).then(|| Running {
            pid: None,
            alive: Fact::unknown("its run names no process"),
        }),
        drops: false,
        dropping: Fact::unknown("it was not looked at"),
        tip: match commit.filter(|_| in_review) {
            Some(commit) => Fact::Known(commit),
            None => Fact::unknown("it was not looked at"),
        },
        landed: if in_review {
            tree.landed.clone()
        } else {
            Fact::unknown("it was not looked at")
        },
    }
}
