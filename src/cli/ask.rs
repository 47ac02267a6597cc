//! The question before a plan is carried out.

use super::failure::Failure;
use super::settings::Settings;
use super::stream;
use crate::plan::{Approval, Plan, Refusal, Row};
use crate::render::question;
use std::io::BufRead;

/// What the user says to the plan; none if it is no. `chosen` are the rows to carry out.
pub(super) fn ask(
    plan: &Plan,
    chosen: &[&Row],
    yes: bool,
    settings: &Settings,
) -> Result<Option<Approval>, Failure> {
    if plan.brakes.is_empty() && yes {
        return Ok(Some(Approval::Yes));
    }
    if !plan.brakes.is_empty() {
        if !settings.asks {
            return Err(
                Failure::from(Refusal::OverLimits(plan.brakes.clone())).hint(format!(
                    "nothing was done; look at {}, and raise the limit or run owl {} on a terminal",
                    plan_of(settings),
                    settings.verb
                )),
            );
        }
        stream::say(|to| {
            for brake in &plan.brakes {
                writeln!(to, "{brake}.")?;
            }
            write!(
                to,
                "Type the number of rows ({}) to carry them out, or nothing to stop: ",
                chosen.len()
            )
        });
        return Ok(typed(&answer()?));
    }
    if !settings.asks {
        let verb = settings.verb;
        return Err(Failure::new(format_args!(
            "owl {verb} was not told --yes, and there is no terminal to ask on"
        ))
        .hint(format!(
            "nothing was done; look at {}, then run `owl {verb} --yes`",
            plan_of(settings)
        )));
    }
    let question = question(chosen.iter().copied());
    Ok(confirm(&question)?.then_some(Approval::Yes))
}

/// One question, on the terminal.
pub(super) fn confirm(question: &str) -> std::io::Result<bool> {
    stream::say(|to| write!(to, "{question} [y/N] "));
    Ok(matches!(
        answer()?.to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

/// The command that shows what would be done.
fn plan_of(settings: &Settings) -> &'static str {
    if settings.verb == "apply" {
        "`owl plan`"
    } else {
        "`owl gc -n`"
    }
}

fn typed(answer: &str) -> Option<Approval> {
    answer.parse().ok().map(Approval::Typed)
}

/// One line of standard input; its end is an empty answer.
fn answer() -> std::io::Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}
