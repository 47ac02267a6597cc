//! The places whose leaves owl may remove.

use super::alternative::Alternative;
use super::fields::{Fields, word};
use super::grammar;
use super::node::Node;
use super::pattern::Component;
use super::unmatchable;
use crate::diag::{Code, Sink, Span};

/// A place where agents' worktrees live; its leaves are the paths that match every component.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// The path as written.
    pub path: String,
    /// What the components start from.
    pub place: StorePlace,
    /// The components below that, the last of which names the leaves; never empty.
    pub components: Vec<Component>,
    /// Whose leaves may be removed.
    pub owner: Owner,
    /// The text that declares it.
    pub file: String,
    /// Its line there.
    pub line: usize,
}

/// What a store's path starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorePlace {
    /// The main worktree of each project.
    Relative,
    /// The root of the file system.
    Absolute,
    /// The home directory of the user.
    Home,
}

/// What must be known of a leaf's owner before it may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nothing.
    None,
    /// The ledger, or another source of jobs, must know it.
    Job,
}

impl Store {
    /// Reads a store; what it leaves out is as it is inherited from the one of the same path.
    pub(super) fn read(node: &Node, inherited: &[Self], sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(node, &grammar::STORE, sink)?;
        let owner = match fields.value("owner") {
            Some(node) => {
                let words = [
                    ("none", Some(Owner::None)),
                    ("claim", None),
                    ("job", Some(Owner::Job)),
                ];
                word(node, "owner", &words, sink).map(Some)
            }
            None => Some(None),
        };
        let node = fields.require("path", ".claude/worktrees/*", sink)?;
        let path = node.text("the `path` of a store", sink)?;
        let of_same_path = inherited.iter().find(|store| store.path == path);
        let inherited = of_same_path.map_or(Owner::None, |store| store.owner);
        let (place, below) = split(path, node.at, sink)?;
        Some(Self {
            path: path.to_owned(),
            place,
            components: components(path, place, below, node.at, sink)?,
            owner: owner?.unwrap_or(inherited),
            file: sink.file().to_owned(),
            line: node.at.line,
        })
    }
}

/// Splits off what the path starts from.
fn split<'a>(path: &'a str, at: Span, sink: &mut Sink<'_>) -> Option<(StorePlace, &'a str)> {
    let (place, below) = if let Some(below) = path.strip_prefix("~/") {
        (StorePlace::Home, below)
    } else if let Some(below) = path.strip_prefix('/') {
        (StorePlace::Absolute, below)
    } else {
        (StorePlace::Relative, path)
    };
    let message = if path.is_empty() {
        "a store needs a path".to_owned()
    } else if below.is_empty() || path == "~" || path == "." {
        format!("`{path}` is a root, and the leaves of a store lie below its root")
    } else if path.starts_with('~') && place != StorePlace::Home {
        format!("`{path}` names another user's home, which is not supported")
    } else {
        return Some((place, below));
    };
    let hint = "write a path whose last part matches the worktrees, such as .claude/worktrees/*";
    sink.error_with_hint(Code::BadValue, at, message, hint);
    None
}

fn components(
    path: &str,
    place: StorePlace,
    below: &str,
    at: Span,
    sink: &mut Sink<'_>,
) -> Option<Vec<Component>> {
    let parts = || below.split('/');
    let problem = if parts().any(|part| part == "..") {
        Some(("climbs with `..`", "write the path that it means"))
    } else if parts().any(|part| part.is_empty() || part == ".") {
        Some(("has an empty part", "remove the extra `/` or `.`"))
    } else if parts().any(|part| part.contains("**")) {
        let hint = "a leaf lies directly in its store; write one `*` for each level";
        Some(("contains `**`", hint))
    } else if path.contains('\0') {
        Some(("contains a NUL byte", "no path can have one"))
    } else {
        None
    };
    // Too many alternatives are no reason to refuse: a store only says where to look.
    let whole = Alternative::all_of(path).unwrap_or_default();
    let negation = || {
        whole
            .iter()
            .find_map(|one| unmatchable::negation("stores", one))
    };
    if let Some((problem, hint)) = problem.or_else(negation) {
        let message = format!("the path `{path}` of a store {problem}");
        sink.error_with_hint(Code::BadValue, at, message, hint);
        return None;
    }
    let compiled: Vec<_> = parts()
        .map(|part| Component::compile(part, at, sink))
        .collect::<Option<_>>()?;
    // A glob right below such a root would declare whole disks or homes to be stores.
    let first_is_glob = compiled
        .first()
        .is_some_and(|part| part.literal().is_none());
    if place != StorePlace::Relative && first_is_glob {
        let message = format!("the store `{path}` has a glob right below its root");
        let hint = "name the directory in which the worktrees lie";
        sink.error_with_hint(Code::BadValue, at, message, hint);
        return None;
    }
    if compiled.last().is_some_and(|part| part.literal().is_some()) {
        let message = format!("the store `{path}` has at most one leaf, the path itself");
        let hint = format!("for the worktrees in that directory, write {path}/*");
        sink.warning(Code::LiteralLeaf, at, message, hint);
    }
    Some(compiled)
}
