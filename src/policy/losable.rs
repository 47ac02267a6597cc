//! Globs of paths in a worktree that may be lost.

use super::alternative::Alternative;
use super::pattern::{Patterns, Star, alternatives};
use crate::diag::{Code, Sink};
use crate::yaml::node::{Kind, Node};

/// Globs of paths, relative to each worktree: `*` is one component, `**/` any number of them, and a
/// glob that matches a directory covers everything below it. None covers nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losable(Option<Patterns>);

impl Losable {
    /// Covers every path.
    pub(super) fn everything() -> Self {
        Self(Some(Patterns::everything()))
    }

    /// Whether there is no glob.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The globs as written.
    pub fn texts(&self) -> &[String] {
        self.0.as_ref().map_or(&[], Patterns::texts)
    }

    /// Whether a glob matches a path, or a directory above it.
    pub fn covers(&self, path: &[u8]) -> bool {
        let Some(patterns) = &self.0 else {
            return false;
        };
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let ends = slashes.map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| patterns.is_match(&path[..end]))
    }

    /// Reads a list of globs, which may be empty, and adds what is inherited.
    pub(super) fn read(
        node: &Node,
        key: &str,
        inherited: &Self,
        sink: &mut Sink<'_>,
    ) -> Option<Self> {
        if node.is_empty_list() {
            return Some(inherited.clone());
        }
        let patterns = Patterns::read(node, key, Star::Component, sink)?;
        let one = std::slice::from_ref(node);
        let nodes = match &node.kind {
            Kind::List(nodes) => nodes,
            Kind::Scalar { .. } | Kind::Map(_) | Kind::Refused => one,
        };
        let mut is_sound = true;
        for (node, text) in nodes.iter().zip(patterns.texts()) {
            let all = alternatives(text, node.at, sink)?;
            if let Some((problem, hint)) = all.iter().find_map(problem) {
                let message = format!("`{text}` in `{key}` {problem}");
                sink.error_with_hint(Code::BadValue, node.at, message, hint);
                is_sound = false;
            }
        }
        if !is_sound {
            return None;
        }
        let of = (key, Star::Component);
        let joined = match &inherited.0 {
            Some(inherited) => patterns.joined(inherited, of, node.at, sink)?,
            None => patterns,
        };
        Some(Self(Some(joined)))
    }
}

/// What a path below a worktree cannot be.
fn problem(one: &Alternative) -> Option<(&'static str, &'static str)> {
    let relative = "write the path from the top of the worktree, such as .cache/notes.txt";
    if one.is_absolute() || one.text().starts_with('~') {
        return Some(("is not relative to the worktree", relative));
    }
    if one.has_empty_part() || one.has_dots() || one.text().is_empty() {
        return Some(("has a part that names no file", relative));
    }
    if one.names_nothing() {
        let hint = "name what may be lost: whatever it covers is lost with the worktree";
        let problem = "covers everything, or nearly so: it has wildcards and no name";
        return Some((problem, hint));
    }
    None
}
