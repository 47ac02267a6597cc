//! `owl check` for people, for programs, and as workflow commands of GitHub.
//!
//! Invariant: where all is well, text is empty; JSON always is a document.

use super::items::items;
use super::{Role, human_size};
use crate::assess::human_age;
use crate::fact::Kleene;
use crate::plan::{FORMAT_VERSION, PolicyNote};
use crate::report::{Amount, Ceiling, Check, ExitStatus, Item, Since};
use crate::resource::human_age as since;
use jiff::Timestamp;
use serde::Serialize;
use std::io::{self, Write};

/// Writes what is missing, a line a ceiling that is crossed, and what counts towards them.
pub fn human_check(check: &Check<'_>, width: u16, to: &mut dyn Write) -> io::Result<()> {
    for missing in &check.missing {
        writeln!(to, "{} {missing}", Role::Error.paint("not told:"))?;
    }
    for ceiling in check.crossed() {
        writeln!(to, "{}", Role::Heading.paint(sentence(ceiling)))?;
    }
    if !check.items.is_empty() {
        writeln!(to)?;
    }
    items(&check.items, check.plan.observed_at, width, to)
}

/// `unfinished: 12, at most 10`.
fn sentence(ceiling: &Ceiling) -> String {
    let (found, limit) = (shown(ceiling.found), shown(ceiling.limit));
    let found = if found == limit {
        format!("just over {found}")
    } else {
        found
    };
    format!("{}: {found}, at most {limit}", ceiling.key)
}

fn shown(amount: Amount) -> String {
    match amount {
        Amount::Count(number) => number.to_string(),
        Amount::Age(age) => human_age(age),
        Amount::Bytes(bytes) => human_size(bytes),
    }
}

/// Writes the same as workflow commands of GitHub: an error a line.
pub fn github_check(check: &Check<'_>, to: &mut dyn Write) -> io::Result<()> {
    for missing in &check.missing {
        error("owl check could not tell", missing, to)?;
    }
    for ceiling in check.crossed() {
        error("owl check", &sentence(ceiling), to)?;
    }
    for item in &check.items {
        let age = match item.since {
            Since::Known(at) => format!(" for {}", since(at, check.plan.observed_at)),
            Since::Unknown | Since::NoClock => String::new(),
        };
        let text = format!(
            "{}{age}: {} To resolve it: {}",
            item.word(),
            stopped(&item.message),
            item.command
        );
        error(item.address.as_str(), &text, to)?;
    }
    Ok(())
}

fn stopped(sentence: &str) -> String {
    format!("{}.", sentence.trim_end_matches('.'))
}

/// One workflow command; what is said is escaped as GitHub unescapes it.
fn error(title: &str, text: &str, to: &mut dyn Write) -> io::Result<()> {
    let data = |text: &str| {
        text.replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A")
    };
    let title = data(title).replace(':', "%3A").replace(',', "%2C");
    writeln!(to, "::error title={title}::{}", data(text))
}

#[derive(Serialize)]
struct Document<'a> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    observed_at: Timestamp,
    policy: &'a PolicyNote,
    complete: bool,
    /// Whether everything could be told, and no ceiling is crossed.
    passed: bool,
    ceilings: Vec<Told>,
    missing: &'a [String],
    warnings: &'a [String],
    items: &'a [Item],
}

#[derive(Serialize)]
struct Told {
    ceiling: &'static str,
    unit: &'static str,
    limit: u64,
    found: u64,
    /// Null where it could not be told.
    crossed: Option<bool>,
}

/// Writes all of it as one JSON document.
pub fn json_check(check: &Check<'_>, to: &mut dyn Write) -> io::Result<()> {
    let plan = check.plan;
    let document = Document {
        format_version: FORMAT_VERSION,
        kind: "check",
        owl_version: env!("CARGO_PKG_VERSION"),
        observed_at: plan.observed_at,
        policy: &plan.policy,
        complete: plan.complete,
        passed: check.exit() == ExitStatus::Done,
        ceilings: check.ceilings.iter().map(told).collect(),
        missing: &check.missing,
        warnings: &plan.warnings,
        items: &check.items,
    };
    serde_json::to_writer_pretty(&mut *to, &document)?;
    writeln!(to)
}

fn told(ceiling: &Ceiling) -> Told {
    let number = |amount: Amount| match amount {
        Amount::Count(number) => u64::try_from(number).unwrap_or(u64::MAX),
        Amount::Age(age) => age.as_secs(),
        Amount::Bytes(bytes) => bytes,
    };
    Told {
        ceiling: ceiling.key,
        unit: match ceiling.limit {
            Amount::Count(_) => "rows",
            Amount::Age(_) => "seconds",
            Amount::Bytes(_) => "bytes",
        },
        limit: number(ceiling.limit),
        found: number(ceiling.found),
        crossed: match &ceiling.crossed {
            Kleene::True => Some(true),
            Kleene::False => Some(false),
            Kleene::Unknown(_) => None,
        },
    }
}
