//! Which colour each role has: the one table of styles.
//!
//! Colour is never the only carrier, and whoever owns the stream strips it where it does not
//! belong (`NO_COLOR`, a file, a pipe).

use anstyle::{AnsiColor, Style};
use std::fmt;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Something goes.
    Remove,
    /// An entry goes.
    Prune,
    /// A person must look.
    Hold,
    /// It could not be told.
    Unknown,
    /// Nobody needs to act.
    Quiet,
    /// A heading, or a line that sums up.
    Heading,
    /// The word before an error.
    Error,
    /// The word before a warning.
    Warning,
    /// The word before a way out.
    Hint,
}

impl Role {
    /// The style of the role.
    pub fn style(self) -> Style {
        match self {
            Self::Remove => AnsiColor::Green.on_default(),
            Self::Prune => AnsiColor::Cyan.on_default(),
            Self::Hold => AnsiColor::Yellow.on_default(),
            Self::Unknown => AnsiColor::Magenta.on_default(),
            Self::Quiet => Style::new().dimmed(),
            Self::Heading => Style::new().bold(),
            Self::Error => AnsiColor::Red.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Hint => AnsiColor::Cyan.on_default().bold(),
        }
    }

    /// The text in the style of the role.
    pub fn paint<T: fmt::Display>(self, text: T) -> Painted<T> {
        Painted { role: self, text }
    }
}

/// Text with its style around it.
#[derive(Clone, Copy, Debug)]
pub struct Painted<T> {
    role: Role,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = self.role.style();
        write!(f, "{style}{}{style:#}", self.text)
    }
}
