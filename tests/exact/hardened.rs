//! Where a removal would have cost something that no list of git's names: each of these got
//! through once, and is held by what it is, not by where it was found.

use super::world::{World, erase, put};
use owl::fact::Fact;
use owl::plan::Verdict;
use std::path::Path;

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

fn cargo(tree: &Path) {
    put(&tree.join("target/.rustc_info.json"), "{}");
    put(&tree.join("target/debug/deps/app.d"), "x");
}

#[test]
fn what_a_person_works_on_below_a_producers_directory_holds() {
    let world = World::new();
    let folder = world.add("folder");
    cargo(&folder);
    put(&folder.join("target/experiments/findings.md"), "mine");
    let database = world.add("database");
    cargo(&database);
    put(&database.join("target/debug/state.sqlite"), "mine");
    let tagged = world.add("tagged");
    put(&tagged.join("data/CACHEDIR.TAG"), TAG);
    put(&tagged.join("data/notes/idea.md"), "mine");
    let cmake = world.add("cmake");
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", cmake.display());
    put(&cmake.join("build/CMakeCache.txt"), &home);
    put(&cmake.join("build/CMakeFiles/x.o"), "x");
    put(&cmake.join("build/results/run1.dat"), "mine");

    let control = world.add("control");
    cargo(&control);
    put(
        &control.join("target/x86_64-unknown-linux-musl/release/deps/a"),
        "x",
    );
    put(&control.join("data/CACHEDIR.TAG"), TAG);
    put(&control.join("data/blobs/1"), "x");
    let mirrored = world.add("mirrored");
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", mirrored.display());
    put(&mirrored.join("build/CMakeCache.txt"), &home);
    put(&mirrored.join("build/CMakeFiles/x.o"), "x");
    put(&mirrored.join("build/lib/CMakeFiles/y.o"), "x");
    put(&mirrored.join("build/lib/lib.a"), "x");

    let held = ["folder", "database", "tagged", "cmake"].map(|name| (name, "ignored-data"));
    world.settle(&held, &["control", "mirrored"]);
}

#[test]
fn a_repository_of_another_system_holds() {
    let world = World::new();
    for (name, dir) in [
        ("mercurial", ".hg"),
        ("jujutsu", ".jj"),
        ("subversion", ".svn"),
    ] {
        let tree = world.add(name);
        cargo(&tree);
        put(
            &tree.join("target/debug/tool").join(dir).join("store"),
            "mine",
        );
    }
    cargo(&world.add("control"));
    let held = ["mercurial", "jujutsu", "subversion"].map(|name| (name, "nested-repository"));
    world.settle(&held, &["control"]);
}

#[test]
fn what_lies_in_the_entry_and_is_none_of_gits_holds() {
    let world = World::new();
    world.add("plan");
    put(&world.entry("plan").join("PLAN.md"), "mine");
    world.add("harness");
    put(&world.entry("harness").join("codex-thread.json"), "{}");
    world.settle(&[("plan", "unknown-operation-in-progress")], &["harness"]);
}

#[test]
fn a_commit_under_a_ref_of_any_name_in_the_entry_holds() {
    let world = World::new();
    let tree = world.add("saved");
    world.git_at(&tree, &["checkout", "-q", "--detach"]);
    world.git_at(&tree, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    world.git_at(&tree, &["update-ref", "SAVE-ME", "HEAD"]);
    world.git_at(&tree, &["checkout", "-q", "saved"]);
    // Without the reflog, the ref is the only name, and no commit is known to have the message.
    erase(world.entry("saved").join("COMMIT_EDITMSG"));
    erase(world.entry("saved").join("logs/HEAD"));
    world.add("control");
    world.settle(&[("saved", "commits-at-risk")], &["control"]);
}

#[test]
fn a_checkout_that_is_the_last_whole_copy_of_a_directory_holds() {
    // git-facts 21: a cached tree in the index keeps git's status from looking below it.
    let world = World::new();
    world.add("old");
    let subtree = world.git(&["rev-parse", "main:src"]);
    world.put("src/app.py", "print(2)\n");
    world.commit("later");
    world.add("control");
    let (dir, file) = subtree.split_at(2);
    erase(world.main().join(".git/objects").join(dir).join(file));
    world.settle(&[("old", "unknown-uncommitted")], &["control"]);
}

/// Incident 86.
#[test]
fn a_process_in_a_directory_that_is_gone_keeps_its_entry() {
    let world = World::new();
    let stood_in = world.add("stood-in");
    world.add("control");
    let mut sleeper = world
        .command("sleep")
        .arg("600")
        .current_dir(stood_in.join("src"))
        .spawn()
        .expect("sleep runs");
    world.vanish("stood-in");
    world.vanish("control");
    let plan = world.plan();
    sleeper.kill().expect("it runs");
    sleeper.wait().expect("it ends");
    let row = World::row(&plan, "stood-in");
    assert_eq!(row.verdict, Verdict::Keep, "{}", row.message);
    assert_eq!(row.reason.to_string(), "process-inside");
    assert_eq!(World::row(&plan, "control").verdict, Verdict::Prune);
    assert_eq!(
        World::row(&world.plan(), "stood-in").verdict,
        Verdict::Prune
    );
}

#[test]
fn the_base_branch_does_not_vouch_for_its_own_commits() {
    // git-facts 47
    let world = World::new();
    world.git(&["checkout", "-q", "-b", "elsewhere"]);
    let tree = world.tree("base");
    let path = tree.to_str().expect("UTF-8");
    world.git(&["worktree", "add", "-q", path, "main"]);
    put(&tree.join("more.txt"), "x\n");
    world.git_at(&tree, &["add", "-A"]);
    world.git_at(&tree, &["commit", "-q", "-m", "ahead"]);
    world.add("control");
    world.settle(&[("base", "unpublished")], &["control"]);
}

#[test]
fn a_tree_that_lends_its_objects_to_the_repository_holds() {
    let world = World::new();
    let lender = world.add("lender");
    cargo(&lender);
    let store = lender.join("target/debug/deps/objects");
    put(&store.join("info/packs"), "");
    put(
        &world.main().join(".git/objects/info/alternates"),
        &format!("{}\n", store.display()),
    );
    cargo(&world.add("control"));
    world.settle(&[("lender", "nested-repository")], &["control"]);
}

#[test]
fn a_tree_that_lends_its_objects_at_any_remove_holds() {
    let world = World::new();
    // Three stores on the way, the last of which is named twice.
    let lend = |from: &Path, names: &[&Path]| {
        let lines = names.iter().map(|path| format!("{}\n", path.display()));
        put(&from.join("info/alternates"), &lines.collect::<String>());
    };
    let lender = world.add("lender");
    cargo(&lender);
    let store = lender.join("target/debug/deps/objects");
    put(&store.join("info/packs"), "");
    let on_the_way = ["one", "two", "three"].map(|name| world.root().join(name).join("objects"));
    let [one, two, three] = on_the_way.each_ref();
    lend(&world.main().join(".git/objects"), &[three, one]);
    lend(one, &[two]);
    lend(two, &[three]);
    lend(three, &[&store]);
    cargo(&world.add("control"));
    world.settle(&[("lender", "nested-repository")], &["control"]);

    // Beyond what git follows nothing can be told, and up to there it can.
    let chain: Vec<_> = (0..7)
        .map(|nth| world.root().join(format!("chain{nth}")))
        .collect();
    lend(&chain[6], &[]);
    for pair in chain.windows(2) {
        lend(&pair[0], &[&pair[1]]);
    }
    lend(&world.main().join(".git/objects"), &[&chain[0]]);
    let seen = world.observe();
    let nested = seen.projects[0].trees.iter().map(|tree| &tree.nested);
    let too_deep = |fact: &&Fact<_>| matches!(fact, Fact::Unknown(why) if why.contains("borrow"));
    assert_eq!(nested.filter(too_deep).count(), 1, "{seen:?}");
    assert_eq!(World::row(&world.plan(), "lender").verdict, Verdict::Hold);
    lend(&world.main().join(".git/objects"), &[&chain[1]]);
    world.settle(&[], &["lender"]);
}

#[test]
fn a_worktree_that_was_moved_into_another_one_keeps_its_entry() {
    // `mv` onto a directory that is there moves into it, and the moved tree is alive.
    let world = World::new();
    let moved = world.add("moved");
    let sibling = world.add("sibling");
    world.add("control");
    std::fs::rename(&moved, sibling.join("moved")).expect("the same file system");
    world.vanish("control");
    let row = World::row(&world.plan(), "moved");
    assert_eq!(row.verdict, Verdict::Hold, "{}", row.message);
    assert_eq!(row.reason.to_string(), "registration-broken");
    assert_eq!(World::row(&world.plan(), "control").verdict, Verdict::Prune);
}
