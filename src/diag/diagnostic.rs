//! One finding, and how it looks.

use super::{Code, Span};
use crate::resource::escape;
use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but hardly means what its author thinks.
    Warning,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One finding about a text.
///
/// The texts in it are raw, and `Display` escapes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of finding it is.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The name of the file, as the user knows it.
    pub file: String,
    /// The place, if the finding has one.
    pub span: Option<Span>,
    /// The line of the text at that place.
    pub excerpt: Option<String>,
    /// A way out, if one is known.
    pub hint: Option<String>,
}

/// The most characters of a line that are shown; the rest of a longer one is cut off.
const WIDTH: usize = 96;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| escape(text.as_bytes());
        write!(f, "{}: {}", self.severity.as_str(), shown(&self.message))?;
        write!(f, "\n  --> {}", shown(&self.file))?;
        if let Some(span) = self.span {
            write!(f, ":{}:{}", span.line, span.column)?;
            if let Some(line) = &self.excerpt {
                let number = span.line.to_string();
                let margin = " ".repeat(number.len());
                let (text, before, marked) = window(line, span);
                write!(f, "\n{margin} |\n{number} | {text}\n{margin} | ")?;
                write!(f, "{}{}", " ".repeat(before), "^".repeat(marked))?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {}", shown(hint))?;
        }
        Ok(())
    }
}

/// The part of a line around a place: its escaped text, the width before the place, the width of
/// the place. Escaping widens some characters, so that widths are those of the escaped text.
fn window(line: &str, span: Span) -> (String, usize, usize) {
    let skipped = match line.chars().nth(WIDTH) {
        Some(_) => (span.column - 1).saturating_sub(WIDTH / 2),
        None => 0,
    };
    let before: String = line
        .chars()
        .skip(skipped)
        .take(span.column - 1 - skipped)
        .collect();
    let room = WIDTH.saturating_sub(before.chars().count());
    let rest: String = line.chars().skip(span.column - 1).take(room).collect();
    let marked = rest.get(..span.len).unwrap_or(&rest);
    let width = |text: &str| escape(text.as_bytes()).chars().count();
    (
        escape(format!("{before}{rest}").as_bytes()),
        width(&before),
        width(marked).max(1),
    )
}

#[cfg(test)]
mod tests {
    use super::{Code, Diagnostic, Severity, Span};

    fn at(line: &str, column: usize, len: usize) -> String {
        Diagnostic {
            severity: Severity::Error,
            code: Code::BadValue,
            message: "no\u{1b}[2J".into(),
            file: "owl.yaml".into(),
            span: Some(Span {
                line: 12,
                column,
                offset: 0,
                len,
            }),
            excerpt: Some(line.into()),
            hint: Some("yes".into()),
        }
        .to_string()
    }

    #[test]
    fn the_caret_stands_below_the_place() {
        assert_eq!(
            at("  key: value", 8, 5),
            "error: no\\u{1b}[2J\n  --> owl.yaml:12:8\n   |\n12 |   key: value\n   |        ^^^^^\nhint: yes"
        );
    }

    #[test]
    fn escaping_moves_the_caret_and_a_long_line_is_cut() {
        assert!(at("\t\u{202e}: x", 5, 1).contains("| \\t\\u{202e}: x\n   |             ^\n"));
        let long = at(&"é".repeat(500), 400, 0);
        assert!(
            long.lines().all(|line| line.chars().count() < 110),
            "{long}"
        );
        assert!(long.contains(&format!("| {}^\n", " ".repeat(48))));
    }
}
