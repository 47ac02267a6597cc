//! Rows as a table for people (`spec 6`).
//!
//! The columns are laid out as plain text, and the symbol and the action are coloured afterwards,
//! so that escape sequences never count as width. Every text in a cell is escaped already, or is
//! escaped here: names of rules and files are the only raw ones.

use super::{Role, human_size};
use crate::assess::human_age;
use crate::plan::{Reason, Row, RuleRef, Verdict};
use crate::resource::escape;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width};
use jiff::Timestamp;
use std::io::{self, Write};
use std::time::Duration;

/// Below this the rule has no column of its own, and stands behind the reason.
const ROOMY: u16 = 110;
/// Indentation, symbol, and action: what is coloured of a line, in ASCII and so in bytes.
const LEAD: usize = 11;
/// Below this a table is not readable, and above it the eye loses the line.
const WIDTHS: std::ops::RangeInclusive<u16> = 40..=200;

/// What stands in the column of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    /// Bytes on disk.
    Size,
    /// The time since the last sign of activity, until then.
    Idle(Timestamp),
}

/// Writes the rows, and nothing where there are none.
pub(super) fn table<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    measure: Measure,
    width: u16,
    to: &mut dyn Write,
) -> io::Result<()> {
    let rows: Vec<&Row> = rows.into_iter().collect();
    if rows.is_empty() {
        return Ok(());
    }
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let mut roles = rows.iter().map(|row| role(row));
    for (index, line) in laid_out(&rows, measure, width).lines().enumerate() {
        let line = line.trim_end();
        let (lead, rest) = line.split_at_checked(LEAD).unwrap_or((line, ""));
        if index == 0 {
            writeln!(to, "{}", Role::Heading.paint(line))?;
        } else if lead.trim().is_empty() {
            writeln!(to, "{line}")?;
        } else {
            let role = roles.next().unwrap_or(Role::Quiet);
            writeln!(to, "{}{rest}", role.paint(lead))?;
        }
    }
    Ok(())
}

fn laid_out(rows: &[&Row], measure: Measure, width: u16) -> Table {
    let roomy = width >= ROOMY;
    let measured = match measure {
        Measure::Size => "SIZE",
        Measure::Idle(_) => "IDLE",
    };
    let header = ["", "ACTION", "RESOURCE", measured, "REASON", "RULE"];
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(&header[..if roomy { 6 } else { 5 }]);
    for row in rows {
        let mut cells = vec![
            symbol(row).to_owned(),
            row.verdict.as_str().to_owned(),
            row.address.to_string(),
            measured_of(row, measure),
            row.message.clone(),
        ];
        match row.rule.as_ref() {
            Some(stated) if roomy => cells.push(rule(stated)),
            Some(stated) => {
                let name = escape(stated.name.as_bytes());
                cells[4] = format!("{} [{name}:{}]", row.message, stated.line);
            }
            None if roomy => cells.push("-".to_owned()),
            None => {}
        }
        table.add_row(cells);
    }
    // The resource, the reason, and the rule share what the others leave; each is sure of a part,
    // so that a long neighbour never cuts it away.
    let widths = table.column_max_content_widths();
    let shared = width.saturating_sub(23);
    let at_least = |column: usize, part: u16| {
        let own = widths.get(column).copied().unwrap_or_default() + 2;
        ColumnConstraint::LowerBoundary(Width::Fixed(own.min(part)))
    };
    let mut constraints = vec![
        ColumnConstraint::Absolute(Width::Fixed(4)),
        ColumnConstraint::Absolute(Width::Fixed(8)),
        at_least(2, if roomy { shared * 2 / 5 } else { shared / 2 }),
        ColumnConstraint::ContentWidth,
        at_least(4, shared * 2 / 5),
    ];
    if roomy {
        constraints.push(at_least(5, shared / 5));
    }
    table.set_constraints(constraints);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding(if index == 0 { (2, 1) } else { (0, 2) });
        if index == 3 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The sign before the action.
pub(super) fn symbol(row: &Row) -> &'static str {
    match row.verdict {
        Verdict::Remove => "-",
        Verdict::Prune => "x",
        Verdict::Hold if is_unknown(&row.reason) => "?",
        Verdict::Hold => "!",
        Verdict::Keep | Verdict::Ignore => " ",
    }
}

fn role(row: &Row) -> Role {
    match row.verdict {
        Verdict::Remove => Role::Remove,
        Verdict::Prune => Role::Prune,
        Verdict::Hold if is_unknown(&row.reason) => Role::Unknown,
        Verdict::Hold => Role::Hold,
        Verdict::Keep | Verdict::Ignore => Role::Quiet,
    }
}

fn is_unknown(reason: &Reason) -> bool {
    match reason {
        Reason::UnknownGuard(_)
        | Reason::UnknownRule
        | Reason::UnknownCommits
        | Reason::UnknownBranch
        | Reason::UnknownExpiry
        | Reason::UnknownJobState => true,
        Reason::Guard(_)
        | Reason::Unpublished
        | Reason::ConflictingEvidence
        | Reason::NoRule
        | Reason::Kept
        | Reason::Landed(_)
        | Reason::Published
        | Reason::Rule
        | Reason::BranchStays
        | Reason::Expired
        | Reason::Job(_)
        | Reason::Gone
        | Reason::StoreAway => false,
    }
}

fn measured_of(row: &Row, measure: Measure) -> String {
    let text = match measure {
        Measure::Size => row.size_bytes.map(|size| size.map(human_size)),
        Measure::Idle(now) => row.active_at.map(|active| {
            let age = Duration::try_from(now.duration_since(active?));
            age.ok().map(human_age)
        }),
    };
    match text {
        _ if row.verdict == Verdict::Ignore => "-".to_owned(),
        Some(Some(text)) => text,
        Some(None) => "?".to_owned(),
        None => "-".to_owned(),
    }
}

/// The rule with its place; of the file only the name, since the line above the table has it whole.
fn rule(rule: &RuleRef) -> String {
    let file = match rule.file.rsplit_once('/') {
        Some((_, name)) => name,
        None => &rule.file,
    };
    format!(
        "{} {}:{}",
        escape(rule.name.as_bytes()),
        escape(file.as_bytes()),
        rule.line
    )
}
