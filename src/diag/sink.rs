//! Where findings about one text are gathered.

use super::{Code, Diagnostic, Severity, Span};

/// The most errors, and the most warnings, that are kept; nobody reads more, and a hostile text could make millions.
const MOST: usize = 100;
/// The longest line that is shown.
const LONGEST_LINE: usize = 10_000;

/// Gathers the findings about one text, so that all are reported in one go.
#[derive(Debug)]
pub struct Sink<'text> {
    file: &'text str,
    text: &'text str,
    found: Vec<Diagnostic>,
}

impl<'text> Sink<'text> {
    /// A sink for one text; `text` is empty where there is none to show.
    pub fn new(file: &'text str, text: &'text str) -> Self {
        Self {
            file,
            text,
            found: Vec::new(),
        }
    }

    /// The name of the text.
    pub fn file(&self) -> &'text str {
        self.file
    }

    /// Adds an error.
    pub fn error(&mut self, code: Code, at: Span, message: impl Into<String>) {
        self.push(Severity::Error, code, at, message.into(), None);
    }

    /// Adds an error with a way out.
    pub fn error_with_hint(
        &mut self,
        code: Code,
        at: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let hint = Some(hint.into());
        self.push(Severity::Error, code, at, message.into(), hint);
    }

    /// Adds a warning with a way out.
    pub fn warning(
        &mut self,
        code: Code,
        at: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let hint = Some(hint.into());
        self.push(Severity::Warning, code, at, message.into(), hint);
    }

    /// Whether an error is among the findings.
    pub fn has_errors(&self) -> bool {
        let error = |found: &Diagnostic| found.severity == Severity::Error;
        self.found.iter().any(error)
    }

    /// All findings, in the order of the text.
    pub fn into_found(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|found| found.span);
        self.found
    }

    fn push(
        &mut self,
        severity: Severity,
        code: Code,
        at: Span,
        message: String,
        hint: Option<String>,
    ) {
        let same = |found: &&Diagnostic| found.severity == severity;
        if self.found.iter().filter(same).count() >= MOST {
            return;
        }
        let line = self.text.lines().nth(at.line - 1);
        let excerpt = line.filter(|line| !line.is_empty() && line.len() <= LONGEST_LINE);
        let found = Diagnostic {
            severity,
            code,
            message,
            file: self.file.to_owned(),
            span: Some(at),
            excerpt: excerpt.map(str::to_owned),
            hint,
        };
        // A node that aliases repeat is wrong once.
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }
}
