//! What is wrong is said, and nothing is recorded (issue 7, "Bad input gets").

use super::support::{Repo, write};

#[test]
fn an_id_that_no_job_has() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    for words in [
        "show 7",
        "start 7",
        "finish 7 --outcome failed",
        "extend 7",
        "block 7",
        "unblock 7",
        "cancel 7",
    ] {
        let run = repo.refused(&format!("jobs {words}"));
        assert!(run.stderr().contains("there is no job 7"), "{run}");
    }
    repo.refused("jobs show x");
    repo.refused("jobs start 1 --pid 4294967295");
    assert_eq!(repo.done("jobs start 1 --pid 1"), "1 active");
}

#[test]
fn a_branch_that_is_another_jobs_or_none() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let run = repo.refused("jobs add --branch fix");
    assert!(
        run.stderr().contains("that of job 1, which is pending"),
        "{run}"
    );
    for bad in ["a..b", "-x", "refs/heads/", "a~1"] {
        let run = repo.refused(&format!("jobs add --branch={bad}"));
        assert!(
            run.stderr().contains("cannot be the name of a branch"),
            "{run}"
        );
    }
    assert_eq!(repo.contents().entries.len(), 1);
    // Once it is decided, the branch is free.
    repo.done("jobs cancel 1");
    assert_eq!(repo.done("jobs add --branch fix"), "2");
}

#[test]
fn a_worktree_outside_every_store_or_of_nobody() {
    let repo = Repo::new().with_policy();
    let outside = repo.add("outside");
    std::fs::create_dir_all(repo.main().join(".claude/worktrees/plain")).expect("it can be made");
    let other = Repo::new();
    let foreign = repo.main().join(".claude/worktrees/foreign");
    let words = ["worktree", "add", "-q", "-b", "foreign"].map(std::ffi::OsStr::new);
    other.git(words.into_iter().chain([foreign.as_os_str()]));
    for (path, said) in [
        (outside.to_str().expect("it is text"), "in no store"),
        (".", "in no store"),
        (".claude/worktrees", "in no store"),
        (".claude/worktrees/a/b", "in no store"),
        (".claude/worktrees/../../x", "in no store"),
        (".claude/worktrees/plain", "no linked worktree"),
        (".claude/worktrees/foreign", "no worktree of"),
    ] {
        let run = repo.refused(&format!("jobs add --branch b --worktree {path}"));
        assert!(run.stderr().contains(said), "{path}: {run}");
    }
    assert!(!repo.ledger().exists(), "a refusal makes no ledger");
    repo.agent("fix");
    assert_eq!(
        repo.done("jobs add --branch fix --worktree .claude/worktrees/fix"),
        "1"
    );
}

#[test]
fn no_run_at_all() {
    let repo = Repo::new();
    for ttl in ["0", "-1", "4294967296", "x"] {
        repo.refused(&format!("jobs add --branch b --ttl {ttl}"));
    }
    assert!(!repo.ledger().exists());
    assert_eq!(repo.done("jobs add --branch b --ttl 1"), "1");
}

#[test]
fn a_list_with_one_bad_row_imports_nothing_and_names_it() {
    let repo = Repo::new();
    repo.done("jobs add --branch taken");
    let good = "jobs:\n- { branch: one }\n";
    for (bad, said) in [
        ("- { branch: two, state: pending, ttl: 0 }\n", ":3:39"),
        ("- { brnach: two }\n", "did you mean `branch`?"),
        ("- { branch: taken }\n", "that of job 1"),
        ("- { branch: one }\n", "it is there already"),
        ("- { branch: 'a..b' }\n", ":3:13"),
        ("- { branch: two, ttl: -1 }\n", ":3:23"),
        ("- { branch: two, ttl: 99999999999 }\n", "too large"),
        ("- { branch: two, state: Review }\n", "cannot be a state"),
        ("- { branch: two, source: q }\n", "belong together"),
        ("- { branch: two, created: yesterday }\n", "is no time"),
        (
            "- { branch: two, decided: { at: 2026-01-01T00:00:00Z } }\n",
            "nobody has decided",
        ),
        (
            "- { branch: two, runs: [{ started: 2026-01-01T00:00:00Z }] }\n",
            "only an active job",
        ),
        ("- { branch: two, worktree: /elsewhere }\n", "in no store"),
        (
            "- { branch: two, project: /nowhere }\n",
            "could not be read",
        ),
        ("- { state: pending }\n", "needs the key `branch`"),
        ("- two\n", "must be a mapping"),
        ("- { branch: [a\n", "this is not YAML"),
    ] {
        write(
            &repo.main().join("list.yaml"),
            format!("{good}{bad}").as_bytes(),
        );
        let run = repo.refused("jobs import list.yaml");
        let text = run.stderr();
        assert!(text.contains(said), "{bad}: {run}");
        assert!(
            text.contains("list.yaml:3") || bad.contains("[a"),
            "{bad}: {run}"
        );
        assert!(text.contains("nothing was imported"), "{run}");
        assert_eq!(repo.contents().entries.len(), 1, "{bad}");
    }
    for (text, said) in [
        ("", "empty"),
        ("jobs: 7\n", "must be a list"),
        ("kind: plan\njobs: []\n", "no job list"),
        ("format_version: '2.0'\njobs: []\n", "reads version 1"),
        ("- { branch: two }\n", "must be a mapping"),
    ] {
        write(&repo.main().join("list.yaml"), text.as_bytes());
        let run = repo.refused("jobs import list.yaml");
        assert!(run.stderr().contains(said), "{text}: {run}");
    }
    repo.refused("jobs import no-such-file");
    write(&repo.main().join("list.yaml"), good.as_bytes());
    assert_eq!(repo.done("jobs import list.yaml"), "2");
}

#[test]
fn a_reader_of_json_gets_json() {
    let repo = Repo::new();
    let run = repo.owl("jobs list --format json");
    assert_eq!(
        (run.code(), run.json()["kind"].as_str()),
        (Some(2), Some("error"))
    );
    let run = repo.owl("jobs add --branch fix --format json");
    assert_eq!(run.json()["job"]["id"], 1, "{run}");
    let run = repo.owl("jobs list --format json").json();
    assert_eq!(
        (run["kind"].as_str(), run["format_version"].as_str()),
        (Some("jobs"), Some("1.0"))
    );
    assert_eq!(run["items"][0]["branch"], "fix");
}

#[test]
fn nothing_from_the_world_reaches_the_terminal_raw() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let evil = "x\u{1b}[2J\u{202e}y";
    let mut command = repo.owl_command(&repo.main());
    command.args(["jobs", "block", "1", "--reason", evil]);
    assert_eq!(repo.run(command).code(), Some(0));
    for words in ["jobs list", "jobs show 1", "jobs export"] {
        let said = repo.done(words);
        assert!(
            !said.contains('\u{1b}') && !said.contains('\u{202e}'),
            "{said:?}"
        );
    }
    let said = repo.owl("jobs export").json();
    assert_eq!(said["jobs"][0]["reason"], evil);
}
