//! The policy language and the tests of a policy, for people.

use super::Role;
use super::explain::rules;
use crate::policy::{Case, Topic};
use crate::resource::escape;
use crate::trial::Miss;
use std::io::{self, Write};

/// Columns that a paragraph takes.
const WIDTH: usize = 92;

/// Writes what the grammar says of one key.
pub fn topic(topic: &Topic, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "{}", Role::Heading.paint(&topic.path))?;
    if !topic.built {
        writeln!(to, "    not supported by this version of owl")?;
    }
    paragraph(("    ", "    "), topic.doc, to)?;
    writeln!(to, "    value:   {}", topic.value)?;
    for (word, doc, built) in &topic.words {
        let later = if *built {
            ""
        } else {
            " (not supported by this version of owl)"
        };
        let text = format!("{word}: {doc}{later}");
        paragraph(("      ", "        "), &text, to)?;
    }
    if let Some(default) = topic.default {
        writeln!(to, "    default: {default}")?;
    }
    if topic.required {
        writeln!(to, "    it must be there")?;
    }
    writeln!(to, "    example: {}", topic.example_line())?;
    writeln!(to, "    see:     {}", topic.rule)
}

/// Writes a text in lines, the first of which is indented by itself.
fn paragraph((first, next): (&str, &str), text: &str, to: &mut dyn Write) -> io::Result<()> {
    let mut line = String::new();
    let mut indent = first;
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + word.len() > WIDTH {
            writeln!(to, "{indent}{line}")?;
            indent = next;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(to, "{indent}{line}")
}

/// Writes how one test went, and where it failed what came instead, and why.
pub fn misses(file: &str, case: &Case, misses: &[Miss], to: &mut dyn Write) -> io::Result<()> {
    let name = escape(case.name.as_bytes());
    if misses.is_empty() {
        return writeln!(to, "ok    {name}");
    }
    let word = Role::Error.paint("FAIL");
    writeln!(
        to,
        "{word}  {name} ({}:{})",
        escape(file.as_bytes()),
        case.line
    )?;
    for miss in misses {
        let address = escape(miss.address.as_bytes());
        for difference in &miss.differences {
            writeln!(to, "        {address}: {difference}")?;
        }
        if let Some(came) = &miss.came {
            let row = &came.row;
            writeln!(
                to,
                "        {} ({}): {}",
                row.verdict.as_str(),
                row.reason,
                row.message
            )?;
            rules(&came.rules, 4, to)?;
        }
    }
    Ok(())
}
