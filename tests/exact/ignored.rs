//! Ignored content by evidence (`spec 5.4`, `ecosystem 5b` and `5c`).

use super::world::{World, is_root, put};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# x\n";

fn cargo(tree: &Path) {
    put(&tree.join("target/.rustc_info.json"), "{}");
    put(&tree.join("target/debug/app"), "x");
    put(&tree.join("target/debug/build/ssl-1/out/test.pem"), "x");
}

fn node(tree: &Path) {
    put(&tree.join("node_modules/.package-lock.json"), "{}");
    put(&tree.join("node_modules/a/package.json"), "{}");
    put(&tree.join("node_modules/a/test/server.key"), "x");
    put(&tree.join("node_modules/a/id_token.js"), "x");
    symlink("../a", tree.join("node_modules/a/self")).expect("a symlink");
    symlink("a", tree.join("node_modules/alias")).expect("a symlink");
}

#[test]
fn a_producer_is_proven_and_a_name_is_not() {
    let world = World::new();
    cargo(&world.add("cargo"));
    node(&world.add("node"));
    let tagged = world.add("tagged");
    put(&tagged.join(".cache/CACHEDIR.TAG"), TAG);
    put(&tagged.join(".cache/blobs/1"), "x");
    let cmake = world.add("cmake");
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", cmake.display());
    put(&cmake.join("build/CMakeCache.txt"), &home);
    put(&cmake.join("build/CMakeFiles/x.o"), "x");
    let terraform = world.add("terraform");
    put(&terraform.join(".terraform/providers/p"), "x");
    put(&terraform.join(".terraform/terraform.tfstate"), "{}");

    // Each is one of the above without what proves it, or with something of a person's.
    let bare_name = world.add("bare-name");
    put(&bare_name.join("target/scores.txt"), "x");
    let no_manifest = world.add("no-manifest");
    put(&no_manifest.join("data/target/.rustc_info.json"), "{}");
    let stray = world.add("stray");
    cargo(&stray);
    put(&stray.join("target/notes.md"), "x");
    let deep_env = world.add("deep-env");
    node(&deep_env);
    put(&deep_env.join("node_modules/a/.env"), "x");
    let key = world.add("key");
    cargo(&key);
    put(&key.join("target/debug/deploy.pem"), "x");
    let not_a_package = world.add("not-a-package");
    node(&not_a_package);
    put(&not_a_package.join("node_modules/mine/server.key"), "x");
    let no_marker = world.add("no-marker");
    put(&no_marker.join("node_modules/a/index.js"), "x");
    let wrong_tag = world.add("wrong-tag");
    put(
        &wrong_tag.join(".cache/CACHEDIR.TAG"),
        "Signature: 8a477f597d28d172789f06886806bc56",
    );
    let linked_tag = world.add("linked-tag");
    put(&linked_tag.join(".cache/blobs/1"), "x");
    put(&world.root().join("tag"), TAG);
    symlink(
        world.root().join("tag"),
        linked_tag.join(".cache/CACHEDIR.TAG"),
    )
    .expect("a symlink");
    let noted_tag = world.add("noted-tag");
    put(&noted_tag.join(".cache/CACHEDIR.TAG"), TAG);
    put(&noted_tag.join(".cache/thesis.md"), "x");
    let found = world.add("found");
    put(&found.join(".hypothesis/CACHEDIR.TAG"), TAG);
    put(&found.join(".hypothesis/examples/1"), "x");
    let other_home = world.add("other-home");
    put(&other_home.join("build/CMakeCache.txt"), &home);
    put(&other_home.join("build/CMakeFiles/x.o"), "x");
    let workspace = world.add("workspace");
    put(&workspace.join(".terraform/providers/p"), "x");
    put(&workspace.join(".terraform/environment"), "prod");
    let venv = world.add("venv");
    put(&venv.join(".venv/pyvenv.cfg"), "home = x");

    let held = [
        "bare-name",
        "no-manifest",
        "stray",
        "deep-env",
        "key",
        "not-a-package",
        "no-marker",
        "wrong-tag",
        "linked-tag",
        "noted-tag",
        "found",
        "other-home",
        "workspace",
        "venv",
    ];
    world.settle(
        &held.map(|name| (name, "ignored-data")),
        &["cargo", "node", "tagged", "cmake", "terraform"],
    );
}

#[test]
fn the_message_names_what_holds_and_not_what_may_go() {
    let world = World::new();
    let tree = world.add("mixed");
    cargo(&tree);
    put(&tree.join("target/notes.md"), "x");
    put(&tree.join(".env"), "A=1");
    let row = World::row(&world.plan(), "mixed");
    assert!(row.message.contains("2 ignored"), "{}", row.message);
    assert!(row.message.contains(".env") && row.message.contains("target/notes.md"));
    let seen = world.observe();
    let tree = seen.projects[0]
        .trees
        .iter()
        .find(|tree| tree.address.as_str().ends_with("/mixed"));
    let sorted = tree
        .and_then(|tree| tree.sorted.known())
        .expect("it is sorted");
    assert_eq!((sorted.data.files, sorted.rebuildable.files), (2, 3));
    assert_eq!(sorted.holding.len(), 2);
}

#[test]
fn a_tracked_file_below_leaves_no_proof() {
    let world = World::new();
    put(&world.main().join("target/kept.txt"), "x");
    world.git(&["add", "-f", "target/kept.txt"]);
    world.commit("kept");
    let tracked = world.add("tracked");
    cargo(&tracked);
    let control = world.add("control");
    put(&control.join("src/__pycache__/app.cpython-311.pyc"), "x");
    world.settle(&[("tracked", "ignored-data")], &["control"]);
}

#[test]
fn a_producer_that_ignores_its_own_directory_is_seen() {
    // `.ruff_cache/.gitignore` is `*`: git lists each file in it, and never the directory.
    let world = World::new();
    let control = world.add("control");
    put(&control.join(".ruff_cache/.gitignore"), "*\n");
    put(&control.join(".ruff_cache/CACHEDIR.TAG"), TAG);
    put(&control.join(".ruff_cache/0.1/x"), "x");
    let held = world.add("held");
    put(&held.join("draft/.gitignore"), "*\n");
    put(&held.join("draft/x"), "x");
    world.settle(&[("held", "ignored-data")], &["control"]);
}

#[test]
fn what_lies_in_an_ignored_directory_is_judged_by_itself() {
    let world = World::new();
    let control = world.add("control");
    put(&control.join(".claude/cache/CACHEDIR.TAG"), TAG);
    put(&control.join(".claude/cache/x"), "x");
    put(&control.join("data/empty/.DS_Store"), "x");
    fs::create_dir_all(control.join("data/deep/er")).expect("directories");
    let held = world.add("held");
    put(&held.join(".claude/cache/CACHEDIR.TAG"), TAG);
    put(&held.join(".claude/settings.local.json"), "{}");
    world.settle(&[("held", "ignored-data")], &["control"]);
}

#[test]
fn byte_code_goes_with_its_source_only() {
    let world = World::new();
    let control = world.add("control");
    put(
        &control.join("src/__pycache__/app.cpython-312.opt-1.pyc"),
        "x",
    );
    put(&control.join("src/app.pyc"), "x");
    let orphan = world.add("orphan");
    put(&orphan.join("src/__pycache__/lost.cpython-312.pyc"), "x");
    let notes = world.add("notes");
    put(&notes.join("src/__pycache__/notes.txt"), "x");
    world.settle(
        &[("orphan", "ignored-data"), ("notes", "ignored-data")],
        &["control"],
    );
}

/// Incident 35.
#[test]
fn a_copy_of_the_main_worktrees_may_go_and_a_changed_one_may_not() {
    let world = World::new();
    world.put(".env", "TOKEN=1\n");
    world.put("data/a/b.bin", "abc");
    let control = world.add("control");
    put(&control.join(".env"), "TOKEN=1\n");
    put(&control.join("data/a/b.bin"), "abc");
    symlink(
        world.main().join("node_modules"),
        control.join("node_modules"),
    )
    .expect("a symlink");
    fs::create_dir(world.main().join("node_modules")).expect("a directory");
    let changed = world.add("changed");
    put(&changed.join(".env"), "TOKEN=2\n");
    let more = world.add("more");
    put(&more.join("data/a/b.bin"), "abc");
    put(&more.join("data/a/c.bin"), "abc");
    let elsewhere = world.add("elsewhere");
    symlink(world.root().join("home"), elsewhere.join("node_modules")).expect("a symlink");
    let other_path = world.add("other-path");
    symlink(world.main().join("data"), other_path.join("node_modules")).expect("a symlink");
    let dangling = world.add("dangling");
    symlink(world.main().join("target"), dangling.join("target")).expect("a symlink");
    let held = ["changed", "more", "elsewhere", "other-path", "dangling"];
    world.settle(&held.map(|name| (name, "ignored-data")), &["control"]);
}

#[test]
fn the_main_worktree_vouches_only_with_files_of_its_own() {
    let world = World::new();
    // The main worktree's `data` leads back into the tree: one file under two names.
    let looped = world.add("looped");
    put(&looped.join("data/x.bin"), "abc");
    symlink(looped.join("data"), world.main().join("data")).expect("a symlink");
    // The "same path" lies in another linked worktree, which may go as well.
    let other = world.add("other");
    put(&other.join("data/y.bin"), "abc");
    let nested = world.add("nested");
    put(&nested.join(".claude/worktrees/other/data/y.bin"), "abc");
    world.add("control");
    let held = ["looped", "other", "nested"];
    world.settle(&held.map(|name| (name, "ignored-data")), &["control"]);
}

#[test]
fn what_cannot_be_read_is_no_proof() {
    if is_root() {
        return;
    }
    let world = World::new();
    let blind = world.add("blind");
    cargo(&blind);
    let closed = blind.join("target/debug");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("a mode");
    cargo(&world.add("control"));
    let row = World::row(&world.plan(), "blind");
    assert!(
        row.reason.to_string().starts_with("unknown"),
        "{}",
        row.message
    );
    world.settle(&[], &["control"]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("a mode");
}

#[test]
fn a_file_that_appears_after_the_plan_is_seen_again() {
    let world = World::new();
    let tree = world.add("late");
    cargo(&tree);
    cargo(&world.add("control"));
    let done = world.apply(|| put(&tree.join("target/notes.md"), "x"));
    assert!(tree.join("target/notes.md").exists(), "{done:?}");
    assert!(!world.tree("control").exists(), "{done:?}");
}

/// Before it is deleted a worktree stands aside, where it is looked at again: what names its place
/// names the old one.
#[test]
fn what_names_the_old_place_is_proven_aside_as_well() {
    let world = World::new();
    world.put(".env", "TOKEN=1\n");
    fs::create_dir(world.main().join("node_modules")).expect("a directory");
    let tree = world.add("tree");
    put(&tree.join(".env"), "TOKEN=1\n");
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", tree.display());
    put(&tree.join("build/CMakeCache.txt"), &home);
    put(&tree.join("build/CMakeFiles/x.o"), "x");
    let below = tree.strip_prefix(world.main()).expect("it is in a store");
    let up = "../".repeat(below.iter().count());
    symlink(format!("{up}node_modules"), tree.join("node_modules")).expect("a symlink");
    let done = world.apply(|| {});
    assert!(!tree.exists(), "{done:?}");
    assert_eq!(done[0].1, owl::apply::Fate::Removed, "{done:?}");
}
