//! Rows as a table for people (`spec 6`).
//!
//! The columns are laid out as plain text, and the symbol and the action are coloured afterwards,
//! so that escape sequences never count as width. Every text in a cell is escaped already, or is
//! escaped here: names of rules and files are the only raw ones.

use super::{Role, human_size};
use crate::plan::{Reason, Row, RuleRef, Verdict};
use crate::resource::escape;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width};
use std::io::{self, Write};

const HEADER: [&str; 6] = ["", "ACTION", "RESOURCE", "SIZE", "REASON", "RULE"];
/// Indentation, symbol, and action: what is coloured of a line, in ASCII and so in bytes.
const LEAD: usize = 11;
/// Below this a table is not readable, and above it the eye loses the line.
const WIDTHS: std::ops::RangeInclusive<u16> = 40..=200;

/// Writes the rows, and nothing where there are none.
pub(super) fn table<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    width: u16,
    to: &mut dyn Write,
) -> io::Result<()> {
    let rows: Vec<&Row> = rows.into_iter().collect();
    if rows.is_empty() {
        return Ok(());
    }
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let mut roles = rows.iter().map(|row| role(row));
    for (index, line) in laid_out(&rows, width).lines().enumerate() {
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

fn laid_out(rows: &[&Row], width: u16) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(HEADER);
    for row in rows {
        table.add_row([
            symbol(row).to_owned(),
            row.verdict.as_str().to_owned(),
            row.address.to_string(),
            size(row),
            row.message.clone(),
            row.rule.as_ref().map_or_else(|| "-".to_owned(), rule),
        ]);
    }
    // The resource, the reason, and the rule share what the others leave; each is sure of a part,
    // so that a long neighbour never cuts it away.
    let widths = table.column_max_content_widths();
    let shared = width.saturating_sub(23);
    let at_least = |column: usize, part: u16| {
        let own = widths.get(column).copied().unwrap_or_default() + 2;
        ColumnConstraint::LowerBoundary(Width::Fixed(own.min(part)))
    };
    table.set_constraints([
        ColumnConstraint::Absolute(Width::Fixed(4)),
        ColumnConstraint::Absolute(Width::Fixed(8)),
        at_least(2, shared * 2 / 5),
        ColumnConstraint::ContentWidth,
        at_least(4, shared * 2 / 5),
        at_least(5, shared / 5),
    ]);
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
        Reason::UnknownGuard(_) | Reason::UnknownRule | Reason::UnknownCommits => true,
        Reason::Guard(_)
        | Reason::Unpublished
        | Reason::ConflictingEvidence
        | Reason::NoRule
        | Reason::Kept
        | Reason::Landed(_)
        | Reason::Published
        | Reason::Rule
        | Reason::Gone
        | Reason::StoreAway => false,
    }
}

fn size(row: &Row) -> String {
    match row.size_bytes {
        _ if row.verdict == Verdict::Ignore => "-".to_owned(),
        Some(Some(bytes)) => human_size(bytes),
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
