//! Checks of the policy as a whole, before and after its parts are read.

use super::case::Given;
use super::document::Policy;
use super::fields::{Fields, suggest};
use super::grammar::nearest;
use super::layer::Own;
use super::node::{Kind, Node};
use super::rule::Rule;
use super::shadow;
use super::store::{Store, StorePlace};
use crate::diag::{Code, Diagnostic, Sink, Span};
use std::collections::HashMap;

/// The version of the grammar that this owl reads.
const VERSION: &str = "owl/v1";
/// The largest policy, in bytes; far beyond any that a person wrote.
pub const LARGEST: usize = 1024 * 1024;

/// The bytes as text, if they can be a policy at all.
pub(super) fn require_text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Vec<Diagnostic>> {
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
pub(super) fn require_version(root: &Node, sink: &mut Sink<'_>) -> Option<()> {
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
    let version = entry.value.spelling();
    if version != Some(VERSION) {
        let hint = format!("this owl reads `{VERSION}`");
        let message = match version {
            Some(version) => format!("`{version}` is not a version that this owl reads"),
            None => "`apiVersion` must be text".to_owned(),
        };
        sink.error_with_hint(Code::ApiVersion, entry.value.at, message, hint);
        return None;
    }
    Some(())
}

/// Names are how a user tells things apart.
pub(super) fn require_unique<'a>(
    what: &str,
    names: impl Iterator<Item = (Span, &'a str)>,
    sink: &mut Sink<'_>,
) {
    let mut lines = HashMap::new();
    for (at, name) in names {
        if let Some(first) = lines.insert(name, at.line) {
            let message = format!("`{name}` stands for two {what}s");
            let hint = format!("the first one is in line {first}");
            let at = Span { len: 1, ..at };
            sink.error_with_hint(Code::DuplicateName, at, message, hint);
        }
    }
}

/// An empty list of projects would silently mean the repository that the user stands in, and one of
/// sources of jobs the ledger.
pub(super) fn require_some(fields: &Fields<'_>, sink: &mut Sink<'_>) {
    for (key, what, instead) in [
        ("projects", "repository", "the repository that you stand in"),
        ("jobs", "source of jobs", "the ledger, which is always read"),
    ] {
        if let Some(list) = fields.value(key)
            && list.is_empty_list()
        {
            let message = format!("`{key}` names no {what}");
            let hint = format!("leave `{key}` out for {instead}");
            sink.error_with_hint(Code::BadValue, list.at, message, hint);
        }
    }
}

/// A policy read from a repository governs that repository only; what it extends is owl's own.
pub(super) fn require_inside(root: &Node, stores: &[(Span, Store)], sink: &mut Sink<'_>) {
    let hint = "write it in your own policy, or give this file with --policy";
    let Kind::Map(entries) = &root.kind else {
        return;
    };
    for entry in entries {
        let beyond = match (entry.key.as_str(), &entry.value.kind) {
            (key @ ("projects" | "manifests"), _) => vec![(entry.at, key)],
            // The ledger is a word; a file and a command are mappings.
            ("jobs", Kind::List(items)) => {
                let is_map = |item: &&Node| matches!(item.kind, Kind::Map(_));
                let mappings = items.iter().filter(is_map);
                mappings
                    .map(|item| (item.at, "jobs: file|command"))
                    .collect()
            }
            _ => Vec::new(),
        };
        for (at, what) in beyond {
            let message = format!("a policy read from a repository cannot name `{what}`");
            sink.error_with_hint(Code::BeyondRepository, at, message, hint);
        }
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

/// What the tests of a policy name must be in it.
pub(super) fn require_known(policy: &Policy, sink: &mut Sink<'_>) {
    for case in &policy.tests {
        if let Given::Tree(tree) = &case.given
            && let Some((store, at)) = &tree.store
            && !policy.stores.iter().any(|one| one.path == *store)
        {
            let message = format!("`{store}` is not a store of this policy");
            let names = policy.stores.iter().map(|one| &*one.path);
            sink.error_with_hint(Code::UnknownValue, *at, message, suggest(store, names));
        }
        for expectation in case.expectations() {
            if let Some((rule, at)) = &expectation.rule
                && rule != "none"
                && !policy.rules.iter().any(|one| one.name == *rule)
            {
                let message = format!("`{rule}` is not a rule of this policy");
                let names = policy.rules.iter().map(|one| &*one.name);
                sink.error_with_hint(Code::UnknownValue, *at, message, suggest(rule, names));
            }
        }
    }
}

/// What is legal but hardly meant, and can be told without looking at the world.
pub(super) fn warn(policy: &Policy, own: &Own, sink: &mut Sink<'_>) {
    if policy.stores.is_empty() {
        let message = "no store is declared, so nothing can ever be removed";
        let hint = "add a store such as `- path: .claude/worktrees/*` under `stores`";
        sink.warning(Code::NoStore, Span::START, message, hint);
    }
    let all: Vec<&Rule> = policy.rules.iter().collect();
    for (index, (at, rule)) in own.rules.iter().zip(&all).enumerate() {
        if let Some(shadow) = shadow::shadow_of(&all, index) {
            let message = format!("the rule `{}` can never decide", rule.name);
            let (name, line) = (&shadow.name, shadow.line);
            let place = if shadow.file == rule.file {
                format!("line {line}")
            } else {
                format!("{}:{line}", shadow.file)
            };
            let hint = format!("`{name}` in {place} holds wherever it holds, and goes first");
            let at = Span { len: 1, ..*at };
            sink.warning(Code::ShadowedRule, at, message, hint);
        }
    }
}
