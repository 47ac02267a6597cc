//! `owl policy`: the text of a policy, what is wrong with it, what it means, and whether it says
//! what its tests expect.

mod explain;
mod lint;
mod test;

use super::args::PolicyCommand;
use super::discovery::{Chosen, builtin, choose, load};
use super::failure::{Failure, Outcome};
use super::settings::Settings;
use super::stream;
use crate::report::ExitStatus;
use crate::resource::escape;
use std::path::PathBuf;

/// Runs the command.
pub(super) fn run(command: &PolicyCommand, settings: &Settings) -> Outcome {
    match command {
        PolicyCommand::Show { name: Some(name) } => show(&builtin(name)?.text),
        PolicyCommand::Show { name: None } => show(&choose(settings)?.text),
        PolicyCommand::Check { file } => {
            let chosen = given(file.as_ref(), settings)?;
            let policy = &chosen.policy;
            stream::write(|to| {
                for warning in &policy.warnings {
                    writeln!(to, "{warning}\n")?;
                }
                writeln!(
                    to,
                    "{} is valid: {} stores, {} rules, sha256 {}",
                    escape(policy.source.name.as_bytes()),
                    policy.stores.len(),
                    policy.rules.len(),
                    policy.source.sha256
                )
            })?;
            Ok(ExitStatus::Done)
        }
        PolicyCommand::Lint { file } => lint::run(&given(file.as_ref(), settings)?),
        PolicyCommand::Test { file } => test::run(&given(file.as_ref(), settings)?, settings),
        PolicyCommand::Schema => explain::schema(),
        PolicyCommand::Explain { key } => explain::run(key.as_deref()),
    }
}

/// The named policy, or the one that is in force.
fn given(file: Option<&PathBuf>, settings: &Settings) -> Result<Chosen, Failure> {
    match file {
        Some(file) => load(file, settings),
        None => choose(settings),
    }
}

/// A policy is text, or it would not have been read; a terminal gets it without control characters.
fn show(text: &[u8]) -> Outcome {
    let lines = text.split(|byte| *byte == b'\n');
    let lines: Vec<_> = lines.map(shown).collect();
    stream::write(|to| write!(to, "{}", lines.join("\n")))?;
    Ok(ExitStatus::Done)
}

fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let is_plain = |c: char| !c.is_control() || c == '\t';
    if text.chars().all(is_plain) {
        text.into_owned()
    } else {
        escape(line)
    }
}
