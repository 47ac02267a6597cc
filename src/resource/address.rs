//! The stable name of one row (`spec 6`).

use super::escape;
use serde::{Deserialize, Serialize};
use std::fmt;

/// `project/administrative-id`, `project/@main`, `project/dir:PATH`, `project/ref:NAME` or
/// `project/job:ID`; escaped, unique in a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(String);

impl Address {
    /// The address of a registered worktree, by the name of its administrative entry.
    pub fn entry(project: &str, id: &[u8]) -> Self {
        Self(format!("{}/{}", escape(project.as_bytes()), escape(id)))
    }

    /// The address of the main worktree.
    pub fn main(project: &str) -> Self {
        Self(format!("{}/@main", escape(project.as_bytes())))
    }

    /// The address of a directory in a store that no entry claims; `path` is relative to the
    /// project where it lies below it.
    pub fn directory(project: &str, path: &[u8]) -> Self {
        Self(format!(
            "{}/dir:{}",
            escape(project.as_bytes()),
            escape(path)
        ))
    }

    /// The address of a rescue ref; `name` is what follows `refs/owl/rescue/`.
    pub fn rescue(project: &str, name: &[u8]) -> Self {
        Self(format!(
            "{}/ref:{}",
            escape(project.as_bytes()),
            escape(name)
        ))
    }

    /// The address of a job without a worktree.
    pub fn job(project: &str, name: &str) -> Self {
        Self(format!(
            "{}/job:{}",
            escape(project.as_bytes()),
            escape(name.as_bytes())
        ))
    }

    /// An address as a user typed it.
    pub fn typed(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether it names something of this project.
    pub fn is_of(&self, project: &str) -> bool {
        let rest = self.0.strip_prefix(&escape(project.as_bytes()));
        rest.is_some_and(|rest| rest.starts_with('/'))
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
