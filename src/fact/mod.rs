//! Three-valued facts and three-valued logic.
//!
//! Purpose: keep "no" and "could not tell" apart everywhere (`spec 2`: fact).
//! Invariant: nothing here turns an [`Fact::Unknown`] into a yes or a no; that is left to the
//! caller, who must match all three.

mod kleene;

pub use kleene::Kleene;
use serde::{Deserialize, Serialize};

/// One observed value.
///
/// `Absent` is a proven no ("it is not locked"); `Unknown` proves nothing and carries a sentence
/// fit for "could not tell: ...".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact<T> {
    /// It was looked at, and this is what it is.
    Known(T),
    /// It was looked at, and there is none.
    Absent,
    /// It could not be told, and this is why.
    Unknown(String),
}

impl<T> Fact<T> {
    /// Builds an unknown fact from an error or a sentence.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "errors and literals are handed over alike"
    )]
    pub fn unknown(why: impl ToString) -> Self {
        Self::Unknown(why.to_string())
    }

    /// The value, if it is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Absent | Self::Unknown(_) => None,
        }
    }

    /// Whether it is a proven no.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Why it could not be told, if it could not.
    pub fn why_unknown(&self) -> Option<&str> {
        match self {
            Self::Unknown(why) => Some(why),
            Self::Known(_) | Self::Absent => None,
        }
    }

    /// Maps a known value; the other two stay what they are.
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Fact<U> {
        match self {
            Self::Known(value) => Fact::Known(to(value)),
            Self::Absent => Fact::Absent,
            Self::Unknown(why) => Fact::Unknown(why),
        }
    }

    /// A view that borrows the value.
    pub fn as_ref(&self) -> Fact<&T> {
        match self {
            Self::Known(value) => Fact::Known(value),
            Self::Absent => Fact::Absent,
            Self::Unknown(why) => Fact::Unknown(why.clone()),
        }
    }

    /// An answer as a fact; an error is [`Fact::Unknown`].
    pub fn from_result<E: ToString>(answer: Result<T, E>) -> Self {
        match answer {
            Ok(value) => Self::Known(value),
            Err(why) => Self::unknown(why.to_string()),
        }
    }

    /// An optional answer as a fact: `None` is a proven no, an error is [`Fact::Unknown`].
    pub fn from_optional<E: ToString>(answer: Result<Option<T>, E>) -> Self {
        match answer {
            Ok(Some(value)) => Self::Known(value),
            Ok(None) => Self::Absent,
            Err(why) => Self::unknown(why.to_string()),
        }
    }
}
