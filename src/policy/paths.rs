//! Globs over paths in a worktree: `rebuildable` and `precious` (`spec 5.4`).

use super::alternative::Alternative;
use super::node::Node;
use super::pattern::{Star, alternatives, compile};
use super::unmatchable;
use crate::diag::{Code, Sink};
use globset::{Candidate, GlobSet, GlobSetBuilder};
use std::fmt;

/// Globs over paths relative to the top of a worktree; `*` is one component, `**` any number. One
/// of `precious` without a `/` is about names at any depth.
#[derive(Clone, Default)]
pub struct Paths {
    texts: Vec<String>,
    set: GlobSet,
    /// Of these the alternatives whose last part is a name, without a wildcard.
    naming: GlobSet,
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

    /// Whether a glob speaks of this very file by its name: a directory around it does not, and
    /// neither does a wildcard that happens to match it.
    pub fn names(&self, path: &[u8]) -> bool {
        self.naming.is_match_candidate(&Candidate::from_bytes(path))
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
        let (mut set, mut naming) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in &texts {
            set.add(compile(text, Star::Component, node.at, sink)?);
            for one in alternatives(text, node.at, sink)? {
                if one.ends_in_a_name() {
                    naming.add(compile(one.text(), Star::Component, node.at, sink)?);
                }
                // As in a .gitignore; where more may be lost, nothing is taken to be meant.
                if key == "precious" && one.is_one_part() && !one.text().is_empty() {
                    let anywhere = format!("**/{}", one.text());
                    set.add(compile(&anywhere, Star::Component, node.at, sink)?);
                }
            }
        }
        let built = set.build().and_then(|set| Ok((set, naming.build()?)));
        match built {
            Ok((set, naming)) => Some(Self { texts, set, naming }),
            Err(error) => {
                let message = format!("the paths of `{key}` are too large: {error}");
                sink.error(Code::BadGlob, node.at, message);
                None
            }
        }
    }
}

/// The text of one glob, if it can be one.
fn checked<'a>(text: &'a str, key: &str, item: &Node, sink: &mut Sink<'_>) -> Option<&'a str> {
    let path = text.strip_suffix('/').unwrap_or(text);
    compile(path, Star::Component, item.at, sink)?;
    let all = alternatives(path, item.at, sink)?;
    if let Some((problem, hint)) = all.iter().find_map(|one| problem(one, key)) {
        let message = format!("the path `{text}` of `{key}` {problem}");
        sink.error_with_hint(Code::BadValue, item.at, message, hint);
        return None;
    }
    Some(path)
}

/// What a path in a worktree cannot be, and what says that everything may be lost.
fn problem(one: &Alternative, key: &str) -> Option<(&'static str, &'static str)> {
    if let Some(found) = unmatchable::negation(key, one) {
        return Some(found);
    }
    if one.is_absolute() || one.text().starts_with('~') {
        let hint = "write it as it lies below the top of the worktree";
        return Some(("is not a path in a worktree", hint));
    }
    if one.has_dots() || one.has_empty_part() || one.text().is_empty() {
        let hint = "write the path from the top of the worktree, without `.`, `..` and `//`";
        return Some(("has a part that names no file", hint));
    }
    if key == "rebuildable" && one.names_nothing() {
        let problem = "would let everything that is ignored be lost, or nearly so: it has \
                       wildcards and no name";
        let hint = "name what may be lost, such as dist or \"**/*.log\"";
        return Some((problem, hint));
    }
    None
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
