//! Job lists: how jobs are handed from one program to another (`spec 8`: `import`, `file:`,
//! `command:`).
//!
//! One schema, in JSON or YAML. Only `branch` must be there, and that only until a job is cancelled; an unknown key is an error.
//!
//! ```yaml
//! format_version: "1.0"              # may be left out, as may kind and owl_version
//! kind: job-list
//! projects:                          # identities, as `owl jobs export` writes them; else a project
//! - { path: /src/app/.git, name: app, host: 0f…, device: 1, inode: 2, first_known: 2026-11-30T02:00:00Z }
//! jobs:
//! - project: /src/app                # any directory of the repository; default: where you stand
//!   project_number: 1                # which of `projects`, where two of them have the same path
//!   branch: fix-login
//!   base: main
//!   worktree: .claude/worktrees/fix  # absolute, or relative to the project's main worktree
//!   worktree_identity: { device: 1, inode: 2, entry: fix }
//!   state: pending                   # or active, review, blocked, done, cancelled, exhausted
//!   ttl: 3                           # runs left
//!   reason: waits for the API
//!   labels: [ui]
//!   source: my-queue                 # with ref: another tool's name for it, unique
//!   ref: "42"
//!   created: 2026-11-30T02:00:00Z    # default: the first run's start, else now
//!   changed: 2026-11-30T03:00:00Z    # default: the last run's end, else created
//!   decided: { at: 2026-11-30T04:00:00Z, tip: 0123…cdef }
//!   runs:
//!   - started: 2026-11-30T02:00:00Z
//!     ended: 2026-11-30T03:00:00Z    # with outcome; both are left out while it is in progress
//!     outcome: succeeded             # or failed, interrupted
//!     reason: tests pass
//!     runner: { pid: 7, started: 12345, boot: 6f1e…, pid_namespace: 4026531836 }
//! ```
//!
//! A path or branch that is not UTF-8 is `{ bytes_hex: … }`.

mod row;
mod values;

use super::Job;
use crate::diag::{Code, Diagnostic, Sink, Span};
use crate::resource::BytePath;
use crate::yaml::Support::Built;
use crate::yaml::fields::Fields;
use crate::yaml::node::Node;
use crate::yaml::{Document, Level, json_to_yaml, read};
use jiff::Timestamp;
use serde::Serialize;

/// The largest list that is read, in bytes.
pub const MOST_BYTES: usize = 64 << 20;
/// The version of the schema.
const VERSION: &str = "1.0";
/// What the document is.
const KIND: &str = "job-list";
const DOCUMENT: Document = Document {
    what: "job list",
    nodes: 4_000_000,
    depth: 16,
};
const LIST: Level = Level {
    what: "a job list",
    keys: &[
        ("format_version", Built),
        ("kind", Built),
        ("owl_version", Built),
        ("projects", Built),
        ("jobs", Built),
    ],
    extras: false,
};

/// What a list says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The identities that it brings along.
    pub projects: Vec<ListedProject>,
    /// Its jobs, in its order.
    pub jobs: Vec<Listed>,
}

/// The identity of a repository, as the ledger that wrote the list had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedProject {
    /// Its common git directory.
    pub path: BytePath,
    /// What it was called.
    pub name: String,
    /// The host on which it is.
    pub host: String,
    /// The device number of the directory.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
    /// Since when that ledger knew it.
    pub first_known: Timestamp,
}

/// One job of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it stands in the text.
    pub at: Span,
    /// The repository, as written: any directory of it, or the path of one of `projects`.
    pub project: Option<BytePath>,
    /// Which of `projects`, from 1, where two of them have the same path.
    pub project_number: Option<usize>,
    /// The job; its worktree's path is as written, too.
    pub job: Job,
}

/// Reads a list, or reports every error in it; `name` is what the user calls the text. What is not
/// said about times is `now`.
pub fn parse_list(name: &str, bytes: &[u8], now: Timestamp) -> Result<Listing, Vec<Diagnostic>> {
    let text = match std::str::from_utf8(bytes) {
        _ if bytes.len() > MOST_BYTES => {
            let message = format!("the job list is larger than {MOST_BYTES} bytes");
            return Err(alone(name, Code::TooLarge, Span::START, message));
        }
        Ok(text) => json_to_yaml(text),
        Err(why) => {
            let offset = why.valid_up_to();
            let message = format!("the job list is not UTF-8 text, from byte {offset} on");
            return Err(alone(
                name,
                Code::NotUtf8,
                Span::of_byte(bytes, offset),
                message,
            ));
        }
    };
    let mut sink = Sink::new(name, &text);
    let listing = read(DOCUMENT, &text, &mut sink).and_then(|root| listing(&root, now, &mut sink));
    match listing.filter(|_| !sink.has_errors()) {
        Some(listing) => Ok(listing),
        None => Err(sink.into_found()),
    }
}

/// Writes a list in JSON: equal lists are equal bytes, and [`parse_list`] reads the same back.
/// A job belongs to the project at that place of `projects`.
///
/// # Panics
///
/// If there is no such place.
pub fn write_list(projects: &[ListedProject], jobs: &[(usize, &Job)]) -> String {
    let document = Written {
        format_version: VERSION,
        kind: KIND,
        owl_version: env!("CARGO_PKG_VERSION"),
        projects,
        jobs: jobs
            .iter()
            .map(|(nth, job)| written(projects, *nth, job))
            .collect(),
    };
    let text =
        serde_json::to_string_pretty(&document).expect("because every value has a form in JSON");
    values::printable(&text) + "\n"
}

#[derive(Serialize)]
struct Written<'a> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    projects: &'a [ListedProject],
    jobs: Vec<WrittenJob<'a>>,
}

#[derive(Serialize)]
struct WrittenJob<'a> {
    project: &'a BytePath,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_number: Option<usize>,
    #[serde(flatten)]
    job: &'a Job,
}

fn written<'a>(projects: &'a [ListedProject], nth: usize, job: &'a Job) -> WrittenJob<'a> {
    let project = &projects[nth].path;
    let same = projects.iter().filter(|one| one.path == *project).count();
    WrittenJob {
        project,
        project_number: (same > 1).then_some(nth + 1),
        job,
    }
}

fn alone(name: &str, code: Code, at: Span, message: String) -> Vec<Diagnostic> {
    let mut sink = Sink::new(name, "");
    sink.error(code, at, message);
    sink.into_found()
}

fn listing(root: &Node, now: Timestamp, sink: &mut Sink<'_>) -> Option<Listing> {
    if root.is_nothing() {
        let hint = "a list without jobs is `jobs: []`";
        sink.error_with_hint(Code::Empty, root.at, "the job list is empty", hint);
        return None;
    }
    let fields = Fields::read(root, &LIST, sink)?;
    require_version(&fields, sink);
    let projects = match fields.value("projects") {
        Some(node) => node.items("`projects`", sink)?,
        None => &[],
    };
    let projects = projects
        .iter()
        .filter_map(|node| row::project(node, sink))
        .collect();
    let jobs = fields.require("jobs", "[]", sink)?;
    let jobs = jobs
        .items("`jobs`", sink)?
        .iter()
        .filter_map(|node| row::job(node, now, sink))
        .collect();
    Some(Listing { projects, jobs })
}

fn require_version(fields: &Fields<'_>, sink: &mut Sink<'_>) {
    if let Some(node) = fields.value("format_version") {
        let found = node.spelling();
        if found.and_then(|text| text.split('.').next()) != Some("1") {
            let message = "this owl reads version 1 of job lists";
            let hint = format!("write `format_version: \"{VERSION}\"`");
            sink.error_with_hint(Code::BadValue, node.at, message, hint);
        }
    }
    if let Some(node) = fields.value("kind")
        && node.spelling() != Some(KIND)
    {
        let message = "this document is no job list";
        let hint = format!("`kind` of a job list is `{KIND}`; is this the right file?");
        sink.error_with_hint(Code::BadValue, node.at, message, hint);
    }
}
