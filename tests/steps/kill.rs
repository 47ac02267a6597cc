//! owl and its git are killed at every kind of side effect of rows with several steps: the next run
//! converges, nothing is lost, and branch, worktree and rescue refs agree.

use super::scene::{Dice, Scene, command, find, names, rounds};
use super::support::skipped;
use std::fs;
use std::path::Path;

const POLICY: &str = "apiVersion: owl/v1
stores: [{path: .claude/worktrees/*}]
rules:
  - {name: declined, when: {branch: 'd-*'}, then: drop}
  - {name: landed, when: {landed: true}, then: accept}
ttl: {grace: 0s}
expendable: [scratch.txt]
dead-locks: lift
pid-namespace: own
limits: {max-gone: 100%}
";

/// With the moments that are tried by default; `OWL_ROUNDS` tries all of them, up to that many a kind,
/// and of those that mostly change nothing every [`STRIDE`]th.
const SYSCALLS: [(&str, &[usize]); 9] = [
    ("rename", &[6]),
    ("renameat2", &[1, 4]),
    ("unlink", &[5]),
    ("unlinkat", &[3]),
    ("mkdir", &[2]),
    ("fsync", &[9]),
    ("write", &[20]),
    ("openat", &[300]),
    ("execve", &[12]),
];

/// How many calls of `openat` lie between two that are tried.
const STRIDE: usize = 61;

/// A drop, a drop of an entry, a row with an expendable file, one with a dead lock, an expired ref,
/// and one that holds.
struct World {
    scene: Scene,
    tips: [(&'static str, String); 2],
    old: String,
}

fn build() -> World {
    let scene = Scene::new(8);
    fs::write(scene.root.join("policy.yaml"), POLICY).expect("the scene is as it was built");
    let commit = |name: &str| {
        let place = scene.add(name);
        let at = place
            .to_str()
            .expect("the scene is as it was built")
            .to_owned();
        fs::write(place.join("own.txt"), name).expect("the scene is as it was built");
        scene.git(&["-C", &at, "add", "own.txt"]);
        scene.git(&["-C", &at, "commit", "-q", "-m", name]);
        scene
            .git(&["-C", &at, "rev-parse", "HEAD"])
            .trim()
            .to_owned()
    };
    let tips = [("d-one", commit("d-one")), ("d-gone", commit("d-gone"))];
    assert!(
        command("rm")
            .arg("-rf")
            .arg(scene.place("d-gone"))
            .status()
            .expect("the scene is as it was built")
            .success()
    );
    fs::write(scene.add("lossy").join("scratch.txt"), "may go")
        .expect("the scene is as it was built");
    scene.add("locked");
    let mut child = command("true")
        .spawn()
        .expect("the scene is as it was built");
    child.wait().expect("the scene is as it was built");
    let reason = format!("claude session x (pid {} start 1)\n", child.id());
    fs::write(scene.entry("locked").join("locked"), reason).expect("the scene is as it was built");
    let old = "refs/owl/rescue/old/20250101T000000Z".to_owned();
    scene.git(&["update-ref", &old, "main"]);
    scene.git(&["merge", "-q", "--no-ff", "-m", "landed", "d-gone"]);
    // Of a packed ref no file is young; and a commit of today vouches for the clock.
    scene.git(&["pack-refs", "--all"]);
    let today = super::support::yard::now().as_second();
    let git = command(find("git").expect("the scene is as it was built"))
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"])
        .arg(scene.main())
        .args(["commit", "-q", "--allow-empty", "-m", "of today"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", format!("{today} +0000"))
        .status();
    assert!(git.expect("the scene is as it was built").success());
    fs::write(scene.add("held").join("idea.txt"), "only here")
        .expect("the scene is as it was built");
    World { scene, tips, old }
}

fn commit_of(scene: &Scene, name: &str) -> Option<String> {
    let said = scene.try_git(&["rev-parse", "-q", "--verify", name]);
    said.status
        .success()
        .then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

fn rescued(scene: &Scene, name: &str) -> Vec<String> {
    let under = format!("refs/owl/rescue/{name}/");
    let listed = scene.git(&["for-each-ref", "--format=%(objectname)", &under]);
    listed.lines().map(str::to_owned).collect()
}

/// At every moment: the commit has a name, and no worktree is torn without a record.
fn assert_nothing_lost(world: &World, when: &str) {
    let scene = &world.scene;
    for (name, tip) in &world.tips {
        let branch = commit_of(scene, &format!("refs/heads/{name}"));
        let pinned = rescued(scene, name).contains(tip);
        assert!(
            branch.as_ref() == Some(tip) || (branch.is_none() && pinned),
            "{name} after {when}"
        );
        if branch.is_none() {
            assert!(
                !scene.place(name).exists(),
                "{name} has a worktree and no branch after {when}"
            );
        }
    }
    if !scene.standing_aside().is_empty() {
        assert!(
            !scene.records().is_empty(),
            "something stands aside without a record after {when}"
        );
    }
}

/// A git that is killed in the middle of a change of refs leaves its lock files, for this owl as for
/// anybody; git itself says that a person removes them. How many there were.
fn remove_stale_locks(directory: &Path) -> usize {
    let mut count = 0;
    for path in names(directory) {
        if path.is_dir() {
            count += remove_stale_locks(&path);
        } else if path.extension().is_some_and(|end| end == "lock") {
            #[expect(clippy::disallowed_methods, reason = "what git tells a person to do")]
            fs::remove_file(&path).expect("the scene is as it was built");
            count += 1;
        }
    }
    count
}

fn assert_converges(world: &World, when: &str) -> usize {
    let scene = &world.scene;
    let mut said = scene.apply_patiently();
    let mut locks = 0;
    for _ in 0..3 {
        if said.code == Some(0) {
            break;
        }
        locks += remove_stale_locks(&scene.common().join("refs"));
        let packed = scene.common().join("packed-refs.lock");
        if packed.exists() {
            #[expect(clippy::disallowed_methods, reason = "what git tells a person to do")]
            fs::remove_file(packed).expect("the scene is as it was built");
            locks += 1;
        }
        said = scene.apply_patiently();
    }
    assert_eq!(
        said.code,
        Some(0),
        "after {when}: {:#}\n{}",
        said.document,
        said.stderr
    );
    assert!(
        !scene.common().join("owl").exists(),
        "a trace is left after {when}"
    );
    for name in ["d-one", "d-gone", "lossy", "locked"] {
        assert!(
            !scene.place(name).exists() && !scene.entry(name).exists(),
            "{name} after {when}"
        );
    }
    for (name, tip) in &world.tips {
        assert_eq!(
            commit_of(scene, &format!("refs/heads/{name}")),
            None,
            "{name} after {when}"
        );
        // A run that was killed may have written one, too, which is never withdrawn.
        assert!(rescued(scene, name).contains(tip), "{name} after {when}");
    }
    for name in ["lossy", "locked"] {
        assert!(commit_of(scene, &format!("refs/heads/{name}")).is_some());
    }
    assert_eq!(commit_of(scene, &world.old), None, "after {when}");
    assert_eq!(
        fs::read_to_string(scene.place("held").join("idea.txt"))
            .expect("the scene is as it was built"),
        "only here"
    );
    let again = scene.apply();
    assert!(
        again.items().all(|item| item["outcome"].is_null()),
        "after {when}"
    );
    locks
}

/// Kills at the nth call of one kind; whether anything was killed, and how many locks were left.
fn kill_at(syscall: &str, nth: usize) -> (bool, usize) {
    let world = build();
    let when = format!("a kill at {syscall} {nth}");
    let log = world.scene.root.join("strace.log");
    let inject = format!("inject={syscall}:signal=KILL:when={nth}");
    let args = [
        "-f",
        "-qq",
        "-o",
        &log.to_string_lossy(),
        "-e",
        &format!("trace={syscall}"),
        "-e",
        &inject,
    ];
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    let output = world
        .scene
        .owl_under("strace", &args)
        .output()
        .expect("the scene is as it was built");
    let killed = fs::read_to_string(&log).is_ok_and(|log| log.contains("killed by SIGKILL"));
    assert!(killed || output.status.code().is_some(), "{output:?}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_nothing_lost(&world, &when);
    (killed, assert_converges(&world, &when))
}

#[test]
fn a_kill_at_a_side_effect_of_any_step_loses_nothing() {
    let can_trace = find("strace").is_some()
        && command("strace")
            .args(["-f", "-qq", "-o", "/dev/null", "true"])
            .status()
            .is_ok_and(|status| status.success());
    if !can_trace {
        return skipped(
            "a_kill_at_a_side_effect_of_any_step_loses_nothing",
            "no strace, or it may not trace",
        );
    }
    let most = rounds(0);
    let (mut kills, mut locks) = (0, 0);
    for (syscall, few) in SYSCALLS {
        let stride = if syscall == "openat" { STRIDE } else { 1 };
        let moments: Vec<usize> = if most == 0 {
            few.to_vec()
        } else {
            (1..=most).map(|nth| nth * stride).collect()
        };
        for nth in moments {
            let (killed, left) = kill_at(syscall, nth);
            if !killed {
                break;
            }
            kills += 1;
            locks += left;
        }
    }
    eprintln!("{kills} kills, {locks} lock files of git's left for a person");
    assert!(kills > 6);
}

#[test]
fn a_kill_at_a_random_moment_of_any_step_loses_nothing() {
    let mut dice = Dice(23);
    for round in 0..rounds(3) {
        let world = build();
        let mut owl = world.scene.owl("apply");
        let quiet = std::process::Stdio::null;
        let mut child = owl
            .stdout(quiet())
            .stderr(quiet())
            .spawn()
            .expect("the scene is as it was built");
        let pause = std::time::Duration::from_millis(dice.below(1500));
        std::thread::sleep(pause);
        drop(child.kill());
        child.wait().expect("the scene is as it was built");
        let when = format!("round {round}: a kill after {pause:?}");
        assert_nothing_lost(&world, &when);
        // Only owl was killed: its git ends what it had begun, and leaves no lock.
        assert_eq!(assert_converges(&world, &when), 0, "{when}");
    }
}

/// owl is killed right before, and right after, each change of refs that it asks git for.
#[test]
fn a_kill_around_a_change_of_refs_loses_nothing() {
    let mut kills = 0;
    for (when, body) in [
        ("before", "kill -9 $PPID; exit 9"),
        ("after", "REAL \"$@\"; kill -9 $PPID; exit 9"),
    ] {
        for nth in 1.. {
            let world = build();
            let count = world.scene.root.join("count");
            let real = find("git").expect("the scene is as it was built");
            let body = body.replace("REAL", &real.to_string_lossy());
            let count = count.display();
            world.scene.intercept(&format!(
                "case \"$*\" in *update-ref*) echo x >> {count}; if [ $(wc -l < {count}) -eq {nth} ]; then {body}; fi;; esac"
            ));
            let output = world
                .scene
                .owl("apply")
                .output()
                .expect("the scene is as it was built");
            world.scene.no_interception();
            let when = format!("a kill {when} change {nth} of refs");
            assert_nothing_lost(&world, &when);
            assert_eq!(assert_converges(&world, &when), 0, "{when}");
            if output.status.code().is_some() {
                break;
            }
            kills += 1;
        }
    }
    // Two rescues, two branches, one expiry.
    assert_eq!(kills, 10);
}
