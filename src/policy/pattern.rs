//! Globs, compiled, with their texts kept.

use super::alternative::{Alternative, MOST};
use super::node::{Kind, Node};
use super::unmatchable;
use crate::diag::{Code, Sink, Span};
use globset::{Candidate, Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use std::fmt;

/// What `*` crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Star {
    /// Nothing: it is part of one component (paths and stores).
    Component,
    /// Everything, `/` included (branches and project names).
    Everything,
}

/// One or more globs; any of them may match.
#[derive(Clone)]
pub struct Patterns {
    texts: Vec<String>,
    set: GlobSet,
}

impl Patterns {
    /// The one glob that matches every text.
    pub(super) fn everything() -> Self {
        let glob = Glob::new("*").expect("because it is a glob");
        let set = GlobSetBuilder::new().add(glob).build();
        Self {
            texts: vec!["*".to_owned()],
            set: set.expect("because one glob is not too many"),
        }
    }

    /// The globs as written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether any glob matches the whole text; bytes that are not UTF-8 match `*` and `?`.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.set.is_match_candidate(&Candidate::from_bytes(text))
    }

    /// The globs that match the whole text.
    pub fn matching(&self, text: &[u8]) -> impl Iterator<Item = &str> {
        let found = self.set.matches_candidate(&Candidate::from_bytes(text));
        found
            .into_iter()
            .filter_map(|index| self.texts.get(index).map(String::as_str))
    }

    /// Reads a glob or a list of globs.
    pub(super) fn read(node: &Node, key: &str, star: Star, sink: &mut Sink<'_>) -> Option<Self> {
        let one = std::slice::from_ref(node);
        let nodes = match &node.kind {
            Kind::List(nodes) => nodes,
            Kind::Scalar { .. } | Kind::Map(_) | Kind::Refused => one,
        };
        if nodes.is_empty() {
            let message = format!("`{key}` lists no pattern, so it can never match");
            sink.error(Code::EmptyCondition, node.at, message);
            return None;
        }
        let mut texts = Vec::new();
        let mut set = GlobSetBuilder::new();
        for node in nodes {
            let Some(text) = node.text(&format!("`{key}`"), sink) else {
                continue;
            };
            if let Some(glob) = compile(text, star, node.at, sink)
                && is_possible(text, key, node.at, sink)
            {
                set.add(glob);
                texts.push(text.to_owned());
            }
        }
        if texts.len() != nodes.len() {
            return None;
        }
        Self::build(texts, &set, key, node.at, sink)
    }

    /// Any of these, or any of the inherited ones.
    pub(super) fn joined(
        self,
        inherited: &Self,
        (key, star): (&str, Star),
        at: Span,
        sink: &mut Sink<'_>,
    ) -> Option<Self> {
        let mut texts = self.texts;
        let new = |text: &&String| !texts.contains(text);
        let more: Vec<String> = inherited.texts.iter().filter(new).cloned().collect();
        texts.extend(more);
        let mut set = GlobSetBuilder::new();
        for text in &texts {
            set.add(compile(text, star, at, sink)?);
        }
        Self::build(texts, &set, key, at, sink)
    }

    fn build(
        texts: Vec<String>,
        set: &GlobSetBuilder,
        key: &str,
        at: Span,
        sink: &mut Sink<'_>,
    ) -> Option<Self> {
        match set.build() {
            Ok(set) => Some(Self { texts, set }),
            Err(error) => {
                let message = format!("the patterns of `{key}` are too large: {error}");
                sink.error(Code::BadGlob, at, message);
                None
            }
        }
    }
}

// Compiled globs cannot be compared, and equal texts of one kind compile to equal globs.
impl PartialEq for Patterns {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
    }
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts.fmt(f)
    }
}

/// One component of a store's path: a name, or a glob that matches one name.
#[derive(Clone)]
pub struct Component {
    text: String,
    glob: Option<GlobSet>,
}

impl Component {
    /// The component as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name, if the component is not a glob.
    pub fn literal(&self) -> Option<&str> {
        self.glob.is_none().then_some(self.text.as_str())
    }

    /// Whether the component matches a file name; names that begin with a dot are no exception.
    pub fn is_match(&self, name: &[u8]) -> bool {
        match &self.glob {
            Some(glob) => glob.is_match_candidate(&Candidate::from_bytes(name)),
            None => self.text.as_bytes() == name,
        }
    }

    /// Compiles one component.
    pub(super) fn compile(text: &str, at: Span, sink: &mut Sink<'_>) -> Option<Self> {
        let glob = if is_glob(text) {
            let glob = compile(text, Star::Component, at, sink)?;
            Some(GlobSet::new([glob]).expect("because `compile` has built one of it"))
        } else {
            None
        };
        let text = text.to_owned();
        Some(Self { text, glob })
    }
}

impl PartialEq for Component {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// Whether a text has a character that means something in a glob.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', ']', '{', '}', '\\'])
}

/// Whether every alternative of a glob can match something; what cannot is told.
fn is_possible(text: &str, key: &str, at: Span, sink: &mut Sink<'_>) -> bool {
    let Some(all) = alternatives(text, at, sink) else {
        return false;
    };
    let found = all.iter().find_map(|one| unmatchable::problem(key, one));
    if let Some((problem, hint)) = found {
        let message = format!("`{text}` in `{key}` {problem}");
        sink.error_with_hint(Code::BadGlob, at, message, hint);
    }
    found.is_none()
}

/// The alternatives of a glob that has been compiled.
pub(super) fn alternatives(text: &str, at: Span, sink: &mut Sink<'_>) -> Option<Vec<Alternative>> {
    let all = Alternative::all_of(text);
    if all.is_none() {
        let message = format!("the braces of `{text}` stand for {MOST} patterns or more");
        let hint = "write a list of patterns, or a wildcard";
        sink.error_with_hint(Code::BadGlob, at, message, hint);
    }
    all
}

/// Parses one glob, and proves that a matcher can be built of it.
pub(super) fn compile(text: &str, star: Star, at: Span, sink: &mut Sink<'_>) -> Option<Glob> {
    if text.is_empty() {
        sink.error(Code::BadGlob, at, "an empty pattern can never match");
        return None;
    }
    let glob = GlobBuilder::new(text)
        .literal_separator(star == Star::Component)
        .backslash_escape(true)
        .build();
    match glob.and_then(|glob| GlobSet::new([&glob]).map(|_| glob)) {
        Ok(glob) => Some(glob),
        Err(error) => {
            let message = format!("`{text}` is not a pattern: {}", error.kind());
            sink.error(Code::BadGlob, at, message);
            None
        }
    }
}
