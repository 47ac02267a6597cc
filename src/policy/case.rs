//! One entry of `tests`: what the policy should say of a worktree, or of an observation.

use super::fields::{Fields, word};
use super::grammar;
use super::node::{Kind, Node};
use super::sketch::Sketch;
use crate::diag::{Code, Sink, Span};

/// One test of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name, unique in the policy.
    pub name: String,
    /// The line at which it begins.
    pub line: usize,
    /// What there is.
    pub given: Given,
    /// What the policy should say of it.
    pub expected: Expected,
}

/// What there is.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A worktree in a few words.
    Tree(Box<Sketch>),
    /// What `owl observe` wrote, as a path relative to the policy's directory.
    Observation(String),
}

/// What the policy should say.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Of the one worktree.
    One(Expectation),
    /// Of the rows with these addresses.
    Each(Vec<(String, Expectation)>),
}

/// What the plan's row should be; what is left out may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The verdict.
    pub verdict: Option<&'static str>,
    /// The name of the deciding rule, `none` for no rule, and where the test says so.
    pub rule: Option<(String, Span)>,
    /// The reason code.
    pub reason: Option<String>,
}

impl Case {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(node, &grammar::TEST, sink)?;
        // Each part is read before any is given up, so that all their errors are reported.
        let name = fields
            .require("name", "landed work goes", sink)
            .and_then(|node| node.text("the `name` of a test", sink));
        let tree = fields
            .value("tree")
            .map(|node| Sketch::read(node, sink).map(|tree| Given::Tree(Box::new(tree))));
        let observation = fields.value("observation").map(|node| {
            let text = node.text("`observation`", sink)?;
            Some(Given::Observation(text.to_owned()))
        });
        let of_one = tree.is_some();
        let given = match (tree, observation) {
            (Some(given), None) | (None, Some(given)) => given,
            (Some(_), Some(_)) | (None, None) => {
                let message = "a test needs either `tree` or `observation`";
                let hint = "describe a worktree, as in `tree: { landed: true }`";
                let at = Span { len: 1, ..node.at };
                sink.error_with_hint(Code::MissingKey, at, message, hint);
                None
            }
        };
        let expected = fields
            .require("expect", "remove", sink)
            .and_then(|node| expected(node, of_one, sink));
        Some(Self {
            name: name?.to_owned(),
            line: node.at.line,
            given: given?,
            expected: expected?,
        })
    }

    /// Everything that it expects.
    pub fn expectations(&self) -> Vec<&Expectation> {
        match &self.expected {
            Expected::One(one) => vec![one],
            Expected::Each(each) => each.iter().map(|(_, one)| one).collect(),
        }
    }
}

fn expected(node: &Node, of_one: bool, sink: &mut Sink<'_>) -> Option<Expected> {
    if of_one {
        return Expectation::read(node, sink).map(Expected::One);
    }
    let entries = node.entries("`expect` of an observation", sink)?;
    if entries.is_empty() {
        let message = "`expect` names no address";
        let hint = "write what a row should be, as in `app/fix-login: remove`";
        sink.error_with_hint(Code::BadValue, node.at, message, hint);
        return None;
    }
    let read: Vec<_> = entries
        .iter()
        .map(|entry| Some((entry.key.clone(), Expectation::read(&entry.value, sink)?)))
        .collect();
    read.into_iter().collect::<Option<_>>().map(Expected::Each)
}

impl Expectation {
    fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        if matches!(node.kind, Kind::Scalar { .. }) {
            return Some(Self {
                verdict: Some(verdict(node, sink)?),
                ..Self::default()
            });
        }
        let fields = Fields::read(node, &grammar::EXPECT, sink)?;
        let verdict = fields.value("verdict").map(|node| verdict(node, sink));
        let rule = fields.value("rule").map(|node| {
            let rule = node.text("`rule`", sink)?;
            Some((rule.to_owned(), node.at))
        });
        let reason = fields.value("reason").map(|node| {
            let reason = node.text("`reason`", sink)?;
            Some(reason.to_owned())
        });
        if fields.iter().next().is_none() && fields.is_complete {
            let message = "an expectation that asks for nothing is always met";
            let hint = "write the verdict: remove, prune, hold, keep or ignore";
            sink.error_with_hint(Code::MissingKey, node.at, message, hint);
            return None;
        }
        Some(Self {
            verdict: verdict.map_or(Some(None), |read| read.map(Some))?,
            rule: rule.map_or(Some(None), |read| read.map(Some))?,
            reason: reason.map_or(Some(None), |read| read.map(Some))?,
        })
    }
}

fn verdict(node: &Node, sink: &mut Sink<'_>) -> Option<&'static str> {
    let words = ["remove", "prune", "hold", "keep", "ignore"].map(|word| (word, Some(word)));
    word(node, "verdict", &words, sink)
}
