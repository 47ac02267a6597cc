//! A run of apply for people: a line an outcome while it happens, and the sum at the end.

use super::notes::{brakes, header, hidden, policy, stays, warning, warnings};
use super::table::{Measure, table};
use super::{Role, human_size};
use crate::apply::{Done, Fate, Outcome};
use crate::plan::{Plan, Row, Step};
use crate::report::Report;
use crate::resource::Address;
use std::io::{self, Write};

/// Writes the line that stands above the outcomes.
pub fn human_header(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    header(plan, to)?;
    writeln!(to)
}

/// Writes what became of what an earlier run had left open.
pub fn human_recovered(recovered: &[Done], to: &mut dyn Write) -> io::Result<()> {
    if recovered.is_empty() {
        return Ok(());
    }
    writeln!(to, "Left open by an earlier run, and seen to first:")?;
    for done in recovered {
        human_outcome(&done.address, &done.outcome, to)?;
    }
    writeln!(to)
}

/// Writes the one line of a run that has nothing to do; `why` is what it could not be told for.
pub fn human_nothing(plan: &Plan, why: Option<&str>, to: &mut dyn Write) -> io::Result<()> {
    let mut parts = stays(&plan.summary);
    if parts.is_empty() {
        parts.push("no worktree in the stores".to_owned());
    }
    parts.extend(why.map(ToOwned::to_owned));
    let stays = parts.join("; ");
    writeln!(to, "Nothing to do under {}: {stays}.", policy(plan))
}

/// Writes what became of one row.
pub fn human_outcome(address: &Address, outcome: &Outcome, to: &mut dyn Write) -> io::Result<()> {
    let (symbol, role) = look(outcome.fate);
    let lead = format!("  {symbol} {:<8}", outcome.fate.as_str());
    write!(to, "{} {address}", role.paint(lead))?;
    if outcome.message.is_empty() {
        writeln!(to)
    } else {
        writeln!(to, ": {}", outcome.message)
    }
}

/// Writes the end of a run: counts, everything that was left with its reason, and what stays.
pub fn human_report(report: &Report<'_>, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to)?;
    let freed = freed(report);
    let freed = if freed > 0 {
        format!("; {} freed", human_size(freed))
    } else {
        String::new()
    };
    let sum = format!("Applied: {}{freed}.", report.tally());
    writeln!(to, "{}", Role::Heading.paint(sum))?;
    let left: Vec<&Done> = report
        .all()
        .filter(|done| !done.outcome.fate.is_done())
        .collect();
    if !left.is_empty() {
        writeln!(to, "Not done, and why:")?;
        for done in left {
            human_outcome(&done.address, &done.outcome, to)?;
        }
    }
    let stays = stays(&report.plan.summary);
    if !stays.is_empty() {
        writeln!(to, "As planned: {}. `owl plan` says why.", stays.join("; "))?;
    }
    if !report.plan.complete {
        writeln!(to, "Not everything could be read; the warnings say what.")?;
    }
    if let Some(hidden) = hidden(report.plan, touched(report)) {
        writeln!(to, "{hidden}")?;
    }
    warnings(report.plan, to)
}

/// Writes only what needs a person, and nothing where nobody is needed (`--quiet`).
pub fn human_attention(
    plan: &Plan,
    done: &[Done],
    width: u16,
    to: &mut dyn Write,
) -> io::Result<()> {
    let report = Report {
        plan,
        recovered: Vec::new(),
        done: done.to_vec(),
        left_out: Vec::new(),
    };
    let unfinished = |row: &&Row| row.unfinished.is_some();
    let left: Vec<&Done> = done
        .iter()
        .filter(|done| !done.outcome.fate.is_done())
        .collect();
    let hidden = hidden(plan, touched(&report));
    let calm = left.is_empty()
        && plan.complete
        && news(plan).next().is_none()
        && plan.brakes.is_empty()
        && !plan.items.iter().any(|row| unfinished(&row));
    if calm {
        return Ok(());
    }
    header(plan, to)?;
    table(
        plan.items.iter().filter(unfinished),
        Measure::Size,
        width,
        to,
    )?;
    for done in left {
        human_outcome(&done.address, &done.outcome, to)?;
    }
    if !plan.complete {
        writeln!(to, "Not everything could be read; the warnings say what.")?;
    }
    if let Some(hidden) = hidden {
        writeln!(to, "{hidden}")?;
    }
    brakes(plan, to)?;
    news(plan).try_for_each(|text| warning(text, to))
}

/// The warnings that need a person, tonight as every night: a store is empty when all is well.
pub(super) fn news(plan: &Plan) -> impl Iterator<Item = &String> {
    let is_news = |text: &&String| !plan.unmatched.contains(text);
    plan.warnings.iter().filter(is_news)
}

/// The question before the chosen rows are carried out.
pub fn question<'a>(chosen: impl Iterator<Item = &'a Row>) -> String {
    let (mut jobs, mut trees, mut entries, mut branches, mut expired) = (0, 0, 0, 0, 0);
    for step in chosen.flat_map(|row| &row.steps) {
        match step {
            Step::SetJobState { .. } => jobs += 1,
            Step::RemoveWorktree => trees += 1,
            Step::PruneEntry => entries += 1,
            Step::DeleteBranch { .. } => branches += 1,
            Step::ExpireRescueRef { .. } => expired += 1,
            Step::LiftLock { .. }
            | Step::DiscardExpendable { .. }
            | Step::DiscardChange { .. }
            | Step::RemoveSubmodule { .. }
            | Step::WriteRescueRef { .. } => {}
        }
    }
    let parts: Vec<String> = [
        (jobs, "accept", "job"),
        (trees, "remove", "worktree"),
        (entries, "prune", "entry"),
        (branches, "delete", "branch"),
        (expired, "expire", "rescue ref"),
    ]
    .into_iter()
    .filter(|(number, ..)| *number > 0)
    .map(|(number, verb, noun)| format!("{verb} {}", super::notes::count(number, noun)))
    .collect();
    let mut question = parts.join(" and ");
    if let Some(first) = question.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{question}?")
}

/// The rows that were carried out.
fn touched<'a>(report: &'a Report<'_>) -> impl Iterator<Item = &'a Row> {
    let gone = report.done.iter().filter(|done| match done.outcome.fate {
        Fate::Removed
        | Fate::Pruned
        | Fate::Decided
        | Fate::BranchKept
        | Fate::PartiallyRemoved => true,
        Fate::AlreadyGone
        | Fate::Restored
        | Fate::Kept
        | Fate::Stale
        | Fate::Failed
        | Fate::NotAttempted => false,
    });
    gone.filter_map(|done| report.plan.row(&done.address))
}

fn freed(report: &Report<'_>) -> u64 {
    let removed = report
        .done
        .iter()
        .filter(|done| matches!(done.outcome.fate, Fate::Removed | Fate::BranchKept));
    removed
        .filter_map(|done| report.plan.row(&done.address)?.size_bytes?)
        .sum()
}

fn look(fate: Fate) -> (&'static str, Role) {
    match fate {
        Fate::Removed => ("-", Role::Remove),
        Fate::Pruned | Fate::Decided => ("x", Role::Prune),
        Fate::AlreadyGone | Fate::Restored => (" ", Role::Quiet),
        Fate::BranchKept | Fate::Kept | Fate::Stale | Fate::NotAttempted => ("!", Role::Hold),
        Fate::PartiallyRemoved | Fate::Failed => ("!", Role::Error),
    }
}
