//! `owl demo`: plan, apply, plan again, and status, on a throw-away project with nine worktrees.
//!
//! Everything is real: the project is made with git, and the commands are the ones that a user
//! runs. Only the age of the project is made up: its files and commits are dated back two weeks.
//! Invariant: nothing outside the new directory is read or changed, the audit log included.

mod project;
mod room;

use super::args::{ApplyArgs, DemoArgs, PlanArgs};
use super::failure::Outcome;
use super::settings::Settings;
use super::{apply, plan, stream};
use crate::report::ExitStatus;
use crate::resource::BytePath;
use room::Room;

/// Runs the command.
pub(super) fn run(args: &DemoArgs, settings: &Settings) -> Outcome {
    let keep = args.keep.as_deref().map(|path| settings.resolve(path));
    let room = Room::new(&settings.temp, keep.as_deref())?;
    let inside = room.settings(settings)?;
    tell("A project with nine worktrees that agents have left behind two weeks ago.\n")?;
    project::build(&inside)?;

    tell("$ owl plan")?;
    plan::run(&PlanArgs::default(), &inside)?;
    tell(
        "\nThree are finished, of which one is a job's that is accepted with it; one is gone already. The others \
         hold work that is nowhere else, wait for a decision, or are locked.\n",
    )?;

    tell("$ owl apply --yes")?;
    let yes = ApplyArgs {
        yes: true,
        ..ApplyArgs::default()
    };
    let status = apply::run(&yes, &inside)?;
    tell("\nThe branches are still there. A second run finds nothing to do.\n")?;

    tell("$ owl plan")?;
    plan::run(&PlanArgs::default(), &inside)?;
    tell("\nWhat is left waits for you, and status says what to do about it.\n")?;

    tell("$ owl status")?;
    super::status::run(&inside)?;
    if let Some(path) = keep {
        let path = BytePath::from(path);
        tell(&format!(
            "\nThe project is at {path}/app; delete {path} when you are done."
        ))?;
    }
    room.leave()?;
    Ok(match status {
        ExitStatus::Done => ExitStatus::Done,
        ExitStatus::Findings
        | ExitStatus::Error
        | ExitStatus::Unsettled
        | ExitStatus::Interrupted(_) => status,
    })
}

fn tell(line: &str) -> Result<(), super::failure::Failure> {
    stream::write(|to| writeln!(to, "{line}"))
}
