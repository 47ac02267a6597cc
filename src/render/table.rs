//! The plan as a table for people (`spec 6`).

use super::human_size;
use crate::plan::{Plan, Row, Verdict};
use comfy_table::{ContentArrangement, Table};
use std::io::{self, Write};

/// How to draw it.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions {
    /// Columns that fit on a line.
    pub width: u16,
    /// Whether to list what is kept and ignored, too.
    pub all: bool,
}

/// Writes the table and the summary.
pub fn table(plan: &Plan, options: TableOptions, to: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new();
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(options.width);
    table.set_header(vec!["", "ACTION", "RESOURCE", "SIZE", "REASON", "RULE"]);
    let shown = |row: &&Row| match row.verdict {
        Verdict::Remove | Verdict::Prune | Verdict::Hold => true,
        Verdict::Keep | Verdict::Ignore => options.all,
    };
    for row in plan.items.iter().filter(shown) {
        let size = match row.size_bytes {
            Some(Some(bytes)) => human_size(bytes),
            Some(None) => "?".to_owned(),
            None => "-".to_owned(),
        };
        let rule = row.rule.as_ref().map_or_else(
            || "-".to_owned(),
            |rule| format!("{} {}:{}", rule.name, rule.file, rule.line),
        );
        table.add_row(vec![
            row.verdict.as_str().to_owned(),
            row.address.to_string(),
            size,
            row.message.clone(),
            rule,
        ]);
    }
    writeln!(to, "{table}")
}
