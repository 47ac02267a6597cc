//! Policies as users write them: what each one means, and what each mistake is told.

use owl::diag::{Code, Diagnostic, Severity};
use owl::policy::{
    Action, BUILTINS, Condition, Origin, PidNamespace, Policy, Processes, StorePlace,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every file of `tests/policies/invalid`, with each finding's line, column and code.
const INVALID: &[(&str, &[&str])] = &[];

fn snap(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("policy__{name}"), text));
}

fn directory(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The names, without extension, of the files of a directory.
fn names(below: &str) -> BTreeSet<String> {
    fs::read_dir(directory(below))
        .expect("the directory is there")
        .map(|entry| entry.expect("it can be read").path())
        .map(|path| {
            path.file_stem()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

fn text(below: &str, name: &str) -> String {
    fs::read_to_string(directory(below).join(format!("{name}.yaml"))).expect("the file is there")
}

fn valid(name: &str) -> Policy {
    let text = text("tests/policies/valid", name);
    Policy::parse("owl.yaml", text.as_bytes(), Origin::User)
        .unwrap_or_else(|found| panic!("{name}: {}", shown(&found)))
}

fn refused(bytes: &[u8]) -> Vec<Diagnostic> {
    Policy::parse("owl.yaml", bytes, Origin::User).expect_err("it is refused")
}

fn shown(found: &[Diagnostic]) -> String {
    let texts: Vec<_> = found.iter().map(ToString::to_string).collect();
    texts.join("\n\n")
}

fn places(found: &[Diagnostic]) -> Vec<String> {
    let place = |found: &Diagnostic| {
        let span = found.span.expect("each finding has a place");
        format!("{}:{} {}", span.line, span.column, found.code)
    };
    found.iter().map(place).collect()
}

#[test]
fn every_mistake_is_told_with_its_place() {
    let listed: BTreeSet<_> = INVALID.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(listed, names("tests/policies/invalid"));
    for (name, expected) in INVALID {
        let text = text("tests/policies/invalid", name);
        let origin = if *name == "repository" {
            Origin::Repository
        } else {
            Origin::User
        };
        let found = Policy::parse("owl.yaml", text.as_bytes(), origin)
            .expect_err(&format!("{name} is refused"));
        assert_eq!(places(&found), *expected, "{name}:\n{}", shown(&found));
        snap(name, &shown(&found));
    }
}

#[test]
fn what_cannot_be_a_policy_is_refused_before_it_is_read() {
    let huge = refused(&vec![b'#'; 1024 * 1024 + 1]);
    assert_eq!(places(&huge), ["1:1 too-large"]);
    let binary = refused(b"apiVersion: owl/v1\nx-\xff: 1\n");
    assert_eq!(places(&binary), ["2:3 not-utf8"]);
    assert!(binary[0].message.contains("byte 21"), "{}", binary[0]);
    let deep = refused(format!("x-deep: {}", "[".repeat(200)).as_bytes());
    assert_eq!(places(&deep), ["1:40 too-complex"]);
    let wide = format!("apiVersion: owl/v1\nx-wide: [{}]", "1,".repeat(30_000));
    assert_eq!(refused(wide.as_bytes())[0].code, Code::TooComplex);
    let many = format!(
        "apiVersion: owl/v1\nstores: [{}]",
        "{path: a}, 5,".repeat(1_000)
    );
    let found = refused(many.as_bytes());
    assert!(found.iter().any(|found| found.severity == Severity::Error));
    assert!(found.len() <= 200);
}

#[test]
fn every_key_means_what_it_says() {
    let policy = valid("full");
    assert_eq!(shown(&policy.warnings), "");
    assert_eq!(policy.source.name, "owl.yaml");
    assert_eq!(policy.source.sha256.len(), 64);
    assert_eq!(policy.ttl.grace, Duration::from_secs(1_800));
    assert_eq!(policy.limits.max_removals, 5);
    assert_eq!(policy.limits.max_gone.percent(), 80);
    assert_eq!(policy.processes, Processes::Strict);
    assert_eq!(policy.pid_namespace, PidNamespace::Own);
    assert!(policy.projects[0].is_glob && policy.projects[0].name.is_none());
    assert_eq!(policy.projects[1].base.as_deref(), Some("origin/main"));
    let places: Vec<_> = policy.stores.iter().map(|store| store.place).collect();
    let expected = [StorePlace::Relative, StorePlace::Home, StorePlace::Absolute];
    assert_eq!(places, expected);
    let lines: Vec<_> = policy.rules.iter().map(|rule| rule.line).collect();
    assert_eq!(lines, [18, 21, 26]);
    assert_eq!(policy.rules[0].then, Action::Keep);
    assert!(policy.acts());
    let Condition::All(finished) = &policy.rules[1].when else {
        panic!("two keys are a conjunction");
    };
    let ways = [Condition::Landed(true), Condition::Published(true)];
    assert_eq!(finished[0], Condition::Any(ways.to_vec()));
    assert_eq!(finished[1], Condition::IdleOver(Duration::from_secs(3_600)));
    snap("full", &format!("{policy:#?}"));
}

#[test]
fn the_defaults_are_those_of_the_specification() {
    let policy = valid("minimal");
    assert_eq!(policy.ttl.grace, Duration::from_secs(3_600));
    assert_eq!(policy.limits.max_removals, 200);
    assert_eq!(policy.limits.max_gone.percent(), 50);
    assert_eq!(policy.processes, Processes::Visible);
    assert_eq!(policy.pid_namespace, PidNamespace::Host);
    assert!(policy.projects.is_empty() && policy.rules.is_empty() && !policy.acts());
    assert_eq!(places(&policy.warnings), ["1:1 no-store"]);
}

#[test]
fn whatever_is_valid_is_accepted() {
    for name in names("tests/policies/valid") {
        let warning = |found: &Diagnostic| found.severity == Severity::Warning;
        assert!(valid(&name).warnings.iter().all(warning), "{name}");
    }
    assert_eq!(valid("json").rules[0].when, Condition::All(Vec::new()));
}

#[test]
fn what_is_hardly_meant_is_a_warning() {
    let found = valid("warnings").warnings;
    let expected = [
        "3:11 literal-leaf",
        "8:5 shadowed-rule",
        "11:5 shadowed-rule",
        "17:5 shadowed-rule",
    ];
    assert_eq!(places(&found), expected, "{}", shown(&found));
    snap("warnings", &shown(&found));
}

#[test]
fn a_star_crosses_slashes_in_branches_only() {
    let policy = valid("full");
    let Condition::Branch(branch) = &policy.rules[0].when else {
        panic!("the first rule tests the branch");
    };
    for (name, expected) in [
        ("release/1", true),
        ("release/1/2", true),
        ("release", false),
        ("a/release/1", false),
        ("Release/1", false),
    ] {
        assert_eq!(branch.is_match(name.as_bytes()), expected, "{name}");
    }
    assert!(branch.is_match(b"keep/\xff"));
    assert_eq!(branch.matching(b"keep/x").collect::<Vec<_>>(), ["keep/*"]);

    let leaf = &policy.stores[0].components[2];
    assert_eq!(policy.stores[0].components[0].literal(), Some(".claude"));
    for (name, expected) in [
        ("x", true),
        (".x", true),
        ("\u{301}é\n", true),
        ("a/b", false),
    ] {
        assert_eq!(leaf.is_match(name.as_bytes()), expected, "{name:?}");
    }
    assert!(leaf.is_match(b"\xff\xfe"));
}

#[test]
fn every_file_of_policies_is_embedded_explained_and_free_of_warnings() {
    let embedded: BTreeSet<_> = BUILTINS.iter().map(|it| it.name.to_owned()).collect();
    assert_eq!(embedded, names("policies"));
    for builtin in BUILTINS {
        let policy = Policy::builtin(builtin.name).expect("it is embedded");
        assert_eq!(shown(&policy.warnings), "", "{}", builtin.name);
        assert_eq!(policy.source.name, format!("built-in {}", builtin.name));
        assert!(builtin.text.starts_with(&format!("# {}: ", builtin.name)));
        for part in ["\n# What: ", "\n# Why: ", "\n# Risk: "] {
            assert!(
                builtin.text.contains(part),
                "{} lacks {part:?}",
                builtin.name
            );
        }
    }
    assert!(Policy::builtin("no-such-policy").is_none());
}

#[test]
fn report_only_looks_where_default_looks_and_does_nothing() {
    let default = Policy::builtin("default").expect("it is embedded");
    let report = Policy::builtin("report-only").expect("it is embedded");
    let paths = |policy: &Policy| -> Vec<_> {
        let stores = policy.stores.iter();
        stores.map(|store| store.path.clone()).collect()
    };
    assert_eq!(paths(&default), paths(&report));
    assert!(report.rules.is_empty() && !report.acts());
    let rules: Vec<_> = default.rules.iter().map(|rule| &rule.when).collect();
    snap("default-rules", &format!("{rules:#?}"));
}
