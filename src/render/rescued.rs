//! The rescue refs, for people and for programs (`owl restore`).

use crate::assess::human_age;
use crate::observe::RescueRef;
use crate::resource::{Address, BytePath, escape};
use jiff::Timestamp;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// One rescue ref with what a person chooses by.
#[derive(Clone, Debug, Serialize)]
pub struct Rescued {
    /// Its address.
    pub address: Address,
    /// Its project.
    pub project: String,
    /// The ref.
    #[serde(flatten)]
    pub rescue: RescueRef,
    /// The subject of the commit, escaped; null if it could not be read.
    pub subject: Option<String>,
    /// When it expires; null if that is beyond the calendar.
    pub expires_at: Option<Timestamp>,
}

/// Writes a line for each.
pub fn human_rescued(all: &[Rescued], now: Timestamp, to: &mut dyn Write) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(to, "There is no rescue ref.");
    }
    let names: Vec<String> = all.iter().map(|one| escape(one.rescue.short())).collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    for (one, name) in all.iter().zip(&names) {
        let commit = one.rescue.commit.get(..12).unwrap_or(&one.rescue.commit);
        let age = match Duration::try_from(now.duration_since(one.rescue.written())) {
            Ok(age) => format!("{} old", human_age(age)),
            Err(_) => "from the future".to_owned(),
        };
        let ends = one
            .expires_at
            .map(|at| Duration::try_from(at.duration_since(now)));
        let ends = match ends {
            Some(Ok(left)) => format!("expires in {}", human_age(left)),
            Some(Err(_)) => "past its time".to_owned(),
            None => "never expires".to_owned(),
        };
        let subject = one.subject.as_deref().unwrap_or("?");
        writeln!(to, "{name:<width$}  {commit}  {age}, {ends}  {subject}")?;
    }
    writeln!(to, "\nTo have a branch back: owl restore NAME")
}

#[derive(Serialize)]
struct Document<'a> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    items: &'a [Rescued],
}

/// Writes them as one document.
pub fn json_rescued(all: &[Rescued], to: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        format_version: crate::plan::FORMAT_VERSION,
        kind: "rescue-refs",
        owl_version: env!("CARGO_PKG_VERSION"),
        items: all,
    };
    serde_json::to_writer_pretty(&mut *to, &document)?;
    writeln!(to)
}

#[derive(Serialize)]
struct Restored<'a> {
    format_version: &'static str,
    kind: &'static str,
    owl_version: &'static str,
    branch: &'a BytePath,
    commit: &'a str,
    /// Whether the branch was made now; if not, it was there already.
    made: bool,
    from: &'a BytePath,
}

/// Writes what was brought back.
pub fn json_restored(
    one: &Rescued,
    branch: &BytePath,
    made: bool,
    to: &mut dyn Write,
) -> io::Result<()> {
    let document = Restored {
        format_version: crate::plan::FORMAT_VERSION,
        kind: "restored",
        owl_version: env!("CARGO_PKG_VERSION"),
        branch,
        commit: &one.rescue.commit,
        made,
        from: &one.rescue.reference,
    };
    serde_json::to_writer_pretty(&mut *to, &document)?;
    writeln!(to)
}
