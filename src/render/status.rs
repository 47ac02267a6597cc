//! `owl status` for people and for programs: what waits, the jobs, the disk, the last run.

use super::items::items;
use super::notes::{brakes, count, header, hidden, warning};
use super::report::news;
use super::{Role, human_size};
use crate::plan::{FORMAT_VERSION, PolicyNote, Row};
use crate::report::{AuditRead, Disk, Item, JobCounts, LastRun, StateCount, Status};
use crate::resource::{escape, human_age};
use jiff::Timestamp;
use serde::Serialize;
use std::io::{self, Write};

/// Writes all of it.
pub fn human_status(status: &Status<'_>, width: u16, to: &mut dyn Write) -> io::Result<()> {
    let plan = status.plan;
    header(plan, to)?;
    writeln!(to)?;
    waiting(status, width, to)?;
    writeln!(to)?;
    writeln!(to, "{}", jobs(&status.jobs))?;
    writeln!(to, "{}", disk(&status.disk))?;
    audit(&status.audit, plan.observed_at, to)?;
    rest(status, to)
}

/// Writes only what needs a person, and nothing where nobody is needed (`--quiet`).
pub fn human_waiting(status: &Status<'_>, width: u16, to: &mut dyn Write) -> io::Result<()> {
    let is_calm = status.items.is_empty() && status.undecided == 0 && status.plan.complete;
    if status.audit.problem.is_some() {
        audit(&status.audit, status.plan.observed_at, to)?;
    }
    if is_calm {
        return Ok(());
    }
    waiting(status, width, to)?;
    if status.plan.complete {
        return Ok(());
    }
    rest(status, to)
}

fn waiting(status: &Status<'_>, width: u16, to: &mut dyn Write) -> io::Result<()> {
    let now = status.plan.observed_at;
    if status.items.is_empty() && status.undecided == 0 {
        let nothing = if status.plan.complete {
            "Nothing waits for you."
        } else {
            "Nothing waits for you in what could be read."
        };
        return writeln!(to, "{}", Role::Heading.paint(nothing));
    }
    if !status.items.is_empty() {
        let number = status.items.len();
        let verb = if number == 1 { "waits" } else { "wait" };
        let sum = format!("{} {verb} for you:", count(number, "thing"));
        writeln!(to, "{}", Role::Heading.paint(sum))?;
        items(&status.items, now, width, to)?;
    }
    if status.undecided > 0 {
        let number = status.undecided;
        let verb = if number == 1 { "waits" } else { "wait" };
        let also = if status.items.is_empty() { "" } else { "also " };
        writeln!(
            to,
            "{} {also}{verb} for a decision: owl jobs list --state review",
            count(number, "job")
        )?;
    }
    Ok(())
}

fn jobs(jobs: &JobCounts) -> String {
    let parts: Vec<String> = jobs
        .by_state
        .iter()
        .map(|one| format!("{} {}", one.count, one.state))
        .collect();
    let mut text = match (parts.is_empty(), jobs.complete) {
        (true, true) => "Jobs: none".to_owned(),
        (true, false) => "Jobs: they could not be read".to_owned(),
        (false, true) => format!("Jobs: {}", parts.join(", ")),
        (false, false) => format!("Jobs: {}, and some could not be read", parts.join(", ")),
    };
    if jobs.elsewhere > 0 {
        text += "; ";
        text += &jobs.elsewhere.to_string();
        text += " more may be of another repository";
    }
    text + "."
}

fn disk(disk: &Disk) -> String {
    if disk.worktrees == 0 {
        return "Disk: there is no worktree in the stores.".to_owned();
    }
    let verb = if disk.worktrees == 1 { "takes" } else { "take" };
    let mut text = format!(
        "Disk: {} {verb} {}",
        count(disk.worktrees, "worktree"),
        human_size(disk.total_bytes)
    );
    let parts: Vec<String> = [
        (disk.held_bytes, "held"),
        (disk.reclaimable_bytes, "reclaimable by `owl apply`"),
    ]
    .into_iter()
    .filter(|(bytes, _)| *bytes > 0)
    .map(|(bytes, what)| format!("{} {what}", human_size(bytes)))
    .collect();
    if !parts.is_empty() {
        text.push_str(" (");
        text.push_str(&parts.join(", "));
        text.push(')');
    }
    if disk.unknown > 0 {
        text += "; the size of ";
        text += &disk.unknown.to_string();
        text += " could not be told";
    }
    text + "."
}

fn audit(audit: &AuditRead, now: Timestamp, to: &mut dyn Write) -> io::Result<()> {
    let place = match &audit.path {
        Some(path) => path.to_string(),
        None => "HOME is not set".to_owned(),
    };
    if let Some(problem) = &audit.problem {
        let word = Role::Error.paint("error:");
        return writeln!(to, "Last run: {word} {place} could not be read: {problem}");
    }
    let Some(history) = &audit.history else {
        return writeln!(to, "Last run: none has changed anything yet (no {place}).");
    };
    match &history.last {
        Some(run) => last_run(run, now, to)?,
        None => writeln!(to, "Last run: none has changed anything yet.")?,
    }
    if history.unreadable > 0 {
        let word = Role::Warning.paint("warning:");
        let lines = count(history.unreadable, "line");
        writeln!(to, "{word} {lines} of {place} could not be read")?;
    }
    Ok(())
}

fn last_run(run: &LastRun, now: Timestamp, to: &mut dyn Write) -> io::Result<()> {
    let mut parts: Vec<String> = run
        .outcomes
        .iter()
        .map(|(fate, number)| format!("{number} {}", escape(fate.as_bytes())))
        .collect();
    if !run.open.is_empty() {
        parts.push(format!("{} without an outcome", run.open.len()));
    }
    writeln!(
        to,
        "Last run: {} ago ({:.0}): {}.",
        human_age(run.ended, now),
        run.ended,
        parts.join(", ")
    )?;
    let mut line = |fate: &str, address: &str, message: &str| {
        let lead = format!("  ! {:<8}", escape(fate.as_bytes()));
        let (address, message) = (once(address), once(message));
        writeln!(to, "{} {address}: {message}", Role::Hold.paint(lead))
    };
    for left in &run.left {
        line(&left.fate, &left.address, &left.message)?;
    }
    for address in &run.open {
        line(
            "begun",
            address,
            "the run was cut short, or is at work still",
        )?;
    }
    Ok(())
}

/// Text that was escaped before it was written down; but who knows who has written the log since.
fn once(text: &str) -> String {
    let escaped = escape(text.as_bytes());
    if escaped.replace("\\\\", "\\") == text {
        text.to_owned()
    } else {
        escaped
    }
}

fn rest(status: &Status<'_>, to: &mut dyn Write) -> io::Result<()> {
    let plan = status.plan;
    if !plan.complete {
        writeln!(to, "Not everything could be read; the warnings say what.")?;
    }
    let going = |row: &&Row| row.verdict.acts();
    if let Some(hidden) = hidden(plan, plan.items.iter().filter(going)) {
        writeln!(to, "{hidden}")?;
    }
    brakes(plan, to)?;
    news(plan).try_for_each(|text| warning(text, to))
}

#[derive(Serialize)]
struct Document<'a> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    observed_at: Timestamp,
    policy: &'a PolicyNote,
    complete: bool,
    /// How many jobs are in review, and have not waited for too long yet.
    undecided_jobs: usize,
    jobs: Jobs<'a>,
    disk: Disk,
    audit: Audit<'a>,
    /// The last run that changed something; null if there was none, or it could not be told.
    last_run: Option<&'a LastRun>,
    hidden_processes: Option<u64>,
    warnings: &'a [String],
    /// What waits for a person.
    items: &'a [Item],
}

#[derive(Serialize)]
struct Jobs<'a> {
    complete: bool,
    by_state: &'a [StateCount],
    elsewhere: usize,
}

#[derive(Serialize)]
struct Audit<'a> {
    path: Option<String>,
    /// Whether there is a log; null where that could not be told.
    found: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
    unreadable_lines: usize,
}

/// Writes all of it as one JSON document.
pub fn json_status(status: &Status<'_>, to: &mut dyn Write) -> io::Result<()> {
    let (plan, audit) = (status.plan, &status.audit);
    let history = audit.history.as_ref();
    let document = Document {
        format_version: FORMAT_VERSION,
        kind: "status",
        owl_version: env!("CARGO_PKG_VERSION"),
        observed_at: plan.observed_at,
        policy: &plan.policy,
        complete: plan.complete,
        undecided_jobs: status.undecided,
        jobs: Jobs {
            complete: status.jobs.complete,
            by_state: &status.jobs.by_state,
            elsewhere: status.jobs.elsewhere,
        },
        disk: status.disk,
        audit: Audit {
            path: audit.path.as_ref().map(ToString::to_string),
            found: audit.problem.is_none().then_some(history.is_some()),
            problem: audit.problem.as_deref(),
            unreadable_lines: history.map_or(0, |history| history.unreadable),
        },
        last_run: history.and_then(|history| history.last.as_ref()),
        hidden_processes: plan.hidden_processes,
        warnings: &plan.warnings,
        items: &status.items,
    };
    serde_json::to_writer_pretty(&mut *to, &document)?;
    writeln!(to)
}
