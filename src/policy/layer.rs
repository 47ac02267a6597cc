//! One text, read onto what it extends: this text over that, key by key (`spec 3`).
//!
//! Input: the root of a text, and the policy that it stands on. Output: both as one, and where the
//! text's own parts stand. Invariants: its rules come before the inherited ones, a rule or a store
//! of an equal name or path takes the place of the inherited one, and no inherited keep is lost.

use super::case::Case;
use super::ceilings::Ceilings;
use super::check::{require_inside, require_known, require_some, require_unique};
use super::document::{DeadLocks, Origin, PidNamespace, Policy, Processes, Submodules};
use super::fields::{Fields, word};
use super::grammar;
use super::job::JobSource;
use super::limits::{Limits, Ttl};
use super::losable::Losable;
use super::node::{Kind, Node};
use super::paths::{Lists, Paths};
use super::pattern::{Patterns, Star};
use super::project::ProjectDecl;
use super::rule::{Action, Rule};
use super::store::Store;
use crate::diag::{Code, Sink, Span};

/// Where the own parts of a text stand; they are the first ones in the policy.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    /// Each store.
    pub(super) stores: Vec<Span>,
    /// Each rule.
    pub(super) rules: Vec<Span>,
    /// Each of the keys of the file, with its value.
    pub(super) keys: Vec<(String, Span)>,
}

/// Reads a text onto what it extends; none after some errors, and the others are in the sink.
pub(super) fn read(
    root: &Node,
    inherited: Policy,
    origin: Origin,
    sink: &mut Sink<'_>,
) -> Option<(Policy, Own)> {
    let fields = Fields::read(root, &grammar::POLICY, sink)?;
    let projects = list(&fields, "projects", ProjectDecl::read, sink);
    let read_store = |node: &Node, sink: &mut Sink<'_>| Store::read(node, &inherited.stores, sink);
    let stores = list(&fields, "stores", read_store, sink);
    let jobs = sources(&fields, sink);
    let rules = list(&fields, "rules", Rule::read, sink);
    let tests = list(&fields, "tests", Case::read, sink);
    let ttl = fields.value("ttl");
    let ttl = ttl.map(|node| Ttl::read(node, inherited.ttl, sink));
    let limits = fields.value("limits");
    let limits = limits.map(|node| Limits::read(node, inherited.limits, sink));
    let check = fields.value("check");
    let check = check.map(|node| Ceilings::read(node, inherited.check, sink));
    let lists = Lists {
        rebuildable: paths(&fields, "rebuildable", &inherited.lists.rebuildable, sink),
        precious: paths(&fields, "precious", &inherited.lists.precious, sink),
    };
    let expendable = fields
        .value("expendable")
        .map(|node| Losable::read(node, "expendable", &inherited.expendable, sink));
    let rescue = rescue(&fields, inherited.rescue.as_ref(), sink);
    let dead_locks = fields.value("dead-locks").map(|node| {
        let words = [
            ("report", Some(DeadLocks::Report)),
            ("lift", Some(DeadLocks::Lift)),
        ];
        word(node, "dead-locks", &words, sink)
    });
    let submodules = fields.value("submodules").map(|node| {
        let words = [
            ("hold", Some(Submodules::Hold)),
            ("remove-published", Some(Submodules::RemovePublished)),
        ];
        word(node, "submodules", &words, sink)
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
        require_inside(root, &stores, sink);
    }
    require_some(&fields, sink);
    require_one_of_each(&projects, &stores, &rules, &tests, sink);
    require_one_source_of_each(&jobs, sink);
    require_keeps_stay(&rules, &inherited.rules, sink);
    let own = Own {
        stores: stores.iter().map(|(at, _)| *at).collect(),
        rules: rules.iter().map(|(at, _)| *at).collect(),
        keys: fields
            .iter()
            .map(|entry| (entry.key.clone(), entry.value.at))
            .collect(),
    };
    let mut joined_stores = values(stores);
    add_missing(&mut joined_stores, inherited.stores, |a, b| {
        a.path == b.path
    });
    let mut joined_rules = values(rules);
    add_missing(&mut joined_rules, inherited.rules, |a, b| a.name == b.name);
    let policy = Policy {
        origin,
        projects: if projects.is_empty() {
            inherited.projects
        } else {
            values(projects)
        },
        stores: joined_stores,
        rules: joined_rules,
        jobs: joined_jobs(fields.value("jobs").map(|_| values(jobs)), inherited.jobs),
        ttl: ttl.unwrap_or(inherited.ttl),
        limits: limits.unwrap_or(inherited.limits),
        check: check.unwrap_or(inherited.check),
        lists,
        expendable: expendable.map_or(Some(inherited.expendable), |read| read)?,
        rescue: rescue?,
        dead_locks: dead_locks.map_or(Some(inherited.dead_locks), |read| read)?,
        submodules: submodules.map_or(Some(inherited.submodules), |read| read)?,
        processes: processes.map_or(Some(inherited.processes), |read| read)?,
        pid_namespace: pid_namespace.map_or(Some(inherited.pid_namespace), |read| read)?,
        tests: values(tests),
        ..inherited
    };
    if !sink.has_errors() {
        require_known(&policy, sink);
    }
    Some((policy, own))
}

/// Two parts of one name, or two stores of one path, are a mistake.
fn require_one_of_each(
    projects: &[(Span, ProjectDecl)],
    stores: &[(Span, Store)],
    rules: &[(Span, Rule)],
    tests: &[(Span, Case)],
    sink: &mut Sink<'_>,
) {
    let places = projects.iter().map(|(at, project)| (*at, &*project.path));
    require_unique("project", places, sink);
    let declared = projects.iter();
    let names = declared.filter_map(|(at, project)| Some((*at, project.name.as_deref()?)));
    require_unique("project", names, sink);
    let places = stores.iter().map(|(at, store)| (*at, &*store.path));
    require_unique("store", places, sink);
    let names = rules.iter().map(|(at, rule)| (*at, &*rule.name));
    require_unique("rule", names, sink);
    let names = tests.iter().map(|(at, test)| (*at, &*test.name));
    require_unique("test", names, sink);
}

/// A source that is named twice is a mistake.
fn require_one_source_of_each(jobs: &[(Span, JobSource)], sink: &mut Sink<'_>) {
    for (nth, (at, source)) in jobs.iter().enumerate() {
        if let Some((first, _)) = jobs[..nth].iter().find(|(_, other)| other == source) {
            let message = format!("`jobs` names `{source}` twice");
            let hint = format!("the first one is in line {}", first.line);
            let at = Span { len: 1, ..*at };
            sink.error_with_hint(Code::DuplicateName, at, message, hint);
        }
    }
}

/// The stores of `rescue`, with those that are inherited; the outer none is an error.
#[expect(
    clippy::option_option,
    reason = "none at all is an answer, and an error is another"
)]
fn rescue(
    fields: &Fields<'_>,
    inherited: Option<&Patterns>,
    sink: &mut Sink<'_>,
) -> Option<Option<Patterns>> {
    let Some(node) = fields.value("rescue").filter(|node| !node.is_empty_list()) else {
        return Some(inherited.cloned());
    };
    let own = Patterns::read(node, "rescue", Star::Component, sink)?;
    match inherited {
        Some(other) => own
            .joined(other, ("rescue", Star::Component), node.at, sink)
            .map(Some),
        None => Some(Some(own)),
    }
}

/// An own rule takes the place of an inherited one of its name, which is how one is changed or
/// tightened; but a keep that is lost by accident would let worktrees go.
fn require_keeps_stay(own: &[(Span, Rule)], inherited: &[Rule], sink: &mut Sink<'_>) {
    for (at, rule) in own {
        let Some(replaced) = inherited.iter().find(|other| other.name == rule.name) else {
            continue;
        };
        if replaced.then == Action::Keep && rule.then != Action::Keep {
            let name = &rule.name;
            let message = format!("`{name}` would take the place of an inherited keep");
            let (file, line) = (&replaced.file, replaced.line);
            let hint = format!("give it another name; the keep stands in {file}:{line}");
            let at = Span { len: 1, ..*at };
            sink.error_with_hint(Code::DuplicateName, at, message, hint);
        }
    }
}

/// The sources of jobs of the text.
fn sources(fields: &Fields<'_>, sink: &mut Sink<'_>) -> Vec<(Span, JobSource)> {
    if let Some(node) = fields.value("jobs")
        && !matches!(node.kind, Kind::List(_))
    {
        let hint = "write a list, as in `jobs: [ledger]`, or one source a line".to_owned();
        node.refuse("`jobs` must be a list", Some(hint), sink);
        return Vec::new();
    }
    list(fields, "jobs", JobSource::read, sink)
}

/// Where jobs come from, joined; none if neither text says so.
fn joined_jobs(
    own: Option<Vec<JobSource>>,
    inherited: Option<Vec<JobSource>>,
) -> Option<Vec<JobSource>> {
    match (own, inherited) {
        (Some(mut own), Some(inherited)) => {
            add_missing(&mut own, inherited, JobSource::eq);
            Some(own)
        }
        (own, inherited) => own.or(inherited),
    }
}

fn paths(fields: &Fields<'_>, key: &str, inherited: &Paths, sink: &mut Sink<'_>) -> Paths {
    let read = fields
        .value(key)
        .and_then(|node| Paths::read(node, key, inherited, sink));
    read.unwrap_or_else(|| inherited.clone())
}

/// Reads each item of a list; an item with an error is left out, and the error reported.
fn list<T>(
    fields: &Fields<'_>,
    key: &str,
    read: impl Fn(&Node, &mut Sink<'_>) -> Option<T>,
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

fn add_missing<T>(own: &mut Vec<T>, inherited: Vec<T>, same: impl Fn(&T, &T) -> bool) {
    for one in inherited {
        if !own.iter().any(|known| same(known, &one)) {
            own.push(one);
        }
    }
}
