//! A worktree in a few words, for a test of a policy.

use super::fields::{Fields, suggest};
use super::grammar;
use super::node::{Kind, Node};
use super::sketched_job::SketchedJob;
use super::{duration, size};
use crate::diag::{Code, Sink, Span};
use std::time::Duration;

/// What a test says of one fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told<T> {
    /// This is what it is.
    Known(T),
    /// It could not be told.
    Unknown,
}

/// A worktree as a test describes it; what it leaves out is harmless and known.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// The name of its administrative entry.
    pub name: String,
    /// The project's name.
    pub project: String,
    /// The store that it lies in, and where the test says so.
    pub store: Option<(String, Span)>,
    /// Its path.
    pub path: Option<String>,
    /// The short name of the branch; none if it is detached.
    pub branch: Option<String>,
    /// By which proof it has landed, if it has.
    pub landed: Told<Option<&'static str>>,
    /// Whether it is published.
    pub published: Told<bool>,
    /// Whether the branch has a commit of its own.
    pub own_commits: Told<bool>,
    /// Whether nothing tracked is changed.
    pub clean: Told<bool>,
    /// Untracked files.
    pub untracked: Told<Vec<String>>,
    /// Ignored files with their bytes.
    pub ignored: Told<Vec<(String, u64)>>,
    /// The reason of git's lock, if it has one.
    pub locked: Told<Option<String>>,
    /// How long nothing has happened in it.
    pub idle: Option<Told<Duration>>,
    /// How long ago it was made.
    pub age: Option<Told<Duration>>,
    /// Its bytes.
    pub size: Told<u64>,
    /// Whether a process uses it.
    pub process: Told<bool>,
    /// Whether its directory is gone.
    pub gone: bool,
    /// What the ledger knows of it; none if the test does not say, and there is no ledger.
    pub job: Option<SketchedJob>,
}

/// The bytes of a file whose size a test leaves out, and of a tree.
const SOME: u64 = 1 << 20;

impl Sketch {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(node, &grammar::TREE, sink)?;
        let text = |key: &str, sink: &mut Sink<'_>| match fields.value(key) {
            Some(node) => node
                .text(&format!("`{key}`"), sink)
                .map(|text| Some(text.to_owned())),
            None => Some(None),
        };
        // Each is read before any is given up, so that all their errors are reported.
        let name = text("name", sink);
        let project = text("project", sink);
        let store = text("store", sink);
        let path = text("path", sink);
        let branch = text("branch", sink);
        let flag = |key: &str, default: bool, sink: &mut Sink<'_>| match fields.value(key) {
            Some(node) => told(node, sink, |node, sink| {
                node.boolean(&format!("`{key}`"), sink)
            }),
            None => Some(Told::Known(default)),
        };
        let published = flag("published", false, sink);
        let own_commits = flag("own-commits", true, sink);
        let clean = flag("clean", true, sink);
        let process = flag("process", false, sink);
        let plain = |key: &str, sink: &mut Sink<'_>| match fields.value(key) {
            Some(node) => node.boolean(&format!("`{key}`"), sink),
            None => Some(false),
        };
        let detached = plain("detached", sink);
        let gone = plain("gone", sink);
        let time = |key: &str, sink: &mut Sink<'_>| match fields.value(key) {
            Some(node) => told(node, sink, |node, sink| duration::read(node, key, sink)).map(Some),
            None => Some(None),
        };
        let idle = time("idle", sink);
        let age = time("age", sink);
        let read_size = |node: &Node, sink: &mut Sink<'_>| size::read(node, "size", sink);
        let size = match fields.value("size") {
            Some(node) => told(node, sink, read_size),
            None => Some(Told::Known(SOME)),
        };
        let untracked = match fields.value("untracked") {
            Some(node) => told(node, sink, |node, sink| names(node, "untracked", sink)),
            None => Some(Told::Known(Vec::new())),
        };
        let ignored = match fields.value("ignored") {
            Some(node) => told(node, sink, sized),
            None => Some(Told::Known(Vec::new())),
        };
        let locked = match fields.value("locked") {
            Some(node) => lock(node, sink),
            None => Some(Told::Known(None)),
        };
        let landed = match fields.value("landed") {
            Some(node) => landed(node, sink),
            None => Some(Told::Known(None)),
        };
        let job = SketchedJob::read(&fields, sink);
        let (detached, branch) = (detached?, branch?);
        if let Some(node) = fields.value("branch").filter(|_| detached) {
            let message = "a detached worktree has no branch";
            sink.error_with_hint(Code::BadValue, node.at, message, "leave one of the two out");
            return None;
        }
        let name = name?.unwrap_or_else(|| "tree".to_owned());
        if name.is_empty() || name.contains('/') || name.chars().any(char::is_control) {
            let message = format!("`{name}` cannot be the name of a worktree");
            sink.error(Code::BadValue, node.at, message);
            return None;
        }
        Some(Self {
            branch: (!detached).then(|| branch.unwrap_or_else(|| name.clone())),
            project: project?.unwrap_or_else(|| "app".to_owned()),
            store: store?.zip(fields.value("store").map(|node| node.at)),
            path: path?,
            landed: landed?,
            published: published?,
            own_commits: own_commits?,
            clean: clean?,
            untracked: untracked?,
            ignored: ignored?,
            locked: locked?,
            idle: idle?,
            age: age?,
            size: size?,
            process: process?,
            gone: gone?,
            job: job?,
            name,
        })
    }
}

/// A value, or the word `unknown`.
fn told<T>(
    node: &Node,
    sink: &mut Sink<'_>,
    read: impl FnOnce(&Node, &mut Sink<'_>) -> Option<T>,
) -> Option<Told<T>> {
    if node.spelling() == Some("unknown") {
        return Some(Told::Unknown);
    }
    read(node, sink).map(Told::Known)
}

fn names(node: &Node, key: &str, sink: &mut Sink<'_>) -> Option<Vec<String>> {
    let items = node.items(&format!("`{key}`"), sink)?;
    let read: Vec<_> = items
        .iter()
        .map(|item| {
            path(
                item,
                key,
                item.text(&format!("a path of `{key}`"), sink)?,
                sink,
            )
        })
        .collect();
    read.into_iter().collect()
}

/// A path below the top of the worktree.
fn path(at: &Node, key: &str, text: &str, sink: &mut Sink<'_>) -> Option<String> {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    if text.split('/').all(is_part) {
        return Some(text.to_owned());
    }
    let message = format!("`{text}` of `{key}` is not a file in the worktree");
    let hint = "write its path below the top of the worktree, such as dist/app.js";
    sink.error_with_hint(Code::BadValue, at.at, message, hint);
    None
}

fn sized(node: &Node, sink: &mut Sink<'_>) -> Option<Vec<(String, u64)>> {
    let Kind::Map(entries) = &node.kind else {
        let names = names(node, "ignored", sink)?;
        return Some(names.into_iter().map(|name| (name, SOME)).collect());
    };
    let read: Vec<_> = entries
        .iter()
        .map(|entry| {
            let name = path(&entry.value, "ignored", &entry.key, sink)?;
            Some((name, size::read(&entry.value, "ignored", sink)?))
        })
        .collect();
    read.into_iter().collect()
}

fn lock(node: &Node, sink: &mut Sink<'_>) -> Option<Told<Option<String>>> {
    match node.spelling() {
        Some("unknown") => Some(Told::Unknown),
        Some("true") => Some(Told::Known(Some(String::new()))),
        Some("false") => Some(Told::Known(None)),
        Some(_) | None => node
            .text("`locked`", sink)
            .map(|reason| Told::Known(Some(reason.to_owned()))),
    }
}

fn landed(node: &Node, sink: &mut Sink<'_>) -> Option<Told<Option<&'static str>>> {
    const PROOFS: [&str; 5] = [
        "ancestor",
        "same-tree",
        "merge-adds-nothing",
        "patch-ids",
        "squash",
    ];
    let Some(text) = node.spelling().filter(|_| !node.is_nothing()) else {
        let hint = Some("write true, false, unknown, or the proof".to_owned());
        node.refuse("`landed` must be true, false, or a proof", hint, sink);
        return None;
    };
    let proof = PROOFS.iter().find(|proof| **proof == text);
    Some(match (text, proof) {
        ("true", _) => Told::Known(Some("ancestor")),
        ("false", _) => Told::Known(None),
        ("unknown", _) => Told::Unknown,
        (_, Some(proof)) => Told::Known(Some(proof)),
        (_, None) => {
            let message = format!("`{text}` is not a value of `landed`");
            let known = ["true", "false", "unknown"].into_iter().chain(PROOFS);
            sink.error_with_hint(Code::UnknownValue, node.at, message, suggest(text, known));
            return None;
        }
    })
}
