//! The states of a job and the outcomes of a run (A1.2).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Where a job is in its life.
///
/// The order is that of a life, known states first, then unknown ones by name (A1.3, A5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It waits for a run.
    Pending,
    /// A run is in progress.
    Active,
    /// A run has ended well, and a person decides.
    Review,
    /// The work is wrong, or something is in its way.
    Blocked,
    /// Accepted.
    Done,
    /// Dropped, or taken back before there was anything to decide.
    Cancelled,
    /// No run is left (A1.6).
    Exhausted,
    /// A state that a newer owl wrote: counted and shown, never acted on (A1.3).
    Other(String),
}

impl State {
    /// The states that this owl knows, in the order of a life.
    pub const KNOWN: [Self; 7] = [
        Self::Pending,
        Self::Active,
        Self::Review,
        Self::Blocked,
        Self::Done,
        Self::Cancelled,
        Self::Exhausted,
    ];

    /// The word for it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Review => "review",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Exhausted => "exhausted",
            Self::Other(word) => word,
        }
    }

    /// The state of a word; one that is not known is kept.
    pub fn of(word: &str) -> Self {
        let known = Self::KNOWN.into_iter().find(|state| state.as_str() == word);
        known.unwrap_or_else(|| Self::Other(word.to_owned()))
    }

    /// Whether this owl knows it.
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_))
    }

    /// Whether somebody has decided: nothing but the disposal is left. An unknown state is open.
    pub fn is_decided(&self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

impl fmt::Display for State {
    /// Escaped: an unknown state is text from the world.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::resource::escape(self.as_str().as_bytes()))
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(Self::of(&word))
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The work is there to be looked at.
    Succeeded,
    /// The work is wrong, or could not be done.
    Failed,
    /// It was cut short, and may be tried again.
    Interrupted,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 3] = [Self::Succeeded, Self::Failed, Self::Interrupted];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// The outcome of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }
}
