//! `owl policy` and `owl explain`: lint, test, explain, and policies by name.

use super::owl_binary::{POLICY, snap};
use super::support::{Repo, write};
use std::fmt::Write as _;

fn policy(repo: &Repo, text: &str) {
    write(
        &repo.root().join("owl.yaml"),
        format!("apiVersion: owl/v1\n{text}").as_bytes(),
    );
}

const HARDLY_MEANT: &str = "\
stores:
  - path: .claude/worktrees/*
  - path: .claude/worktrees/agent-*
rebuildable: [dist, data/raw]
precious: [data]
limits: { max-removals: 0 }
rules:
  - name: odd
    when: { all: [{ detached: true }, { branch: x }] }
    then: accept
  - name: both
    when: { landed: true, not: { landed: true } }
    then: accept
  - name: apart
    when: { all: [{ branch: [a, b] }, { branch: \"c*\" }] }
    then: keep
  - name: never-old
    when: { all: [{ idle-over: 3d }, { not: { idle-over: 2d } }] }
    then: keep
  - name: soon
    when: { landed: true, idle-over: 10m }
    then: accept
  - name: nowhere
    when: { store: trees/*, published: true }
    then: accept
  - name: two-states
    when: { job: done, all: [{ job: active }] }
    then: accept
  - name: some-state-and-no-job
    when: { all: [{ job: [done, cancelled] }, { job: [none, gone] }] }
    then: accept
  - name: never-young
    when: { all: [{ job-age-over: 3d }, { not: { job-age-over: 2d } }] }
    then: keep
  - name: full-name
    when: { branch: [heads/main, \"release/*\", release/1] }
    then: keep
  - name: either
    when: { any: [{ clean: true }, { not: { clean: true } }] }
    then: accept
  - name: all-of-it
    when: { all: [] }
    then: keep
check: { unfinished: 3, uncommitted: 3, waiting: 2 }
";

#[test]
fn lint_says_what_is_hardly_meant() {
    let repo = Repo::new();
    policy(&repo, HARDLY_MEANT);
    let run = repo.owl("policy lint ../owl.yaml");
    assert_eq!(run.code(), Some(1), "{run}");
    let mut story = run.to_string();
    policy(
        &repo,
        "stores: [{ path: a/* }]\nrules:\n  - { name: x, when: { clean: true }, then: keep }\n",
    );
    write!(story, "\n{}", repo.owl("policy lint ../owl.yaml")).expect("memory takes it");
    // What is legal is planned with, and the plan does not repeat the lint.
    assert_eq!(repo.owl("plan --policy ../owl.yaml").code(), Some(0));
    policy(
        &repo,
        "stores: [{ path: a/* }]\nrules: [{ name: x, when: { cleen: true }, then: keep }]\n",
    );
    let run = repo.owl("policy lint ../owl.yaml");
    assert_eq!(run.code(), Some(2), "{run}");
    snap("language__lint", &story);
}

#[test]
fn lint_has_nothing_to_say_about_what_is_meant() {
    let repo = Repo::new();
    for name in ["coding-owl", "default", "report-only"] {
        let run = repo.owl(&format!("policy lint {name}"));
        assert_eq!(run.code(), Some(0), "{run}");
    }
    for rules in [
        "- { name: off, when: { not: { all: [] } }, then: keep }\n  - { name: x, when: { landed: true }, then: accept }",
        "- { name: x, when: { landed: true, idle-over: 1h }, then: accept }",
        "- { name: x, when: { branch: ['\\!w', '\\refs/heads/w', x/y] }, then: keep }\n  - { name: y, when: { landed: true }, then: accept }",
        "- { name: x, when: { path: ['\\!w', '\\~/w', /w, 'a/**'] }, then: keep }\n  - { name: y, when: { landed: true }, then: accept }",
        "- { name: x, when: { any: [{ detached: true }, { branch: x }], landed: true }, then: accept }",
        "- { name: x, when: { all: [{ branch: \"a*\" }, { branch: \"*b\" }], landed: true }, then: accept }",
        "- { name: x, when: { all: [{ path: a }, { path: /a }], landed: true }, then: accept }",
        "- { name: x, when: { idle-over: 2d, not: { idle-over: 3d } }, then: accept }",
        "- { name: x, when: { all: [{ label: a }, { label: b }], job: done }, then: accept }",
        "- { name: x, when: { all: [{ job: [done, active] }, { job: [done, none] }] }, then: accept }",
        "- { name: x, when: { all: [{ job: none }, { job: gone }] }, then: accept }",
        "- { name: x, when: { job: done, job-age-over: 2d, not: { job-age-over: 3d } }, then: accept }",
    ] {
        policy(
            &repo,
            &format!("stores: [{{ path: a/* }}]\nrules:\n  {rules}\n"),
        );
        let run = repo.owl("policy lint ../owl.yaml");
        assert_eq!(run.code(), Some(0), "{rules}: {run}");
    }
}

#[test]
fn a_test_that_fails_says_what_came_and_why() {
    let repo = Repo::new();
    let rules = "stores: [{ path: .claude/worktrees/* }]\nrules:\n  - name: pinned\n    when: { branch: release/* }\n    then: keep\n  - name: finished\n    when: { any: [{ landed: true }, { published: true }], idle-over: 1d }\n    then: accept\n";
    policy(
        &repo,
        &format!(
            "{rules}tests:\n  - name: good\n    tree: {{ landed: squash }}\n    expect: {{ verdict: remove, rule: finished, reason: squash }}\n  - name: bad\n    tree: {{ branch: release/1, landed: squash }}\n    expect: {{ verdict: remove, rule: finished }}\n  - name: unknown\n    tree: {{ published: unknown }}\n    expect: keep\n"
        ),
    );
    let run = repo.owl("policy test ../owl.yaml");
    assert_eq!(run.code(), Some(1), "{run}");
    snap("language__test", &run.to_string());
    policy(&repo, rules);
    let run = repo.owl("policy test ../owl.yaml");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("has no tests"), "{run}");
}

#[test]
fn a_recorded_observation_is_a_test_as_well() {
    let repo = Repo::new();
    let notes = repo.landed("take-notes");
    write(&notes.join("notes.md"), b"x");
    repo.landed("fix-login");
    let text = POLICY
        .strip_prefix("apiVersion: owl/v1\n")
        .expect("a policy");
    policy(&repo, text);
    let seen = repo.owl("observe --policy ../owl.yaml");
    assert_eq!(seen.code(), Some(0), "{seen}");
    write(&repo.root().join("monday.json"), &seen.output.stdout);
    let saying = |expect: &str| {
        format!(
            "{text}tests:\n  - name: monday\n    observation: monday.json\n    expect: {{ {expect} }}\n"
        )
    };
    policy(
        &repo,
        &saying("main/fix-login: { verdict: remove, reason: ancestor }, main/take-notes: hold"),
    );
    // Beside the policy, wherever one stands; and no repository is needed.
    for here in [
        repo.main(),
        repo.root().to_owned(),
        repo.root().join("home"),
    ] {
        let run = repo.owl_in(
            &here,
            [
                "policy",
                "test",
                repo.root().join("owl.yaml").to_str().expect("UTF-8"),
            ],
        );
        assert_eq!(run.code(), Some(0), "{run}");
    }
    for (expect, said) in [
        (
            "main/fix-login: keep",
            "verdict: keep was expected, remove came",
        ),
        ("main/nobody: keep", "no row of this address"),
    ] {
        policy(&repo, &saying(expect));
        let run = repo.owl("policy test ../owl.yaml");
        assert_eq!(run.code(), Some(1), "{run}");
        assert!(run.stdout().contains(said), "{run}");
    }
    // What lies where was judged by the policy that was in force then.
    for other in ["rebuildable: [dist]\n", "precious: [dist]\n"] {
        policy(
            &repo,
            &format!("{other}{}", saying("main/fix-login: remove")),
        );
        let run = repo.owl("policy test ../owl.yaml");
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(run.stderr().contains("another `rebuildable`"), "{run}");
    }
    policy(
        &repo,
        &saying("main/fix-login: remove").replace("monday.json", "tuesday.json"),
    );
    assert_eq!(repo.owl("policy test ../owl.yaml").code(), Some(2));
}

/// `--policy NAME` is the built-in policy of that name: whoever can write a file where owl runs
/// must not be able to take its place.
#[test]
fn a_built_in_policy_is_named_by_its_name() {
    let repo = Repo::new();
    let tree = repo.landed("fix-login");
    write(&repo.main().join("report-only"), POLICY.as_bytes());
    let run = repo.owl("apply --yes --policy report-only");
    assert!(tree.exists(), "{run}");
    assert!(run.stdout().contains("built-in report-only"), "{run}");
    let mut command = repo.owl_command(&repo.main());
    command.args(["plan"]).env("OWL_POLICY", "report-only");
    assert!(
        repo.run(command)
            .stdout()
            .starts_with("policy: built-in report-only")
    );
    let run = repo.owl("plan --policy report_only");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(
        run.stderr()
            .contains("the built-in policies are: coding-owl, default, report-only"),
        "{run}"
    );
    // The control: as a path it is the file, which lets the tree go.
    let run = repo.owl("apply --yes --policy ./report-only");
    assert!(!tree.exists(), "{run}");
}

#[test]
fn explain_breaks_a_rule_down_to_its_conditions() {
    let repo = Repo::new();
    repo.landed("fix-login");
    policy(
        &repo,
        "stores: [{ path: .claude/worktrees/* }]\nttl: { grace: 0s }\nrules:\n  - name: finished\n    when: { any: [{ landed: true }, { published: true }], not: { branch: \"release/*\" }, age-over: 0s }\n    then: accept\n  - name: never\n    when: { branch: x }\n    then: keep\n",
    );
    let run = repo.owl("explain main/fix-login --policy ../owl.yaml");
    let text = run.stdout();
    for part in [
        "finished (../owl.yaml:5) -> accept: holds",
        "    yes  any:",
        "      yes  landed: true  (yes: ancestor of main)",
        "      no  published: true  (no)",
        "    yes  not:",
        "      no  branch: release/*  (on fix-login)",
        "    yes  age-over: 0s  (less than a minute (",
        "never (../owl.yaml:8) -> keep: does not hold",
    ] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&text).contains(&squeezed(part)), "{part}: {text}");
    }
    let json = repo
        .owl("explain main/fix-login --format json --policy ../owl.yaml")
        .json();
    let when = &json["rules"][0]["when"];
    assert_eq!(when["condition"], "all");
    assert_eq!(when["answer"], "yes");
    assert_eq!(when["parts"][0]["parts"][1]["condition"], "published: true");
    assert_eq!(when["parts"][0]["parts"][1]["answer"], "no");
    assert_eq!(when["parts"][1]["parts"][0]["value"], "on fix-login");
}

/// What could not be told is said where it was asked for, and a keep that hangs on it blocks.
#[test]
fn explain_shows_what_was_unknown() {
    let repo = Repo::new();
    repo.agent("fix-login");
    policy(
        &repo,
        "stores: [{ path: .claude/worktrees/* }]\nttl: { grace: 0s }\nrules:\n  - { name: go, when: { landed: true }, then: accept }\n  - { name: stay, when: { own-commits: false, branch: fix-login }, then: keep }\n",
    );
    // Without its reflog the graph alone cannot tell.
    for log in ["logs/refs/heads/fix-login", "worktrees/fix-login/logs/HEAD"] {
        std::fs::rename(repo.common_dir().join(log), repo.root().join("aside"))
            .expect("it is there");
    }
    let json = repo
        .owl("explain main/fix-login --format json --policy ../owl.yaml")
        .json();
    let when = &json["rules"][1]["when"];
    if when["answer"] == "unknown" {
        assert_eq!(when["parts"][0]["answer"], "unknown");
        assert!(
            !when["parts"][0]["missing"]
                .as_array()
                .expect("a list")
                .is_empty()
        );
        assert_eq!(json["row"]["verdict"], "hold");
        assert_eq!(json["row"]["reason"], "unknown-rule");
    } else {
        panic!("{json:#}");
    }
}

#[test]
fn explain_takes_a_path_or_a_branch() {
    let repo = Repo::new().with_policy();
    let tree = repo.landed("fix-login");
    repo.git_in(&tree, ["checkout", "-q", "-b", "agent/other"]);
    std::fs::create_dir(tree.join("below")).expect("it is new");
    let first = |run: &super::owl_binary::Run| {
        assert_eq!(run.code(), Some(0), "{run}");
        // Where it is run from inside, owl itself is a process in it: the verdict differs.
        let out = run.stdout();
        let first = out.lines().next().expect("a line");
        first.split(": ").next().expect("an address").to_owned()
    };
    let wanted = first(&repo.owl("explain main/fix-login"));
    for word in [
        "agent/other",
        ".claude/worktrees/fix-login",
        tree.to_str().expect("UTF-8"),
        ".claude/worktrees/fix-login/below",
    ] {
        assert_eq!(
            first(&repo.owl(&format!("explain {word}"))),
            wanted,
            "{word}"
        );
    }
    assert_eq!(first(&repo.owl_in(&tree, ["explain", "."])), wanted);
    assert!(first(&repo.owl("explain .")).starts_with("main/@main"));
    // A branch of one tree that is the path of another is neither.
    let two = repo.agent("two");
    repo.git_in(&two, ["symbolic-ref", "HEAD", "refs/heads/other/fix-login"]);
    let place = repo.main().join("other/fix-login");
    let words = ["worktree", "add", "-q", "-b", "elsewhere"].map(std::ffi::OsStr::new);
    repo.git(words.into_iter().chain([place.as_os_str()]));
    policy(
        &repo,
        "stores: [{ path: .claude/worktrees/* }, { path: other/* }]\n",
    );
    let run = repo.owl("explain other/fix-login --policy ../owl.yaml");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(
        run.stderr()
            .contains("other/fix-login may mean main/fix-login1 or main/two"),
        "{run}"
    );
    assert_eq!(repo.owl("explain nothing-like-that").code(), Some(2));
}

#[test]
fn explain_a_key() {
    let repo = Repo::new();
    let mut story = String::new();
    for key in [
        "rules.when.landed",
        "grace",
        "then",
        "hold",
        "extends",
        "job",
        "label",
        "job-age-over",
        "jobs",
        "jobs.file",
        "command",
        "owner",
        "ttl.review",
        "ttl.active",
        "labels",
        "job-age",
        "grcae",
    ] {
        writeln!(story, "{}", repo.owl(&format!("policy explain {key}"))).expect("memory takes it");
    }
    snap("language__explain", &story);
}
