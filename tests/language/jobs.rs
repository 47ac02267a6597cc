//! What `tests:` of a policy can say of jobs, and what the sources of jobs are.

use super::owl_binary::Run;
use super::support::{Repo, write};
use owl::policy::{JobSource, Origin, Owner, Policy};

const ASKING: &str = "\
stores: [{ path: a/* }]
rules:
  - { name: shown, when: { label: \"demo*\" }, then: keep }
  - { name: decided, when: { job: [done, cancelled] }, then: accept }
  - { name: gone, when: { job: gone }, then: accept }
  - { name: nobody, when: { job: none, landed: true }, then: accept }
  - { name: old, when: { job-age-over: 4w }, then: accept }
";

fn parse(text: &str) -> Policy {
    let text = format!("apiVersion: owl/v1\n{text}");
    Policy::parse("owl.yaml", text.as_bytes(), Origin::User)
        .unwrap_or_else(|found| panic!("{}", found[0]))
}

/// Runs the test of one tree; nothing is said of what it expects but the words.
fn tested(repo: &Repo, policy: &str, tree: &str, expect: &str) -> Run {
    let text = format!(
        "apiVersion: owl/v1\n{policy}tests: [{{ name: x, tree: {{ {tree} }}, expect: {{ {expect} }} }}]\n"
    );
    write(&repo.root().join("owl.yaml"), text.as_bytes());
    repo.owl_in(repo.root(), ["policy", "test", "owl.yaml"])
}

/// Each row is what is expected of a tree; with another verdict the same test fails.
fn require(policy: &str, rows: &[(&str, &str, &str, &str)]) {
    let repo = Repo::empty();
    for (tree, verdict, rule, reason) in rows {
        let expect = format!("verdict: {verdict}, rule: {rule}, reason: {reason}");
        let run = tested(&repo, policy, tree, &expect);
        assert_eq!(run.code(), Some(0), "{tree}: {run}");
        let other = expect.replace(&format!("verdict: {verdict}"), "verdict: ignore");
        let run = tested(&repo, policy, tree, &other);
        assert_eq!(run.code(), Some(1), "{tree}: {run}");
    }
}

#[test]
fn a_tree_has_the_job_that_its_test_says() {
    require(
        ASKING,
        &[
            ("job: done", "remove", "decided", "done"),
            ("job: cancelled", "remove", "decided", "cancelled"),
            (
                "job: done, labels: [x, demo-2]",
                "keep",
                "shown",
                "kept-by-rule",
            ),
            (
                "job: done, detached: true",
                "hold",
                "decided",
                "unknown-rule",
            ),
            ("job: done, untracked: [n]", "hold", "decided", "untracked"),
            (
                "job: done, gone: true, landed: true",
                "prune",
                "decided",
                "gone",
            ),
            ("job: gone", "remove", "gone", "gone"),
            ("job: gone, age: unknown", "hold", "gone", "unknown-fresh"),
            ("job: gone, landed: true", "remove", "gone", "gone"),
            ("job: none", "hold", "gone", "unknown-rule"),
            (
                "job: unknown, landed: true",
                "hold",
                "shown",
                "unknown-in-use",
            ),
            ("job: pending, job-age: 5w", "keep", "old", "in-use"),
            ("job: review, landed: squash", "remove", "none", "squash"),
            (
                "job: review, landed: squash, labels: [demo]",
                "keep",
                "shown",
                "kept-by-rule",
            ),
        ],
    );
    // The rule that `gone` stands before is not reached while that is unknown.
    let without = ASKING.replace("job: gone", "job: gone, branch: other");
    require(
        &without,
        &[
            ("job: none, landed: true", "remove", "nobody", "ancestor"),
            ("job: none", "hold", "none", "unpublished"),
        ],
    );
}

#[test]
fn a_job_that_stands_still_is_reported() {
    let policy = format!("{ASKING}ttl: {{ review: 3d, active: 6h, blocked: 1w, exhausted: 2w }}\n");
    require(
        &policy,
        &[
            ("job: review, job-age: 2d", "keep", "none", "in-use"),
            ("job: review, job-age: 4d", "hold", "none", "in-use"),
            ("job: active, job-age: 5h", "keep", "none", "in-use"),
            (
                "job: active, job-age: 7h, idle: 1h",
                "keep",
                "none",
                "in-use",
            ),
            ("job: active, job-age: 7h", "hold", "none", "in-use"),
            ("job: blocked, job-age: 6d", "keep", "none", "in-use"),
            ("job: blocked, job-age: 8d", "hold", "none", "in-use"),
            ("job: exhausted, job-age: 13d", "keep", "none", "in-use"),
            ("job: exhausted, job-age: 15d", "hold", "none", "in-use"),
            ("job: pending, job-age: 15d", "keep", "none", "in-use"),
        ],
    );
}

/// Left out, there is no ledger: nothing of it shows where no job is asked for, and a policy that
/// asks holds the tree and says what to write.
#[test]
fn without_a_job_there_is_no_ledger() {
    let plain = "stores: [{ path: a/* }]\nrules: [{ name: landed, when: { landed: true }, then: accept }]\n";
    let sources = "jobs: [ledger, { file: jobs.yaml }, { command: [queue] }]\n";
    for policy in [plain.to_owned(), format!("{plain}{sources}")] {
        require(
            &policy,
            &[
                ("landed: true", "remove", "landed", "ancestor"),
                ("landed: true, job: none", "remove", "landed", "ancestor"),
                ("landed: true, job: gone", "remove", "landed", "ancestor"),
                ("landed: true, job: done", "remove", "landed", "ancestor"),
                // An open job, or a ledger that cannot be read, holds whatever is asked for.
                ("landed: true, job: pending", "keep", "landed", "in-use"),
                (
                    "landed: true, job: unknown",
                    "hold",
                    "landed",
                    "unknown-in-use",
                ),
            ],
        );
    }
    let repo = Repo::empty();
    for policy in [ASKING.to_owned(), format!("{ASKING}{sources}")] {
        require(
            &policy,
            &[("landed: true", "hold", "shown", "unknown-in-use")],
        );
        let run = tested(&repo, &policy, "landed: true", "verdict: remove");
        assert_eq!(run.code(), Some(1), "{run}");
        assert!(run.stdout().contains("`job: none`"), "{run}");
    }
    // Where other sources are named and the ledger is not, none is missed; but `gone` is its word.
    let listed = format!("{ASKING}jobs: [{{ file: jobs.yaml }}]\n");
    require(&listed, &[("landed: true", "hold", "gone", "unknown-rule")]);
    let listed = listed.replace("job: gone", "job: done");
    require(&listed, &[("landed: true", "remove", "nobody", "ancestor")]);
}

#[test]
fn a_policy_needs_a_ledger_if_it_asks_for_jobs_and_names_no_other_source() {
    let owner = "stores: [{ path: a/*, owner: job }]\n";
    let nested = "rules: [{ name: x, when: { any: [{ clean: true }, { not: { all: [{ label: x }] } }] }, then: keep }]\n";
    let plain = "rules: [{ name: x, when: { clean: true }, then: keep }]\n";
    let file = "jobs: [{ file: jobs.yaml }]\n";
    for (text, needs) in [
        (plain.to_owned(), false),
        (format!("{plain}jobs: [ledger]\n"), false),
        (owner.to_owned(), true),
        (nested.to_owned(), true),
        (format!("{nested}{file}"), false),
        (format!("{owner}{file}"), false),
        (format!("{owner}jobs: [{{ file: a }}, ledger]\n"), true),
    ] {
        assert_eq!(parse(&text).needs_a_ledger(), needs, "{text}");
    }
}

/// Whether a source could be read is looked up by its name.
#[test]
fn no_two_sources_have_one_name() {
    let policy = parse(
        "jobs: [{ command: [q, a b] }, { command: [q, a, b] }, { command: [\"q a b\"] }, { command: [q, \"a\\nb\"] }]\n",
    );
    let sources = policy.jobs.expect("they are named");
    let names: Vec<_> = sources.iter().map(ToString::to_string).collect();
    let expected = [
        "command q 'a b'",
        "command q a b",
        "command 'q a b'",
        "command q $'a\\nb'",
    ];
    assert_eq!(names, expected);
}

#[test]
fn sources_of_jobs_are_joined_to_the_inherited_ones() {
    let names = |text: &str| -> Vec<String> {
        let sources = parse(text).jobs.unwrap_or_default();
        sources.iter().map(ToString::to_string).collect()
    };
    let base = Policy::builtin("coding-owl").expect("it is embedded");
    assert_eq!(base.jobs, Some(vec![JobSource::Ledger]));
    assert_eq!(names("extends: coding-owl\n"), ["ledger"]);
    let more = "extends: coding-owl\njobs: [{ file: jobs.yaml }, { command: [q] }]\n";
    assert_eq!(names(more), ["file jobs.yaml", "command q", "ledger"]);
    // The inherited ledger is still missed.
    assert!(parse(more).needs_a_ledger());
    let again = "extends: coding-owl\njobs: [ledger, { file: jobs.yaml }]\n";
    assert_eq!(names(again), ["ledger", "file jobs.yaml"]);
    assert_eq!(parse("extends: default\n").jobs, None);
    assert_eq!(
        names("extends: [default, report-only]\njobs: [ledger]\n"),
        ["ledger"]
    );
}

#[test]
fn owners_and_times_of_jobs_are_inherited() {
    let owners = |text: &str| -> Vec<(String, Owner)> {
        let stores = parse(text).stores.into_iter();
        stores.map(|store| (store.path, store.owner)).collect()
    };
    let home = "~/.local/share/owl/worktrees/*";
    let of = |path: &str, owner| (path.to_owned(), owner);
    let inherited = of(home, Owner::Job);
    assert_eq!(
        owners("extends: coding-owl\nstores: [{ path: .owl/worktrees/* }, { path: a/* }]\n"),
        [
            of(".owl/worktrees/*", Owner::Job),
            of("a/*", Owner::None),
            inherited.clone()
        ]
    );
    // Only what is said changes it.
    assert_eq!(
        owners("extends: coding-owl\nstores: [{ path: .owl/worktrees/*, owner: none }]\n"),
        [of(".owl/worktrees/*", Owner::None), inherited]
    );
    let ttl = parse("extends: coding-owl\nttl: { review: 1d, blocked: 3d }\n").ttl;
    let base = Policy::builtin("coding-owl").expect("it is embedded").ttl;
    assert_eq!(ttl.review.as_secs(), 86_400);
    assert_eq!(ttl.blocked.as_secs(), 3 * 86_400);
    assert_eq!(
        (ttl.grace, ttl.active, ttl.exhausted, ttl.rescue),
        (base.grace, base.active, base.exhausted, base.rescue)
    );
    let rules = parse(
        "extends: coding-owl\nrules: [{ name: gone, when: { not: { all: [] } }, then: accept }]\n",
    );
    let names: Vec<_> = rules.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["gone", "done", "cancelled"]);
    assert!(rules.needs_a_ledger());
}
