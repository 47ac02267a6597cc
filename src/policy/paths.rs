//! Globs over paths in a worktree: `rebuildable` and `precious` (`spec 5.4`).

use super::node::Node;
use super::pattern::{Star, compile};
use crate::diag::{Code, Sink};
use globset::{Candidate, GlobSet, GlobSetBuilder};
use std::fmt;

/// Globs over paths relative to the top of a worktree; `*` is one component, `**` any number.
#[derive(Clone, Default)]
pub struct Paths {
    texts: Vec<String>,
    set: GlobSet,
}

/// The two lists of a policy that speak of ignored paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    /// What may be lost, besides what is proven so.
    pub rebuildable: Paths,
    /// What always holds the worktree.
    pub precious: Paths,
}

impl Paths {
    /// The globs as written, without a final `/`.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a glob matches the path or a directory above it.
    pub fn covers(&self, path: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let above = ends.map(|(end, _)| &path[..end]);
        above
            .chain([path])
            .any(|part| self.set.is_match_candidate(&Candidate::from_bytes(part)))
    }

    /// Whether a glob speaks of this very file, and not only of a directory around it or of
    /// everything in one.
    pub fn names(&self, path: &[u8]) -> bool {
        let found = self.set.matches_candidate(&Candidate::from_bytes(path));
        found.into_iter().any(|index| {
            let last = self.texts[index].rsplit('/').next();
            last.is_some_and(|last| !is_everything(last))
        })
    }

    /// Reads a list of globs, and adds what is inherited.
    pub(super) fn read(
        node: &Node,
        key: &str,
        inherited: &Self,
        sink: &mut Sink<'_>,
    ) -> Option<Self> {
        let items = node.items(&format!("`{key}`"), sink)?;
        let mut texts: Vec<String> = Vec::new();
        for item in items {
            let Some(text) = item.text(&format!("a path of `{key}`"), sink) else {
                continue;
            };
            if let Some(text) = checked(text, key, item, sink)
                && !texts.iter().any(|known| known == text)
            {
                texts.push(text.to_owned());
            }
        }
        for text in &inherited.texts {
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        let mut set = GlobSetBuilder::new();
        for text in &texts {
            set.add(compile(text, Star::Component, node.at, sink)?);
        }
        match set.build() {
            Ok(set) => Some(Self { texts, set }),
            Err(error) => {
                let message = format!("the paths of `{key}` are too large: {error}");
                sink.error(Code::BadGlob, node.at, message);
                None
            }
        }
    }
}

/// A component that says nothing of a name.
fn is_everything(component: &str) -> bool {
    component.chars().all(|c| c == '*')
}

/// The text of one glob, if it can be one.
fn checked<'a>(text: &'a str, key: &str, item: &Node, sink: &mut Sink<'_>) -> Option<&'a str> {
    let path = text.strip_suffix('/').unwrap_or(text);
    let mut parts = path.split('/');
    let problem = if path.starts_with('/') || path.starts_with('~') {
        Some((
            "is not a path in a worktree",
            "write it as it lies below the top of the worktree",
        ))
    } else if parts.clone().any(|part| part == "..") {
        Some(("climbs with `..`", "write the path that it means"))
    } else if parts.clone().any(|part| part.is_empty() || part == ".") {
        Some(("has an empty part", "remove the extra `/` or `.`"))
    } else if key == "rebuildable" && parts.all(is_everything) {
        let hint = "name what may be lost, such as dist or \"**/*.log\"";
        Some(("would let everything that is ignored be lost", hint))
    } else {
        None
    };
    if let Some((problem, hint)) = problem {
        let message = format!("the path `{text}` of `{key}` {problem}");
        sink.error_with_hint(Code::BadValue, item.at, message, hint);
        return None;
    }
    compile(path, Star::Component, item.at, sink).map(|_| path)
}

// Compiled globs cannot be compared, and equal texts compile to equal globs.
impl PartialEq for Paths {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
    }
}

impl fmt::Debug for Paths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts.fmt(f)
    }
}
