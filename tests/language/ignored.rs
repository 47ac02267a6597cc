//! `rebuildable` and `precious` on real trees, and the hint of what a line would free (`spec 5.4`).

use super::support::snapshot::Snapshot;
use super::support::write;
use super::support::yard::{Yard, outcome, row};
use owl::apply::Fate;
use owl::plan::Verdict;
use std::path::Path;

/// A yard whose repository ignores build output, logs, databases and secrets.
fn yard(lists: &str) -> Yard {
    let mut yard = Yard::without_control();
    write(
        &yard.repo.common_dir().join("info/exclude"),
        b"/.claude/\ndist/\nout/\n*.log\n*.sqlite\n.env*\nsecret/\n",
    );
    yard.policy.push_str(lists);
    yard
}

/// A landed, old worktree with ignored files.
fn tree(yard: &Yard, name: &str, files: &[&str]) -> std::path::PathBuf {
    let path = yard.landed(name);
    for file in files {
        write(&path.join(file), file.as_bytes());
    }
    yard.age(name);
    path
}

fn held(yard: &Yard, name: &str) {
    let plan = yard.look();
    let row = row(&plan, &yard.address(name));
    assert_eq!(row.verdict, Verdict::Hold, "{name}: {}", row.message);
    assert_eq!(
        row.reason.to_string(),
        "ignored-data",
        "{name}: {}",
        row.message
    );
}

/// Applies: the named ones go, all else stays byte for byte.
fn settle(yard: &Yard, gone: &[&str], stays: &[&Path]) {
    let before = Snapshot::of(stays);
    let done = yard.apply();
    for name in gone {
        let found = outcome(&done, &yard.address(name));
        assert_eq!(found.fate, Fate::Removed, "{name}: {}", found.message);
        assert!(!yard.path(name).exists(), "{name}");
    }
    assert_eq!(done.len(), gone.len(), "{done:?}");
    before.require_same("what is held", stays);
}

#[test]
fn a_line_of_rebuildable_lets_its_paths_go_and_no_other() {
    let yard = yard("rebuildable: [dist, \"packages/*/out/\", \"**/*.log\"]\n");
    tree(
        &yard,
        "whole",
        &[
            "dist/app.js",
            "dist/deep/er/x.bin",
            "packages/a/out/x",
            "a.log",
            "b/c.log",
        ],
    );
    let deeper = tree(&yard, "deeper", &["sub/dist/app.js"]);
    let two = tree(&yard, "two", &["packages/a/b/out/x"]);
    let both = tree(&yard, "both", &["dist/app.js", "out/app.js"]);
    for name in ["deeper", "two", "both"] {
        held(&yard, name);
    }
    settle(&yard, &["whole"], &[&deeper, &two, &both]);
}

#[test]
fn a_secret_below_a_line_holds_unless_the_line_names_it() {
    let yard = yard("rebuildable: [dist, out/*, secret/.env.local]\n");
    let env = tree(&yard, "env", &["dist/.env"]);
    let key = tree(&yard, "key", &["dist/deploy.pem"]);
    let star = tree(&yard, "star", &["out/.env"]);
    tree(&yard, "named", &["secret/.env.local", "dist/app.js"]);
    for name in ["env", "key", "star"] {
        held(&yard, name);
    }
    settle(&yard, &["named"], &[&env, &key, &star]);
}

/// `*.pem` or `.env*` may have been written with others in mind (`spec 5.4`).
#[test]
fn a_wildcard_names_no_secret() {
    let yard = yard(
        "rebuildable: [\"out/*.*\", \"out/?*\", \"out/[!q]*\", \"out/*.pem\", \"out/.env*\", \"out/{x,*}\", \"secret/{.env,deploy.pem}\"]\n",
    );
    let env = tree(&yard, "env", &["out/.env"]);
    let local = tree(&yard, "local", &["out/.env.local"]);
    let key = tree(&yard, "key", &["out/deploy.pem"]);
    let other = tree(&yard, "other", &["secret/.env.local"]);
    for name in ["env", "local", "key", "other"] {
        held(&yard, name);
    }
    tree(&yard, "plain", &["out/app.js", "out/page.html"]);
    tree(&yard, "named", &["secret/.env", "secret/deploy.pem"]);
    settle(&yard, &["named", "plain"], &[&env, &local, &key, &other]);
}

/// As in a .gitignore; `rebuildable` stays a path from the top.
#[test]
fn precious_without_a_slash_is_a_name_at_any_depth() {
    let yard = yard(
        "rebuildable: [dist, out]\nprecious: [keep, \"*.sqlite\", \"{notes,a/b}\", cache/, dist/top]\n",
    );
    let deep = tree(&yard, "deep", &["dist/app.js", "dist/a/keep/1"]);
    let file = tree(&yard, "file", &["dist/keep"]);
    let base = tree(&yard, "base", &["out/x/dev.sqlite"]);
    let braces = tree(&yard, "braces", &["out/x/notes"]);
    let folder = tree(&yard, "folder", &["out/cache/1"]);
    let top = tree(&yard, "top", &["dist/top/1"]);
    let strict = tree(&yard, "strict", &["sub/dist/app.js"]);
    for name in ["deep", "file", "base", "braces", "folder", "top", "strict"] {
        held(&yard, name);
    }
    // With a `/`, it is a path from the top; and a name is a whole one.
    let free = [
        "dist/x/dist/top/1",
        "dist/keeper/1",
        "out/a.sqlite.txt",
        "dist/a/b",
    ];
    tree(&yard, "control", &free);
    settle(
        &yard,
        &["control"],
        &[&deep, &file, &base, &braces, &folder, &top, &strict],
    );
}

#[test]
fn precious_wins_over_producers_copies_and_rebuildable() {
    let yard = yard(
        "rebuildable: [dist]\nprecious: [\"**/*.sqlite\", dist/kept, target/model, \".env\"]\n",
    );
    write(&yard.repo.main().join(".env"), b"same");
    let copy = tree(&yard, "copy", &[]);
    write(&copy.join(".env"), b"same");
    yard.age("copy");
    let listed = tree(&yard, "listed", &["dist/app.js", "dist/kept/1"]);
    let base = tree(&yard, "base", &["dist/dev.sqlite"]);
    for name in ["copy", "listed", "base"] {
        held(&yard, name);
    }
    tree(&yard, "control", &["dist/app.js", "dist/model/1"]);
    settle(&yard, &["control"], &[&copy, &listed, &base]);
}

#[test]
fn without_precious_the_same_copy_goes() {
    let yard = yard("");
    write(&yard.repo.main().join(".env"), b"same");
    let copy = tree(&yard, "copy", &[]);
    write(&copy.join(".env"), b"same");
    yard.age("copy");
    settle(&yard, &["copy"], &[]);
}

#[test]
fn the_plan_says_what_one_line_would_free() {
    let mut yard = yard("");
    tree(&yard, "one", &["dist/app.js", "dist/x.js"]);
    tree(&yard, "two", &["dist/app.js"]);
    tree(&yard, "nested", &["packages/a/dist/x", "packages/b/dist/x"]);
    tree(&yard, "mixed", &["dist/app.js", "out/app.js"]);
    tree(&yard, "secret", &["dist/.env"]);
    let open = tree(&yard, "open", &["dist/app.js"]);
    write(&open.join("notes.md"), b"untracked");
    let plan = yard.look();
    let said: Vec<_> = plan
        .hints
        .iter()
        .map(|hint| (hint.path.as_str(), hint.worktrees))
        .collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said.contains(&("dist", 2)) && said.contains(&("**/dist", 1)),
        "{said:?}"
    );
    // What it says is true: with the line, exactly those go.
    yard.policy.push_str("rebuildable: [dist, \"**/dist\"]\n");
    let done = yard.apply();
    let gone: Vec<_> = ["nested", "one", "two"]
        .map(|name| yard.address(name))
        .to_vec();
    let mut found: Vec<_> = done.iter().map(|one| one.address.clone()).collect();
    found.sort();
    assert_eq!(found, gone);
    // What still holds is told in turn.
    let left: Vec<_> = yard
        .look()
        .hints
        .into_iter()
        .map(|hint| hint.path)
        .collect();
    assert_eq!(left, ["out"]);
}
