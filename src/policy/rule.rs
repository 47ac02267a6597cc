//! One entry of the ordered rules.

use super::condition::Condition;
use super::fields::{Fields, word};
use super::grammar;
use super::node::Node;
use crate::diag::{Code, Sink};

/// One entry of the policy: the first whose condition holds decides, but a keep that holds wins
/// wherever it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its name, unique in the policy.
    pub name: String,
    /// The file that it stands in.
    pub file: String,
    /// The line at which it begins.
    pub line: usize,
    /// When it holds.
    pub when: Condition,
    /// What follows.
    pub then: Action,
}

/// What a rule does with a worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Leaves it alone.
    Keep,
    /// Removes the worktree and keeps the branch.
    Accept,
    /// Removes the worktree and deletes the branch, once a rescue ref has it.
    Drop,
}

impl Action {
    /// The word for it in a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Accept => "accept",
            Self::Drop => "drop",
        }
    }
}

impl Rule {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(node, &grammar::RULE, sink)?;
        // Each part is read before any is given up, so that all their errors are reported.
        let name = fields
            .require("name", "finished", sink)
            .and_then(|node| name(node, sink));
        let when = fields
            .require("when", "{ landed: true }", sink)
            .and_then(|node| Condition::read(node, sink));
        let then = fields.require("then", "keep", sink).and_then(|node| {
            let words = [
                ("keep", Some(Action::Keep)),
                ("accept", Some(Action::Accept)),
                ("drop", Some(Action::Drop)),
            ];
            word(node, "then", &words, sink)
        });
        Some(Self {
            name: name?,
            file: sink.file().to_owned(),
            line: node.at.line,
            when: when?,
            then: then?,
        })
    }
}

fn name(node: &Node, sink: &mut Sink<'_>) -> Option<String> {
    let name = node.text("the `name` of a rule", sink)?;
    if name.trim().is_empty() {
        sink.error(Code::BadValue, node.at, "the name of a rule is empty");
        return None;
    }
    Some(name.to_owned())
}
