//! A plan for people: the policy, the rows, the sum, what it rests on, and the next command.

use super::notes::{fetches, header, hidden, summary, warnings};
use super::table::table;
use super::{Look, Role};
use crate::plan::{Plan, Row, Verdict};
use crate::resource::escape;
use std::io::{self, Write};

/// Writes a plan.
pub fn human_plan(plan: &Plan, look: &Look, to: &mut dyn Write) -> io::Result<()> {
    header(plan, to)?;
    writeln!(to)?;
    let shown = |row: &&Row| match row.verdict {
        Verdict::Remove | Verdict::Prune | Verdict::Hold => true,
        Verdict::Keep | Verdict::Ignore => look.all,
    };
    if plan.items.iter().any(|row| shown(&row)) {
        table(plan.items.iter().filter(shown), look.width, to)?;
        writeln!(to)?;
    }
    if plan.complete && plan.items.iter().all(|row| row.verdict == Verdict::Ignore) {
        nothing_there(plan, to)?;
    }
    let sum = summary(&plan.summary);
    let sum = format!("Plan: {sum}. Nothing was changed.");
    writeln!(to, "{}", Role::Heading.paint(sum))?;
    if !plan.complete {
        writeln!(to, "Not everything could be read; the warnings say what.")?;
    }
    for fetch in fetches(plan) {
        writeln!(to, "{fetch}")?;
    }
    if let Some(hidden) = hidden(plan, &plan.items) {
        writeln!(to, "{hidden}")?;
    }
    warnings(plan, to)?;
    if let Some(command) = look.next.as_deref().filter(|_| plan.applyable) {
        writeln!(to, "To apply: {command}")?;
    }
    Ok(())
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
