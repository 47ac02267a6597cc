//! `owl policy test`: whether a policy says what its tests expect.

use crate::cli::discovery::Chosen;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::plan::read_observation;
use crate::cli::settings::Settings;
use crate::cli::stream;
use crate::observe::Observation;
use crate::policy::{Case, Given};
use crate::render::misses;
use crate::report::ExitStatus;
use crate::resource::escape;
use crate::trial;

/// Runs the command.
pub(super) fn run(chosen: &Chosen, settings: &Settings) -> Outcome {
    let policy = &chosen.policy;
    let name = escape(policy.source.name.as_bytes());
    if policy.tests.is_empty() {
        let hint = "add some under `tests`; `owl policy explain tests` says how";
        return Err(Failure::new(format_args!("{name} has no tests")).hint(hint));
    }
    // Everything is read before anything is judged, so that a missing file is no half answer.
    let observations = policy
        .tests
        .iter()
        .map(|case| observation(case, chosen, settings))
        .collect::<Result<Vec<_>, _>>()?;
    let mut failed = 0;
    stream::write(|to| {
        for (case, observation) in policy.tests.iter().zip(&observations) {
            let found = trial::misses(policy, case, observation);
            failed += usize::from(!found.is_empty());
            misses(&policy.source.name, case, &found, to)?;
        }
        let passed = policy.tests.len() - failed;
        writeln!(to, "{name}: {passed} passed, {failed} failed")
    })?;
    Ok(if failed == 0 {
        ExitStatus::Done
    } else {
        ExitStatus::Findings
    })
}

fn observation(case: &Case, chosen: &Chosen, settings: &Settings) -> Result<Observation, Failure> {
    let said = |why: &str| {
        let (name, line) = (escape(case.name.as_bytes()), case.line);
        Failure::new(format_args!("the test {name} in line {line}: {why}"))
    };
    match &case.given {
        Given::Tree(tree) => trial::sketch(&chosen.policy, tree).map_err(|why| said(&why)),
        Given::Observation(file) => {
            let beside = chosen.file.as_deref().and_then(|file| file.parent());
            let Some(beside) = beside else {
                let why = "an observation is read from beside the policy, which is no file here";
                return Err(said(why).hint("name the file: owl policy test FILE"));
            };
            read_observation(&beside.join(file), &chosen.policy, settings)
        }
    }
}
