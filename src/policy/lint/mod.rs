//! What is legal in a policy and hardly meant (`owl policy lint`).
//!
//! Input: a policy, where its own parts stand, and a sink with the warnings that every reading
//! finds. Output: more warnings. Invariant: sound, not complete: what is reported is certain for
//! every worktree that there could be; only the policy's own text is spoken of, never what it
//! inherits.

mod logic;

use super::condition::Condition;
use super::document::Policy;
use super::duration::show_duration;
use super::layer::Own;
use super::pattern::Patterns;
use super::rule::{Action, Rule};
use crate::diag::{Code, Sink, Span};
use logic::Ways;
use std::time::Duration;

/// Adds everything that is hardly meant.
pub(super) fn lint(policy: &Policy, own: &Own, sink: &mut Sink<'_>) {
    for (at, rule) in own.rules.iter().zip(&policy.rules) {
        let at = Span { len: 1, ..*at };
        lint_truth(rule, at, sink);
        lint_times(rule, at, policy.ttl.grace, sink);
        each(&rule.when, &mut |condition| {
            lint_globs(rule, condition, at, policy, sink);
        });
    }
    lint_stores(policy, own, sink);
    lint_lists(policy, own, sink);
    lint_action(policy, own, sink);
    lint_check(policy, own, sink);
}

fn key_at(own: &Own, key: &str) -> Span {
    let found = own.keys.iter().find(|(known, _)| known == key);
    found.map_or(Span::START, |(_, at)| *at)
}

/// A rule that can never hold, or that always does.
fn lint_truth(rule: &Rule, at: Span, sink: &mut Sink<'_>) {
    // This spelling says so on purpose: it is how an inherited rule is switched off.
    let is_off = matches!(&rule.when, Condition::Not(part) if is_everything(part));
    if is_off {
        return;
    }
    let name = &rule.name;
    if let Some(clash) = Ways::of(&rule.when).and_then(|ways| ways.impossible()) {
        let message = format!("the rule `{name}` can never hold: {clash}");
        let hint = "take one of the two away; to switch a rule off, write `not: { all: [] }`";
        sink.warning(Code::ImpossibleRule, at, message, hint);
        return;
    }
    let always = is_everything(&rule.when)
        || Ways::of_negated(&rule.when).is_some_and(|ways| ways.impossible().is_some());
    match (always, rule.then) {
        (true, Action::Keep) => {
            let message = format!("the keep `{name}` holds for every worktree: nothing ever goes");
            let hint = "say which worktrees it is for, or leave out every rule to report only";
            sink.warning(Code::SwallowsAll, at, message, hint);
        }
        (true, Action::Accept | Action::Drop) => {
            let message = format!("the rule `{name}` lets every worktree go, finished or not");
            let hint = "ask for `landed`, `published` or `idle-over`; only the guards are left";
            sink.warning(Code::SwallowsAll, at, message, hint);
        }
        (false, _) => {}
    }
}

fn is_everything(condition: &Condition) -> bool {
    matches!(condition, Condition::All(parts) if parts.iter().all(is_everything))
}

/// A time that the grace period makes idle.
fn lint_times(rule: &Rule, at: Span, grace: Duration, sink: &mut Sink<'_>) {
    if rule.then == Action::Keep {
        return;
    }
    each(&rule.when, &mut |condition| {
        let (Condition::IdleOver(limit) | Condition::AgeOver(limit)) = condition else {
            return;
        };
        if *limit >= grace {
            return;
        }
        let (key, limit, grace) = (condition.key(), show_duration(*limit), show_duration(grace));
        let message = format!(
            "`{key}: {limit}` of the rule `{}` says nothing: `ttl.grace` holds for {grace} anyway",
            rule.name
        );
        let hint = format!("write a longer time, or a shorter `grace` than {grace}");
        sink.warning(Code::NoEffect, at, message, hint);
    });
}

/// Globs that nothing can match, or that another one makes needless.
fn lint_globs(rule: &Rule, condition: &Condition, at: Span, policy: &Policy, sink: &mut Sink<'_>) {
    let name = &rule.name;
    match condition {
        Condition::Store(patterns) => {
            for text in patterns.texts() {
                let is_match = |path: &str| patterns.matching(path.as_bytes()).any(|it| it == text);
                if !policy.stores.iter().any(|store| is_match(&store.path)) {
                    let message =
                        format!("`store: {text}` of the rule `{name}` matches no declared store");
                    let hint = "a store is matched by its path as the policy spells it";
                    sink.warning(Code::NoEffect, at, message, hint);
                }
            }
        }
        Condition::Branch(patterns) => {
            // There could be such branches, but git would hardly let anybody work with them.
            let is_long = |text: &&String| text.starts_with("refs/") || text.starts_with("heads/");
            for text in patterns.texts().iter().filter(is_long) {
                let message = format!(
                    "`branch: {text}` of the rule `{name}` is not the short name of a branch"
                );
                let hint = "a branch is matched by its short name, without refs/heads/";
                sink.warning(Code::NoEffect, at, message, hint);
            }
        }
        Condition::Project(_)
        | Condition::Path(_)
        | Condition::Job(_)
        | Condition::Label(_)
        | Condition::JobAgeOver(_)
        | Condition::Landed(_)
        | Condition::Published(_)
        | Condition::OwnCommits(_)
        | Condition::Detached(_)
        | Condition::Locked(_)
        | Condition::Clean(_)
        | Condition::IdleOver(_)
        | Condition::AgeOver(_)
        | Condition::SizeOver(_)
        | Condition::Any(_)
        | Condition::All(_)
        | Condition::Not(_) => {}
    }
    if let Some(patterns) = logic::patterns(condition) {
        lint_needless(patterns, condition.key(), name, at, sink);
    }
}

fn lint_needless(patterns: &Patterns, key: &str, name: &str, at: Span, sink: &mut Sink<'_>) {
    for text in patterns.texts() {
        let others = || {
            patterns
                .matching(text.as_bytes())
                .filter(|other| *other != text)
        };
        if super::pattern::is_glob(text) {
            continue;
        }
        if let Some(other) = others().next() {
            let message = format!("`{text}` in `{key}` of the rule `{name}` is needless");
            let hint = format!("`{other}` matches it as well");
            sink.warning(Code::NoEffect, at, message, hint);
        }
    }
}

/// A store whose every leaf belongs to an earlier one.
fn lint_stores(policy: &Policy, own: &Own, sink: &mut Sink<'_>) {
    for (index, (at, store)) in own.stores.iter().zip(&policy.stores).enumerate() {
        let earlier = policy.stores[..index].iter().find(|other| {
            other.place == store.place
                && other.components.len() == store.components.len()
                && other
                    .components
                    .iter()
                    .zip(&store.components)
                    .all(|(wide, narrow)| wide.as_str() == "*" || wide == narrow)
        });
        if let Some(earlier) = earlier {
            let message = format!("the store `{}` never has a worktree", store.path);
            let hint = format!("`{}` comes first and has all of them", earlier.path);
            sink.warning(Code::NoEffect, Span { len: 1, ..*at }, message, hint);
        }
    }
}

/// A path that may be lost and never may.
fn lint_lists(policy: &Policy, own: &Own, sink: &mut Sink<'_>) {
    let precious = &policy.lists.precious;
    for text in policy.lists.rebuildable.texts() {
        let is_covered = !super::pattern::is_glob(text) && precious.covers(text.as_bytes());
        if is_covered || precious.texts().contains(text) {
            let message = format!("`{text}` is rebuildable and precious: it always holds");
            let hint = "`precious` wins; take it out of one of the two";
            sink.warning(Code::NoEffect, key_at(own, "rebuildable"), message, hint);
        }
    }
}

/// A policy that has rules, and lets nothing go.
fn lint_action(policy: &Policy, own: &Own, sink: &mut Sink<'_>) {
    if !policy.rules.is_empty() && !policy.acts() {
        let message = "no rule lets a worktree go: what they keep would stay anyway";
        let hint = "add a rule with `then: accept`, or leave out `rules` to report only";
        sink.warning(Code::NeverActs, key_at(own, "rules"), message, hint);
    }
    if policy.acts() && policy.limits.max_removals == 0 {
        let message = "`max-removals: 0` stops every run that would remove something";
        let hint = "to report only, leave out the rules";
        sink.warning(Code::NeverActs, key_at(own, "limits"), message, hint);
    }
}

/// Ceilings that check nothing, or nothing that another one does not.
fn lint_check(policy: &Policy, own: &Own, sink: &mut Sink<'_>) {
    if !own.keys.iter().any(|(key, _)| key == "check") {
        return;
    }
    let at = key_at(own, "check");
    let check = policy.check;
    if check.is_empty() {
        let message = "`check` has no ceiling: `owl check` has nothing to check";
        let hint = "write one, such as `unfinished: 0`, or leave out `check`";
        sink.warning(Code::NoEffect, at, message, hint);
    }
    for (key, ceiling) in [
        ("uncommitted", check.uncommitted),
        ("unpublished", check.unpublished),
        ("waiting", check.waiting),
    ] {
        if let (Some(part), Some(all)) = (ceiling, check.unfinished)
            && part >= all
        {
            let message = format!(
                "`{key}: {part}` of `check` says nothing: whatever crosses it crosses \
                 `unfinished: {all}`"
            );
            let hint = format!("write less than {all}, or take one of the two away");
            sink.warning(Code::NoEffect, at, message, hint);
        }
    }
}

/// Every condition in one, itself included.
fn each(condition: &Condition, see: &mut dyn FnMut(&Condition)) {
    see(condition);
    for part in condition.parts() {
        each(part, see);
    }
}
