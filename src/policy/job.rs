//! What a policy says of jobs: where they come from, and what a rule asks of one.

use super::fields::{Fields, suggest};
use super::grammar;
use super::node::{Kind, Node};
use crate::diag::{Code, Sink, Span};
use crate::job::State;
use crate::resource::shell_word;
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
            Self::Command(words) => {
                // Quoted, so that no two of them have one name.
                f.write_str("command")?;
                words
                    .iter()
                    .try_for_each(|word| write!(f, " {}", shell_word(word.as_bytes())))
            }
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
        !(shares || is_jobless(self) && is_jobless(other))
    }
}

impl JobSource {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let hint = "write `ledger`, `file: PATH` or `command: [PROGRAM, WORD]`";
        match &node.kind {
            Kind::Map(_) => {}
            Kind::Scalar { .. } | Kind::List(_) | Kind::Refused => {
                let Some(word) = node.spelling().filter(|_| !node.is_nothing()) else {
                    let what = "a source of jobs must be a word or a mapping";
                    node.refuse(what, Some(hint.to_owned()), sink);
                    return None;
                };
                if word != "ledger" {
                    let message = format!("`{word}` is no source of jobs");
                    sink.error_with_hint(Code::UnknownValue, node.at, message, hint);
                    return None;
                }
                return Some(Self::Ledger);
            }
        }
        let fields = Fields::read(node, &grammar::JOBS, sink)?;
        let at = Span { len: 1, ..node.at };
        match (fields.value("file"), fields.value("command")) {
            (Some(node), None) => file(node, sink).map(Self::File),
            (None, Some(node)) => command(node, sink).map(Self::Command),
            (Some(_), Some(_)) => {
                let message = "a source of jobs is a file or a command, and not both";
                let hint = "make two entries of it";
                sink.error_with_hint(Code::BadValue, at, message, hint);
                None
            }
            (None, None) if fields.is_complete => {
                let message = "a source of jobs needs the key `file` or `command`";
                sink.error_with_hint(Code::MissingKey, at, message, hint);
                None
            }
            (None, None) => None,
        }
    }
}

/// The path of a job list, as written.
fn file(node: &Node, sink: &mut Sink<'_>) -> Option<String> {
    if let Kind::List(_) | Kind::Map(_) = node.kind {
        let hint = "make an entry of each: `- file: PATH`".to_owned();
        node.refuse("`file` must be text", Some(hint), sink);
        return None;
    }
    let path = node.text("`file`", sink)?;
    let message = if path.is_empty() {
        "the path of `file` is empty".to_owned()
    } else if path.contains('\0') {
        "the path of `file` has a NUL byte".to_owned()
    } else if path.starts_with('~') && !path.starts_with("~/") {
        format!("`{path}` names another user's home, which is not supported")
    } else {
        return Some(path.to_owned());
    };
    let hint = "write it in full, below ~, or relative to where you stand";
    sink.error_with_hint(Code::BadValue, node.at, message, hint);
    None
}

/// The words of a program: there is no shell, so that no word is split or expanded.
fn command(node: &Node, sink: &mut Sink<'_>) -> Option<Vec<String>> {
    let Kind::List(items) = &node.kind else {
        let hint = "write its words one by one, as in `[my-queue, export]`: there is no shell";
        node.refuse("`command` must be a list", Some(hint.to_owned()), sink);
        return None;
    };
    let words = items.iter().map(|item| {
        let word = item.text("a word of `command`", sink)?;
        if word.contains('\0') {
            let message = "a word of `command` has a NUL byte";
            let hint = "no program can be given one";
            sink.error_with_hint(Code::BadValue, item.at, message, hint);
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
    let at = items.first().map_or(node.at, |program| program.at);
    let hint = "write a name that is on the PATH, or an absolute path, and its words";
    sink.error_with_hint(Code::BadValue, at, message, hint);
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
            let hint = "write the states that are meant, or `none`";
            sink.error_with_hint(Code::EmptyCondition, node.at, message, hint);
            return None;
        }
        let mut test = Self::default();
        let mut is_sound = true;
        for node in nodes {
            match JobWord::read(node, &[], sink) {
                Some(JobWord::State(state)) => test.states.push(state),
                Some(JobWord::None) => test.none = true,
                Some(JobWord::Gone) => test.gone = true,
                Some(JobWord::Other) | None => is_sound = false,
            }
        }
        test.states.sort();
        test.states.dedup();
        is_sound.then_some(test)
    }
}

/// A word that says which job a worktree has.
pub(super) enum JobWord {
    /// One in this state.
    State(State),
    /// None.
    None,
    /// One that is gone.
    Gone,
    /// Another word, of those that were allowed.
    Other,
}

impl JobWord {
    /// Reads a state that this owl knows, `none`, `gone`, or one of `others`.
    pub(super) fn read(node: &Node, others: &[&'static str], sink: &mut Sink<'_>) -> Option<Self> {
        let Some(text) = node.spelling().filter(|_| !node.is_nothing()) else {
            node.refuse("`job` must be a word", None, sink);
            return None;
        };
        if others.contains(&text) {
            return Some(Self::Other);
        }
        match (text, State::of(text)) {
            ("none", _) => Some(Self::None),
            ("gone", _) => Some(Self::Gone),
            (_, state) if state.is_known() => Some(Self::State(state)),
            (_, _) => {
                let message = format!("`{text}` is not a value of `job`");
                let known = State::KNOWN.each_ref().map(State::as_str);
                let known = known.into_iter().chain(["none", "gone"]);
                let known = known.chain(others.iter().copied());
                sink.error_with_hint(Code::UnknownValue, node.at, message, suggest(text, known));
                None
            }
        }
    }
}
