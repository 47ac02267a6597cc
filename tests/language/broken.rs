//! Broken policies: each mistake alone, with file, line, column, message and hint; exit 2, and
//! nothing is touched (issue 5, "Must show").

use super::owl_binary::{POLICY, snap};
use super::support::snapshot::Snapshot;
use super::support::{Repo, write};
use std::fmt::Write as _;

/// What is wrong, and the text after `apiVersion: owl/v1`.
const BROKEN: &[(&str, &str)] = &[
    ("an unknown key", "storse: []"),
    ("an unknown key that is like none", "frequency: daily"),
    ("a key in snake case", "pid_namespace: own"),
    ("a key twice", "stores: []\nstores: []"),
    ("a tab", "stores:\n\t- path: a/*"),
    ("bad indentation", "stores:\n  - path: a/*\n   owner: none"),
    ("an unclosed list", "rules: [{ name: x"),
    ("a merge key", "x-a: &a { path: a/* }\nstores:\n  - <<: *a"),
    ("an alias of nothing", "stores:\n  - path: *.trees"),
    (
        "a tag",
        "rules:\n  - name: !x y\n    when: { landed: true }\n    then: keep",
    ),
    ("a second document", "stores: []\n---\nstores: []"),
    ("a list for a mapping", "ttl: [1h]"),
    ("a mapping for a list", "stores: { path: a/* }"),
    ("a text for a list", "rules: finished"),
    ("nothing for a mapping", "limits:"),
    ("extends: an unknown policy", "extends: [defualt]"),
    (
        "extends: a policy that no name is near",
        "extends: company-wide",
    ),
    ("extends: a path", "extends: ./base.yaml"),
    ("extends: twice the same", "extends: [default, default]"),
    ("extends: a number", "extends: 5"),
    ("extends: a mapping", "extends: { name: default }"),
    ("projects: none", "projects: []"),
    ("projects: without a path", "projects: [{ name: app }]"),
    (
        "projects: one name for a glob",
        "projects: [{ path: src/*, name: app }]",
    ),
    (
        "projects: two of one name",
        "projects:\n  - { path: a, name: x }\n  - { path: b, name: x }",
    ),
    (
        "projects: a base that is an option",
        "projects: [{ path: a, base: --exec=x }]",
    ),
    ("stores: without a path", "stores: [{ owner: none }]"),
    ("stores: a root", "stores: [{ path: / }]"),
    ("stores: the home itself", "stores: [{ path: \"~\" }]"),
    ("stores: climbing", "stores: [{ path: ../trees/* }]"),
    ("stores: a double star", "stores: [{ path: trees/** }]"),
    (
        "stores: a glob right below the home",
        "stores: [{ path: \"~/*\" }]",
    ),
    (
        "stores: two of one path",
        "stores:\n  - path: a/*\n  - path: a/*",
    ),
    (
        "stores: an unknown owner",
        "stores: [{ path: a/*, owner: nobody }]",
    ),
    ("stores: a broken glob", "stores: [{ path: \"a/[z\" }]"),
    (
        "rules: without a name",
        "rules: [{ when: { landed: true }, then: keep }]",
    ),
    (
        "rules: without a condition",
        "rules: [{ name: x, then: keep }]",
    ),
    (
        "rules: without an action",
        "rules: [{ name: x, when: { landed: true } }]",
    ),
    (
        "rules: an empty name",
        "rules: [{ name: \" \", when: { landed: true }, then: keep }]",
    ),
    (
        "rules: two of one name",
        "rules:\n  - { name: x, when: { landed: true }, then: keep }\n  - { name: x, when: { clean: true }, then: keep }",
    ),
    (
        "rules: an unknown action",
        "rules: [{ name: x, when: { landed: true }, then: remove }]",
    ),
    (
        "rules: an unknown key",
        "rules: [{ name: x, when: { landed: true }, then: keep, unless: {} }]",
    ),
    (
        "rules: an empty condition",
        "rules: [{ name: x, when: {}, then: accept }]",
    ),
    (
        "rules: any of nothing",
        "rules: [{ name: x, when: { any: [] }, then: accept }]",
    ),
    (
        "rules: not of nothing",
        "rules: [{ name: x, when: { not: {} }, then: accept }]",
    ),
    (
        "rules: a condition as a word",
        "rules: [{ name: x, when: landed, then: accept }]",
    ),
    (
        "rules: an unknown condition",
        "rules: [{ name: x, when: { landet: true }, then: accept }]",
    ),
    (
        "rules: yes for true",
        "rules: [{ name: x, when: { landed: yes }, then: accept }]",
    ),
    (
        "rules: a quoted boolean",
        "rules: [{ name: x, when: { clean: \"true\" }, then: accept }]",
    ),
    (
        "rules: a time without a unit",
        "rules: [{ name: x, when: { idle-over: 10 }, then: accept }]",
    ),
    (
        "rules: a time in months",
        "rules: [{ name: x, when: { idle-over: 2mo }, then: accept }]",
    ),
    (
        "rules: a time that is a sum",
        "rules: [{ name: x, when: { age-over: 1h30m }, then: accept }]",
    ),
    (
        "rules: a negative time",
        "rules: [{ name: x, when: { age-over: -1h }, then: accept }]",
    ),
    (
        "rules: a size without a unit",
        "rules: [{ name: x, when: { size-over: 500 }, then: accept }]",
    ),
    (
        "rules: a size in powers of ten",
        "rules: [{ name: x, when: { size-over: 5GB }, then: accept }]",
    ),
    (
        "rules: a size with a fraction",
        "rules: [{ name: x, when: { size-over: 1.5GiB }, then: accept }]",
    ),
    (
        "rules: a size as a list",
        "rules: [{ name: x, when: { size-over: [1GiB] }, then: accept }]",
    ),
    (
        "rules: a number for a branch",
        "rules: [{ name: x, when: { branch: 1.0 }, then: accept }]",
    ),
    (
        "rules: no pattern",
        "rules: [{ name: x, when: { branch: [] }, then: accept }]",
    ),
    (
        "rules: a broken pattern",
        "rules: [{ name: x, when: { branch: \"{a\" }, then: accept }]",
    ),
    (
        "rules: a path with a slash at its end",
        "rules: [{ name: x, when: { path: .claude/worktrees/x/ }, then: keep }]",
    ),
    (
        "rules: a path from here",
        "rules: [{ name: x, when: { path: ./.claude/worktrees/x }, then: keep }]",
    ),
    (
        "rules: a path below the home",
        "rules: [{ name: x, when: { path: ~/src/app/x }, then: keep }]",
    ),
    (
        "rules: a path with an empty part",
        "rules: [{ name: x, when: { path: [\"**/ok\", \"a//b\"] }, then: keep }]",
    ),
    (
        "rules: a path that climbs",
        "rules: [{ name: x, when: { path: \"../trees/*\" }, then: keep }]",
    ),
    (
        "rules: a path that ends below nothing",
        "rules: [{ name: x, when: { path: \"a/**/\" }, then: keep }]",
    ),
    (
        "rules: a store with a slash at its end",
        "rules: [{ name: x, when: { store: .claude/worktrees/*/ }, then: keep }]",
    ),
    (
        "rules: a branch with a slash at its end",
        "rules: [{ name: x, when: { branch: release/ }, then: keep }]",
    ),
    (
        "rules: a branch with a slash before it",
        "rules: [{ name: x, when: { branch: /release }, then: keep }]",
    ),
    (
        "rules: a branch by its full name",
        "rules: [{ name: x, when: { branch: refs/heads/main }, then: keep }]",
    ),
    (
        "rules: a branch by its full name, in braces",
        "rules: [{ name: x, when: { branch: \"{main,refs/heads/x}\" }, then: keep }]",
    ),
    (
        "rules: a branch that begins with a dot",
        "rules: [{ name: x, when: { branch: \"./main\" }, then: keep }]",
    ),
    (
        "rules: a branch taken out",
        "rules: [{ name: x, when: { not: { branch: \"!main\" } }, then: keep }]",
    ),
    (
        "rules: a path taken out",
        "rules: [{ name: x, when: { path: [\"**\", \"!**/x\"] }, then: keep }]",
    ),
    (
        "rules: a label taken out",
        "rules: [{ name: x, when: { label: \"!nightly\" }, then: keep }]",
    ),
    (
        "rules: more braces than anybody means",
        "rules: [{ name: x, when: { branch: \"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\" }, then: keep }]",
    ),
    (
        "rules: any as a mapping",
        "rules: [{ name: x, when: { any: { landed: true } }, then: accept }]",
    ),
    (
        "rules: a job in an unknown state",
        "rules: [{ name: x, when: { job: finished }, then: accept }]",
    ),
    (
        "rules: a job in a misspelt state, among others",
        "rules: [{ name: x, when: { job: [done, canceled] }, then: accept }]",
    ),
    (
        "rules: a job in no state",
        "rules: [{ name: x, when: { job: [] }, then: accept }]",
    ),
    (
        "rules: a job that is there",
        "rules: [{ name: x, when: { job: true }, then: accept }]",
    ),
    (
        "rules: the number of a job",
        "rules: [{ name: x, when: { job: 7 }, then: accept }]",
    ),
    (
        "rules: no label",
        "rules: [{ name: x, when: { label: [] }, then: accept }]",
    ),
    (
        "rules: several labels by the name of the list",
        "rules: [{ name: x, when: { labels: ui }, then: accept }]",
    ),
    (
        "rules: the age of a job without a unit",
        "rules: [{ name: x, when: { job-age-over: 7 }, then: accept }]",
    ),
    ("ttl: an unknown key", "ttl: { graze: 1h }"),
    ("ttl: days of a job without a unit", "ttl: { review: 7 }"),
    ("ttl: a word for a time", "ttl: { active: never }"),
    ("ttl: a time in months", "ttl: { blocked: 1mo }"),
    ("ttl: a list of times", "ttl: { exhausted: [14d] }"),
    (
        "stores: an owner in the plural",
        "stores: [{ path: a/*, owner: jobs }]",
    ),
    ("jobs: a word for a list", "jobs: ledger"),
    ("jobs: a mapping for a list", "jobs: { file: jobs.yaml }"),
    ("jobs: nothing", "jobs:"),
    ("jobs: an empty list", "jobs: []"),
    ("jobs: an unknown word", "jobs: [ledgr]"),
    ("jobs: a number", "jobs: [7]"),
    (
        "jobs: a source of an unknown kind",
        "jobs: [{ url: https://queue }]",
    ),
    ("jobs: a source of no kind", "jobs: [ledger, {}]"),
    (
        "jobs: a file and a command in one",
        "jobs:\n  - file: jobs.yaml\n    command: [my-queue, export]",
    ),
    ("jobs: a file without a name", "jobs: [{ file: \"\" }]"),
    (
        "jobs: a file in another user's home",
        "jobs: [{ file: ~bob/jobs.yaml }]",
    ),
    (
        "jobs: two files in one",
        "jobs: [{ file: [a.yaml, b.yaml] }]",
    ),
    ("jobs: a file with a NUL", "jobs: [{ file: \"a\\0b\" }]"),
    (
        "jobs: a command as one text",
        "jobs: [{ command: my-queue export }]",
    ),
    ("jobs: a command without words", "jobs: [{ command: [] }]"),
    (
        "jobs: an empty program",
        "jobs: [{ command: [\"\", export] }]",
    ),
    (
        "jobs: a program relative to nowhere",
        "jobs: [ledger, { command: [bin/my-queue, export] }]",
    ),
    (
        "jobs: a word with a NUL",
        "jobs: [{ command: [my-queue, \"a\\0b\"] }]",
    ),
    (
        "jobs: a number among the words",
        "jobs: [{ command: [my-queue, 7] }]",
    ),
    ("jobs: the ledger twice", "jobs:\n  - ledger\n  - ledger"),
    (
        "jobs: a command twice",
        "jobs:\n  - command: [my-queue, \"all jobs\"]\n  - ledger\n  - command: [my-queue, \"all jobs\"]",
    ),
    ("ttl: no value", "ttl: { grace: }"),
    (
        "limits: a word for a number",
        "limits: { max-removals: many }",
    ),
    ("limits: a share over all", "limits: { max-gone: 101% }"),
    ("check: an unknown ceiling", "check: { unfinshed: 10 }"),
    ("check: less than none", "check: { held: -1 }"),
    ("check: an age without a unit", "check: { oldest: 14 }"),
    ("check: a size in other units", "check: { disk: 50GB }"),
    ("check: a number for all", "check: 10"),
    (
        "limits: a share without its sign",
        "limits: { max-gone: 50 }",
    ),
    ("rebuildable: a text", "rebuildable: dist"),
    ("rebuildable: everything", "rebuildable: [\"**\"]"),
    ("rebuildable: an absolute path", "rebuildable: [/tmp/dist]"),
    ("rebuildable: climbing", "rebuildable: [../dist]"),
    ("rebuildable: an empty part", "rebuildable: [./dist]"),
    ("rebuildable: a number", "rebuildable: [5]"),
    ("precious: a broken glob", "precious: [\"data/[\"]"),
    ("precious: below the home", "precious: [~/data]"),
    ("stores: one taken out", "stores: [{ path: \"!trees/x\" }]"),
    ("rescue: one taken out", "rescue: [\"!trees/*\"]"),
    ("rescue: a slash at its end", "rescue: [trees/*/]"),
    (
        "rebuildable: any character and more",
        "rebuildable: [\"?*\"]",
    ),
    (
        "rebuildable: any character at any depth",
        "rebuildable: [\"**/?*\"]",
    ),
    (
        "rebuildable: all but one letter",
        "rebuildable: [\"[!q]*\"]",
    ),
    (
        "rebuildable: all but one letter at any depth",
        "rebuildable: [\"**/[!q]*\"]",
    ),
    (
        "rebuildable: everything in braces",
        "rebuildable: [\"{*,*/**}\"]",
    ),
    (
        "rebuildable: everything beside a name",
        "rebuildable: [\"{dist,*}\"]",
    ),
    (
        "rebuildable: everything with a dot",
        "rebuildable: [\"*.*\"]",
    ),
    (
        "rebuildable: one taken out",
        "rebuildable: [\"!dist/keep\"]",
    ),
    ("expendable: any character and more", "expendable: [\"?*\"]"),
    (
        "expendable: any character at any depth",
        "expendable: [\"**/?*\"]",
    ),
    ("expendable: all but one letter", "expendable: [\"[!q]*\"]"),
    (
        "expendable: all but one letter at any depth",
        "expendable: [\"**/[!q]*\"]",
    ),
    (
        "expendable: everything in braces",
        "expendable: [\"{*,*/**}\"]",
    ),
    (
        "expendable: everything beside a name",
        "expendable: [\"{dist,*}\"]",
    ),
    ("expendable: everything with a dot", "expendable: [\"*.*\"]"),
    ("expendable: one taken out", "expendable: [\"!dist/keep\"]"),
    ("precious: one taken out", "precious: [\"!dist/keep\"]"),
    ("submodules: an unknown word", "submodules: keep"),
    ("processes: an unknown word", "processes: all"),
    ("not yet: a key", "trash: 7d"),
    ("not yet: an owner", "stores: [{ path: a/*, owner: claim }]"),
    (
        "not yet: a condition",
        "rules: [{ name: x, when: { harness: codex }, then: keep }]",
    ),
    (
        "tests: without a name",
        "stores: [{ path: a/* }]\ntests: [{ tree: {}, expect: keep }]",
    ),
    (
        "tests: of nothing",
        "stores: [{ path: a/* }]\ntests: [{ name: x, expect: keep }]",
    ),
    (
        "tests: without an expectation",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: {} }]",
    ),
    (
        "tests: an empty expectation",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: {}, expect: {} }]",
    ),
    (
        "tests: an unknown verdict",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: {}, expect: removed }]",
    ),
    (
        "tests: an unknown rule",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: {}, expect: { rule: y } }]",
    ),
    (
        "tests: an unknown store",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { store: b/* }, expect: keep }]",
    ),
    (
        "tests: an unknown fact",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { dirty: true }, expect: keep }]",
    ),
    (
        "tests: an unknown proof",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { landed: sqash }, expect: keep }]",
    ),
    (
        "tests: a branch that is detached",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { detached: true, branch: b }, expect: keep }]",
    ),
    (
        "tests: a job in an unknown state",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { job: reviewed }, expect: keep }]",
    ),
    (
        "tests: a job in two states",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { job: [done, active] }, expect: keep }]",
    ),
    (
        "tests: labels and age of no job",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { job: none, labels: [ui], job-age: 1d }, expect: keep }]",
    ),
    (
        "tests: labels of a job of which nothing is said",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { labels: [ui] }, expect: keep }]",
    ),
    (
        "tests: one label without its list",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { job: done, labels: ui }, expect: keep }]",
    ),
    (
        "tests: a job of unknown age",
        "stores: [{ path: a/* }]\ntests: [{ name: x, tree: { job: done, job-age: unknown }, expect: keep }]",
    ),
    (
        "tests: two of one name",
        "stores: [{ path: a/* }]\ntests:\n  - { name: x, tree: {}, expect: keep }\n  - { name: x, tree: {}, expect: hold }",
    ),
    (
        "tests: no address",
        "stores: [{ path: a/* }]\ntests: [{ name: x, observation: o.json, expect: {} }]",
    ),
];

#[test]
fn each_of_them_is_told_with_its_place_and_nothing_is_touched() {
    assert!(BROKEN.len() >= 60);
    let repo = Repo::new().with_policy();
    let tree = repo.landed("fix-login");
    let policy = repo.root().join("owl.yaml");
    let below = [tree.as_path(), &repo.common_dir()];
    let before = Snapshot::of(&below);
    let mut story = String::new();
    for (what, text) in BROKEN {
        write(&policy, format!("apiVersion: owl/v1\n{text}\n").as_bytes());
        let run = repo.owl("apply --yes --policy ../owl.yaml");
        assert_eq!(run.code(), Some(2), "{what}: {run}");
        assert_eq!(run.stdout(), "", "{what}");
        let said = run.stderr();
        let place = said
            .lines()
            .find_map(|line| line.strip_prefix("  --> ../owl.yaml:"));
        let place = place.unwrap_or_else(|| panic!("{what}: {run}"));
        let numbers: Vec<_> = place.split(':').map(str::parse::<usize>).collect();
        assert!(
            numbers.len() == 2 && numbers.iter().all(Result::is_ok),
            "{what}: {place}"
        );
        let said = said.replace("error: the policy has errors; nothing was done\n", "");
        writeln!(story, "## {what}\n{}", said.trim_end()).expect("memory takes it");
        // Where nothing is meant to be done, it is said before anything is.
        assert_eq!(
            repo.owl("plan --policy ../owl.yaml").code(),
            Some(2),
            "{what}"
        );
        before.require_same(what, &below);
    }
    assert!(repo.audit().is_empty());
    snap("language__broken", &story);
    // The control: with a policy that is whole, the same run removes the tree.
    write(&policy, POLICY.as_bytes());
    let run = repo.owl("apply --yes --policy ../owl.yaml");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!tree.exists());
}

#[test]
fn a_policy_of_a_repository_reaches_no_further() {
    let repo = Repo::new();
    let tree = repo.landed("fix-login");
    for text in [
        "projects: [{ path: ~/src/* }]",
        "stores: [{ path: ~/.codex/worktrees/*/* }]",
        "stores: [{ path: /var/tmp/trees/* }]",
        "jobs: [{ file: jobs.yaml }]",
        "jobs: [{ command: [queue, export] }]",
        "jobs: [ledger, { command: [queue, export] }]",
        "manifests: [{ state: /var/lib/runs }]",
    ] {
        let whole = format!("{POLICY}{text}\n").replace(
            "stores:\n  - path: .claude/worktrees/*\n",
            if text.starts_with("stores") {
                ""
            } else {
                "stores: [{ path: .claude/worktrees/* }]\n"
            },
        );
        repo.commit(&repo.main(), "owl.yaml", whole.as_bytes());
        let run = repo.owl("apply --yes");
        assert_eq!(run.code(), Some(2), "{text}: {run}");
        assert!(
            run.stderr()
                .contains("a policy read from a repository cannot"),
            "{run}"
        );
        assert!(
            run.stderr().contains("--> refs/heads/main:owl.yaml:"),
            "{run}"
        );
    }
    assert!(tree.exists());
    // The control: what it may say, `extends` included, though that has stores of its own.
    repo.commit(
        &repo.main(),
        "owl.yaml",
        format!("{POLICY}extends: default\njobs: [ledger]\n").as_bytes(),
    );
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(
        run.stdout()
            .starts_with("policy: refs/heads/main:owl.yaml + default (3 rules, "),
        "{run}"
    );
    assert!(!tree.exists());
}
