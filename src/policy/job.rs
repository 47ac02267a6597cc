//! What a policy says of jobs: where they come from, and what a rule asks of one.

use super::fields::Fields;
use super::grammar;
use super::node::{Kind, Node};
use crate::diag::{Code, Sink};
use crate::job::State;
use std::fmt;

/// Where jobs come from (`spec 3`, `jobs`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobSource {
    /// owl's own ledger, which is always read; naming it says that it is expected to be there.
    Ledger,
    /// A job list in a file, as written.
    File(String),
    /// A program and its words; its standard output is a job list.
    Command(Vec<String>),
}

/// How every output names it.
impl fmt::Display for JobSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ledger => f.write_str("ledger"),
            Self::File(path) => write!(f, "file {path}"),
            Self::Command(words) => write!(f, "command {}", words.join(" ")),
        }
    }
}

/// The condition `job`: any of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobTest {
    /// The job that recorded the worktree is in one of these states.
    pub states: Vec<State>,
    /// No job has anything to do with it.
    pub none: bool,
    /// It was made under the ledger's eyes, and the ledger knows nothing of it (`spec 8`).
    pub gone: bool,
}

/// As a policy would spell it.
impl fmt::Display for JobTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states.iter().map(ToString::to_string);
        let none = self.none.then(|| "none".to_owned());
        let gone = self.gone.then(|| "gone".to_owned());
        let words: Vec<_> = states.chain(none).chain(gone).collect();
        match words.as_slice() {
            [word] => f.write_str(word),
            words => write!(f, "[{}]", words.join(", ")),
        }
    }
}

impl JobTest {
    /// Whether no worktree can meet both: its job is in one state.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let is_jobless = |test: &Self| test.none || test.gone;
        let shares = self.states.iter().any(|state| other.states.contains(state));
        !shares && !(is_jobless(self) && is_jobless(other))
    }
}

impl JobSource {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let hint = "write `ledger`, `file: PATH` or `command: [PROGRAM, WORD]`";
        match &node.kind {
            Kind::Map(_) => {}
            Kind::Scalar { .. } | Kind::List(_) | Kind::Refused => {
                let word = node.text("a source of jobs", sink)?;
                if word != "ledger" {
                    let message = format!("`{word}` is no source of jobs");
                    sink.error_with_hint(Code::UnknownValue, node.at, message, hint);
                    return None;
                }
                return Some(Self::Ledger);
            }
        }
        let fields = Fields::read(node, &grammar::JOBS, sink)?;
        match (fields.value("file"), fields.value("command")) {
            (Some(node), None) => {
                let path = node.text("`file`", sink)?;
                let other_home = path.starts_with('~') && !path.starts_with("~/");
                if path.is_empty() || path.contains('\0') || other_home {
                    let message = format!("`{path}` is no path of a job list");
                    let hint = "write it in full, below ~, or relative to where you stand";
                    sink.error_with_hint(Code::BadValue, node.at, message, hint);
                    return None;
                }
                Some(Self::File(path.to_owned()))
            }
            (None, Some(node)) => command(node, sink).map(Self::Command),
            (Some(_), Some(_)) => {
                let message = "a source of jobs is a file or a command, and not both";
                sink.error_with_hint(Code::BadValue, node.at, message, "make two entries of it");
                None
            }
            (None, None) if fields.is_complete => {
                let message = "a source of jobs needs the key `file` or `command`";
                sink.error_with_hint(Code::MissingKey, node.at, message, hint);
                None
            }
            (None, None) => None,
        }
    }
}

/// The words of a program: there is no shell, so that no word is split or expanded.
fn command(node: &Node, sink: &mut Sink<'_>) -> Option<Vec<String>> {
    let items = node.items("`command`", sink)?;
    let words = items.iter().map(|item| {
        let word = item.text("a word of `command`", sink)?;
        if word.contains('\0') {
            sink.error(
                Code::BadValue,
                item.at,
                "a word of `command` has a NUL byte",
            );
            return None;
        }
        Some(word.to_owned())
    });
    let words = words.collect::<Option<Vec<String>>>()?;
    let is_relative = |name: &String| name.contains('/') && !name.starts_with('/');
    let message = match words.first() {
        None => "`command` has no words",
        Some(name) if name.is_empty() => "the program of `command` is empty",
        Some(name) if is_relative(name) => "the program of `command` is a relative path",
        Some(_) => return Some(words),
    };
    let hint = "write a name that is on the PATH, or an absolute path, and its words";
    sink.error_with_hint(Code::BadValue, node.at, message, hint);
    None
}

impl JobTest {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let one = std::slice::from_ref(node);
        let nodes = match &node.kind {
            Kind::List(nodes) => nodes,
            Kind::Scalar { .. } | Kind::Map(_) | Kind::Refused => one,
        };
        if nodes.is_empty() {
            let message = "`job` lists no state, so it can never match";
            sink.error(Code::EmptyCondition, node.at, message);
            return None;
        }
        let mut test = Self::default();
        let mut is_sound = true;
        for node in nodes {
            match node.text("`job`", sink).map(Word::of) {
                Some(Word::State(state)) if state.is_known() => test.states.push(state),
                Some(Word::None) => test.none = true,
                Some(Word::Gone) => test.gone = true,
                Some(Word::State(state)) => {
                    is_sound = false;
                    let message = format!("`{state}` is not a value of `job`");
                    let known = State::KNOWN.map(|state| state.as_str().to_owned());
                    let hint = format!("known here: {}, none, gone", known.join(", "));
                    sink.error_with_hint(Code::UnknownValue, node.at, message, hint);
                }
                None => is_sound = false,
            }
        }
        test.states.sort();
        test.states.dedup();
        is_sound.then_some(test)
    }
}

enum Word {
    State(State),
    None,
    Gone,
}

impl Word {
    fn of(text: &str) -> Self {
        match text {
            "none" => Self::None,
            "gone" => Self::Gone,
            word => Self::State(State::of(word)),
        }
    }
}
