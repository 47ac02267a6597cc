//! The whole policy, and the way from bytes to it.

use super::fields::{Fields, word};
use super::grammar::{self, nearest};
use super::limits::{Limits, Ttl};
use super::node::{Kind, Node};
use super::project::ProjectDecl;
use super::rule::{Action, Rule};
use super::store::{Store, StorePlace};
use super::{shadow, yaml};
use crate::diag::{Code, Diagnostic, Sink, Span};
use crate::resource::hex;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The version of the grammar that this owl reads.
const VERSION: &str = "owl/v1";
/// The largest policy, in bytes; far beyond any that a person wrote.
const LARGEST: usize = 1024 * 1024;

/// Where the text of a policy came from, as every output names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of the file as the user knows it, or `built-in NAME`.
    pub name: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// Who wrote a policy, and so how far it may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user of this machine: it may reach everywhere.
    User,
    /// A repository: it governs that repository only.
    Repository,
    /// owl itself.
    BuiltIn,
}

/// What a process that may not be inspected means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    /// It is counted, named in every output, and does not hold.
    Visible,
    /// It holds.
    Strict,
}

/// Which process namespace the users of the trees run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PidNamespace {
    /// The host's; in another one, the processes that matter may be invisible.
    Host,
    /// This one: declared so by the user.
    Own,
}

/// The desired state.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Where it came from.
    pub source: Source,
    /// Who wrote it.
    pub origin: Origin,
    /// The repositories that it speaks of; none means the one that the user stands in.
    pub projects: Vec<ProjectDecl>,
    /// The places whose leaves may be removed.
    pub stores: Vec<Store>,
    /// The rules, in their order.
    pub rules: Vec<Rule>,
    /// How long things are left alone.
    pub ttl: Ttl,
    /// The brakes.
    pub limits: Limits,
    /// What a process that may not be inspected means.
    pub processes: Processes,
    /// Which process namespace counts.
    pub pid_namespace: PidNamespace,
    /// What is legal in the text but hardly meant.
    pub warnings: Vec<Diagnostic>,
}

impl Policy {
    /// Reads a policy, or reports every error in it; `name` is what the user calls the text.
    pub fn parse(name: &str, bytes: &[u8], origin: Origin) -> Result<Self, Vec<Diagnostic>> {
        let text = require_text(name, bytes)?;
        let mut sink = Sink::new(name, text);
        let policy = yaml::read(text, &mut sink)
            .and_then(|root| require_version(&root, &mut sink).map(|()| root))
            .and_then(|root| Self::read(&root, origin, &mut sink));
        let is_sound = !sink.has_errors();
        let found = sink.into_found();
        match policy.filter(|_| is_sound) {
            Some(policy) => Ok(Self {
                source: Source {
                    name: name.to_owned(),
                    sha256: hex(&Sha256::digest(bytes)),
                },
                warnings: found,
                ..policy
            }),
            None => Err(found),
        }
    }

    /// Whether any rule accepts; without one, nothing is removed or pruned.
    pub fn acts(&self) -> bool {
        self.rules.iter().any(|rule| rule.then == Action::Accept)
    }

    fn read(root: &Node, origin: Origin, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(root, &grammar::POLICY, sink)?;
        let projects = list(&fields, "projects", ProjectDecl::read, sink);
        let stores = list(&fields, "stores", Store::read, sink);
        let rules = list(&fields, "rules", Rule::read, sink);
        let ttl = fields.value("ttl").map(|node| Ttl::read(node, sink));
        let limits = fields.value("limits").map(|node| Limits::read(node, sink));
        let processes = fields.value("processes").map(|node| {
            let words = [
                ("visible", Some(Processes::Visible)),
                ("strict", Some(Processes::Strict)),
            ];
            word(node, "processes", &words, sink)
        });
        let pid_namespace = fields.value("pid-namespace").map(|node| {
            let words = [
                ("host", Some(PidNamespace::Host)),
                ("own", Some(PidNamespace::Own)),
            ];
            word(node, "pid-namespace", &words, sink)
        });
        if origin == Origin::Repository {
            require_inside(&fields, &stores, sink);
        }
        if let Some(projects) = fields.value("projects")
            && matches!(&projects.kind, Kind::List(items) if items.is_empty())
        {
            let hint = "leave `projects` out for the repository that you stand in";
            let message = "`projects` names no repository";
            sink.error_with_hint(Code::BadValue, projects.at, message, hint);
        }
        require_unique(
            "project",
            projects
                .iter()
                .filter_map(|(at, project)| Some((*at, project.name.as_deref()?))),
            sink,
        );
        require_unique(
            "store",
            stores.iter().map(|(at, store)| (*at, &*store.path)),
            sink,
        );
        require_unique(
            "rule",
            rules.iter().map(|(at, rule)| (*at, &*rule.name)),
            sink,
        );
        if !sink.has_errors() {
            warn(&stores, &rules, sink);
        }
        Some(Self {
            source: Source {
                name: String::new(),
                sha256: String::new(),
            },
            origin,
            projects: values(projects),
            stores: values(stores),
            rules: values(rules),
            ttl: ttl.unwrap_or_default(),
            limits: limits.unwrap_or_default(),
            processes: processes.map_or(Some(Processes::Visible), |read| read)?,
            pid_namespace: pid_namespace.map_or(Some(PidNamespace::Host), |read| read)?,
            warnings: Vec::new(),
        })
    }
}

/// The bytes as text, if they can be a policy at all.
fn require_text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Vec<Diagnostic>> {
    let refuse = |code, at, message: String, hint: &str| {
        let mut sink = Sink::new(name, "");
        sink.error_with_hint(code, at, message, hint);
        Err(sink.into_found())
    };
    if bytes.len() > LARGEST {
        let message = format!("the policy is too large: {} bytes", bytes.len());
        let hint = format!("a policy has at most {LARGEST} bytes; is this the right file?");
        return refuse(Code::TooLarge, Span::START, message, &hint);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let offset = error.valid_up_to();
            let message = format!("the policy is not UTF-8 text, from byte {offset} on");
            let hint = "save the file as UTF-8; is this the right file?";
            refuse(Code::NotUtf8, Span::of_byte(bytes, offset), message, hint)
        }
    }
}

/// Checked before all else, and alone: nothing can be said of a grammar that is not known.
fn require_version(root: &Node, sink: &mut Sink<'_>) -> Option<()> {
    let begin = format!("begin the file with `apiVersion: {VERSION}`");
    if root.is_nothing() {
        sink.error_with_hint(Code::Empty, root.at, "the policy is empty", begin);
        return None;
    }
    let entries = root.entries("a policy", sink)?;
    let Some(entry) = entries.iter().find(|entry| entry.key == "apiVersion") else {
        let near = |key: &str| nearest(key, ["apiVersion", "version"]).is_some();
        if let Some(entry) = entries.iter().find(|entry| near(&entry.key)) {
            let message = format!("`apiVersion` is missing, but there is `{}`", entry.key);
            sink.error_with_hint(Code::ApiVersion, entry.at, message, begin);
        } else {
            let at = Span { len: 1, ..root.at };
            sink.error_with_hint(Code::ApiVersion, at, "`apiVersion` is missing", begin);
        }
        return None;
    };
    let version = entry.value.text("`apiVersion`", sink)?;
    if version != VERSION {
        let message = format!("`{version}` is not a version that this owl reads");
        let hint = format!("this owl reads `{VERSION}`");
        sink.error_with_hint(Code::ApiVersion, entry.value.at, message, hint);
        return None;
    }
    Some(())
}

/// Reads each item of a list; an item with an error is left out, and the error reported.
fn list<T>(
    fields: &Fields<'_>,
    key: &str,
    read: fn(&Node, &mut Sink<'_>) -> Option<T>,
    sink: &mut Sink<'_>,
) -> Vec<(Span, T)> {
    let items = fields
        .value(key)
        .and_then(|node| node.items(&format!("`{key}`"), sink))
        .unwrap_or_default();
    items
        .iter()
        .filter_map(|item| Some((item.at, read(item, sink)?)))
        .collect()
}

fn values<T>(items: Vec<(Span, T)>) -> Vec<T> {
    items.into_iter().map(|(_, value)| value).collect()
}

fn require_unique<'a>(
    what: &str,
    names: impl Iterator<Item = (Span, &'a str)>,
    sink: &mut Sink<'_>,
) {
    let mut lines = HashMap::new();
    for (at, name) in names {
        if let Some(first) = lines.insert(name, at.line) {
            let message = format!("two {what}s are called `{name}`");
            let hint = format!("the first one is in line {first}");
            let at = Span { len: 1, ..at };
            sink.error_with_hint(Code::DuplicateName, at, message, hint);
        }
    }
}

/// A policy read from a repository governs that repository only.
fn require_inside(fields: &Fields<'_>, stores: &[(Span, Store)], sink: &mut Sink<'_>) {
    let hint = "write it in your own policy, or give this file with --policy";
    if let Some(entry) = fields.iter().find(|entry| entry.key == "projects") {
        let message = "a policy read from a repository cannot name `projects`";
        sink.error_with_hint(Code::BeyondRepository, entry.at, message, hint);
    }
    for (at, store) in stores {
        match store.place {
            StorePlace::Relative => {}
            StorePlace::Absolute | StorePlace::Home => {
                let path = &store.path;
                let message =
                    format!("a policy read from a repository cannot have the store `{path}`");
                let at = Span { len: 1, ..*at };
                sink.error_with_hint(Code::BeyondRepository, at, message, hint);
            }
        }
    }
}

fn warn(stores: &[(Span, Store)], rules: &[(Span, Rule)], sink: &mut Sink<'_>) {
    if stores.is_empty() {
        let message = "no store is declared, so nothing can ever be removed";
        let hint = "add a store such as `- path: .claude/worktrees/*` under `stores`";
        sink.warning(Code::NoStore, Span::START, message, hint);
    }
    let only: Vec<&Rule> = rules.iter().map(|(_, rule)| rule).collect();
    for (index, (at, rule)) in rules.iter().enumerate() {
        if let Some(shadow) = shadow::shadow_of(&only, index) {
            let message = format!("the rule `{}` can never decide", rule.name);
            let (name, line) = (&shadow.name, shadow.line);
            let hint = format!("`{name}` in line {line} holds wherever it holds, and goes first");
            let at = Span { len: 1, ..*at };
            sink.warning(Code::ShadowedRule, at, message, hint);
        }
    }
}
