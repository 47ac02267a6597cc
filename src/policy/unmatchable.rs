//! Globs that can never match, told by their text: a rule with one would silently say nothing.
//!
//! Input: the key that has the glob, and one of its alternatives. Output: what is wrong, and what
//! to do. Invariant: only what is certain for every worktree that there could be; what a strange
//! name could still match has a spelling that is taken (`\!`, `\~`, `\refs/heads/x`).

use super::alternative::Alternative;

/// Why an alternative of a condition or of `rescue` can never match.
pub(super) fn problem(key: &str, one: &Alternative) -> Option<(&'static str, &'static str)> {
    if let Some(found) = negation(key, one) {
        return Some(found);
    }
    match key {
        "path" if one.text().starts_with('~') => Some((
            "can never match: a path is absolute, or relative to the project's root",
            "write the whole path, or `**/` and its end; a directory called `~` needs a backslash",
        )),
        "path" | "store" | "rescue" if one.has_empty_part() => Some((
            "can never match: no path has an empty part, or ends with `/`",
            "remove the extra `/`; for all that lies below, write `/**`",
        )),
        "path" | "store" | "rescue" if one.has_dots() => Some((
            "can never match: no path here has a part `.` or `..`",
            "write the path that it means",
        )),
        "branch" if one.text().starts_with("refs/heads/") => Some((
            "can never match: a branch is matched by its short name",
            "write it without `refs/heads/`",
        )),
        "branch" if one.is_absolute() || one.has_empty_part() => Some((
            "can never match: no branch begins or ends with `/`, or has an empty part",
            "remove the extra `/`; for all branches below a name, write `/*`",
        )),
        "branch" if one.has_hidden_part() => Some((
            "can never match: no part of a branch's name begins with `.`",
            "write the branch's short name, as in `git branch`",
        )),
        _ => None,
    }
}

/// A leading `!`, which would be part of the name.
pub(super) fn negation(key: &str, one: &Alternative) -> Option<(&'static str, &'static str)> {
    if !one.text().starts_with('!') {
        return None;
    }
    let hint = match key {
        "rebuildable" | "expendable" => {
            "to keep a part of what may be lost, name it in `precious`; a name that begins with `!` \
             needs a backslash"
        }
        "precious" | "rescue" | "stores" => {
            "write only what is meant, and no exceptions; a name that begins with `!` needs a \
             backslash"
        }
        _ => "put the condition into `not: { … }`; a name that begins with `!` needs a backslash",
    };
    Some(("begins with `!`, which takes nothing out", hint))
}
