//! Why a run ended before its end, and the one printer for it.
//!
//! Text of an error is escaped where it is built; nothing is escaped here a second time.

use crate::diag::Diagnostic;
use crate::render::Role;
use crate::report::ExitStatus;
use std::fmt::Display;
use std::io::{self, Write};

/// A refusal of the whole run.
#[derive(Debug)]
pub(super) struct Failure {
    error: anyhow::Error,
    hints: Vec<String>,
    /// How the run ends.
    pub(super) status: ExitStatus,
    /// The findings about a policy, which take the place of the error's own text.
    found: Vec<Diagnostic>,
}

/// What most commands return.
pub(super) type Outcome = Result<ExitStatus, Failure>;

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            error: error.into(),
            hints: Vec::new(),
            status: ExitStatus::Error,
            found: Vec::new(),
        }
    }
}

impl Failure {
    /// A failure with a sentence of its own.
    pub(super) fn new(message: impl Display) -> Self {
        anyhow::anyhow!("{message}").into()
    }

    /// A policy that is no policy.
    pub(super) fn policy(found: Vec<Diagnostic>) -> Self {
        Self::found("the policy has errors; nothing was done", found)
    }

    /// Findings about a text, and a sentence of its own.
    pub(super) fn found(message: &str, found: Vec<Diagnostic>) -> Self {
        Self {
            found,
            ..Self::new(message)
        }
    }

    /// With a way out.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// With another exit status.
    pub(super) fn status(mut self, status: ExitStatus) -> Self {
        self.status = status;
        self
    }

    /// Writes it for people: what, the numbered causes, the ways out.
    pub(super) fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        for found in &self.found {
            writeln!(to, "{found}\n")?;
        }
        let mut messages = self.messages().into_iter();
        let first = messages.next().unwrap_or_default();
        writeln!(to, "{} {first}", Role::Error.paint("error:"))?;
        for (index, cause) in messages.enumerate() {
            writeln!(to, "  {}: {cause}", index + 1)?;
        }
        for hint in &self.hints {
            writeln!(to, "{} {hint}", Role::Hint.paint("hint:"))?;
        }
        Ok(())
    }

    /// Writes it for programs.
    pub(super) fn print_json(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut text = self.messages().join(": ");
        for found in &self.found {
            text.push('\n');
            text.push_str(&found.to_string());
        }
        crate::render::json_refusal(&text, &self.hints, to)
    }

    /// It as one line, where another text tells the place.
    pub(super) fn text(&self) -> String {
        self.messages().join(": ")
    }

    /// The error and its causes; a cause that the text before it already tells is left out.
    fn messages(&self) -> Vec<String> {
        let mut messages: Vec<String> = Vec::new();
        for cause in self.error.chain() {
            let text = cause.to_string();
            if messages.last().is_none_or(|last| !last.contains(&text)) {
                messages.push(text);
            }
        }
        messages
    }
}

/// Adds a way out to an error on its way up.
pub(super) trait WithHint<T> {
    /// The same result, its failure with a hint.
    fn or_hint(self, hint: &str) -> Result<T, Failure>;
}

impl<T, E: Into<Failure>> WithHint<T> for Result<T, E> {
    fn or_hint(self, hint: &str) -> Result<T, Failure> {
        self.map_err(|error| error.into().hint(hint))
    }
}
