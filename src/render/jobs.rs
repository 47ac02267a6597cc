//! Jobs as a table, one job in full, and both as JSON (`spec 12`).

use super::Role;
use crate::job::{Job, Run};
use crate::resource::{BytePath, escape, human_age};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use jiff::Timestamp;
use serde::Serialize;
use std::io::{self, Write};

/// A job as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct ShownJob<'a> {
    /// Its number in the ledger.
    pub id: i64,
    /// What its repository is called.
    pub project: &'a str,
    /// The common git directory of that.
    pub project_path: &'a BytePath,
    /// Why that is not the repository that it was, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_problem: Option<&'a str>,
    /// The job.
    #[serde(flatten)]
    pub job: &'a Job,
}

#[derive(Serialize)]
struct Document<'a, T> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    ledger: &'a BytePath,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct Many<'a> {
    items: &'a [ShownJob<'a>],
}

#[derive(Serialize)]
struct One<'a> {
    job: &'a ShownJob<'a>,
}

/// Writes jobs as one JSON document.
pub fn json_jobs(ledger: &BytePath, jobs: &[ShownJob<'_>], to: &mut dyn Write) -> io::Result<()> {
    json("jobs", ledger, &Many { items: jobs }, to)
}

/// Writes one job as one JSON document.
pub fn json_job(ledger: &BytePath, job: &ShownJob<'_>, to: &mut dyn Write) -> io::Result<()> {
    json("job", ledger, &One { job }, to)
}

fn json<T: Serialize>(
    kind: &'static str,
    ledger: &BytePath,
    body: &T,
    to: &mut dyn Write,
) -> io::Result<()> {
    let document = Document {
        format_version: "1.0",
        kind,
        owl_version: env!("CARGO_PKG_VERSION"),
        ledger,
        body,
    };
    serde_json::to_writer_pretty(&mut *to, &document)?;
    writeln!(to)
}

/// Writes jobs as a table for people, and below it what is wrong with their repositories.
pub fn human_jobs(
    jobs: &[ShownJob<'_>],
    now: Timestamp,
    width: u16,
    to: &mut dyn Write,
) -> io::Result<()> {
    if jobs.is_empty() {
        return writeln!(to, "No job.");
    }
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width.clamp(40, 200))
        .set_header([
            "JOB",
            "STATE",
            "PROJECT",
            "BRANCH",
            "RUNS LEFT",
            "SINCE",
            "REASON",
        ]);
    for shown in jobs {
        let job = shown.job;
        table.add_row([
            shown.id.to_string(),
            job.state.to_string(),
            escape(shown.project.as_bytes()),
            branch(job),
            job.ttl.to_string(),
            human_age(job.changed, now),
            job.reason.as_deref().map_or_else(|| "-".to_owned(), text),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index == 0 || index == 4 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (index, line) in table.lines().enumerate() {
        let line = line.trim_end();
        if index == 0 {
            writeln!(to, "{}", Role::Heading.paint(line))?;
        } else {
            writeln!(to, "{line}")?;
        }
    }
    let mut told: Vec<&BytePath> = Vec::new();
    for shown in jobs {
        if let Some(problem) = shown.project_problem
            && !told.contains(&shown.project_path)
        {
            told.push(shown.project_path);
            let name = escape(shown.project.as_bytes());
            writeln!(
                to,
                "\n{} {name}: {problem}",
                Role::Warning.paint("warning:")
            )?;
        }
    }
    Ok(())
}

/// Writes one job in full for people.
pub fn human_job(shown: &ShownJob<'_>, now: Timestamp, to: &mut dyn Write) -> io::Result<()> {
    let job = shown.job;
    let title = format!("job {}: {}", shown.id, job.state);
    writeln!(to, "{}", Role::Heading.paint(title))?;
    let mut line = |name: &str, value: &str| writeln!(to, "  {name:<10} {value}");
    let name = escape(shown.project.as_bytes());
    line("project", &format!("{name}  {}", shown.project_path))?;
    if let Some(problem) = shown.project_problem {
        line("", problem)?;
    }
    line("branch", &branch(job))?;
    if let Some(base) = &job.base {
        line("base", &base.to_string())?;
    }
    let worktree = job.worktree.as_ref().map(|tree| match tree.identity {
        Some(_) => tree.path.to_string(),
        None => format!("{} (was not there when it was recorded)", tree.path),
    });
    line("worktree", worktree.as_deref().unwrap_or("-"))?;
    line("runs left", &job.ttl.to_string())?;
    if let Some(reason) = &job.reason {
        line("reason", &text(reason))?;
    }
    if let Some(origin) = &job.origin {
        line(
            "source",
            &format!("{} {}", text(&origin.source), text(&origin.reference)),
        )?;
    }
    if !job.labels.is_empty() {
        let labels: Vec<_> = job.labels.iter().map(|label| text(label)).collect();
        line("labels", &labels.join(", "))?;
    }
    let ago = |at: Timestamp| format!("{at:.0} ({} ago)", human_age(at, now));
    line("created", &ago(job.created))?;
    line("changed", &ago(job.changed))?;
    if let Some(decided) = &job.decided {
        let tip = decided.tip.as_deref().unwrap_or("of no known commit");
        line("decided", &format!("{}, {tip}", ago(decided.at)))?;
    }
    for (nth, run) in job.runs.iter().enumerate() {
        line(&format!("run {}", nth + 1), &described(run))?;
    }
    Ok(())
}

fn described(run: &Run) -> String {
    let outcome = match (run.outcome, run.ended) {
        (Some(outcome), Some(ended)) => format!("{} {ended:.0}", outcome.as_str()),
        (Some(_) | None, None) | (None, Some(_)) => "in progress".to_owned(),
    };
    let runner = run.runner.as_ref();
    let pid = runner.map_or_else(String::new, |runner| format!(", process {}", runner.pid));
    let reason = run
        .reason
        .as_deref()
        .map_or_else(String::new, |why| format!(": {}", text(why)));
    format!("{:.0} {outcome}{pid}{reason}", run.started)
}

fn branch(job: &Job) -> String {
    job.branch
        .as_ref()
        .map_or_else(|| "-".to_owned(), BytePath::to_string)
}

fn text(raw: &str) -> String {
    escape(raw.as_bytes())
}
