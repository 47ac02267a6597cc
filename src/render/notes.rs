//! The sentences around the rows: which policy, how much, and what the verdicts rest on.
//!
//! Invariant: raw names are escaped here, exactly once; warnings, brakes and messages come escaped.

use super::{Role, human_size};
use crate::assess::{Code, Evidence, human_age};
use crate::plan::{BaseNote, Hint, Plan, Reason, ResourceKind, Row, Summary, Verdict};
use crate::resource::{BytePath, escape};
use std::io::{self, Write};
use std::time::Duration;

/// `1 worktree`, `2 worktrees`, `2 entries`, `2 processes`.
pub(super) fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) if noun.ends_with('s') || noun.ends_with("ch") => format!("{number} {noun}es"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// `owl.yaml (4 rules, sha256 3f2a91c0b1d2)`.
pub(super) fn policy(plan: &Plan) -> String {
    let policy = &plan.policy;
    let digest = policy.sha256.get(..12).unwrap_or(&policy.sha256);
    let mut source = escape(policy.source.as_bytes());
    for name in &policy.extends {
        source = format!("{source} + {}", escape(name.as_bytes()));
    }
    format!(
        "{source} ({}, sha256 {digest})",
        count(policy.rules, "rule")
    )
}

/// The line above the rows.
pub(super) fn header(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    let rows = plan.items.iter();
    let worktrees = rows.filter(|row| row.kind == ResourceKind::Worktree);
    writeln!(
        to,
        "policy: {}    observed: {}, {}",
        policy(plan),
        count(plan.projects.len(), "project"),
        count(worktrees.count(), "worktree"),
    )
}

/// `1 to remove (1.2 GiB), 1 to prune; 2 held; 13 kept, 1 ignored`.
pub(super) fn summary(summary: &Summary) -> String {
    let mut acts = Vec::new();
    if summary.remove > 0 {
        let size = human_size(summary.reclaim_bytes);
        acts.push(format!("{} to remove ({size})", summary.remove));
    }
    if summary.prune > 0 {
        acts.push(format!("{} to prune", summary.prune));
    }
    if acts.is_empty() {
        acts.push("nothing to do".to_owned());
    }
    let mut parts = vec![acts.join(", ")];
    parts.extend(stays(summary));
    parts.join("; ")
}

/// `2 held`, and `13 kept, 1 ignored`, as far as there are any.
pub(super) fn stays(summary: &Summary) -> Vec<String> {
    let some = |count: usize, word: &str| (count > 0).then(|| format!("{count} {word}"));
    let rest: Vec<_> = [some(summary.keep, "kept"), some(summary.ignore, "ignored")]
        .into_iter()
        .flatten()
        .collect();
    let rest = (!rest.is_empty()).then(|| rest.join(", "));
    [some(summary.hold, "held"), rest]
        .into_iter()
        .flatten()
        .collect()
}

/// How old the knowledge of each remote-tracking base is, where a verdict rests on it (`spec 4`).
pub(super) fn fetches(plan: &Plan) -> Vec<String> {
    plan.projects
        .iter()
        .filter(|project| plan.items.iter().any(|row| rests_on_a_fetch(row, project)))
        .filter_map(|project| {
            let remote = project.remote.as_deref()?;
            let short = remote.strip_prefix("refs/remotes/").unwrap_or(remote);
            let named = match plan.projects.len() {
                1 => escape(short.as_bytes()),
                _ => format!(
                    "{}: {}",
                    escape(project.name.as_bytes()),
                    escape(short.as_bytes())
                ),
            };
            Some(match project.fetched_at {
                Some(at) => match Duration::try_from(plan.observed_at.duration_since(at)) {
                    Ok(age) => format!("{named} was fetched {} ago.", human_age(age)),
                    Err(_) => format!("{named} was fetched in the future: see to the clock."),
                },
                None => format!("{named}: when it was fetched is not known."),
            })
        })
        .collect()
}

fn rests_on_a_fetch(row: &Row, project: &BaseNote) -> bool {
    let remote = |reference: &BytePath| reference.as_bytes().starts_with(b"refs/remotes/");
    let tracked = |evidence: &Evidence| match evidence {
        Evidence::Ancestor { base, .. }
        | Evidence::SameTree { base, .. }
        | Evidence::MergeAddsNothing { base, .. }
        | Evidence::PatchIds { base, .. }
        | Evidence::Squash { base, .. }
        | Evidence::Doubt { base, .. } => remote(base),
        Evidence::Published { reference, .. } => remote(reference),
        Evidence::Found { .. }
        | Evidence::Time { .. }
        | Evidence::Process { .. }
        | Evidence::Note { .. } => false,
    };
    row.project == project.name
        && match row.verdict {
            Verdict::Remove => row.evidence.iter().any(tracked),
            Verdict::Prune => true,
            Verdict::Hold => row.reason == Reason::Unpublished,
            Verdict::Keep | Verdict::Ignore => false,
        }
}

/// What one line of the policy would free, the most first.
pub(super) fn hints(plan: &Plan) -> Vec<String> {
    let hint = |hint: &Hint| {
        let holds = count(hint.worktrees, "worktree");
        let size = human_size(hint.bytes);
        let path = &hint.path;
        format!("`{path}` alone holds {holds} ({size}): see `rebuildable` in the policy.")
    };
    plan.hints.iter().map(hint).collect()
}

/// Promise 1's one exception, where a verdict of these rows rests on it.
pub(super) fn hidden<'a>(plan: &Plan, rows: impl IntoIterator<Item = &'a Row>) -> Option<String> {
    let passed = |row: &Row| {
        let mut guards = row.guards.iter();
        guards.any(|one| one.guard == Code::ProcessInside && one.passes())
    };
    if !rows.into_iter().any(passed) {
        return None;
    }
    let counts = "so that a worktree which only they use counts as unused";
    match plan.hidden_processes {
        Some(0) => None,
        Some(number) => {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            let processes = count(number, "process");
            Some(format!(
                "{processes} could not be inspected by this user, {counts}."
            ))
        }
        None => Some(format!(
            "Processes of other users are hidden from this user, {counts}."
        )),
    }
}

/// Every warning, and every limit that the plan is over.
pub(super) fn warnings(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    brakes(plan, to)?;
    let mut all = plan.warnings.iter();
    all.try_for_each(|text| warning(text, to))
}

/// Every limit that the plan is over.
pub(super) fn brakes(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    for brake in &plan.brakes {
        let word = Role::Warning.paint("limit:");
        writeln!(
            to,
            "{word} {brake}; apply refuses this plan without a person"
        )?;
    }
    Ok(())
}

/// One warning.
pub(super) fn warning(text: &str, to: &mut dyn Write) -> io::Result<()> {
    let text = text.strip_prefix("warning: ").unwrap_or(text);
    writeln!(to, "{} {text}", Role::Warning.paint("warning:"))
}
