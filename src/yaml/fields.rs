//! Reads the keys of a mapping and the words of a closed set, with suggestions.

use super::node::{Entry, Node};
use super::{Keys, Support, nearest};
use crate::diag::{Code, Sink, Span};

/// A mapping whose unknown and unsupported keys have been reported.
#[derive(Debug)]
pub struct Fields<'node> {
    /// Where the mapping begins.
    pub at: Span,
    what: &'static str,
    known: Vec<&'node Entry>,
    /// Whether nothing was left out: no key was unknown or unsupported.
    pub is_complete: bool,
}

impl<'node> Fields<'node> {
    /// Reads a mapping of one level of the grammar.
    pub fn read(node: &'node Node, level: &impl Keys, sink: &mut Sink<'_>) -> Option<Self> {
        let entries = node.entries(level.what(), sink)?;
        let known: Vec<_> = entries
            .iter()
            .filter(|entry| is_built(entry, level, sink))
            .collect();
        Some(Self {
            at: node.at,
            what: level.what(),
            is_complete: known.len() == entries.len(),
            known,
        })
    }

    /// The entries that this version acts on, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &'node Entry> {
        self.known.iter().copied()
    }

    /// The value of a key, if it is there.
    pub fn value(&self, key: &str) -> Option<&'node Node> {
        let entry = self.iter().find(|entry| entry.key == key)?;
        Some(&entry.value)
    }

    /// The value of a key that must be there.
    pub fn require(&self, key: &str, example: &str, sink: &mut Sink<'_>) -> Option<&'node Node> {
        let value = self.value(key);
        if value.is_none() {
            let message = format!("{} needs the key `{key}`", self.what);
            let hint = format!("add `{key}: {example}`");
            let at = Span { len: 1, ..self.at };
            sink.error_with_hint(Code::MissingKey, at, message, hint);
        }
        value
    }
}

fn is_built(entry: &Entry, level: &impl Keys, sink: &mut Sink<'_>) -> bool {
    let key = entry.key.as_str();
    if level.has_extras() && key.starts_with("x-") {
        return false;
    }
    let keys = level.keys();
    let known = keys.iter().find(|(known, _)| *known == key);
    match known.map(|(_, support)| *support) {
        Some(Support::Built) => return true,
        Some(Support::Later) => sink.error(Code::NotSupported, entry.at, unsupported(key)),
        None => {
            let message = format!("`{key}` is not a key of {}", level.what());
            let names = keys.iter().map(|(known, _)| *known);
            sink.error_with_hint(Code::UnknownKey, entry.at, message, suggest(key, names));
        }
    }
    false
}

/// The word that was meant, or all there are.
pub fn suggest<'a>(wrong: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(wrong, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", known.collect::<Vec<_>>().join(", ")),
    }
}

fn unsupported(word: &str) -> String {
    format!("`{word}` is not supported by this version of owl")
}

/// Reads one word of a closed set; a word without a value is refused as not supported.
pub fn word<T: Copy>(
    node: &Node,
    key: &str,
    words: &[(&str, Option<T>)],
    sink: &mut Sink<'_>,
) -> Option<T> {
    let Some(text) = node.spelling().filter(|_| !node.is_nothing()) else {
        node.refuse(&format!("`{key}` must be a word"), None, sink);
        return None;
    };
    match words.iter().find(|(known, _)| *known == text) {
        Some((_, Some(value))) => return Some(*value),
        Some((_, None)) => {
            let message = unsupported(&format!("{key}: {text}"));
            sink.error(Code::NotSupported, node.at, message);
        }
        None => {
            let message = format!("`{text}` is not a value of `{key}`");
            let names = words.iter().map(|(known, _)| *known);
            sink.error_with_hint(Code::UnknownValue, node.at, message, suggest(text, names));
        }
    }
    None
}
