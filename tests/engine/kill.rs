//! owl and its git are killed at every side effect, and at random moments (`spec 1`: a run killed
//! at any point loses nothing and is finished by the next).

use super::scene::{Dice, Scene, command, find, picture, rounds, skip};
use std::fs;
use std::thread;
use std::time::Duration;

const FILES: usize = 40;
const SYSCALLS: [&str; 11] = [
    "rename",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "fsync",
    "write",
    "openat",
    "utimensat",
    "execve",
];

/// Two worktrees that go, an entry that is pruned, and a worktree with work in it that stays.
fn build() -> Scene {
    let scene = Scene::new(FILES);
    for name in ["one", "two", "gone"] {
        scene.add(name);
    }
    let removed = command("rm").arg("-rf").arg(scene.place("gone")).status();
    assert!(removed.expect("rm runs").success());
    let held = scene.add("held");
    fs::write(held.join("idea.txt"), "only here").expect("it can be written");
    scene
}

/// After a kill: each worktree is whole at its place, or the journal speaks of it, or it is gone.
fn assert_never_torn(scene: &Scene, when: &str) {
    let is_open = !scene.records().is_empty();
    for name in ["one", "two"] {
        let place = scene.place(name);
        if place.exists() {
            assert!(scene.is_whole(&place), "{name} is torn after {when}");
        } else if scene.entry(name).exists() {
            assert!(is_open, "{name} has an entry and no record after {when}");
        }
    }
    if !scene.standing_aside().is_empty() {
        assert!(
            is_open,
            "something stands aside without a record after {when}"
        );
    }
}

/// The next run ends it, with or without somebody's `git worktree prune` in between.
fn assert_converges(scene: &Scene, held: &[(std::path::PathBuf, u32, i64, Vec<u8>)], when: &str) {
    let mut said = scene.apply_patiently();
    // What the killed run left open may have been given back and removed in one run, or needs the
    // run after it if git's registry was being changed meanwhile.
    if said.code != Some(0) {
        said = scene.apply_patiently();
    }
    assert_eq!(
        said.code,
        Some(0),
        "after {when}: {:#}\n{}",
        said.document,
        said.stderr
    );
    scene.assert_gone(&["one", "two", "gone"]);
    assert_eq!(picture(&scene.place("held")), held, "after {when}");
    assert_eq!(said.item("held")["reason"], "untracked", "after {when}");
}

/// Kills at the nth call of one kind; whether anything was killed.
fn kill_at(syscall: &str, nth: usize, prune_between: bool) -> bool {
    let scene = build();
    let held = picture(&scene.place("held"));
    let when = format!("a kill at {syscall} {nth}");
    let inject = format!("inject={syscall}:signal=KILL:when={nth}");
    let trace = format!("trace={syscall}");
    let log = scene.root.join("strace.log");
    let args = [
        "-f",
        "-qq",
        "-o",
        &log.to_string_lossy(),
        "-e",
        &trace,
        "-e",
        &inject,
    ];
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    let output = scene
        .owl_under("strace", &args)
        .output()
        .expect("strace runs");
    let killed = fs::read_to_string(&log).is_ok_and(|log| log.contains("killed by SIGKILL"));
    assert!(killed || output.status.code().is_some(), "{output:?}");
    thread::sleep(Duration::from_millis(20));
    assert_never_torn(&scene, &when);
    if prune_between {
        scene.try_git(&["worktree", "prune", "--expire=now"]);
    }
    assert_converges(&scene, &held, &when);
    killed
}

fn can_trace() -> bool {
    find("strace").is_some()
        && command("strace")
            .args(["-f", "-qq", "-o", "/dev/null", "true"])
            .status()
            .is_ok_and(|status| status.success())
}

#[test]
fn a_kill_at_a_side_effect_loses_nothing() {
    if !can_trace() {
        return skip("no strace, or it may not trace: no kill at a side effect was tried");
    }
    // By default a few moments of each kind; with OWL_ROUNDS all of them, up to that many a kind.
    let most = rounds(0);
    let mut tried = 0;
    for syscall in SYSCALLS {
        let few = [2, 7];
        let moments: Vec<usize> = if most == 0 {
            few.into()
        } else {
            (1..=most).collect()
        };
        for nth in moments {
            if !kill_at(syscall, nth, nth % 2 == 0) {
                break;
            }
            tried += 1;
        }
    }
    println!("{tried} kills at side effects");
    assert!(tried > 6);
}

#[test]
fn a_kill_at_a_random_moment_loses_nothing() {
    let mut dice = Dice(11);
    for round in 0..rounds(5) {
        let scene = build();
        let held = picture(&scene.place("held"));
        let mut owl = scene.owl("apply");
        let mut child = owl
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("owl runs");
        let pause = Duration::from_millis(dice.below(900));
        thread::sleep(pause);
        drop(child.kill());
        child.wait().expect("it ends");
        let when = format!("round {round}: a kill after {pause:?}");
        // A git that outlives owl may be in the middle of something, with a record.
        assert_never_torn(&scene, &when);
        assert_converges(&scene, &held, &when);
    }
}
