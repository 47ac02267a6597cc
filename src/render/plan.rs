//! A plan for people: the policy, the rows, the sum, what it rests on, and the next command.

use super::notes::{fetches, header, hidden, hints, summary, warnings};
use super::table::{Measure, table};
use super::{Look, Role, Sort};
use crate::plan::{Plan, Row, Verdict};
use crate::resource::escape;
use std::cmp::Reverse;
use std::io::{self, Write};

/// With more rows than this, the sum also stands above them.
const LONG: usize = 40;

/// Writes a plan.
pub fn human_plan(plan: &Plan, look: &Look, to: &mut dyn Write) -> io::Result<()> {
    header(plan, to)?;
    writeln!(to)?;
    let shown = |row: &&Row| is_listed(row, look);
    let mut rows: Vec<&Row> = plan.items.iter().filter(shown).collect();
    sort(&mut rows, look.sort);
    let sum = format!("Plan: {}. Nothing was changed.", summary(&plan.summary));
    if rows.len() > LONG {
        writeln!(to, "{}\n", Role::Heading.paint(&sum))?;
    }
    let measure = match look.sort {
        Sort::Idle => Measure::Idle(plan.observed_at),
        Sort::Verdict | Sort::Address | Sort::Size => Measure::Size,
    };
    if !rows.is_empty() {
        table(rows, measure, look.width, to)?;
        writeln!(to)?;
    }
    if plan.complete && plan.items.iter().all(|row| row.verdict == Verdict::Ignore) {
        nothing_there(plan, to)?;
    }
    writeln!(to, "{}", Role::Heading.paint(sum))?;
    if !plan.complete {
        writeln!(to, "Not everything could be read; the warnings say what.")?;
    }
    for fetch in fetches(plan) {
        writeln!(to, "{fetch}")?;
    }
    for hint in hints(plan) {
        writeln!(to, "{hint}")?;
    }
    if let Some(hidden) = hidden(plan, &plan.items) {
        writeln!(to, "{hidden}")?;
    }
    warnings(plan, to)?;
    if !plan.applyable && plan.summary.keep > 0 && !look.all && look.rules.is_empty() {
        writeln!(to, "What is kept, and why: owl plan --all")?;
    }
    if let Some(command) = look.next.as_deref().filter(|_| plan.applyable) {
        writeln!(to, "To apply: {command}")?;
    }
    Ok(())
}

fn is_listed(row: &Row, look: &Look) -> bool {
    let is_telling = match row.verdict {
        Verdict::Remove | Verdict::Prune | Verdict::Hold => true,
        Verdict::Keep | Verdict::Ignore => look.all || !look.rules.is_empty(),
    };
    let is_of = |name: &String| row.rule.as_ref().is_some_and(|rule| rule.name == *name);
    is_telling && (look.rules.is_empty() || look.rules.iter().any(is_of))
}

fn sort(rows: &mut [&Row], by: Sort) {
    match by {
        Sort::Verdict => {}
        Sort::Address => rows.sort_by(|a, b| a.address.cmp(&b.address)),
        Sort::Size => rows.sort_by_key(|row| Reverse(row.size_bytes.flatten())),
        Sort::Idle => rows.sort_by_key(|row| {
            let active = row.active_at.flatten();
            (active.is_none(), active)
        }),
    }
}

/// An empty table says where was looked.
fn nothing_there(plan: &Plan, to: &mut dyn Write) -> io::Result<()> {
    if plan.policy.stores.is_empty() {
        return writeln!(
            to,
            "The policy declares no store, so there is nothing to judge.\n"
        );
    }
    writeln!(to, "There is no worktree in the stores of this policy:")?;
    for store in &plan.policy.stores {
        writeln!(to, "  {}", escape(store.as_bytes()))?;
    }
    writeln!(to)
}
