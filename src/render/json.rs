//! The JSON form (`spec 12`).

use crate::apply::{Done, Fate, Outcome};
use crate::observe::Observation;
use crate::plan::{Explanation, Plan, Row};
use crate::report::{Report, Tally};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes a plan.
pub fn json_plan(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, plan)?;
    writeln!(to)
}

/// Writes a plan as lines: the document without its items, and then one line an item.
pub fn json_lines_plan(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    lines(serde_json::to_value(plan)?, to)
}

/// Writes a report as lines, in the same way.
pub fn json_lines_report(report: &Report<'_>, to: &mut dyn Write) -> io::Result<()> {
    lines(document(report)?, to)
}

fn lines(mut document: serde_json::Value, to: &mut dyn Write) -> io::Result<()> {
    let items = document
        .as_object_mut()
        .and_then(|keys| keys.remove("items"));
    serde_json::to_writer(&mut *to, &document)?;
    writeln!(to)?;
    for item in items.iter().filter_map(|items| items.as_array()).flatten() {
        serde_json::to_writer(&mut *to, item)?;
        writeln!(to)?;
    }
    Ok(())
}

/// Writes an observation; `owl plan --observation` reads it.
pub fn json_observation(observation: &Observation, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, observation)?;
    writeln!(to)
}

/// Writes everything behind one row.
pub fn json_explanation(explanation: &Explanation, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, explanation)?;
    writeln!(to)
}

/// Writes why a run was refused: a reader of JSON gets JSON, with an empty list of items.
pub fn json_refusal(error: &str, hints: &[String], to: &mut dyn Write) -> io::Result<()> {
    let document = Refused {
        format_version: crate::plan::FORMAT_VERSION,
        kind: "error",
        owl_version: env!("CARGO_PKG_VERSION"),
        error,
        hints,
        items: [],
    };
    serde_json::to_writer_pretty(&mut *to, &document)?;
    writeln!(to)
}

#[derive(Serialize)]
struct Refused<'a> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    error: &'a str,
    hints: &'a [String],
    items: [(); 0],
}

/// Writes a report: the plan's document, each chosen item with its outcome.
pub fn json_report(report: &Report<'_>, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, &document(report)?)?;
    writeln!(to)
}

fn document(report: &Report<'_>) -> io::Result<serde_json::Value> {
    let outcomes: BTreeMap<_, _> = report
        .done
        .iter()
        .map(|done| (&done.address, &done.outcome))
        .collect();
    let items = report
        .plan
        .items
        .iter()
        .map(|row| Item {
            row,
            outcome: outcomes.get(&row.address).copied(),
        })
        .collect();
    let mut plan = report.plan.clone();
    plan.items.clear();
    plan.kind = "apply";
    let document = Document {
        plan,
        outcomes: report.tally(),
        recovered: &report.recovered,
        left_out: &report.left_out,
        stale: report
            .done
            .iter()
            .filter(|done| done.outcome.fate == Fate::Stale)
            .collect(),
        items,
    };
    let mut value = serde_json::to_value(&document)?;
    flatten(&mut value);
    Ok(value)
}

#[derive(Serialize)]
struct Document<'a> {
    plan: Plan,
    outcomes: Tally,
    #[serde(skip_serializing_if = "<[Done]>::is_empty")]
    recovered: &'a [Done],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    left_out: &'a [String],
    /// Rows of a saved plan that are not what they were; they may be no items any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stale: Vec<&'a Done>,
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    #[serde(flatten)]
    row: &'a Row,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a Outcome>,
}

/// Lifts the plan's keys to the top, so that an apply document is a plan document with more in it.
fn flatten(value: &mut serde_json::Value) {
    let Some(document) = value.as_object_mut() else {
        return;
    };
    if let Some(serde_json::Value::Object(plan)) = document.remove("plan") {
        for (key, value) in plan {
            document.entry(key).or_insert(value);
        }
    }
}
