//! Which built-in policies a policy stands on, and in which order they count.
//!
//! Input: the root of a text, and the built-in policies. Output: those that it extends, directly
//! or through another, what counts first in front. Invariant: each stands once, after everything
//! that extends it, so that no built-in policy outranks one that refines it.

use super::builtin::Builtin;
use super::document::tree;
use super::fields::suggest;
use super::node::{Kind, Node};
use crate::diag::{Code, Sink};

/// Everything that the text extends; an unknown name is reported and left out.
pub(super) fn extended<'a>(
    root: &Node,
    library: &'a [Builtin],
    sink: &mut Sink<'_>,
) -> Vec<&'a Builtin> {
    let mut found = Vec::new();
    gather(root, library, &mut Vec::new(), &mut found, sink);
    let mut order: Vec<&Builtin> = Vec::new();
    for one in found.into_iter().rev() {
        if !order.iter().any(|known| known.name == one.name) {
            order.push(one);
        }
    }
    order.reverse();
    order
}

fn gather<'a>(
    root: &Node,
    library: &'a [Builtin],
    around: &mut Vec<&'static str>,
    found: &mut Vec<&'a Builtin>,
    sink: &mut Sink<'_>,
) {
    for one in named(root, library, sink) {
        // A built-in policy in a circle would stand on itself; a test finds it.
        if around.contains(&one.name) {
            continue;
        }
        found.push(one);
        let shown = one.shown();
        let mut its_sink = Sink::new(&shown, one.text);
        if let Some(root) = tree(one.text, &mut its_sink) {
            around.push(one.name);
            gather(&root, library, around, found, &mut its_sink);
            around.pop();
        }
    }
}

/// What `extends` of this one text names, in its order.
fn named<'a>(root: &Node, library: &'a [Builtin], sink: &mut Sink<'_>) -> Vec<&'a Builtin> {
    let Kind::Map(entries) = &root.kind else {
        return Vec::new();
    };
    let Some(entry) = entries.iter().find(|entry| entry.key == "extends") else {
        return Vec::new();
    };
    let one = std::slice::from_ref(&entry.value);
    let nodes = match &entry.value.kind {
        Kind::List(nodes) => nodes,
        Kind::Scalar { .. } | Kind::Map(_) | Kind::Refused => one,
    };
    let mut found: Vec<&Builtin> = Vec::new();
    for node in nodes {
        let Some(name) = node.text("the name of a policy in `extends`", sink) else {
            continue;
        };
        let Some(builtin) = library.iter().find(|builtin| builtin.name == name) else {
            let message = format!("`{name}` is not a built-in policy");
            let hint = suggest(name, library.iter().map(|builtin| builtin.name));
            sink.error_with_hint(Code::UnknownValue, node.at, message, hint);
            continue;
        };
        if found.iter().any(|known| known.name == name) {
            let message = format!("`{name}` is extended twice");
            sink.error(Code::DuplicateName, node.at, message);
            continue;
        }
        found.push(builtin);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::extended;
    use crate::diag::Sink;
    use crate::policy::builtin::{BUILTINS, Builtin};
    use crate::policy::document::tree;
    use crate::policy::{Origin, Policy};

    const fn builtin(name: &'static str, text: &'static str) -> Builtin {
        Builtin { name, text }
    }

    const LIBRARY: [Builtin; 4] = [
        builtin(
            "base",
            "apiVersion: owl/v1\nttl: { grace: 1m }\nlimits: { max-removals: 1 }\n\
             check: { held: 1, oldest: 1d, disk: 1KiB }\n",
        ),
        builtin(
            "left",
            "apiVersion: owl/v1\nextends: base\nttl: { grace: 2m }\ncheck: { held: 2 }\n",
        ),
        builtin(
            "right",
            "apiVersion: owl/v1\nextends: [base]\nttl: { grace: 3m }\nlimits: { max-gone: 7% }\n",
        ),
        builtin("circle", "apiVersion: owl/v1\nextends: circle\n"),
    ];

    fn order(text: &str) -> Vec<&'static str> {
        let mut sink = Sink::new("owl.yaml", text);
        let root = tree(text, &mut sink).expect("YAML");
        let found = extended(&root, &LIBRARY, &mut sink);
        found.iter().map(|one| one.name).collect()
    }

    #[test]
    fn what_refines_goes_before_what_it_refines() {
        assert_eq!(order("extends: [left, right]"), ["left", "right", "base"]);
        assert_eq!(order("extends: [base, right]"), ["right", "base"]);
        assert_eq!(order("extends: circle"), ["circle"]);
        assert_eq!(order("rules: []"), [""; 0]);
    }

    #[test]
    fn mappings_are_merged_key_by_key() {
        let parse = |text: &str| {
            Policy::parse_with("owl.yaml", text.as_bytes(), Origin::User, &LIBRARY)
                .expect("it is valid")
        };
        let both = parse("apiVersion: owl/v1\nextends: [left, right]\n");
        assert_eq!(both.ttl.grace.as_secs(), 120);
        assert_eq!(both.limits.max_removals, 1);
        assert_eq!(both.limits.max_gone.percent(), 7);
        assert_eq!(both.source.extends, ["left", "right", "base"]);
        assert_eq!(both.check.held, Some(2));
        assert_eq!(both.check.oldest.map(|age| age.as_secs()), Some(86_400));
        assert_eq!(both.check.disk, Some(1024));
        let own = "apiVersion: owl/v1\nextends: right\nttl: { grace: 9m }\ncheck: { held: 9, waiting: 0 }\n";
        let own = parse(own);
        assert_eq!(own.ttl.grace.as_secs(), 540);
        assert_eq!((own.check.held, own.check.waiting), (Some(9), Some(0)));
        assert_eq!((own.check.disk, own.check.unfinished), (Some(1024), None));
        assert_ne!(own.source.sha256, both.source.sha256);
    }

    #[test]
    fn no_built_in_policy_stands_on_itself() {
        for one in BUILTINS {
            let shown = one.shown();
            let mut sink = Sink::new(&shown, one.text);
            let root = tree(one.text, &mut sink).expect("YAML");
            let found = extended(&root, &BUILTINS, &mut sink);
            assert!(found.iter().all(|other| other.name != one.name));
            assert!(!sink.has_errors());
        }
    }
}
