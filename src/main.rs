//! The `owl` binary: parse, run, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(owl::cli::run())
}
