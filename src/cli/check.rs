//! `owl check`: whether more is unfinished than the policy's `check` allows.

use super::args::{CheckArgs, Form, Proof};
use super::failure::{Failure, Outcome};
use super::settings::Settings;
use super::stream;
use super::survey::Survey;
use crate::policy::Ceilings;
use crate::render::{github_check, human_check, json_check};
use crate::report::Check;

/// Runs the command.
pub(super) fn run(args: &CheckArgs, form: Form, settings: &Settings) -> Outcome {
    let survey = Survey::new(Proof::Stat, settings)?;
    let ceilings = flags(args).or(survey.ground.policy.check);
    if ceilings.is_empty() {
        // A check that checks nothing would be green for ever, and be taken for one that holds.
        return Err(Failure::new(format_args!(
            "there is nothing to check: the policy {} has no ceiling under `check`",
            crate::resource::escape(survey.ground.policy.source.name.as_bytes())
        ))
        .hint("add `check: { unfinished: 10 }` to it, or pass a ceiling: --max-unfinished 10"));
    }
    let plan = survey.plan();
    let check = Check::new(&plan, &ceilings);
    stream::write(|to| match form {
        Form::Human => human_check(&check, settings.width, to),
        Form::Github => github_check(&check, to),
        Form::Json | Form::Jsonl => json_check(&check, to),
    })?;
    Ok(check.exit())
}

fn flags(args: &CheckArgs) -> Ceilings {
    Ceilings {
        unfinished: args.unfinished,
        uncommitted: args.uncommitted,
        unpublished: args.unpublished,
        waiting: args.waiting,
        held: args.held,
        oldest: args.oldest,
        disk: args.disk,
    }
}
