//! The whole policy, and the way from bytes to it.

use super::check::{
    require_inside, require_some, require_text, require_unique, require_version, warn,
};
use super::fields::{Fields, word};
use super::grammar;
use super::limits::{Limits, Ttl};
use super::losable::Losable;
use super::node::Node;
use super::pattern::{Patterns, Star};
use super::project::ProjectDecl;
use super::rule::{Action, Rule};
use super::store::Store;
use super::yaml;
use crate::diag::{Diagnostic, Sink, Span};
use crate::resource::hex;
use sha2::{Digest, Sha256};

/// Far beyond any policy that a person wrote.
const DOCUMENT: yaml::Document = yaml::Document {
    what: "policy",
    nodes: 20_000,
    depth: 32,
};

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

/// What becomes of a lock whose recorded process is proven dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLocks {
    /// It holds, and the row says that it is dead.
    Report,
    /// It is lifted, as a step of the row.
    Lift,
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
    /// Untracked or ignored paths that may be lost, each as a step of its own.
    pub expendable: Losable,
    /// Stores whose detached commits are pinned by a rescue ref; none if there are none.
    pub rescue: Option<Patterns>,
    /// What becomes of a lock whose process is proven dead.
    pub dead_locks: DeadLocks,
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
        let policy = yaml::read(DOCUMENT, text, &mut sink)
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

    /// Whether any rule accepts or drops; without one, nothing is removed, pruned, or expired.
    pub fn acts(&self) -> bool {
        self.rules.iter().any(|rule| rule.then != Action::Keep)
    }

    fn read(root: &Node, origin: Origin, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(root, &grammar::POLICY, sink)?;
        let projects = list(&fields, "projects", ProjectDecl::read, sink);
        let stores = list(&fields, "stores", Store::read, sink);
        let rules = list(&fields, "rules", Rule::read, sink);
        let ttl = fields.value("ttl").map(|node| Ttl::read(node, sink));
        let limits = fields.value("limits").map(|node| Limits::read(node, sink));
        let expendable = fields
            .value("expendable")
            .map(|node| Losable::read(node, "expendable", sink));
        let rescue = fields
            .value("rescue")
            .filter(|node| !node.is_empty_list())
            .map(|node| Patterns::read(node, "rescue", Star::Component, sink));
        let dead_locks = fields.value("dead-locks").map(|node| {
            let words = [
                ("report", Some(DeadLocks::Report)),
                ("lift", Some(DeadLocks::Lift)),
            ];
            word(node, "dead-locks", &words, sink)
        });
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
        require_some(&fields, sink);
        let paths = projects.iter().map(|(at, project)| (*at, &*project.path));
        require_unique("project", paths, sink);
        let declared = projects.iter();
        let names = declared.filter_map(|(at, project)| Some((*at, project.name.as_deref()?)));
        require_unique("project", names, sink);
        let paths = stores.iter().map(|(at, store)| (*at, &*store.path));
        require_unique("store", paths, sink);
        let names = rules.iter().map(|(at, rule)| (*at, &*rule.name));
        require_unique("rule", names, sink);
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
            expendable: expendable.unwrap_or_else(|| Some(Losable::default()))?,
            rescue: rescue.map_or(Some(None), |read| read.map(Some))?,
            dead_locks: dead_locks.map_or(Some(DeadLocks::Report), |read| read)?,
            processes: processes.map_or(Some(Processes::Visible), |read| read)?,
            pid_namespace: pid_namespace.map_or(Some(PidNamespace::Host), |read| read)?,
            warnings: Vec::new(),
        })
    }
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
