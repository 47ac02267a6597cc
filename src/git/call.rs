//! One call of git: its words, where it runs, and what counts as an answer.

use super::run::{self, Ended, Output};
use super::{GitEnv, GitError, Limits, env, settings};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SWITCHES: [&str; 4] = [
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "--no-optional-locks",
];

/// A call that is being put together.
pub(super) struct Call {
    command: Command,
    /// What an error shows: the words without the fixed settings.
    argv: Vec<OsString>,
    stdin: Option<Vec<u8>>,
    limit: Duration,
    limits: Limits,
}

impl Call {
    /// A call with every fixed setting and switch.
    pub(super) fn new(program: &Path, env: &GitEnv, limits: Limits) -> Self {
        let mut call = Self::bare(program, env, limits);
        for setting in settings::FIXED {
            call = call.setting(setting);
        }
        call.command.args(SWITCHES);
        call
    }

    /// A call without settings, for a program whose version is not known yet.
    pub(super) fn bare(program: &Path, env: &GitEnv, limits: Limits) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that runs programs"
        )]
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(env.vars())
            .envs(env::FIXED)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        Self {
            command,
            argv: vec!["git".into()],
            stdin: None,
            limit: limits.read,
            limits,
        }
    }

    /// Calls the program by another name than git's in errors.
    pub(super) fn named(mut self, name: &str) -> Self {
        self.argv = vec![name.into()];
        self
    }

    /// Adds a word.
    pub(super) fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.command.arg(&word);
        self.argv.push(word.as_ref().to_owned());
        self
    }

    /// Adds words.
    pub(super) fn args<W: AsRef<OsStr>>(self, words: impl IntoIterator<Item = W>) -> Self {
        words.into_iter().fold(self, Self::arg)
    }

    /// Adds a switch whose value is a path.
    pub(super) fn path_switch(self, switch: &str, path: &Path) -> Self {
        let mut word = OsString::from(switch);
        word.push("=");
        word.push(path);
        self.arg(word)
    }

    /// Takes another index than the repository's.
    pub(super) fn index_file(mut self, path: &Path) -> Self {
        self.command.env("GIT_INDEX_FILE", path);
        self
    }

    /// Fixes a setting; before the subcommand only.
    pub(super) fn setting(mut self, setting: &str) -> Self {
        self.command.args(["-c", setting]);
        self
    }

    /// Runs it inside `directory` and lets git look for a repository there, but not above it.
    pub(super) fn discover_in(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        if let Some(above) = directory.parent() {
            self.command.env("GIT_CEILING_DIRECTORIES", above);
        }
        self.argv.extend(["-C".into(), directory.into()]);
        self
    }

    /// Runs it inside `directory`, where git reads `.gitattributes`; for calls that name the git
    /// directory and the working tree.
    pub(super) fn inside(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Gives it bytes on standard input.
    pub(super) fn stdin(mut self, bytes: Vec<u8>) -> Self {
        self.command.stdin(Stdio::piped());
        self.stdin = Some(bytes);
        self
    }

    /// Sets a variable above the fixed ones; for a repository that is made for show only.
    pub(super) fn variable(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes the limit for changes.
    pub(super) fn change(mut self) -> Self {
        self.limit = self.limits.change;
        self
    }

    /// Runs it and requires exit code 0; warnings do not count.
    pub(super) fn success(self) -> Result<Output, GitError> {
        self.success_with_argv().map(|(output, _)| output)
    }

    /// The same, with the words for an error that the caller may find in the output.
    pub(super) fn success_with_argv(self) -> Result<(Output, Vec<OsString>), GitError> {
        let (output, argv) = self.output()?;
        if output.status.success() {
            return Ok((output, argv));
        }
        Err(failed(output, argv))
    }

    /// Runs it and requires exit code 0 without a warning; its standard output.
    pub(super) fn answer(self) -> Result<Vec<u8>, GitError> {
        let (output, argv) = self.output()?;
        if !output.status.success() {
            return Err(failed(output, argv));
        }
        silent(output, argv)
    }

    /// Runs it and reads exit code 0 as yes and 1 as no, both without a warning (A6).
    pub(super) fn yes_or_no(self) -> Result<bool, GitError> {
        let (output, argv) = self.output()?;
        let yes = match output.status.code() {
            Some(0) => true,
            Some(1) => false,
            Some(_) | None => return Err(failed(output, argv)),
        };
        silent(output, argv).map(|_| yes)
    }

    fn output(mut self) -> Result<(Output, Vec<OsString>), GitError> {
        let argv = self.argv;
        let cap = self.limits.output;
        match run::run(&mut self.command, self.stdin, cap, self.limit) {
            Ok(Ended::Exited(output)) => Ok((output, argv)),
            Ok(Ended::TimedOut) => Err(GitError::TimedOut {
                argv,
                limit: self.limit,
            }),
            Ok(Ended::TooMuch) => Err(GitError::TooMuchOutput { argv, cap }),
            Err(source) => Err(GitError::Spawn { argv, source }),
        }
    }
}

fn silent(output: Output, argv: Vec<OsString>) -> Result<Vec<u8>, GitError> {
    if output.stderr.is_empty() {
        return Ok(output.stdout);
    }
    Err(GitError::Warned {
        argv,
        stderr: output.stderr,
    })
}

fn failed(output: Output, argv: Vec<OsString>) -> GitError {
    GitError::Failed {
        argv,
        code: output.status.code(),
        signal: output.status.signal(),
        stderr: output.stderr,
    }
}
