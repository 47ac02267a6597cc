//! What one guard says of one tree.

use super::{Code, Evidence};
use serde::{Deserialize, Serialize};

/// One guard's answer, with the sentence for people and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Which guard.
    pub guard: Code,
    /// What it says.
    pub result: Answer,
    /// Why it holds, or what could not be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What that rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// A guard's answer. Only `Pass` lets a tree go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Nothing to protect.
    Pass,
    /// Something to protect.
    Hold,
    /// It could not be told, which holds as well.
    Unknown,
}

impl Finding {
    /// The guard passes.
    pub fn pass(guard: Code) -> Self {
        Self {
            guard,
            result: Answer::Pass,
            message: None,
            evidence: Vec::new(),
        }
    }

    /// The guard holds.
    pub fn hold(guard: Code, message: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self {
            guard,
            result: Answer::Hold,
            message: Some(message.into()),
            evidence,
        }
    }

    /// The guard cannot tell.
    pub fn unknown(guard: Code, why: &str) -> Self {
        Self {
            guard,
            result: Answer::Unknown,
            message: Some(format!("unknown: {why}")),
            evidence: Vec::new(),
        }
    }

    /// Whether the tree may go as far as this guard is concerned.
    pub fn passes(&self) -> bool {
        self.result == Answer::Pass
    }
}
