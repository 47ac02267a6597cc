//! `owl explain`: everything behind one row of the plan.

use super::args::{Format, Proof};
use super::failure::{Failure, Outcome};
use super::settings::Settings;
use super::stream;
use super::survey::Survey;
use crate::render::{explain, json_explanation};
use crate::report::ExitStatus;
use crate::resource::{Address, escape};

/// Runs the command.
pub(super) fn run(address: &str, settings: &Settings) -> Outcome {
    let survey = Survey::new(Proof::Stat, settings)?;
    let plan = survey.plan();
    let address = Address::typed(address);
    let explanation = plan.explain(&survey.ground.policy, &survey.observation, &address);
    let Some(explanation) = explanation else {
        let unknown = format!(
            "the plan has no row {}",
            escape(address.as_str().as_bytes())
        );
        return Err(Failure::new(unknown).hint("`owl plan --all` lists them all"));
    };
    stream::write(|to| match settings.format {
        Format::Json | Format::Jsonl => json_explanation(&explanation, to),
        Format::Human => explain(&explanation, to),
    })?;
    Ok(if plan.complete {
        ExitStatus::Done
    } else {
        ExitStatus::Error
    })
}
