//! owl is killed at every kind of side effect of a row with submodules: nothing is lost at that moment,
//! and the next run converges.

use super::built::{Built, brief, put};
use super::scene::{Dice, command, find, picture, rounds};
use super::support::skipped;
use std::fs;

/// With the moments that are tried by default; `OWL_ROUNDS` tries all of them, up to that many a kind.
const SYSCALLS: [(&str, &[usize]); 8] = [
    ("rename", &[3]),
    ("renameat2", &[3, 4]),
    ("unlink", &[3]),
    ("unlinkat", &[2, 30]),
    ("mkdir", &[3]),
    ("fsync", &[9]),
    ("write", &[20]),
    ("execve", &[30]),
];

/// One that goes, and one with an idea in its submodule.
fn build() -> Built {
    let built = Built::new();
    for name in ["one", "held"] {
        built.add(name);
    }
    put(
        &built.scene.place("held").join("lib/deep/idea.txt"),
        "only here",
    );
    built
}

/// Whatever is not gone whole is still somewhere, with its record.
fn assert_nothing_lost(built: &Built, when: &str) {
    let scene = &built.scene;
    let owl = scene.common().join("owl");
    let away = !scene.standing_aside().is_empty() || !picture(&owl.join("modules")).is_empty();
    if away {
        assert!(
            !scene.records().is_empty(),
            "something is away without a record after {when}"
        );
    }
    assert!(scene.has_bytes(b"only here"), "{when}");
}

fn assert_converges(built: &Built, before: &super::built::Picture, when: &str) {
    let scene = &built.scene;
    let mut said = scene.apply_patiently();
    for _ in 0..2 {
        // A child of another test, between fork and exec, has everything open that this process has.
        if said.code == Some(3) {
            said = scene.apply_patiently();
        }
    }
    assert_eq!(
        said.code,
        Some(0),
        "after {when}: {}\n{}",
        brief(&said),
        said.stderr
    );
    scene.assert_gone(&["one"]);
    assert!(
        built.picture("held") == *before,
        "held is not what it was after {when}"
    );
    let again = scene.apply();
    assert!(
        again.items().all(|item| item["outcome"].is_null()),
        "after {when}"
    );
}

fn kill_at(syscall: &str, nth: usize) -> bool {
    let built = build();
    let before = built.picture("held");
    let when = format!("a kill at {syscall} {nth}");
    let log = built.scene.root.join("strace.log");
    let inject = format!("inject={syscall}:signal=KILL:when={nth}");
    let trace = format!("trace={syscall}");
    let shown = log.to_string_lossy();
    let args = ["-f", "-qq", "-o", &*shown, "-e", &trace, "-e", &inject].map(str::to_owned);
    let output = built
        .scene
        .owl_under("strace", &args)
        .output()
        .expect("strace runs");
    let killed = fs::read_to_string(&log).is_ok_and(|log| log.contains("killed by SIGKILL"));
    assert!(killed || output.status.code().is_some(), "{output:?}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_nothing_lost(&built, &when);
    assert_converges(&built, &before, &when);
    killed
}

#[test]
fn a_kill_at_a_side_effect_loses_nothing() {
    let can_trace = find("strace").is_some()
        && command("strace")
            .args(["-f", "-qq", "-o", "/dev/null", "true"])
            .status()
            .is_ok_and(|status| status.success());
    if !can_trace {
        let name = "submodules: a_kill_at_a_side_effect_loses_nothing";
        return skipped(name, "no strace, or it may not trace");
    }
    let most = rounds(0);
    let mut kills = 0;
    for (syscall, few) in SYSCALLS {
        let moments: Vec<usize> = if most == 0 {
            few.to_vec()
        } else {
            (1..=most).collect()
        };
        for nth in moments {
            if !kill_at(syscall, nth) {
                break;
            }
            kills += 1;
        }
    }
    assert!(kills > 5, "{kills}");
}

#[test]
fn a_kill_at_a_random_moment_loses_nothing() {
    let mut dice = Dice(29);
    for round in 0..rounds(3) {
        let built = build();
        let before = built.picture("held");
        let mut owl = built.scene.owl("apply");
        let quiet = std::process::Stdio::null;
        let mut child = owl
            .stdout(quiet())
            .stderr(quiet())
            .spawn()
            .expect("owl runs");
        let pause = std::time::Duration::from_millis(dice.below(1500));
        std::thread::sleep(pause);
        drop(child.kill());
        child.wait().expect("it was started");
        let when = format!("round {round}: a kill after {pause:?}");
        assert_nothing_lost(&built, &when);
        assert_converges(&built, &before, &when);
    }
}
