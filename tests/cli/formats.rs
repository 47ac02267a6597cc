//! JSON of every command, help, completions, and a plan from a recorded observation.

use super::owl_binary::snap;
use super::support::{Repo, write};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn keys(value: &Value) -> BTreeSet<&str> {
    let object = value.as_object().expect("it is an object");
    object.keys().map(String::as_str).collect()
}

fn item<'a>(document: &'a Value, address: &str) -> &'a Value {
    let items = document["items"].as_array().expect("items");
    let found = items.iter().find(|item| item["address"] == address);
    found.unwrap_or_else(|| panic!("no {address} in {document:#}"))
}

fn project() -> Repo {
    let repo = Repo::new().with_policy();
    repo.landed("fix-login");
    let notes = repo.landed("take-notes");
    write(&notes.join("notes.md"), b"found out\n");
    repo
}

#[test]
fn a_plan_has_the_keys_of_the_specification() {
    let repo = project();
    let plan = repo.owl("plan --format json").json();
    let expected = [
        "format_version",
        "kind",
        "owl_version",
        "observed_at",
        "policy",
        "complete",
        "applyable",
        "summary",
        "projects",
        "hidden_processes",
        "brakes",
        "warnings",
        "items",
    ];
    assert_eq!(keys(&plan), BTreeSet::from(expected));
    assert_eq!(plan["format_version"], "1.0");
    assert_eq!(plan["kind"], "plan");
    assert_eq!(plan["policy"]["source"], "refs/heads/main:owl.yaml");
    assert_eq!(plan["policy"]["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(
        plan["policy"]["stores"],
        serde_json::json!([".claude/worktrees/*"])
    );
    assert_eq!(plan["summary"]["remove"], 1);
    assert_eq!(plan["summary"]["hold"], 1);
    assert!(plan["summary"]["reclaim_bytes"].as_u64() > Some(0));
    assert_eq!(
        (&plan["complete"], &plan["applyable"]),
        (&true.into(), &true.into())
    );

    let goes = item(&plan, "main/fix-login");
    assert_eq!(goes["kind"], "worktree");
    assert_eq!(goes["verdict"], "remove");
    assert_eq!(goes["reason"], "ancestor");
    assert_eq!(goes["branch"], "fix-login");
    assert_eq!(goes["rule"]["line"], 5);
    assert_eq!(
        goes["steps"],
        serde_json::json!([{ "step": "remove-worktree" }])
    );
    assert_eq!(goes["evidence"][0]["kind"], "ancestor");
    let held = item(&plan, "main/take-notes");
    assert_eq!(
        (&held["verdict"], &held["reason"]),
        (&"hold".into(), &"untracked".into())
    );
    assert_eq!(held["unfinished"], "UNCOMMITTED");
}

#[test]
fn apply_has_the_same_items_with_their_outcome() {
    let repo = project();
    let plan = repo.owl("plan --format json").json();
    let apply = repo.owl("apply --yes --format json").json();
    let mut expected = keys(&plan);
    expected.insert("outcomes");
    assert_eq!(keys(&apply), expected);
    assert_eq!(apply["kind"], "apply");
    assert_eq!(apply["outcomes"], serde_json::json!({ "removed": 1 }));
    let (planned, done) = (
        item(&plan, "main/fix-login"),
        item(&apply, "main/fix-login"),
    );
    let mut expected = keys(planned);
    expected.insert("outcome");
    assert_eq!(keys(done), expected);
    let outcome = serde_json::json!({ "fate": "removed", "manner": "moved" });
    assert_eq!(done["outcome"], outcome);
    let held = |document| item(document, "main/take-notes").clone();
    assert_eq!(keys(&held(&plan)), keys(&held(&apply)));
    let again = repo.owl("apply --yes --format json").json();
    assert_eq!(again["outcomes"], serde_json::json!({}));
}

#[test]
fn a_recorded_observation_plans_the_same_without_a_repository() {
    let repo = project();
    let policy = repo.root().join("owl.yaml");
    write(&policy, super::owl_binary::POLICY.as_bytes());
    let named = policy.to_string_lossy().into_owned();
    let seen = repo.owl_in(&repo.main(), ["observe", "--policy", &named]);
    assert_eq!(seen.code(), Some(0));
    write(&repo.root().join("seen.json"), &seen.output.stdout);
    let words = [
        "plan",
        "--policy",
        &named,
        "--format",
        "json",
        "--observation",
    ];
    let run = |file| repo.owl_in(repo.root(), words.into_iter().chain([file]));
    let (recorded, live) = (
        run("seen.json").json(),
        repo.owl(&format!("plan --policy {named} --format json")),
    );
    let live = live.json();
    for (one, other) in [(&recorded, &live), (&live, &recorded)] {
        for row in one["items"].as_array().expect("items") {
            let address = row["address"].as_str().expect("an address");
            for key in keys(row) {
                assert_eq!(row[key], item(other, address)[key], "{address} {key}");
            }
        }
    }
    assert_eq!(
        run("seen.json").output.stdout,
        run("seen.json").output.stdout
    );

    write(
        &repo.root().join("other.json"),
        b"{\"format_version\": \"9.0\"}",
    );
    for file in ["other.json", "owl.yaml", "main", "no-such.json"] {
        let refused = run(file);
        assert_eq!(
            (refused.code(), &refused.json()["items"]),
            (Some(2), &serde_json::json!([]))
        );
    }
}

#[test]
fn help_is_as_it_was() {
    let repo = Repo::new();
    let mut said = String::new();
    for words in [
        "--help",
        "plan --help",
        "apply --help",
        "status --help",
        "check --help",
        "gc --help",
        "observe --help",
        "policy --help",
        "policy show --help",
        "policy check --help",
        "demo --help",
        "completions --help",
    ] {
        let run = repo.owl(words);
        assert_eq!(run.code(), Some(0));
        writeln!(said, "{run}").expect("memory takes it");
    }
    snap("cli__help", &said);
}

#[test]
fn completions_manual_and_policies_are_printed() {
    let repo = Repo::new();
    for words in [
        "completions bash",
        "completions zsh",
        "completions fish",
        "man",
        "policy show",
        "policy show report-only",
        "policy check",
    ] {
        let run = repo.owl(words);
        assert_eq!(run.code(), Some(0), "{run}");
        assert!(
            !run.output.stdout.is_empty() && run.output.stderr.is_empty(),
            "{words}"
        );
    }
    let shown = repo.owl("policy show report-only").output.stdout;
    assert_eq!(shown, include_bytes!("../../policies/report-only.yaml"));
    let unknown = repo.owl("policy show no-such");
    assert_eq!(unknown.code(), Some(2));
    assert!(
        unknown
            .stderr()
            .contains("there are: coding-owl, default, report-only"),
        "{unknown}"
    );
}

#[test]
fn colour_goes_where_it_is_wanted() {
    let repo = project();
    let colours = |words: &str, variables: &[(&str, &str)]| {
        let mut command = repo.owl_command(&repo.main());
        command
            .args(words.split(' '))
            .envs(variables.iter().copied());
        repo.run(command).output.stdout.contains(&0x1b)
    };
    assert!(!colours("plan", &[]));
    assert!(colours("plan --color always", &[]));
    assert!(colours("plan", &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(
        "plan",
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
    assert!(!colours("plan --color never", &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours("plan --no-color", &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours("plan --format json --color always", &[]));
}
