//! D1 to D8 (`performance 2`): where gix alone would call clean what git calls dirty, the plan
//! holds, and lets go the tree beside it that differs in nothing else.
//!
//! The indexes are settled, so that the scanner has its say on each tree.

use crate::settled::{erase, settle, told};
use crate::support::write;
use crate::support::yard::{Yard, row, said};
use owl::observe::Glimpse;
use owl::plan::Verdict;
use std::fs;

/// Holds the named, removes the control.
fn holds(yard: &Yard, names: &[&str]) {
    let plan = yard.look();
    for name in names {
        let found = row(&plan, &yard.address(name));
        assert_eq!(found.verdict, Verdict::Hold, "{name}: {}", said(&plan));
    }
    yard.carry_out(&yard.approved(&["control"]));
    assert!(!yard.path("control").exists(), "the control is removed");
    for name in names {
        assert!(yard.path(name).exists(), "{name} is still there");
    }
}

#[test]
fn d1_a_file_outside_the_sparse_patterns() {
    let yard = Yard::new();
    for name in ["cone", "plain"] {
        let tree = yard.landed(name);
        let kind = if name == "cone" {
            "--cone"
        } else {
            "--no-cone"
        };
        yard.repo
            .git_in(&tree, ["sparse-checkout", "set", kind, "docs"]);
        write(
            &tree.join(format!("{name}.txt")),
            b"edited, and longer than before\n",
        );
    }
    settle(&yard, &["cone", "plain", "control"]);
    assert!(told(&yard, "cone").is_err() && told(&yard, "plain").is_err());
    holds(&yard, &["cone", "plain"]);
}

#[test]
fn d2_and_d7_a_submodule_that_configuration_hides() {
    let yard = Yard::without_control();
    let inner = yard.repo.main().join("inner");
    yard.repo.git(["init", "-q", "-b", "main", "inner"]);
    yard.repo.commit(&inner, "x", b"x");
    // D2: no .gitmodules knows it.
    yard.repo.git(["add", "inner"]);
    yard.repo.git(["commit", "-q", "-m", "gitlink"]);
    yard.landed("control");
    // D7: whatever the configuration says.
    for (key, value) in [
        ("diff.ignoreSubmodules", "all"),
        ("submodule.inner.ignore", "all"),
    ] {
        yard.repo.git(["config", key, value]);
    }
    let held = yard.landed("held");
    write(&held.join("inner/mine.txt"), b"mine");
    let moved = yard.landed("moved");
    yard.repo
        .git_in(&moved, ["init", "-q", "-b", "main", "inner"]);
    yard.repo.commit(&moved.join("inner"), "y", b"other");
    settle(&yard, &["held", "moved", "control"]);
    holds(&yard, &["held", "moved"]);
}

#[test]
fn d3_the_environment_of_the_caller() {
    let repo = crate::support::Repo::new().with_policy();
    write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
    repo.landed("control");
    let held = repo.landed("held");
    write(&held.join("held.txt"), b"edited, and longer than before\n");
    let decoy = repo.landed("decoy");
    write(&decoy.join("mine.txt"), b"mine\n");
    let mut command = repo.owl_command(&repo.main());
    command
        .args(["apply", "--yes"])
        .env("GIT_WORK_TREE", repo.main())
        .env("GIT_DIR", repo.common_dir())
        .env("GIT_INDEX_FILE", repo.common_dir().join("index"))
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.excludesFile")
        .env("GIT_CONFIG_VALUE_0", repo.root().join("all"));
    write(&repo.root().join("all"), b"*\n");
    let run = repo.run(command);
    assert!(held.exists() && decoy.exists(), "{run}");
    let control = repo.main().join(".claude/worktrees/control");
    assert!(!control.exists(), "{run}");
}

#[test]
fn d4_untracked_files_that_configuration_hides() {
    let yard = Yard::new();
    let held = yard.landed("held");
    write(&held.join("new"), b"mine\n");
    yard.repo.git(["config", "status.showUntrackedFiles", "no"]);
    settle(&yard, &["held", "control"]);
    let found = told(&yard, "held").expect("the scanner answers");
    assert_eq!(found.untracked.len(), 1, "{found:?}");
    assert_eq!(told(&yard, "control"), Ok(Glimpse::default()));
    holds(&yard, &["held"]);
}

#[test]
fn d5_a_directory_in_the_place_of_a_flagged_file() {
    let yard = Yard::new();
    let held = yard.landed("held");
    yard.repo
        .git_in(&held, ["update-index", "--assume-unchanged", "held.txt"]);
    erase(&held.join("held.txt"));
    write(&held.join("held.txt/q"), b"mine\n");
    settle(&yard, &["held", "control"]);
    told(&yard, "held").expect_err("a flag is for git");
    holds(&yard, &["held"]);
}

#[test]
fn d6_an_extension_that_nobody_knows() {
    let yard = Yard::new();
    settle(&yard, &["control"]);
    yard.repo
        .git(["config", "core.repositoryFormatVersion", "1"]);
    yard.repo.git(["config", "extensions.unheardOf", "true"]);
    let plan = yard.look();
    let found = row(&plan, &yard.address("control"));
    assert_ne!(found.verdict, Verdict::Remove, "{}", said(&plan));
    let config = yard.repo.common_dir().join("config");
    let text = fs::read_to_string(&config).expect("it is there");
    fs::write(&config, text.replace("unheardOf = true", "")).expect("it can be written");
    holds(&yard, &[]);
}

#[test]
fn d8_grafts_that_make_an_ancestor() {
    let yard = Yard::new();
    let held = yard.add("held");
    let tip = yard.repo.commit(&held, "held.txt", b"held");
    let main = yard.repo.git(["rev-parse", "main"]);
    let grafts = yard.repo.common_dir().join("info/grafts");
    write(&grafts, format!("{main} {tip}\n").as_bytes());
    settle(&yard, &["held", "control"]);
    holds(&yard, &["held"]);
}
