//! Everything behind one row, for people (`owl explain`).

use crate::assess::{Answer, Evidence, Finding};
use crate::observe::{Doubt, Found};
use crate::plan::{Asked, Explanation, ResourceKind, Row, Step, Tested, Verdict};
use crate::resource::escape;
use std::io::{self, Write};

/// Writes an explanation: the verdict, the guards, the rules, the evidence with the commands that
/// check it, and what resolves it.
pub fn explain(explanation: &Explanation, to: &mut dyn Write) -> io::Result<()> {
    let row = &explanation.row;
    writeln!(
        to,
        "{}: {} ({})",
        row.address,
        row.verdict.as_str(),
        row.reason
    )?;
    writeln!(to, "  {}", row.message)?;
    writeln!(
        to,
        "  {}",
        escape(row.place().as_os_str().as_encoded_bytes())
    )?;
    if let Some(Some(branch)) = &row.branch {
        writeln!(to, "  branch {}", escape(branch.as_bytes()))?;
    }
    if let Some(Some(head)) = &row.head {
        writeln!(to, "  HEAD {head}")?;
    }
    if row.kind == ResourceKind::RescueRef {
        return rest(explanation, to);
    }
    writeln!(to, "\nguards:")?;
    // Of what is none of owl's business, nothing was looked at.
    let is_told =
        |finding: &&Finding| row.verdict != Verdict::Ignore || finding.result != Answer::Unknown;
    for finding in row.guards.iter().filter(is_told) {
        guard(finding, to)?;
    }
    if !explanation.facts.is_empty() {
        writeln!(to, "\nfacts that rules ask for:")?;
        for (name, value) in &explanation.facts {
            writeln!(to, "  {name:<22} {value}")?;
        }
    }
    writeln!(to, "\nrules:")?;
    if explanation.rules.is_empty() {
        writeln!(to, "  none: the policy has no rules")?;
    }
    rules(&explanation.rules, 1, to)?;
    rest(explanation, to)
}

/// What every kind of row has.
fn rest(explanation: &Explanation, to: &mut dyn Write) -> io::Result<()> {
    let row = &explanation.row;
    if row.steps.len() > 1 {
        writeln!(to, "\nsteps, in order:")?;
        for step in &row.steps {
            writeln!(to, "  {}", told(step))?;
        }
    }
    if !row.evidence.is_empty() {
        writeln!(to, "\nevidence:")?;
        for evidence in &row.evidence {
            one(evidence, to)?;
        }
    }
    if let Some(remedy) = &explanation.remedy {
        writeln!(to, "\nto look at it, or resolve it:\n  {remedy}")?;
    }
    Ok(())
}

/// What a row gives up of what is not committed, a line a path.
pub fn losses(row: &Row) -> Vec<String> {
    let mut lines = Vec::new();
    for step in &row.steps {
        match step {
            Step::DiscardExpendable {
                path, size_bytes, ..
            } => lines.push(format!("?? {path} ({})", super::human_size(*size_bytes))),
            Step::DiscardChange { path, change, .. } => {
                lines.push(format!("{} {path}", change.replace('.', " ")));
            }
            Step::SetJobState { .. }
            | Step::LiftLock { .. }
            | Step::WriteRescueRef { .. }
            | Step::RemoveSubmodule { .. }
            | Step::RemoveWorktree
            | Step::PruneEntry
            | Step::DeleteBranch { .. }
            | Step::ExpireRescueRef { .. } => {}
        }
    }
    lines
}

/// A step as a sentence.
fn told(step: &Step) -> String {
    match step {
        Step::SetJobState { job, from, to, tip } => {
            let at = tip
                .as_deref()
                .map(|tip| format!("; its branch is at {tip}"));
            let at = at.unwrap_or_default();
            format!("set job {job} to {to}, if it is still in {from}{at}")
        }
        Step::LiftLock { reason } => format!("lift the dead lock: {reason}"),
        Step::DiscardExpendable {
            path, size_bytes, ..
        } => format!("discard {path} ({})", super::human_size(*size_bytes)),
        Step::DiscardChange { path, change, .. } => {
            format!("give up the change of {path} ({change})")
        }
        Step::WriteRescueRef { under, commit } => {
            format!("write a rescue ref {under}/… for {commit}")
        }
        Step::RemoveSubmodule { path, commit, .. } => {
            format!("let the submodule {path} go along, with its repository, at {commit}")
        }
        Step::RemoveWorktree => "remove the worktree".to_owned(),
        Step::PruneEntry => "prune the entry".to_owned(),
        Step::DeleteBranch { reference, commit } | Step::ExpireRescueRef { reference, commit } => {
            format!("delete {reference}, if it still names {commit}")
        }
    }
}

fn guard(finding: &Finding, to: &mut dyn Write) -> io::Result<()> {
    let word = match finding.result {
        Answer::Pass => "pass",
        Answer::Hold => "HOLD",
        Answer::Unknown => "UNKNOWN",
    };
    let message = finding.message.as_deref().unwrap_or_default();
    writeln!(
        to,
        "{}",
        format!("  {:<22} {word:<7} {message}", finding.guard.as_str()).trim_end()
    )
}

/// Writes every rule with its answer, and its condition broken down.
pub(super) fn rules(asked: &[Asked], depth: usize, to: &mut dyn Write) -> io::Result<()> {
    asked.iter().try_for_each(|one| rule(one, depth, to))
}

fn rule(asked: &Asked, depth: usize, to: &mut dyn Write) -> io::Result<()> {
    let answer = match asked.holds {
        Some(true) => "holds".to_owned(),
        Some(false) => "does not hold".to_owned(),
        None => format!("could not be decided: {}", asked.missing.join("; ")),
    };
    let rule = &asked.rule;
    writeln!(
        to,
        "{}{} ({}:{}) -> {}: {answer}",
        "  ".repeat(depth),
        escape(rule.name.as_bytes()),
        escape(rule.file.as_bytes()),
        rule.line,
        asked.then
    )?;
    // The keys of a `when` are a conjunction that nobody has written down.
    match asked.when.condition.as_str() {
        "all" if !asked.when.parts.is_empty() => {
            let mut parts = asked.when.parts.iter();
            parts.try_for_each(|part| tested(part, depth + 1, to))
        }
        _ => tested(&asked.when, depth + 1, to),
    }
}

/// One condition with its answer and what it looked at, those that it is made of below.
fn tested(one: &Tested, depth: usize, to: &mut dyn Write) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    let condition = escape(one.condition.as_bytes());
    match &one.value {
        Some(value) => writeln!(to, "{indent}{:<7} {condition}  ({value})", one.answer)?,
        None => writeln!(to, "{indent}{:<7} {condition}:", one.answer)?,
    }
    one.parts
        .iter()
        .try_for_each(|part| tested(part, depth + 1, to))
}

fn one(evidence: &Evidence, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "  {}", sentence(evidence))?;
    for command in evidence.commands() {
        writeln!(to, "    $ {command}")?;
    }
    Ok(())
}

fn sentence(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Ancestor {
            base,
            base_commit,
            commit,
        } => {
            format!("ancestor: {commit} is in {base} ({base_commit})")
        }
        Evidence::Published {
            reference,
            reference_commit,
            commit,
        } => {
            format!("published: {commit} is in {reference} ({reference_commit})")
        }
        Evidence::SameTree {
            base,
            base_commit,
            commit,
            paths,
            ..
        } => {
            let changed = changed(paths);
            format!("same-tree: {commit} and {base} ({base_commit}) have the same tree{changed}")
        }
        Evidence::MergeAddsNothing {
            base,
            base_commit,
            commit,
            paths,
            ..
        } => {
            let changed = changed(paths);
            format!(
                "merge-adds-nothing: merging {commit} into {base} ({base_commit}) changes nothing{changed}"
            )
        }
        Evidence::PatchIds {
            base, twins, paths, ..
        } => {
            let changed = changed(paths);
            format!(
                "patch-ids: {} commits have twins in {base}{changed}",
                twins.len()
            )
        }
        Evidence::Squash {
            base, twin, paths, ..
        } => {
            let changed = changed(paths);
            format!("squash: {twin} in {base} is the whole branch as one patch{changed}")
        }
        Evidence::Doubt { base, doubt, .. } => match doubt {
            Doubt::NetEmpty => "doubt: the commits change nothing as a whole".to_owned(),
            Doubt::OwnMerge { commit, path } => {
                format!("doubt: merge {commit} has content of its own: {path}")
            }
            Doubt::TakenBack { path } => format!("doubt: {base} took {path} back since"),
        },
        Evidence::Found { what, found } => format!("{} {what}: {found}", found.total),
        Evidence::Time { what, at } => format!("{what}: {at}"),
        Evidence::Process {
            pid,
            command,
            how,
            path,
        } => {
            format!("process {pid} ({command}) {} {path}", how.phrase())
        }
        Evidence::Note { text } => text.clone(),
    }
}

fn changed(paths: &Found) -> String {
    if paths.total == 0 {
        String::new()
    } else {
        format!("; {} changed: {paths}", paths.total)
    }
}
