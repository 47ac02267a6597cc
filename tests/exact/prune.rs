//! When an entry whose directory is gone may be pruned (`spec 5`, Prune; `git-facts 20`, `26`).

use super::world::{World, erase, put};
use owl::plan::Verdict;
use std::fs;
use std::os::unix::fs::symlink;

fn verdicts(world: &World, names: &[(&str, Verdict)]) {
    let plan = world.plan();
    for (name, wanted) in names {
        let row = World::row(&plan, name);
        assert_eq!(row.verdict, *wanted, "{name}: {}", row.message);
    }
    world.apply(|| {});
    for (name, wanted) in names {
        let left = world.entry(name).exists();
        assert_eq!(left, *wanted != Verdict::Prune, "{name}");
    }
}

#[test]
fn an_entry_that_a_moved_worktree_still_names_is_alive() {
    let world = World::new();
    for name in ["gone", "beside", "deeper", "aside", "copied"] {
        world.add(name);
    }
    world.vanish("gone");
    fs::rename(world.tree("beside"), world.tree("beside-2")).expect("a rename");
    fs::create_dir(world.tree("old")).expect("a directory");
    fs::rename(world.tree("deeper"), world.tree("old").join("deeper")).expect("a rename");
    let folder = world.main().join(".git/owl");
    fs::create_dir(&folder).expect("a directory");
    fs::rename(world.tree("aside"), folder.join("aside")).expect("a rename");
    copy(&world, "copied", "copy");
    let plan = world.plan();
    let copy = plan.items.iter().find(|row| row.path.ends_with("/copy"));
    assert_eq!(copy.expect("a row").verdict, Verdict::Hold);
    verdicts(
        &world,
        &[
            ("gone", Verdict::Prune),
            ("beside", Verdict::Hold),
            ("deeper", Verdict::Hold),
            ("aside", Verdict::Hold),
            ("copied", Verdict::Hold),
        ],
    );
}

fn copy(world: &World, from: &str, to: &str) {
    let done = world
        .command("cp")
        .arg("-a")
        .args([world.tree(from), world.tree(to)])
        .status();
    assert!(done.expect("cp runs").success());
}

#[test]
fn what_only_the_entry_holds() {
    let world = World::new();
    for name in ["gone", "staged", "detached"] {
        world.add(name);
    }
    put(&world.tree("staged").join("new.txt"), "mine");
    world.git_at(&world.tree("staged"), &["add", "new.txt"]);
    let detached = world.tree("detached");
    world.git_at(&detached, &["checkout", "-q", "--detach"]);
    world.git_at(&detached, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    for name in ["gone", "staged", "detached"] {
        world.vanish(name);
    }
    verdicts(
        &world,
        &[
            ("gone", Verdict::Prune),
            ("staged", Verdict::Hold),
            ("detached", Verdict::Hold),
        ],
    );
}

#[test]
fn a_store_behind_a_dangling_symlink_prunes_nothing() {
    let world = World::new();
    let away = world.root().join("disk");
    fs::create_dir(&away).expect("a directory");
    let store = world.root().join("store");
    symlink(&away, &store).expect("a symlink");
    let path = store.join("far");
    world.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "far",
        path.to_str().expect("UTF-8"),
        "main",
    ]);
    world.add("near");
    fs::rename(&away, world.root().join("elsewhere")).expect("a rename");
    world.vanish("near");
    let policy = format!(
        "apiVersion: owl/v1
stores: [{{ path: .claude/worktrees/*, owner: none }}, {{ path: {}/*, owner: none }}]
rules: [{{ name: x, when: {{ landed: true }}, then: accept }}]
pid-namespace: own
",
        store.display()
    );
    let plan = world.plan_with(&policy);
    assert!(plan.complete, "{:?}", plan.warnings);
    for row in &plan.items {
        assert_ne!(row.verdict, Verdict::Prune, "{row:?}");
        assert_ne!(row.verdict, Verdict::Remove, "{row:?}");
    }
    // The control: the same tree, once the store can be read.
    erase(&store);
    fs::create_dir(&store).expect("a directory");
    let plan = world.plan_with(&policy);
    assert_eq!(World::row(&plan, "near").verdict, Verdict::Prune);
}

#[test]
fn a_file_on_the_way_is_no_proof_that_it_is_gone() {
    let world = World::new();
    world.add("under");
    world.vanish("under");
    fs::remove_dir(world.main().join(".claude/worktrees")).expect("it is empty");
    put(&world.main().join(".claude/worktrees"), "x");
    let row = World::row(&world.plan(), "under");
    assert_eq!(row.verdict, Verdict::Hold, "{}", row.message);
    erase(world.main().join(".claude/worktrees"));
    verdicts(&world, &[("under", Verdict::Prune)]);
}
