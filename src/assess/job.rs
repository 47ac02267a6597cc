//! What the jobs say of one worktree (`spec 8`).
//!
//! A job is joined to a worktree that it **recorded**: the path is the same, and so are device,
//! inode, and administrative entry where it recorded them. Every other likeness (its branch, the
//! old path, another path of the same directory, a directory named after its number) only holds.
//!
//! The semantics, exactly:
//! - An open job (pending, active, blocked, review, exhausted, or in a state that this owl does not
//!   know) holds what it recorded and what is like it: guard 6, `in-use`, whatever rule decides.
//!   The one exception is [`accepted_by`]: a job of the ledger in review that alone recorded the
//!   worktree, whose branch is checked out there and has landed. It is accepted by the plan itself,
//!   where no keep holds and the policy removes anything at all; `fresh` does not hold it either.
//! - `job: done` and `job: cancelled` hold only where the worktree is the recorded one, HEAD is on
//!   the job's branch, and at the commit that the decision recorded; else they are unknown, and
//!   say why. `fresh` does not hold what a rule lets go that would not without such a decision.
//! - `job: gone` holds where no job is like the worktree in any way, and the ledger has known the
//!   repository since before the worktree was made. It is unknown where that cannot be told.
//! - `job: none` holds where no job recorded it and no open one is like it.
//! - In a store with `owner: job`, guard 5 holds what no job recorded, `claim-missing`, but for
//!   what a rule lets go that would not without `job: gone`.
//! - Two open jobs of one worktree, an open job of two, or decisions that differ, are
//!   `claim-ambiguous` in every store, and every condition on a job is unknown there.
//! - A source that could not be read makes all of this unknown. So does a ledger that is not there,
//!   if the policy asks for jobs, and either names `ledger` or no source at all.

use super::{Decision, Subject, condition};
use crate::fact::{Fact, Kleene};
use crate::job::State;
use crate::observe::{Kind, ObservedJob, Project, Standing, Tree};
use crate::policy::{Action, JobSource, JobTest, Policy};
use crate::resource::{BytePath, escape};
use std::borrow::Cow;

/// The jobs that have to do with a worktree.
#[derive(Clone, Debug, Default)]
pub struct TreeJobs<'a> {
    /// Why nothing can be said of any job.
    pub unknown: Option<String>,
    /// Those that recorded it; the open ones alone, if there are any.
    pub recorded: Vec<&'a ObservedJob>,
    /// Those that are like it, and how.
    pub near: Vec<(&'a ObservedJob, Likeness)>,
    /// Why it cannot be told which one it belongs to.
    pub conflict: Option<String>,
}

/// How a job is like a worktree that it did not record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// It recorded that path, where another directory stood.
    Path,
    /// It recorded that directory, at another path.
    Moved,
    /// Its branch is checked out there.
    Branch,
    /// The directory is named after its number, and it has recorded none.
    Name,
}

/// What a rule may not rest on, to see whether it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Without {
    /// It may rest on everything.
    Nothing,
    /// Jobs that are gone.
    Gone,
    /// Decisions about jobs.
    Decisions,
}

impl<'a> TreeJobs<'a> {
    /// The jobs that have to do with the tree of `subject`.
    pub fn of(subject: &Subject<'a>) -> Self {
        let (project, tree) = (subject.project, subject.tree);
        let mut jobs = Self {
            unknown: why_unknown(subject.policy, project),
            ..Self::default()
        };
        for job in &project.jobs.list {
            match relation(job, tree) {
                Some(Relation::Recorded) => jobs.recorded.push(job),
                Some(Relation::Like(how)) if job.standing != Standing::Stray || is_open(job) => {
                    jobs.near.push((job, how));
                }
                Some(Relation::Like(_)) | None => {}
            }
        }
        if jobs.recorded.iter().any(|job| is_open(job)) {
            jobs.recorded.retain(|job| is_open(job));
        }
        jobs.conflict = jobs.conflict(project, tree);
        jobs
    }

    /// The job that the worktree belongs to.
    pub fn sole(&self) -> Option<&'a ObservedJob> {
        if self.conflict.is_some() {
            return None;
        }
        self.recorded.first().copied()
    }

    /// The open jobs that recorded it or are like it.
    pub fn open(&self) -> impl Iterator<Item = &'a ObservedJob> {
        let near = self.near.iter().map(|(job, _)| *job);
        let all = self.recorded.iter().copied().chain(near);
        all.filter(|job| is_open(job))
    }

    fn conflict(&self, project: &Project, tree: &Tree) -> Option<String> {
        let (first, second) = match self.recorded.as_slice() {
            [] => (None, None),
            [one] => (Some(*one), None),
            [one, rest @ ..] => {
                let differs = |other: &&&ObservedJob| {
                    is_open(one) || one.state != other.state || one.decided_tip != other.decided_tip
                };
                (Some(*one), rest.iter().find(differs))
            }
        };
        if let (Some(one), Some(other)) = (first, second) {
            return Some(format!(
                "{} and {} both recorded it",
                named(one),
                named(other)
            ));
        }
        self.open().find_map(|job| {
            let elsewhere = project.trees.iter().find(|other| {
                other.address != tree.address && other.store.is_some() && {
                    let recorded_here = first.is_some_and(|one| one.name == job.name);
                    match relation(job, other) {
                        Some(Relation::Recorded) => true,
                        Some(Relation::Like(Likeness::Branch | Likeness::Moved)) => recorded_here,
                        Some(Relation::Like(Likeness::Path | Likeness::Name)) | None => false,
                    }
                }
            })?;
            let other = &elsewhere.address;
            Some(format!("{} has this worktree and {other}", named(job)))
        })
    }

    /// Whether the condition `job` holds.
    pub(super) fn answer(&self, test: &JobTest, subject: &Subject<'_>, without: Without) -> Kleene {
        let states = test.states.iter().filter(|state| {
            let is_left_out = without == Without::Decisions && state.is_decided();
            !is_left_out
        });
        let mut answers: Vec<Kleene> = states.map(|state| self.is_in(state, subject)).collect();
        if test.none {
            answers.push(self.is_none());
        }
        if test.gone && without != Without::Gone {
            answers.push(self.is_gone(subject));
        }
        Kleene::any(answers)
    }

    /// Whether its job says yes to `ask`; without one, no.
    pub(super) fn asked(&self, ask: impl FnOnce(&ObservedJob) -> Kleene) -> Kleene {
        if let Some(why) = self.untold() {
            return unknown(why);
        }
        match (self.sole(), self.open().next()) {
            (Some(job), _) => ask(job),
            (None, Some(job)) => unknown(&only_like(job)),
            (None, None) => Kleene::False,
        }
    }

    fn untold(&self) -> Option<&String> {
        self.unknown.as_ref().or(self.conflict.as_ref())
    }

    fn is_in(&self, state: &State, subject: &Subject<'_>) -> Kleene {
        if let Some(why) = self.untold() {
            return unknown(why);
        }
        match self.sole() {
            Some(job) if job.state != *state => Kleene::False,
            Some(job) if state.is_decided() => match forbids(job, subject.tree) {
                None => Kleene::True,
                Some(why) => unknown(&why),
            },
            Some(_) => Kleene::True,
            // By a likeness alone nothing is ever let go, but a keep must not be passed over.
            None => match self.open().find(|job| job.state == *state) {
                Some(job) => unknown(&only_like(job)),
                None => Kleene::False,
            },
        }
    }

    fn is_none(&self) -> Kleene {
        if let Some(why) = self.untold() {
            return unknown(why);
        }
        match self.open().next() {
            _ if !self.recorded.is_empty() => Kleene::False,
            Some(job) => unknown(&only_like(job)),
            None => Kleene::True,
        }
    }

    /// `spec 8`, `gone`.
    fn is_gone(&self, subject: &Subject<'_>) -> Kleene {
        if let Some(why) = self.untold() {
            return unknown(why);
        }
        if !self.recorded.is_empty() || !self.near.is_empty() {
            return Kleene::False;
        }
        let since = match &subject.project.jobs.ledger {
            Fact::Known(known) => known.since,
            Fact::Absent => return unknown("there is no ledger that would know of a job"),
            Fact::Unknown(why) => return unknown(why),
        };
        let Some(since) = since else {
            return unknown("the ledger does not know this repository");
        };
        match &subject.tree.created {
            Fact::Known(made) if *made > subject.now => {
                unknown(&format!("its creation lies in the future ({made})"))
            }
            Fact::Known(made) if *made > since => Kleene::True,
            Fact::Known(_) => unknown(&format!(
                "the ledger knows this repository only since {since}, and the worktree is older"
            )),
            Fact::Absent => unknown("its creation is not recorded"),
            Fact::Unknown(why) => unknown(why),
        }
    }
}

fn unknown(why: &str) -> Kleene {
    Kleene::Unknown(vec![why.to_owned()])
}

fn only_like(job: &ObservedJob) -> String {
    format!("{} is like it, but did not record it", named(job))
}

/// `job 7 (review)`.
pub fn named(job: &ObservedJob) -> String {
    let name = escape(job.name.as_bytes());
    format!("job {name} ({})", escape(job.state.as_str().as_bytes()))
}

/// Whether nobody has decided about it.
pub fn is_open(job: &ObservedJob) -> bool {
    !job.state.is_decided()
}

enum Relation {
    Recorded,
    Like(Likeness),
}

fn relation(job: &ObservedJob, tree: &Tree) -> Option<Relation> {
    if let Some(place) = &job.worktree {
        let is_there = tree.path == place.path || tree.git_path.as_ref() == Some(&place.path);
        // What a decision was about is older than it: an inode is given anew as soon as it is free.
        let is_later = matches!(&tree.created, Fact::Known(made) if *made > job.changed);
        if is_there && is_later && job.state.is_decided() {
            return Some(Relation::Like(Likeness::Path));
        }
        let is_same = place.identity.as_ref().map(|(device, inode, entry)| {
            let directory = match &tree.identity {
                Fact::Known(found) => (found.device, found.inode) == (*device, *inode),
                // Its directory is gone; the entry is what is left of it.
                Fact::Absent => tree.kind == Kind::Entry,
                Fact::Unknown(_) => false,
            };
            directory && tree.id.as_ref() == Some(entry)
        });
        match (is_there, is_same, job.standing) {
            (true, Some(true) | None, Standing::Ledger | Standing::Listed) => {
                return Some(Relation::Recorded);
            }
            (true, Some(_) | None, _) => return Some(Relation::Like(Likeness::Path)),
            (false, Some(true), _) => return Some(Relation::Like(Likeness::Moved)),
            (false, Some(false) | None, _) => {}
        }
    }
    let branch = job.branch.as_ref().map(BytePath::as_bytes);
    if branch.is_some() && tree.branch() == branch {
        return Some(Relation::Like(Likeness::Branch));
    }
    let name = tree.path.as_path().file_name()?;
    let is_named = name.as_encoded_bytes() == job.name.as_bytes();
    let is_number = job.name.bytes().all(|byte| byte.is_ascii_digit());
    (job.worktree.is_none() && is_number && is_named).then_some(Relation::Like(Likeness::Name))
}

/// Why a decision about the job permits nothing here; none if it does.
pub(super) fn forbids(job: &ObservedJob, tree: &Tree) -> Option<String> {
    let Some(tip) = &job.decided_tip else {
        let job = named(job);
        return Some(format!("{job} was decided without a commit of its branch"));
    };
    let head = match &tree.head {
        Fact::Known(head) => head,
        Fact::Absent => return Some("there is no HEAD".to_owned()),
        Fact::Unknown(why) => return Some(why.clone()),
    };
    let full = job.full_branch();
    let on = head.branch.as_ref().map(BytePath::as_bytes);
    if full.is_some() && on != full.as_deref() {
        return Some(format!("HEAD is not on the branch of {}", named(job)));
    }
    match &head.commit {
        Some(commit) if commit == tip => None,
        Some(commit) => Some(format!(
            "{} was decided at {}, and its branch is at {} now",
            named(job),
            short(tip),
            short(commit)
        )),
        None => Some("HEAD names no commit".to_owned()),
    }
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// Why nothing can be said of any job of the project.
pub fn why_unknown(policy: &Policy, project: &Project) -> Option<String> {
    let jobs = &project.jobs;
    match &jobs.ledger {
        Fact::Unknown(why) => return Some(why.clone()),
        Fact::Absent if policy.needs_a_ledger() => {
            let path = jobs.ledger_path.as_ref();
            let at = path.map_or_else(String::new, |path| format!(" at {path}"));
            return Some(format!(
                "there is no ledger of jobs{at}; `owl jobs add` makes it, or HOME is another one"
            ));
        }
        Fact::Known(_) | Fact::Absent => {}
    }
    policy.jobs.iter().flatten().find_map(|source| {
        let name = match source {
            JobSource::Ledger => return None,
            JobSource::File(_) | JobSource::Command(_) => source.to_string(),
        };
        let Some(found) = jobs.sources.iter().find(|one| one.name == name) else {
            return Some(format!("the observation did not read the jobs of {name}"));
        };
        let why = found.read.why_unknown()?;
        Some(format!("the jobs of {name}: {why}"))
    })
}

/// Whether the rule that lets a tree go would not without this.
pub(super) fn rests(subject: &Subject<'_>, decision: &Decision, without: Without) -> bool {
    let Some(index) = decision.lets_go() else {
        return false;
    };
    let when = &subject.policy.rules[index].when;
    condition::holds_without(when, subject, without) != Kleene::True
}

/// Whether a person's decision about its job lets the tree go.
pub fn rests_on_a_decision(subject: &Subject<'_>, decision: &Decision) -> bool {
    rests(subject, decision, Without::Decisions)
}

/// Whether the tree goes since its job is gone.
pub fn rests_on_gone(subject: &Subject<'_>, decision: &Decision) -> bool {
    rests(subject, decision, Without::Gone)
}

/// The job in review that is accepted with its worktree, since its branch has landed (A4.6 to
/// A4.9); none where anything speaks against it.
pub(super) fn accepted_by<'a>(
    subject: &Subject<'a>,
    decision: &Decision,
) -> Option<&'a ObservedJob> {
    let tree = subject.tree;
    let policy = subject.policy;
    let is_asked = policy.acts() && policy.order.is_none();
    if !is_asked || is_kept(subject, decision) || tree.store.is_none() {
        return None;
    }
    let jobs = TreeJobs::of(subject);
    let job = jobs.sole().filter(|_| jobs.unknown.is_none())?;
    let is_alone = jobs.open().count() == 1;
    let on = tree.branch();
    let is_its_branch = on.is_some() && on == job.branch.as_ref().map(BytePath::as_bytes);
    let has_landed = tree.conflict.known().is_none()
        && (tree.landed.known().is_some() || tree.own_commits == Fact::Known(false));
    let accepts = may_be_accepted(job, subject.project) && is_alone && is_its_branch && has_landed;
    accepts.then_some(job)
}

/// Whether a keep holds the tree, or may.
pub(super) fn is_kept(subject: &Subject<'_>, decision: &Decision) -> bool {
    match decision {
        Decision::Keep(_) => true,
        Decision::Missing(index, _) => subject.policy.rules[*index].then == Action::Keep,
        Decision::Accept(_)
        | Decision::Drop(_)
        | Decision::Implicit(_)
        | Decision::Ordered(_)
        | Decision::NoRule => false,
    }
}

/// Whether it is in review, owl's own, and to land in the base of the project.
pub fn may_be_accepted(job: &ObservedJob, project: &Project) -> bool {
    let base = project.base.known().map(|base| base.name.as_bytes());
    let lands_here = job
        .base
        .as_ref()
        .is_none_or(|own| Some(own.as_bytes()) == base);
    job.standing == Standing::Ledger && job.state == State::Review && base.is_some() && lands_here
}

/// What an open job says of the worktree, as a sentence.
pub(super) fn in_use(jobs: &TreeJobs<'_>, job: &ObservedJob) -> String {
    let named = named(job);
    let how = jobs.near.iter().find(|(near, _)| near.name == job.name);
    let what: Cow<'_, str> = match how {
        None if !job.state.is_known() => "is in a state that this owl does not know".into(),
        None => match &job.running {
            Some(running) if running.alive.known().is_some() => {
                let pid = running.pid.map(|pid| format!(" (process {pid})"));
                format!("is under way{}", pid.unwrap_or_default()).into()
            }
            Some(_) | None => "is not finished".into(),
        },
        Some((_, Likeness::Path)) => "recorded another worktree at its path".into(),
        Some((_, Likeness::Moved)) => "recorded it at another path".into(),
        Some((_, Likeness::Branch)) => "has its branch".into(),
        Some((_, Likeness::Name)) => "has its number for a name".into(),
    };
    match job.standing {
        Standing::Ledger => format!("{named} {what}"),
        Standing::Listed | Standing::Stray => {
            let source = escape(job.source.as_bytes());
            format!("{named} of {source} {what}")
        }
    }
}
