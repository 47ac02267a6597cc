//! One job, and one project, of a list.

use super::values::{bytes, number, text, time};
use super::{Listed, ListedProject};
use crate::diag::{Code, Sink};
use crate::job::{
    DEFAULT_TTL, Decided, Identity, Job, Origin, Outcome, Run, Runner, State, Worktree,
    is_branch_name,
};
use crate::yaml::Level;
use crate::yaml::Support::Built;
use crate::yaml::fields::{Fields, word};
use crate::yaml::node::Node;
use jiff::Timestamp;
use std::collections::BTreeSet;

const JOB: Level = Level {
    what: "a job",
    keys: &[
        ("project", Built),
        ("project_number", Built),
        ("branch", Built),
        ("base", Built),
        ("worktree", Built),
        ("worktree_identity", Built),
        ("state", Built),
        ("ttl", Built),
        ("reason", Built),
        ("labels", Built),
        ("source", Built),
        ("ref", Built),
        ("created", Built),
        ("changed", Built),
        ("decided", Built),
        ("runs", Built),
    ],
    extras: false,
};
const PROJECT: Level = Level {
    what: "a project of a job list",
    keys: &[
        ("path", Built),
        ("name", Built),
        ("host", Built),
        ("device", Built),
        ("inode", Built),
        ("first_known", Built),
    ],
    extras: false,
};
const IDENTITY: Level = Level {
    what: "`worktree_identity`",
    keys: &[("device", Built), ("inode", Built), ("entry", Built)],
    extras: false,
};
const DECIDED: Level = Level {
    what: "`decided`",
    keys: &[("at", Built), ("tip", Built)],
    extras: false,
};
const RUN: Level = Level {
    what: "a run",
    keys: &[
        ("started", Built),
        ("ended", Built),
        ("outcome", Built),
        ("reason", Built),
        ("runner", Built),
    ],
    extras: false,
};
const RUNNER: Level = Level {
    what: "`runner`",
    keys: &[
        ("pid", Built),
        ("started", Built),
        ("boot", Built),
        ("pid_namespace", Built),
    ],
    extras: false,
};

/// There was an error, and it has been reported.
struct Reported;

/// Reads a value that may be left out.
fn optional<T>(
    fields: &Fields<'_>,
    key: &str,
    sink: &mut Sink<'_>,
    read: impl FnOnce(&Node, &mut Sink<'_>) -> Option<T>,
) -> Result<Option<T>, Reported> {
    match fields.value(key) {
        Some(node) => read(node, sink).map(Some).ok_or(Reported),
        None => Ok(None),
    }
}

/// Reads a project.
pub(super) fn project(node: &Node, sink: &mut Sink<'_>) -> Option<ListedProject> {
    let fields = Fields::read(node, &PROJECT, sink)?;
    let path = bytes(
        fields.require("path", "/src/app/.git", sink)?,
        "`path`",
        sink,
    );
    let name = text(fields.require("name", "app", sink)?, "`name`", sink);
    let host = text(fields.require("host", "\"0\"", sink)?, "`host`", sink);
    let device = number(fields.require("device", "1", sink)?, "`device`", sink);
    let inode = number(fields.require("inode", "2", sink)?, "`inode`", sink);
    let since = fields.require("first_known", "2026-11-30T02:00:00Z", sink)?;
    Some(ListedProject {
        path: path?,
        name: name?,
        host: host?,
        device: device?,
        inode: inode?,
        first_known: time(since, "`first_known`", sink)?,
    })
}

/// Reads a job.
pub(super) fn job(node: &Node, now: Timestamp, sink: &mut Sink<'_>) -> Option<Listed> {
    let fields = Fields::read(node, &JOB, sink)?;
    let project = optional(&fields, "project", sink, |node, sink| {
        bytes(node, "`project`", sink)
    });
    let project_number = optional(&fields, "project_number", sink, |node, sink| {
        number(node, "`project_number`", sink)
    });
    let branch = optional(&fields, "branch", sink, |node, sink| {
        branch_name(node, "`branch`", sink)
    });
    let base = optional(&fields, "base", sink, |node, sink| {
        branch_name(node, "`base`", sink)
    });
    let state = optional(&fields, "state", sink, state);
    let ttl = optional(&fields, "ttl", sink, |node, sink| {
        number(node, "`ttl`", sink)
    });
    let reason = optional(&fields, "reason", sink, |node, sink| {
        text(node, "`reason`", sink)
    });
    let labels = labels(&fields, sink);
    let origin = origin(&fields, sink);
    let worktree = worktree(&fields, sink);
    let decided = optional(&fields, "decided", sink, decided);
    let runs = runs(&fields, sink);
    let created = optional(&fields, "created", sink, |node, sink| {
        time(node, "`created`", sink)
    });
    let changed = optional(&fields, "changed", sink, |node, sink| {
        time(node, "`changed`", sink)
    });
    let (state, runs) = (state.ok()?.unwrap_or(State::Pending), runs?);
    let created = created
        .ok()?
        .unwrap_or_else(|| runs.first().map_or(now, |run| run.started));
    let last = runs.last().map(|run| run.ended.unwrap_or(run.started));
    let job = Job {
        branch: branch.ok()?,
        base: base.ok()?,
        ttl: ttl.ok()?.unwrap_or(if state == State::Exhausted {
            0
        } else {
            DEFAULT_TTL
        }),
        state,
        reason: reason.ok()?,
        labels: labels?,
        origin: origin.ok()?,
        created,
        changed: changed.ok()?.unwrap_or_else(|| last.unwrap_or(created)),
        worktree: worktree.ok()?,
        decided: decided.ok()?,
        runs,
    };
    require_sense(&job, &fields, sink)?;
    if job.state != State::Cancelled && job.state.is_known() {
        fields.require("branch", "fix-login", sink)?;
    }
    Some(Listed {
        at: node.at,
        project: project.ok()?,
        project_number: project_number.ok()?,
        job,
    })
}

/// What the parts of a job say of each other.
fn require_sense(job: &Job, fields: &Fields<'_>, sink: &mut Sink<'_>) -> Option<()> {
    let place = |key: &str| fields.value(key).map_or(fields.at, |node| node.at);
    let is_open = job.run_in_progress().is_some();
    let (at, message, hint) = if job.state == State::Pending && job.ttl == 0 {
        let hint = "give it a `ttl` of 1 or more, or the state `exhausted`";
        (place("ttl"), "a pending job has a run left", hint)
    } else if is_open && job.state != State::Active && job.state.is_known() {
        let hint = "give the run an end and an outcome, or the job the state `active`";
        (
            place("runs"),
            "only an active job has a run in progress",
            hint,
        )
    } else if job.decided.is_some() && job.state.is_known() && !job.state.is_decided() {
        let hint = "leave `decided` out, or give it the state `done` or `cancelled`";
        (place("decided"), "nobody has decided about this job", hint)
    } else {
        return Some(());
    };
    sink.error_with_hint(Code::BadValue, at, message, hint);
    None
}

fn branch_name(node: &Node, what: &str, sink: &mut Sink<'_>) -> Option<crate::resource::BytePath> {
    let name = bytes(node, what, sink)?;
    if !is_branch_name(name.as_bytes()) {
        let message = format!("{what} cannot be the name of a branch");
        let hint = "write it without refs/heads/, as `git branch` shows it";
        sink.error_with_hint(Code::BadValue, node.at, message, hint);
        return None;
    }
    Some(name)
}

/// Any word: one that this owl does not know may be a newer one's (A1.3).
fn state(node: &Node, sink: &mut Sink<'_>) -> Option<State> {
    let word = node.text("`state`", sink)?;
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if word.is_empty() || !word.chars().all(is_word) {
        let message = format!("`{word}` cannot be a state");
        let words = State::KNOWN
            .map(|state| state.as_str().to_owned())
            .join(", ");
        sink.error_with_hint(
            Code::UnknownValue,
            node.at,
            message,
            format!("known: {words}"),
        );
        return None;
    }
    Some(State::of(word))
}

fn labels(fields: &Fields<'_>, sink: &mut Sink<'_>) -> Option<BTreeSet<String>> {
    let items = match fields.value("labels") {
        Some(node) => node.items("`labels`", sink)?,
        None => &[],
    };
    items
        .iter()
        .map(|node| text(node, "a label", sink))
        .collect()
}

fn origin(fields: &Fields<'_>, sink: &mut Sink<'_>) -> Result<Option<Origin>, Reported> {
    let source = optional(fields, "source", sink, |node, sink| {
        text(node, "`source`", sink)
    });
    let reference = optional(fields, "ref", sink, |node, sink| text(node, "`ref`", sink));
    match (source?, reference?) {
        (Some(source), Some(reference)) => Ok(Some(Origin { source, reference })),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => {
            let message = "`source` and `ref` belong together";
            sink.error(Code::MissingKey, fields.at, message);
            Err(Reported)
        }
    }
}

fn worktree(fields: &Fields<'_>, sink: &mut Sink<'_>) -> Result<Option<Worktree>, Reported> {
    let path = optional(fields, "worktree", sink, |node, sink| {
        bytes(node, "`worktree`", sink)
    });
    let identity = optional(fields, "worktree_identity", sink, identity);
    match (path?, identity?) {
        (Some(path), identity) => Ok(Some(Worktree { path, identity })),
        (None, None) => Ok(None),
        (None, Some(_)) => {
            let message = "`worktree_identity` needs the key `worktree`";
            sink.error(Code::MissingKey, fields.at, message);
            Err(Reported)
        }
    }
}

fn identity(node: &Node, sink: &mut Sink<'_>) -> Option<Identity> {
    let fields = Fields::read(node, &IDENTITY, sink)?;
    Some(Identity {
        device: number(fields.require("device", "1", sink)?, "`device`", sink)?,
        inode: number(fields.require("inode", "2", sink)?, "`inode`", sink)?,
        entry: bytes(fields.require("entry", "fix", sink)?, "`entry`", sink)?,
    })
}

fn decided(node: &Node, sink: &mut Sink<'_>) -> Option<Decided> {
    let fields = Fields::read(node, &DECIDED, sink)?;
    let at = time(
        fields.require("at", "2026-11-30T02:00:00Z", sink)?,
        "`at`",
        sink,
    )?;
    let tip = match fields.value("tip") {
        None => None,
        Some(node) => {
            let found = node.spelling().filter(|text| {
                [40, 64].contains(&text.len()) && text.bytes().all(|c| c.is_ascii_hexdigit())
            });
            if found.is_none() {
                sink.error(Code::BadValue, node.at, "`tip` is no commit id in full");
            }
            Some(found?.to_owned())
        }
    };
    Some(Decided { at, tip })
}

fn runs(fields: &Fields<'_>, sink: &mut Sink<'_>) -> Option<Vec<Run>> {
    let items = match fields.value("runs") {
        Some(node) => node.items("`runs`", sink)?,
        None => &[],
    };
    let runs: Vec<Run> = items
        .iter()
        .map(|node| run(node, sink))
        .collect::<Option<_>>()?;
    if let [before @ .., _] = runs.as_slice()
        && let Some((node, _)) = items
            .iter()
            .zip(before)
            .find(|(_, run)| run.ended.is_none())
    {
        let message = "this run has no end, and is not the last one";
        sink.error(Code::BadValue, node.at, message);
        return None;
    }
    Some(runs)
}

fn run(node: &Node, sink: &mut Sink<'_>) -> Option<Run> {
    let fields = Fields::read(node, &RUN, sink)?;
    let started = fields.require("started", "2026-11-30T02:00:00Z", sink)?;
    let started = time(started, "`started`", sink);
    let ended = optional(&fields, "ended", sink, |node, sink| {
        time(node, "`ended`", sink)
    });
    let words = Outcome::ALL.map(|outcome| (outcome.as_str(), Some(outcome)));
    let outcome = optional(&fields, "outcome", sink, |node, sink| {
        word(node, "outcome", &words, sink)
    });
    let reason = optional(&fields, "reason", sink, |node, sink| {
        text(node, "`reason`", sink)
    });
    let runner = optional(&fields, "runner", sink, runner);
    let (ended, outcome) = (ended.ok()?, outcome.ok()?);
    if ended.is_some() != outcome.is_some() {
        let message = "`ended` and `outcome` of a run belong together";
        sink.error(Code::MissingKey, fields.at, message);
        return None;
    }
    Some(Run {
        started: started?,
        ended,
        outcome,
        reason: reason.ok()?,
        runner: runner.ok()?,
    })
}

fn runner(node: &Node, sink: &mut Sink<'_>) -> Option<Runner> {
    let fields = Fields::read(node, &RUNNER, sink)?;
    let namespace = fields.require("pid_namespace", "4026531836", sink)?;
    Some(Runner {
        pid: number(fields.require("pid", "1", sink)?, "`pid`", sink)?,
        started: number(fields.require("started", "1", sink)?, "`started`", sink)?,
        boot: text(fields.require("boot", "\"0\"", sink)?, "`boot`", sink)?,
        pid_namespace: number(namespace, "`pid_namespace`", sink)?,
    })
}
