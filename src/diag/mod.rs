//! Findings about a text that a person wrote, with the place and a way out.
//!
//! Purpose: one value for every error and warning about a policy, and one look for all of them.
//! Input: the text and places in it. Output: [`Diagnostic`] values, in the order of the text.
//! Invariants: pure; a diagnostic carries its own excerpt, so that it can be shown long after the
//! text is gone; whatever it shows from the text is escaped when it is shown, and only then.

mod code;
mod diagnostic;
mod sink;
mod span;

pub use code::Code;
pub use diagnostic::{Diagnostic, Severity};
pub use sink::Sink;
pub use span::Span;
