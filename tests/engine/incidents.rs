//! `incidents` F: half-done, stale, concurrent. Those about branches' deletion and Windows are not
//! here: owl deletes no branch yet, and Linux is what tests hold.

use super::scene::{Scene, command, picture};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Incidents 69, 105: a writer creates files all the time; the tree stays whole, and registered.
#[test]
fn a_busy_writer_keeps_its_tree() {
    let scene = Scene::new(100);
    let place = scene.add("one");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut nth = 0;
            while !stop.load(Ordering::Relaxed) {
                drop(fs::write(place.join(format!("new{}", nth % 50)), "x"));
                nth += 1;
            }
        });
        for _ in 0..3 {
            let said = scene.apply();
            assert!(
                said.code == Some(0) || said.code == Some(3),
                "{:#}",
                said.document
            );
        }
        stop.store(true, Ordering::Relaxed);
    });
    let is_there = scene.is_whole(&place) && scene.entry("one").exists();
    assert!(is_there && scene.standing_aside().is_empty());
}

/// Incident 107: a directory that no entry claims is reported only.
#[test]
fn an_orphan_directory_is_reported_only() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    let entry = scene.entry("one");
    fs::rename(&entry, scene.root.join("entry")).expect("it is there");
    let before = picture(&place);
    let said = scene.apply();
    let row = said
        .items()
        .find(|item| item["kind"] == "directory")
        .expect("a row");
    assert_eq!(row["verdict"], "hold");
    assert_eq!(picture(&place), before);
}

/// Incident 109: a worktree that was moved by hand keeps its entry.
#[test]
fn a_worktree_moved_by_hand_keeps_its_entry() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    fs::rename(&place, scene.place("moved")).expect("it is there");
    let before = picture(&scene.entry("one"));
    scene.apply();
    assert_eq!(picture(&scene.entry("one")), before);
    assert!(scene.is_whole(&scene.place("moved")));
}

/// Incident 110: that entry is pruned, and no other (A3.5).
#[test]
fn only_the_stores_own_stale_entry_is_pruned() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    let users = scene.root.join("users-own");
    scene.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "own",
        users.to_str().expect("text"),
    ]);
    for gone in [&place, &users] {
        assert!(
            command("rm")
                .arg("-rf")
                .arg(gone)
                .status()
                .expect("rm runs")
                .success()
        );
    }
    assert_eq!(scene.apply().fate("one"), "pruned");
    scene.assert_gone(&["one"]);
    assert!(scene.entry("users-own").exists());
}

/// Incident 111: locked and gone is reported.
#[test]
fn a_locked_entry_stays() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    scene.git(&[
        "worktree",
        "lock",
        "--reason",
        "mine",
        place.to_str().expect("text"),
    ]);
    assert!(
        command("rm")
            .arg("-rf")
            .arg(&place)
            .status()
            .expect("rm runs")
            .success()
    );
    let before = picture(&scene.entry("one"));
    assert_eq!(scene.apply().item("one")["reason"], "locked");
    assert_eq!(picture(&scene.entry("one")), before);
}

/// Incident 113: a branch that was deleted under a live tree.
#[test]
fn a_tree_whose_branch_was_deleted_stays() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    scene.git(&["update-ref", "-d", "refs/heads/one"]);
    let before = picture(&place);
    assert_eq!(scene.apply().item("one")["verdict"], "hold");
    assert_eq!(picture(&place), before);
}

/// Incidents 117, 118: worktrees are added and removed by git while owl removes others, side by side.
#[test]
fn registry_traffic_does_no_harm() {
    let scene = Scene::new(20);
    let names: Vec<String> = (0..6).map(|nth| format!("old{nth}")).collect();
    for name in &names {
        scene.add(name);
    }
    let (said, failures) = thread::scope(|scope| {
        let traffic = scope.spawn(|| {
            let mut failures = 0;
            for nth in 0..12 {
                let place = scene.root.join(format!("traffic{nth}"));
                let shown = place.to_str().expect("text");
                let branch = format!("traffic{nth}");
                let added = scene.try_git(&["worktree", "add", "-q", "-b", &branch, shown]);
                let removed = scene.try_git(&["worktree", "remove", shown]);
                failures += usize::from(!added.status.success() || !removed.status.success());
            }
            failures
        });
        (scene.apply(), traffic.join().expect("it ends"))
    });
    let said = if said.code == Some(0) {
        said
    } else {
        scene.apply()
    };
    assert_eq!(said.code, Some(0), "{:#}", said.document);
    assert_eq!(failures, 0, "owl is in nobody's way");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    scene.assert_gone(&names);
}

/// Incident 119: nothing is left behind that somebody must clean up later; twice changes nothing more.
#[test]
fn a_second_run_changes_nothing() {
    let scene = Scene::new(20);
    scene.add("one");
    assert_eq!(scene.apply().fate("one"), "removed");
    scene.assert_gone(&["one"]);
    let before = picture(&scene.main());
    assert_eq!(scene.apply().code, Some(0));
    assert_eq!(picture(&scene.main()), before);
}

/// Incident 123: a stale `index.lock` means that somebody may be at work.
#[test]
fn a_stale_index_lock_holds() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    fs::write(scene.entry("one").join("index.lock"), "").expect("it can be written");
    let before = picture(&place);
    assert_eq!(scene.apply().item("one")["reason"], "operation-in-progress");
    assert_eq!(picture(&place), before);
}

/// Two owls at once: one works, the other says so, and each tree goes once.
#[test]
fn two_owls_do_not_meet() {
    let scene = Scene::new(100);
    for nth in 0..4 {
        scene.add(&format!("tree{nth}"));
    }
    let both = thread::scope(|scope| {
        let runs = [scope.spawn(|| scene.apply()), scope.spawn(|| scene.apply())];
        runs.map(|run| run.join().expect("it ends"))
    });
    let removed = |said: &super::scene::Said| {
        let gone = |item: &&serde_json::Value| item["outcome"]["fate"] == "removed";
        said.items().filter(gone).count()
    };
    let all = both.iter().map(removed).sum::<usize>();
    let said = |said: &super::scene::Said| format!("{:#}\n{}", said.document, said.stderr);
    assert_eq!(all, 4, "{:?}", both.each_ref().map(said));
    scene.assert_gone(&["tree0", "tree1", "tree2", "tree3"]);
}

/// A nested worktree goes before its container, both in one run.
#[test]
fn nested_goes_before_its_container() {
    let scene = Scene::new(20);
    fs::write(
        scene.root.join("policy.yaml"),
        super::scene::POLICY.replace(
            "[{path: .claude/worktrees/*}]",
            "[{path: .claude/worktrees/*}, {path: .claude/worktrees/*/.claude/worktrees/*}]",
        ),
    )
    .expect("it can be written");
    let outer = scene.add("outer");
    let inner = outer.join(".claude/worktrees/inner");
    scene.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "inner",
        inner.to_str().expect("text"),
    ]);
    let said = scene.apply();
    assert_eq!(
        (said.fate("inner"), said.fate("outer")),
        ("removed", "removed"),
        "{:#}",
        said.document
    );
    scene.assert_gone(&["outer", "inner"]);
}

/// Incident 122: paths longer than a path may be; all of it goes, or what is left is said.
#[test]
fn a_path_that_is_longer_than_paths_may_be() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    let exclude = "cd \"$1\" && for n in $(seq 25); do d=$(printf '%0199d' $n); mkdir $d && cd $d; \
                   done && : > file";
    let target = place.join("target");
    fs::create_dir(&target).expect("it is new");
    let tag = "Signature: 8a477f597d28d172789f06886806bc55\n";
    fs::write(target.join("CACHEDIR.TAG"), tag).expect("it can be written");
    fs::write(scene.common().join("info/exclude"), ".claude\ntarget\n").expect("written");
    let made = command("bash")
        .args(["-c", exclude, "sh"])
        .arg(&target)
        .status();
    assert!(made.expect("bash runs").success());
    scene.add("two");
    let said = scene.apply();
    let is_gone = !place.exists() && !scene.entry("one").exists();
    let is_whole = scene.is_whole(&place) && scene.entry("one").exists();
    assert!(is_gone || is_whole, "{:#}", said.document);
    assert!(scene.standing_aside().is_empty(), "{:#}", said.document);
    assert_eq!(said.fate("two"), "removed", "{:#}", said.document);
}
