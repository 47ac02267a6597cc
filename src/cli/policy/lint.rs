//! `owl policy lint`: what is legal in a policy and hardly meant.

use crate::cli::discovery::Chosen;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::stream;
use crate::policy::Policy;
use crate::report::ExitStatus;
use crate::resource::escape;

/// Runs the command.
pub(super) fn run(chosen: &Chosen) -> Outcome {
    let policy = &chosen.policy;
    let name = &policy.source.name;
    let found = Policy::lint(name, &chosen.text, policy.origin).map_err(Failure::policy)?;
    let shown = escape(name.as_bytes());
    stream::write(|to| {
        for one in &found {
            writeln!(to, "{one}\n")?;
        }
        match found.len() {
            0 => writeln!(to, "{shown}: nothing to say"),
            1 => writeln!(to, "{shown}: 1 finding"),
            many => writeln!(to, "{shown}: {many} findings"),
        }
    })?;
    Ok(if found.is_empty() {
        ExitStatus::Done
    } else {
        ExitStatus::Findings
    })
}
