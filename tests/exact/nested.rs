//! Repositories inside, where git never lists them (`spec 5.3`, `git-facts 7`, `8`).

use super::world::{World, put};
use std::fs;

/// Incident 49.
#[test]
fn a_repository_anywhere() {
    let world = World::new();
    let tracked = world.add("tracked");
    world.git_at(&tracked.join("src"), &["init", "-q"]);
    assert_eq!(world.git_at(&tracked, &["status", "--porcelain"]), "");
    let built = world.add("built");
    put(&built.join("target/.rustc_info.json"), "{}");
    world.git_at(&built, &["init", "-q", "target/debug/tool"]);
    let bare = world.add("bare");
    put(&bare.join("target/.rustc_info.json"), "{}");
    world.git_at(&bare, &["init", "-q", "--bare", "target/tool"]);
    let nowhere = world.add("nowhere");
    put(&nowhere.join("data/tool/.git"), "gitdir: /nowhere");
    let cloned = world.add("cloned");
    let words = ["clone", "-q", ".", "data/inner"];
    world.git_at(&cloned, &words);
    world.git_at(
        &cloned.join("data/inner"),
        &["commit", "-q", "--allow-empty", "-m", "mine"],
    );
    let control = world.add("control");
    put(&control.join("target/.rustc_info.json"), "{}");
    put(&control.join("target/debug/HEAD"), "x");
    fs::create_dir_all(control.join("target/debug/refs")).expect("a directory");
    let held = ["tracked", "built", "bare", "nowhere", "cloned"];
    world.settle(&held.map(|name| (name, "nested-repository")), &["control"]);
}
