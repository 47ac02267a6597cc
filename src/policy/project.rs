//! The repositories that a policy speaks of.

use super::fields::Fields;
use super::grammar;
use super::node::Node;
use super::pattern::{Component, Star, compile, is_glob};
use crate::diag::{Code, Sink, Span};

/// A repository, or a glob of repositories.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectDecl {
    /// The path or glob as written: absolute, relative, or below `~`.
    pub path: String,
    /// The components of the path, without `~` and without empty ones.
    pub components: Vec<Component>,
    /// Whether the path is a glob; then there is no name.
    pub is_glob: bool,
    /// The name, if it is not the directory's.
    pub name: Option<String>,
    /// The base branch, if it is not found by the default rule.
    pub base: Option<String>,
    /// The line of the policy that declares it.
    pub line: usize,
}

impl ProjectDecl {
    pub(super) fn read(node: &Node, sink: &mut Sink<'_>) -> Option<Self> {
        let fields = Fields::read(node, &grammar::PROJECT, sink)?;
        let name = fields.value("name").map(|node| name(node, sink));
        let base = fields.value("base").map(|node| base(node, sink));
        let node = fields.require("path", "~/src/app", sink)?;
        let path = node.text("the `path` of a project", sink)?;
        require_path(path, node.at, sink)?;
        let is_glob = is_glob(path);
        let below = path.strip_prefix('~').unwrap_or(path);
        let parts = below
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".");
        let components = parts
            .map(|part| Component::compile(part, node.at, sink))
            .collect::<Option<_>>();
        if let Some(named) = fields.value("name").filter(|_| is_glob) {
            let message = format!("a glob of repositories (`{path}`) cannot have one name");
            let hint = "leave the name out; each repository is named after its directory";
            sink.error_with_hint(Code::BadValue, named.at, message, hint);
        }
        Some(Self {
            path: path.to_owned(),
            components: components?,
            is_glob,
            name: name.map_or(Some(None), |name| name.map(Some))?,
            base: base.map_or(Some(None), |base| base.map(Some))?,
            line: node.at.line,
        })
    }
}

fn require_path(path: &str, at: Span, sink: &mut Sink<'_>) -> Option<()> {
    let (message, hint) = if path.is_empty() {
        ("a project needs a path".to_owned(), "write . for here")
    } else if path.starts_with('~') && path != "~" && !path.starts_with("~/") {
        let message = format!("`{path}` names another user's home, which is not supported");
        (message, "write the path that it means")
    } else if path.contains("**") {
        let message = format!("the path `{path}` of a project contains `**`");
        (message, "write one `*` for each level")
    } else if path.contains('\0') {
        let message = "the path of a project contains a NUL byte".to_owned();
        (message, "no path can have one")
    } else {
        return compile(path, Star::Component, at, sink).map(|_| ());
    };
    sink.error_with_hint(Code::BadValue, at, message, hint);
    None
}

/// A name is the first part of every address, so that it cannot have a `/`.
fn name(node: &Node, sink: &mut Sink<'_>) -> Option<String> {
    let name = node.text("the `name` of a project", sink)?;
    if name.is_empty() || name.contains('/') || name.chars().any(char::is_control) {
        let message = format!("`{name}` cannot be the name of a project");
        let hint = "a name is not empty and has no `/` and no control character";
        sink.error_with_hint(Code::BadValue, node.at, message, hint);
        return None;
    }
    Some(name.to_owned())
}

/// The rules of git for the names of references, as far as they can be told without git; above
/// all, a base never looks like an option or an expression.
fn base(node: &Node, sink: &mut Sink<'_>) -> Option<String> {
    let base = node.text("the `base` of a project", sink)?;
    let forbidden = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let bad_part = |part: &str| {
        part.is_empty() || part.starts_with('.') || part.strip_suffix(".lock").is_some()
    };
    if base.starts_with('-')
        || base.ends_with('.')
        || base == "@"
        || base.contains("..")
        || base.contains("@{")
        || base.contains(forbidden)
        || base.split('/').any(bad_part)
    {
        let message = format!("`{base}` cannot be the name of a branch");
        let hint = "name one branch, such as main or origin/main";
        sink.error_with_hint(Code::BadValue, node.at, message, hint);
        return None;
    }
    Some(base.to_owned())
}
