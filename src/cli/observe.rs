//! `owl observe`: what owl sees, as JSON.

use super::args::ObserveArgs;
use super::failure::Outcome;
use super::settings::Settings;
use super::stream;
use super::survey::Survey;
use crate::render::json_observation;
use crate::report::ExitStatus;

/// Runs the command.
pub(super) fn run(args: &ObserveArgs, settings: &Settings) -> Outcome {
    let observation = Survey::new(args.proof, settings)?.observation;
    stream::write(|to| json_observation(&observation, to))?;
    let mut projects = observation.projects.iter();
    Ok(if projects.any(|project| project.problem.is_some()) {
        ExitStatus::Error
    } else {
        ExitStatus::Done
    })
}
