//! `owl plan`: the whole program but the last step.

use super::args::{Format, PlanArgs};
use super::discovery::choose_without_repository;
use super::failure::{Failure, Outcome, WithHint};
use super::settings::{Names, Settings};
use super::survey::Survey;
use super::{file, stream};
use crate::plan::Plan;
use crate::render::{Look, Role, human_attention, human_plan, json_plan};
use crate::report::ExitStatus;
use anyhow::Context;
use std::path::Path;

/// The largest observation that is read.
const LARGEST: usize = 1 << 30;

/// Runs the command.
pub(super) fn run(args: &PlanArgs, settings: &Settings) -> Outcome {
    let plan = match &args.observation {
        Some(file) => recorded(file, settings)?,
        None => Survey::new(settings)?.plan(),
    };
    print(&plan, args, &look(args, settings), settings)
}

/// Writes a plan, and says how the run ends.
pub(super) fn print(plan: &Plan, args: &PlanArgs, look: &Look, settings: &Settings) -> Outcome {
    stream::write(|to| match settings.format {
        Format::Json => json_plan(plan, to),
        Format::Human if settings.quiet => human_attention(plan, &[], settings.width, to),
        Format::Human => human_plan(plan, look, to),
    })?;
    if args.strict && !plan.warnings.is_empty() {
        let word = Role::Error.paint("error:");
        stream::say(|to| writeln!(to, "{word} there are warnings, and --strict forbids them"));
        return Ok(ExitStatus::Error);
    }
    Ok(match (plan.complete, args.exit_code && plan.applyable) {
        (false, _) => ExitStatus::Error,
        (true, true) => ExitStatus::Findings,
        (true, false) => ExitStatus::Done,
    })
}

/// How the table is drawn, and which command follows.
pub(super) fn look(args: &PlanArgs, settings: &Settings) -> Look {
    let named = settings
        .policy
        .as_ref()
        .filter(|named| named.by == Names::Flag);
    let flag = named.map(|named| quoted(&named.path.to_string_lossy()));
    let next = match flag {
        None => "owl apply".to_owned(),
        Some(path) => format!("owl apply --policy {path}"),
    };
    Look {
        width: settings.width,
        all: args.all,
        next: args.observation.is_none().then_some(next),
    }
}

/// A word for a shell; one that cannot be shown safely is left to the user.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-~+@%:,=".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains(|c: char| c == '\'' || c.is_control()) {
        "FILE".to_owned()
    } else {
        format!("'{}'", crate::resource::escape(word.as_bytes()))
    }
}

/// A plan from an observation that was written down.
fn recorded(path: &Path, settings: &Settings) -> Result<Plan, Failure> {
    let policy = choose_without_repository(settings)?.policy;
    let bytes = file::read(path, settings, "the observation", LARGEST)?;
    let observation = serde_json::from_slice(&bytes)
        .with_context(|| {
            let path = crate::resource::BytePath::from(path);
            format!("{path} is not an observation of this version of owl")
        })
        .or_hint("write it with `owl observe > FILE`")?;
    Ok(Plan::new(&policy, &observation))
}
