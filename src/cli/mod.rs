//! The command line: flags, environment, clock and streams; one file a command.
//!
//! Input: the process. Output: the exit code. The flags become `Settings` once, and
//! nothing after that reads the environment. Invariants: data goes to standard output, talk to
//! standard error; a refusal under `--format json` is JSON as well.

mod apply;
mod args;
mod ask;
mod candidates;
mod check;
mod demo;
mod discovery;
mod explain;
mod failure;
mod file;
mod gc;
mod jobs;
mod manual;
mod observe;
mod pager;
mod plan;
mod policy;
mod progress;
mod restore;
mod saved;
mod settings;
mod signals;
mod status;
mod stream;
mod survey;

use args::{Cli, Command, Form};
use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;
use failure::{Failure, Outcome};
use settings::Settings;
use std::ffi::OsString;

/// Runs the command line, and returns the exit code.
pub fn run() -> u8 {
    // Answers a shell that asks for candidates, and ends there.
    CompleteEnv::with_factory(Cli::command).complete();
    let words: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return misused(&error, &words),
    };
    settings::choose_color(&cli.global);
    match dispatch(&cli) {
        Ok(status) => status.code(),
        Err(failure) => {
            stream::say(|to| failure.print(to));
            if matches!(cli.global.format, Form::Json | Form::Jsonl) {
                drop(stream::write(|to| failure.print_json(to)));
            }
            failure.status.code()
        }
    }
}

fn dispatch(cli: &Cli) -> Outcome {
    if !has_form(&cli.command, cli.global.format) {
        return Err(Failure::new("this command has no such form").hint("leave out --format"));
    }
    match &cli.command {
        Command::Completions { shell } => return manual::completions(*shell),
        Command::Man => return manual::page(),
        Command::Plan(_)
        | Command::Apply(_)
        | Command::Status
        | Command::Check(_)
        | Command::Gc(_)
        | Command::Explain { .. }
        | Command::Observe(_)
        | Command::Restore(_)
        | Command::Jobs(_)
        | Command::Policy(_)
        | Command::Demo(_) => {}
    }
    let settings = Settings::new(&cli.global)?;
    match &cli.command {
        Command::Plan(args) => plan::run(args, &settings),
        Command::Apply(args) => apply::run(args, &settings),
        Command::Status => status::run(&settings),
        Command::Check(args) => check::run(args, cli.global.format, &settings),
        Command::Gc(args) => gc::run(args, &settings),
        Command::Explain { address } => explain::run(address, &settings),
        Command::Restore(args) => restore::run(args, &settings),
        Command::Jobs(command) => jobs::run(command, &settings),
        Command::Observe(args) => observe::run(args, &settings),
        Command::Policy(command) => policy::run(command, &settings),
        Command::Demo(args) => demo::run(args, &settings),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man => manual::page(),
    }
}

/// Whether a command's output has a form.
fn has_form(command: &Command, form: Form) -> bool {
    let (json, lines, github) = match command {
        Command::Plan(_) | Command::Apply(_) | Command::Gc(_) => (true, true, false),
        Command::Check(_) => (true, false, true),
        Command::Status
        | Command::Explain { .. }
        | Command::Restore(_)
        | Command::Observe(_)
        | Command::Jobs(_) => (true, false, false),
        Command::Policy(_) | Command::Demo(_) | Command::Completions { .. } | Command::Man => {
            (false, false, false)
        }
    };
    match form {
        Form::Human => true,
        Form::Json => json,
        Form::Jsonl => lines,
        Form::Github => github,
    }
}

/// Help and version are answers; everything else is a wrong use, which also programs are told.
fn misused(error: &clap::Error, words: &[OsString]) -> u8 {
    // A closed stream cannot be told anything.
    drop(error.print());
    if !error.use_stderr() {
        return 0;
    }
    if wants_json(words) {
        let text = error.to_string();
        let text = text.trim().strip_prefix("error: ").unwrap_or(text.trim());
        drop(stream::write(|to| {
            crate::render::json_refusal(text, &[], to)
        }));
    }
    2
}

/// What the flags say could not be read whole, so that this much is read from the words.
fn wants_json(words: &[OsString]) -> bool {
    let is_json = |word: &OsString| word == "json" || word == "jsonl";
    words
        .iter()
        .any(|word| word == "--format=json" || word == "--format=jsonl")
        || words
            .windows(2)
            .any(|pair| pair[0] == "--format" && is_json(&pair[1]))
}
