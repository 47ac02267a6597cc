//! Rows that a person should look at, each with its age and a command (`owl status`, `owl check`).
//!
//! Invariants: what is coloured is laid out as plain text first; a command stands on a line of its
//! own and is never wrapped, so that it can be copied.

use super::Role;
use crate::report::{Item, Since};
use crate::resource::human_age;
use comfy_table::presets::NOTHING;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use jiff::Timestamp;
use std::io::{self, Write};

/// Indentation and the longest word for a kind, in ASCII and so in bytes: what is coloured.
const LEAD: usize = 15;
/// Below this a table is not readable, and above it the eye loses the line.
const WIDTHS: std::ops::RangeInclusive<u16> = 40..=200;

/// Writes the items, each with its command below it; nothing where there are none.
pub(super) fn items(
    items: &[Item],
    now: Timestamp,
    width: u16,
    to: &mut dyn Write,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let mut left = items.iter();
    let mut open: Option<&Item> = None;
    for (index, line) in laid_out(items, now, width).lines().enumerate() {
        let line = line.trim_end();
        let (lead, rest) = line.split_at_checked(LEAD).unwrap_or((line, ""));
        if index == 0 {
            writeln!(to, "{}", Role::Heading.paint(line))?;
        } else if lead.trim().is_empty() {
            writeln!(to, "{line}")?;
        } else {
            command(open, to)?;
            open = left.next();
            writeln!(to, "{}{rest}", Role::Hold.paint(lead))?;
        }
    }
    command(open, to)
}

fn command(item: Option<&Item>, to: &mut dyn Write) -> io::Result<()> {
    match item {
        Some(item) => writeln!(to, "      {}", item.command),
        None => Ok(()),
    }
}

fn laid_out(items: &[Item], now: Timestamp, width: u16) -> Table {
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(["KIND", "RESOURCE", "SINCE", "REASON"]);
    for item in items {
        table.add_row([
            item.word().to_owned(),
            item.address.to_string(),
            age(item, now),
            item.message.clone(),
        ]);
    }
    // The resource and the reason share what the others leave; each is sure of a part.
    let widths = table.column_max_content_widths();
    let shared = width.saturating_sub(u16::try_from(LEAD).unwrap_or(width) + 12);
    let at_least = |column: usize, part: u16| {
        let own = widths.get(column).copied().unwrap_or_default() + 2;
        ColumnConstraint::LowerBoundary(Width::Fixed(own.min(part)))
    };
    table.set_constraints([
        ColumnConstraint::Absolute(Width::Fixed(u16::try_from(LEAD).unwrap_or(width))),
        at_least(1, shared * 2 / 5),
        ColumnConstraint::ContentWidth,
        at_least(3, shared * 2 / 5),
    ]);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding(if index == 0 { (2, 2) } else { (0, 2) });
    }
    table
}

/// How long it has been so; `?` where that could not be told, and `-` where there is no clock.
fn age(item: &Item, now: Timestamp) -> String {
    match item.since {
        Since::Known(at) => human_age(at, now),
        Since::Unknown => "?".to_owned(),
        Since::NoClock => "-".to_owned(),
    }
}
