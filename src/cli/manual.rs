//! `owl completions` and `owl man`: what the flags themselves say.

use super::args::Cli;
use super::failure::Outcome;
use super::stream;
use crate::report::ExitStatus;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completions of a shell.
pub(super) fn completions(shell: Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "owl", &mut text);
    stream::write(|to| to.write_all(&text))?;
    Ok(ExitStatus::Done)
}

/// Prints the manual page.
pub(super) fn page() -> Outcome {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut text)?;
    stream::write(|to| to.write_all(&text))?;
    Ok(ExitStatus::Done)
}
