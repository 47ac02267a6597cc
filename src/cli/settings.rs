//! What flags and environment come to: the only file of `cli` that reads environment, directory and
//! clock. Nothing after it sees them.

use super::args::{Color, Format, Global};
use super::failure::{Failure, WithHint};
use crate::git::{Git, GitEnv, Limits};
use anstream::ColorChoice;
use anyhow::Context;
use jiff::Timestamp;
use rustix::termios::tcgetwinsize;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Columns where nothing says how many there are.
const WIDTH: u16 = 120;

/// A policy that was named, and by what.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The file.
    pub(super) path: PathBuf,
    /// The flag or variable.
    pub(super) by: Names,
}

/// What names a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// `--policy`.
    Flag,
    /// `$OWL_POLICY`.
    Variable,
    /// The command itself, which has one of its own.
    Command,
}

/// How long text is shown to a person.
#[derive(Clone, Debug)]
pub(super) struct Paging {
    /// The pager's words.
    pub(super) command: String,
    /// Whether `$LESS` is set for it, because the user has not.
    pub(super) sets_less: bool,
    /// Lines of the screen.
    pub(super) height: usize,
}

/// Everything that a command needs to know besides its own flags.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Where the user stands.
    pub(super) here: PathBuf,
    /// The user's home.
    pub(super) home: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, or its default.
    pub(super) config_home: Option<PathBuf>,
    /// `$XDG_DATA_HOME`, or its default.
    pub(super) data_home: Option<PathBuf>,
    /// `$XDG_STATE_HOME`, or its default.
    pub(super) state_home: Option<PathBuf>,
    /// Where programs are found.
    pub(super) path: Option<OsString>,
    /// Where throw-away things belong.
    pub(super) temp: PathBuf,
    /// The policy that was named.
    pub(super) policy: Option<Named>,
    /// What git may see of the environment.
    pub(super) git_env: GitEnv,
    /// The command that carries a plan out, as hints name it: `apply`, or `gc`.
    pub(super) verb: &'static str,
    /// The form of the output.
    pub(super) format: Format,
    /// Whether only what needs a person is printed.
    pub(super) quiet: bool,
    /// Whether progress is shown.
    pub(super) progress: bool,
    /// Whether a question can be answered.
    pub(super) asks: bool,
    /// How long text is shown; none where nobody looks.
    pub(super) paging: Option<Paging>,
    /// Columns of the terminal.
    pub(super) width: u16,
}

impl Settings {
    /// Reads flags, environment and terminal.
    pub(super) fn new(flags: &Global) -> Result<Self, Failure> {
        let here = here().or_hint("change to a directory that is there")?;
        let home = absolute("HOME");
        let below = |variable: &str, path: &str| {
            absolute(variable).or_else(|| home.as_deref().map(|home| home.join(path)))
        };
        let policy = match (&flags.policy, variable("OWL_POLICY")) {
            (Some(path), _) => Some((path.clone(), Names::Flag)),
            (None, Some(path)) => Some((path.into(), Names::Variable)),
            (None, None) => None,
        };
        let stderr_shows = std::io::stderr().is_terminal() && variable("CI").is_none();
        Ok(Self {
            config_home: below("XDG_CONFIG_HOME", ".config"),
            data_home: below("XDG_DATA_HOME", ".local/share"),
            state_home: below("XDG_STATE_HOME", ".local/state"),
            path: variable("PATH"),
            temp: std::env::temp_dir(),
            policy: policy.map(|(path, by)| Named { path, by }),
            git_env: git_env(),
            verb: "apply",
            format: flags.format.into(),
            quiet: flags.quiet,
            progress: stderr_shows && !flags.quiet && !flags.no_progress,
            asks: std::io::stdin().is_terminal(),
            paging: (!flags.no_pager).then(paging).flatten(),
            width: width(),
            here,
            home,
        })
    }

    /// The git program; every command that looks at a repository needs it.
    pub(super) fn git(&self) -> Result<Git, Failure> {
        Git::new(self.git_env.clone(), Limits::default())
            .or_hint("owl looks at nothing without a git that it can trust; put one on the PATH")
    }

    /// A path as the user meant it.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        self.here.join(path)
    }
}

/// The clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock"
)]
pub(super) fn now() -> Timestamp {
    Timestamp::now()
}

/// Says to every stream when to use colour; `auto` asks `NO_COLOR`, `CLICOLOR_FORCE` and terminal.
pub(super) fn choose_color(flags: &Global) {
    let choice = match flags.color {
        _ if flags.no_color => ColorChoice::Never,
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
fn here() -> anyhow::Result<PathBuf> {
    std::env::current_dir().context("the working directory cannot be told")
}

/// A variable that is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// A directory of the environment; a relative one is no directory (XDG base directories).
fn absolute(name: &str) -> Option<PathBuf> {
    variable(name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

fn git_env() -> GitEnv {
    GitEnv::from_vars(std::env::vars_os())
}

/// `$OWL_PAGER`, `$PAGER`, or `less`, where standard output is a terminal that is not dumb.
fn paging() -> Option<Paging> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return None;
    }
    let named = variable("OWL_PAGER").or_else(|| variable("PAGER"));
    let command = match named {
        Some(named) => named.into_string().ok()?,
        None => "less".to_owned(),
    };
    let is_dumb = variable("TERM").is_none_or(|term| term == "dumb");
    if is_dumb || command == "cat" {
        return None;
    }
    let height = tcgetwinsize(std::io::stdout()).ok()?.ws_row;
    Some(Paging {
        command,
        sets_less: variable("LESS").is_none(),
        height: Some(usize::from(height)).filter(|rows| *rows > 0)?,
    })
}

fn width() -> u16 {
    let stated = variable("COLUMNS").and_then(|text| text.to_str()?.parse().ok());
    let stated = stated.filter(|columns| *columns > 0);
    stated
        .or_else(|| Some(tcgetwinsize(std::io::stdout()).ok()?.ws_col).filter(|it| *it > 0))
        .unwrap_or(WIDTH)
}
