//! Policies as users write them: what each one means, and what each mistake is told.

use owl::diag::{Code, Diagnostic, Severity};
use owl::policy::{
    Action, BUILTINS, Condition, JobSource, Origin, Owner, PidNamespace, Policy, Processes,
    StorePlace,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every file of `tests/policies/invalid`, with each finding's line, column and code.
const INVALID: &[(&str, &[&str])] = &[
    ("alias-bomb", &["6:14 too-complex"]),
    (
        "bad-globs",
        &[
            "3:11 bad-glob",
            "5:11 bad-glob",
            "6:11 bad-glob",
            "9:28 bad-glob",
            "9:33 bad-glob",
            "9:39 bad-glob",
            "9:52 bad-glob",
            "9:63 bad-glob",
        ],
    ),
    (
        "bad-projects",
        &[
            "3:11 bad-value",
            "4:11 bad-value",
            "5:28 bad-value",
            "6:22 bad-value",
            "7:22 bad-value",
            "8:22 bad-value",
            "9:22 bad-value",
            "10:22 bad-value",
            "11:11 bad-value",
        ],
    ),
    ("bad-shares", &["2:25 wrong-type", "2:60 bad-value"]),
    (
        "bad-stores",
        &[
            "3:11 bad-value",
            "4:11 bad-value",
            "5:11 bad-value",
            "6:11 bad-value",
            "7:11 bad-value",
            "8:11 bad-value",
            "9:11 bad-value",
            "10:11 bad-value",
            "11:11 bad-value",
            "12:11 bad-value",
            "13:11 bad-value",
            "14:11 bad-value",
            "15:11 bad-value",
            "16:11 bad-value",
            "17:11 bad-value",
            "18:11 bad-value",
        ],
    ),
    (
        "bad-values",
        &[
            "3:11 bad-value",
            "4:24 bad-value",
            "4:38 bad-value",
            "5:11 unknown-value",
            "7:24 bad-value",
            "7:57 bad-value",
            "8:11 unknown-value",
            "10:24 wrong-type",
            "10:38 bad-value",
            "12:13 wrong-type",
            "13:25 wrong-type",
            "13:39 bad-value",
            "14:12 unknown-value",
            "15:16 unknown-value",
            "16:22 wrong-type",
            "16:39 wrong-type",
            "16:58 wrong-type",
            "16:71 wrong-type",
            "16:80 wrong-type",
            "16:92 bad-value",
            "16:102 bad-value",
        ],
    ),
    ("comment", &["2:4 empty"]),
    (
        "duplicates",
        &[
            "5:5 duplicate-name",
            "6:5 duplicate-name",
            "10:5 duplicate-name",
            "14:5 duplicate-name",
            "15:19 duplicate-key",
            "16:1 duplicate-key",
        ],
    ),
    (
        "empty-conditions",
        &[
            "3:22 empty-condition",
            "4:29 empty-condition",
            "5:48 empty-condition",
            "6:29 empty-condition",
            "7:32 empty-condition",
            "8:20 wrong-type",
        ],
    ),
    ("empty", &["1:1 empty"]),
    ("hostile", &["5:11 unknown-value"]),
    ("list", &["1:1 wrong-type"]),
    (
        "missing-keys",
        &[
            "3:5 missing-key",
            "5:5 missing-key",
            "7:5 missing-key",
            "7:5 missing-key",
            "8:5 missing-key",
        ],
    ),
    ("misspelt-version", &["1:1 api-version"]),
    ("no-projects", &["2:11 bad-value"]),
    ("no-version", &["1:1 api-version"]),
    (
        "not-supported",
        &[
            "4:12 not-supported",
            "8:13 not-supported",
            "8:26 not-supported",
            "10:1 not-supported",
            "11:1 not-supported",
            "12:1 not-supported",
        ],
    ),
    ("number-version", &["1:13 api-version"]),
    ("other-version", &["2:13 api-version"]),
    ("recursive-alias", &["2:16 yaml-feature"]),
    (
        "repository",
        &[
            "3:1 beyond-repository",
            "7:5 beyond-repository",
            "8:5 beyond-repository",
        ],
    ),
    ("syntax", &["4:4 syntax"]),
    ("two-documents", &["2:1 yaml-feature"]),
    ("unclosed", &["2:8 syntax"]),
    (
        "unknown-keys",
        &[
            "2:1 unknown-key",
            "4:16 unknown-key",
            "7:5 unknown-key",
            "10:13 unknown-key",
            "10:27 unknown-key",
            "12:5 unknown-key",
            "13:8 unknown-key",
            "14:11 unknown-key",
        ],
    ),
    (
        "wrong-types",
        &[
            "2:11 wrong-type",
            "4:5 wrong-type",
            "5:11 wrong-type",
            "6:9 wrong-type",
            "8:11 wrong-type",
            "9:11 wrong-type",
            "10:11 wrong-type",
            "12:21 wrong-type",
            "12:33 wrong-type",
            "12:49 wrong-type",
            "12:65 wrong-type",
            "12:79 wrong-type",
            "13:11 unknown-value",
            "15:18 wrong-type",
            "15:41 wrong-type",
            "15:49 wrong-type",
            "15:61 wrong-type",
            "18:22 wrong-type",
            "18:27 wrong-type",
            "18:33 wrong-type",
            "20:6 wrong-type",
            "21:25 wrong-type",
            "21:41 wrong-type",
        ],
    ),
    (
        "yaml-features",
        &[
            "4:11 yaml-feature",
            "6:16 yaml-feature",
            "7:13 yaml-feature",
            "10:13 yaml-feature",
        ],
    ),
];

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
    let deep = refused(format!("x-deep: {}{}", "[".repeat(200), "]".repeat(200)).as_bytes());
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
    let check = policy.check;
    let counts = [
        check.unfinished,
        check.uncommitted,
        check.unpublished,
        check.waiting,
        check.held,
    ];
    assert_eq!(counts, [10, 0, 5, 3, 20].map(Some));
    assert_eq!(check.oldest, Some(Duration::from_secs(14 * 86_400)));
    assert_eq!(check.disk, Some(50 << 30));
    assert_eq!(policy.processes, Processes::Strict);
    assert_eq!(policy.pid_namespace, PidNamespace::Own);
    assert!(policy.projects[0].is_glob && policy.projects[0].name.is_none());
    assert_eq!(policy.projects[1].base.as_deref(), Some("origin/main"));
    let places: Vec<_> = policy.stores.iter().map(|store| store.place).collect();
    let expected = [StorePlace::Relative, StorePlace::Home, StorePlace::Absolute];
    assert_eq!(places, expected);
    let lines: Vec<_> = policy.rules.iter().map(|rule| rule.line).collect();
    assert_eq!(lines, [24, 27, 32, 45]);
    assert_eq!(policy.rules[0].then, Action::Keep);
    assert!(policy.acts());
    let Condition::All(finished) = &policy.rules[1].when else {
        panic!("two keys are a conjunction");
    };
    let ways = [Condition::Landed(true), Condition::Published(true)];
    assert_eq!(finished[0], Condition::Any(ways.to_vec()));
    assert_eq!(finished[1], Condition::IdleOver(Duration::from_secs(3_600)));
    let owners: Vec<_> = policy.stores.iter().map(|store| store.owner).collect();
    assert_eq!(owners, [Owner::None, Owner::None, Owner::Job]);
    let sources = [
        JobSource::Ledger,
        JobSource::File("~/queue/jobs.yaml".to_owned()),
        JobSource::Command(["my-queue", "export", "--json"].map(str::to_owned).into()),
    ];
    assert_eq!(policy.jobs.as_deref(), Some(&sources[..]));
    let hours = |time: Duration| time.as_secs() / 3_600;
    let ttl = policy.ttl;
    let times = [
        ttl.review,
        ttl.active,
        ttl.blocked,
        ttl.exhausted,
        ttl.rescue,
    ]
    .map(hours);
    assert_eq!(times, [72, 6, 168, 336, 1_440]);
    snap("full", &format!("{policy:#?}"));
}

#[test]
fn the_defaults_are_those_of_the_specification() {
    let policy = valid("minimal");
    assert_eq!(policy.ttl.grace, Duration::from_secs(3_600));
    let ttl = policy.ttl;
    let hours = |time: Duration| time.as_secs() / 3_600;
    let times = [
        ttl.review,
        ttl.active,
        ttl.blocked,
        ttl.exhausted,
        ttl.rescue,
    ]
    .map(hours);
    assert_eq!(times, [168, 12, 336, 336, 720]);
    assert_eq!(policy.jobs, None);
    assert_eq!(policy.limits.max_removals, 200);
    assert_eq!(policy.limits.max_gone.percent(), 50);
    assert!(policy.check.is_empty());
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
        "5:5 shadowed-rule",
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

/// Each stump of a text, and each text with one byte changed, is answered and never panics.
#[test]
fn no_text_breaks_the_reader() {
    for below in ["tests/policies/valid", "tests/policies/invalid"] {
        for name in names(below) {
            let text = text(below, &name).into_bytes();
            for index in (0..text.len()).step_by(5) {
                let mut changed = text.clone();
                changed[index] = b"*&!{[:\"\\%\xff"[index % 10];
                for bytes in [&text[..index], &changed] {
                    if let Err(found) = Policy::parse("owl.yaml", bytes, Origin::Repository) {
                        assert!(found.iter().any(|it| it.severity == Severity::Error));
                        assert!(!shown(&found).is_empty());
                    }
                }
            }
        }
    }
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_change_nothing() {
    let text = text("tests/policies/valid", "full");
    let changed = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let changed = Policy::parse("owl.yaml", changed.as_bytes(), Origin::User)
        .unwrap_or_else(|found| panic!("{}", shown(&found)));
    let plain = valid("full");
    assert_eq!(changed.rules, plain.rules);
    assert_eq!(changed.stores, plain.stores);
}

#[test]
fn the_largest_policy_is_read_in_bounded_time() {
    let rule = |n: usize| format!("- {{ name: r{n}, when: {{ branch: b{n} }}, then: keep }}\n");
    let rules: String = (0..2_000).map(rule).collect();
    let text = format!("apiVersion: owl/v1\nstores: [{{ path: a/* }}]\nrules:\n{rules}");
    let policy = Policy::parse("owl.yaml", text.as_bytes(), Origin::User);
    assert_eq!(policy.expect("it is valid").rules.len(), 2_000);
}
