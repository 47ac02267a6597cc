//! Jobs that have stood still for too long, and so are a person's to see to (A4.11, A4.12, A4.19).
//!
//! Below its threshold (`ttl` of the policy) a job is silent: somebody is at work, or will be.

use super::Unfinished;
use crate::assess::named;
use crate::fact::Fact;
use crate::job::State;
use crate::observe::ObservedJob;
use crate::policy::Ttl;
use crate::resource::human_age;
use jiff::Timestamp;
use std::time::Duration;

/// Why a person should look at a job.
pub(super) struct Overdue {
    /// Which kind of unfinished work it is.
    pub(super) kind: Unfinished,
    /// Since when; none where there is no clock for it.
    pub(super) since: Option<Timestamp>,
    /// The same as a sentence.
    pub(super) message: String,
}

/// Whether the job has stood still for too long. `sign_of_life` is the latest work in its worktree.
///
/// An active job is abandoned once neither its run nor its worktree has shown life for `ttl.active`,
/// counted from the start of the run; a process that runs vetoes that, and one that cannot be
/// looked at makes it ambiguous. A state that this owl does not know is always shown.
pub(super) fn overdue(
    job: &ObservedJob,
    sign_of_life: Option<Timestamp>,
    ttl: &Ttl,
    now: Timestamp,
) -> Option<Overdue> {
    let over = |since: Timestamp, limit: Duration| {
        Duration::try_from(now.duration_since(since)).is_ok_and(|age| age >= limit)
    };
    let told = |kind, since: Timestamp, what: &str| Overdue {
        kind,
        since: Some(since),
        message: format!("{} {what} {}", named(job), human_age(since, now)),
    };
    match &job.state {
        State::Review => over(job.waiting_since, ttl.review).then(|| {
            let what = "has waited for a decision for";
            told(Unfinished::Waiting, job.waiting_since, what)
        }),
        State::Active => {
            let since = job.active_since;
            let lately = sign_of_life.map_or(since, |sign| sign.max(since));
            if !over(lately, ttl.active) {
                return None;
            }
            let what = "has shown no sign of life for";
            match job.running.as_ref() {
                Some(running) if running.alive.known().is_some() => None,
                // A process that was named, and that cannot be looked at from here.
                Some(running) if running.pid.is_some() && running.alive != Fact::Absent => {
                    let what = "may have lost its process, which cannot be looked at from here, in";
                    Some(told(Unfinished::Ambiguous, since, what))
                }
                Some(_) | None => Some(told(Unfinished::Abandoned, since, what)),
            }
        }
        State::Blocked => over(job.changed, ttl.blocked)
            .then(|| told(Unfinished::Blocked, job.changed, "has been blocked for")),
        State::Exhausted => over(job.changed, ttl.exhausted).then(|| {
            let what = "has had no run left for";
            told(Unfinished::Exhausted, job.changed, what)
        }),
        State::Pending | State::Done | State::Cancelled => None,
        State::Other(_) => Some(Overdue {
            kind: Unfinished::Ambiguous,
            since: None,
            message: format!("{} is in a state that this owl does not know", named(job)),
        }),
    }
}
