//! Submodules: one that was never initialised here passes, every other condition holds (guard 9).

use super::world::{World, put};
use std::fs;

fn library(world: &World) {
    let library = world.root().join("lib");
    world.git_at(world.root(), &["init", "-q", "-b", "main", "lib"]);
    put(&library.join("lib.txt"), "x");
    world.git_at(&library, &["add", "-A"]);
    world.git_at(&library, &["commit", "-q", "-m", "lib"]);
    let url = library.to_str().expect("UTF-8");
    world.git(&["submodule", "--quiet", "add", url, "lib"]);
    world.commit("submodule");
}

/// Incident 46.
#[test]
fn every_condition_of_a_submodule() {
    let world = World::new();
    library(&world);
    world.add("never");
    let absent = world.add("absent");
    fs::remove_dir(absent.join("lib")).expect("an empty directory");
    let initialised = world.add("initialised");
    world.git_at(&initialised, &["submodule", "--quiet", "update", "--init"]);
    let files = world.add("files");
    put(&files.join("lib/mine.txt"), "x");
    assert_eq!(world.git_at(&files, &["status", "--porcelain"]), "");
    let deep = world.add("deep");
    put(&deep.join("lib/a/b/mine.txt"), "x");
    let deinit = world.add("deinit");
    world.git_at(&deinit, &["submodule", "--quiet", "update", "--init"]);
    world.git_at(&deinit, &["submodule", "--quiet", "deinit", "-f", "lib"]);
    let row = World::row(&world.plan(), "absent");
    assert_eq!(
        row.verdict,
        owl::plan::Verdict::Hold,
        "a deletion: {}",
        row.message
    );
    let held = ["initialised", "files", "deep", "deinit"];
    world.settle(&held.map(|name| (name, "submodule")), &["never"]);
}

#[test]
fn a_gitlink_that_no_gitmodules_knows() {
    // D2
    let world = World::new();
    let inner = world.main().join("inner");
    world.git_at(&world.main(), &["init", "-q", "-b", "main", "inner"]);
    put(&inner.join("x"), "x");
    world.git_at(&inner, &["add", "-A"]);
    world.git_at(&inner, &["commit", "-q", "-m", "x"]);
    world.commit("gitlink");
    world.add("control");
    let held = world.add("held");
    put(&held.join("inner/mine.txt"), "x");
    world.settle(&[("held", "submodule")], &["control"]);
}

/// Incident 47: its commit is recorded and merged, and nobody else has it; it lives in the entry.
#[test]
fn a_commit_of_a_submodule_that_is_nowhere_else() {
    let world = World::new();
    library(&world);
    world.add("control");
    let held = world.add("held");
    world.git_at(&held, &["submodule", "--quiet", "update", "--init"]);
    put(&held.join("lib/mine.txt"), "x");
    for tree in [&held.join("lib"), &held] {
        world.git_at(tree, &["add", "-A"]);
        world.git_at(tree, &["commit", "-q", "-m", "mine"]);
    }
    world.git(&["merge", "-q", "--no-edit", "held"]);
    assert_eq!(world.git_at(&held, &["status", "--porcelain"]), "");
    assert!(world.entry("held").join("modules").exists());
    world.settle(&[("held", "submodule")], &["control"]);
}
