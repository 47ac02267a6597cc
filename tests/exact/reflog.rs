//! What only the entry's reflog and refs name (guard 11; `incidents` C).

use super::world::{World, put};
use std::fs;
use std::path::Path;

fn commit(world: &World, tree: &Path, file: &str, text: &str, message: &str) {
    put(&tree.join(file), text);
    world.git_at(tree, &["add", "-A"]);
    world.git_at(tree, &["commit", "-q", "-m", message]);
}

#[test]
fn steps_of_a_finished_rebase_are_not_at_risk_and_commits_are() {
    let world = World::new();
    let rebased = world.add("rebased");
    commit(&world, &rebased, "a.txt", "1", "one");
    commit(&world, &rebased, "a.txt", "2", "fixup! one");
    commit(&world, &rebased, "b.txt", "1", "two");
    world.git_at(
        &rebased,
        &[
            "-c",
            "sequence.editor=true",
            "-c",
            "core.editor=true",
            "rebase",
            "-q",
            "-i",
            "--autosquash",
            "--root",
        ],
    );
    world.git(&["reset", "-q", "--hard", "rebased"]);
    // A commit of a detached HEAD, that HEAD has left: only the reflog names it.
    let left = world.add("left");
    world.git_at(&left, &["checkout", "-q", "--detach"]);
    commit(&world, &left, "c.txt", "1", "mine");
    world.git_at(&left, &["checkout", "-q", "left"]);
    // The same, in the middle of a rebase that was given up.
    let aborted = world.add("aborted");
    commit(&world, &aborted, "d.txt", "1", "one");
    world.git_at(
        &aborted,
        &[
            "-c",
            "sequence.editor=sed -i 1s/pick/edit/",
            "rebase",
            "-q",
            "-i",
            "--root",
        ],
    );
    commit(&world, &aborted, "e.txt", "1", "mine");
    world.git_at(&aborted, &["rebase", "--abort"]);
    world.git_at(&aborted, &["reset", "-q", "--hard", "main"]);
    world.settle(
        &[("left", "commits-at-risk"), ("aborted", "commits-at-risk")],
        &["rebased"],
    );
}

#[test]
fn private_and_pseudo_refs() {
    let world = World::new();
    for name in ["commit", "tag", "blob", "pseudo", "control"] {
        world.add(name);
    }
    let lost = world.git(&["commit-tree", "-m", "lost", "HEAD^{tree}"]);
    let blob = world.git(&["hash-object", "-w", "README.md"]);
    world.git(&["tag", "-a", "-m", "x", "t"]);
    let tag = world.git(&["rev-parse", "refs/tags/t"]);
    world.git(&["tag", "-d", "t"]);
    for (name, id) in [("commit", &lost), ("tag", &tag), ("blob", &blob)] {
        world.git_at(&world.tree(name), &["update-ref", "refs/worktree/keep", id]);
    }
    world.git_at(
        &world.tree("control"),
        &["update-ref", "refs/worktree/keep", "HEAD"],
    );
    fs::write(world.entry("pseudo").join("ORIG_HEAD"), format!("{lost}\n")).expect("a file");
    let held = ["commit", "tag", "blob", "pseudo"];
    world.settle(&held.map(|name| (name, "commits-at-risk")), &["control"]);
}
