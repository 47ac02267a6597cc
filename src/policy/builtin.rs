//! The policies that owl brings along.

use super::document::{Origin, Policy};

/// A policy that owl brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// Its text, as `policies/NAME.yaml` has it.
    pub text: &'static str,
}

/// Every built-in policy, by name.
pub const BUILTINS: [Builtin; 3] = [
    Builtin {
        name: "coding-owl",
        text: include_str!("../../policies/coding-owl.yaml"),
    },
    Builtin {
        name: "default",
        text: include_str!("../../policies/default.yaml"),
    },
    Builtin {
        name: "report-only",
        text: include_str!("../../policies/report-only.yaml"),
    },
];

impl Builtin {
    /// What every output calls it.
    pub fn shown(&self) -> String {
        format!("built-in {}", self.name)
    }
}

impl Policy {
    /// The built-in policy of a name.
    ///
    /// # Panics
    /// Never: a test parses every built-in policy.
    pub fn builtin(name: &str) -> Option<Self> {
        let found = BUILTINS.iter().find(|builtin| builtin.name == name)?;
        let policy = Self::parse(&found.shown(), found.text.as_bytes(), Origin::BuiltIn);
        Some(policy.expect("because a test parses every built-in policy"))
    }
}
