//! owl is killed at every kind of side effect of accept, drop, and the implicit accept: the next run
//! finishes or undoes it, and state, worktree and branch never disagree.

use super::support::{skipped, write};
use super::{Desk, State};
use std::fs;
use std::process::{Command, Stdio};

/// The moments that are tried by default; `OWL_ROUNDS` tries all of them, up to that many a kind.
const SYSCALLS: [(&str, &[usize]); 9] = [
    ("rename", &[3]),
    ("renameat2", &[1]),
    ("unlink", &[6]),
    ("unlinkat", &[2]),
    ("fsync", &[8]),
    ("fdatasync", &[4]),
    ("pwrite64", &[9]),
    ("write", &[30]),
    ("execve", &[9]),
];

fn most() -> usize {
    std::env::var("OWL_ROUNDS").map_or(0, |text| text.parse().expect("OWL_ROUNDS is a number"))
}

/// A job with a worktree, one whose worktree is gone, and one that has landed.
struct World {
    desk: Desk,
    work: i64,
    bare: i64,
    landed: i64,
    tips: [String; 3],
}

const NAMES: [&str; 3] = ["work", "bare", "landed"];

fn build() -> World {
    let desk = Desk::new();
    let ids = NAMES.map(|name| desk.review(name));
    fs::remove_dir_all(desk.place("bare")).expect("it is there");
    desk.repo.git(["worktree", "prune"]);
    desk.repo
        .git(["merge", "-q", "--no-ff", "--no-edit", "landed"]);
    let tips = NAMES.map(|name| desk.tip(name).expect("it is there"));
    let [work, bare, landed] = ids;
    World {
        desk,
        work,
        bare,
        landed,
        tips,
    }
}

/// Whether state, worktree and branch agree, at any moment: work that is not decided is whole.
fn require_sense(world: &World, is_over: bool, when: &str) {
    let desk = &world.desk;
    for (nth, (name, id)) in NAMES
        .into_iter()
        .zip([world.work, world.bare, world.landed])
        .enumerate()
    {
        let tip = Some(world.tips[nth].clone());
        let entry = desk.contents().job(id).cloned().expect("it is there");
        let has_name = desk.tip(name) == tip || desk.rescued().contains(&world.tips[nth]);
        assert!(has_name, "{name} is lost after {when}");
        let stands_aside = desk.repo.common_dir().join("owl/aside").is_dir();
        match &entry.job.state {
            State::Review => {
                assert_eq!(desk.tip(name), tip, "{name} after {when}");
                assert!(entry.job.decided.is_none(), "{name} after {when}");
                let is_there = desk.place(name).join(".git").is_file();
                assert!(
                    is_there || name == "bare" || stands_aside,
                    "{name} after {when}"
                );
            }
            State::Done => assert_eq!(desk.tip(name), tip, "{name} after {when}"),
            State::Cancelled => {}
            other @ (State::Pending
            | State::Active
            | State::Blocked
            | State::Exhausted
            | State::Other(_)) => panic!("{name} is {other} after {when}"),
        }
        if is_over {
            assert!(!stands_aside, "after {when}");
            assert!(!entry.drops, "{name} after {when}");
            if entry.job.state == State::Cancelled {
                assert_eq!(desk.tip(name), None, "{name} after {when}");
                assert_eq!(entry.job.branch, None, "{name} after {when}");
            }
            if entry.job.state.is_decided() {
                assert!(!desk.place(name).exists(), "{name} after {when}");
                assert_eq!(entry.job.worktree, None, "{name} after {when}");
            }
        }
    }
}

/// Removes the lock files of a git that was killed, as git tells a person to.
fn remove_stale_locks(directory: &std::path::Path) {
    for found in fs::read_dir(directory).into_iter().flatten() {
        let path = found.expect("it can be read").path();
        if path.is_dir() {
            remove_stale_locks(&path);
        } else if path.extension().is_some_and(|end| end == "lock") {
            fs::remove_file(path).expect("it is there");
        }
    }
}

/// Kills one command at the nth call of a kind; whether it was killed.
fn kill_at(verb: &str, syscall: &str, nth: usize) -> bool {
    let world = build();
    let desk = &world.desk;
    let words = match verb {
        "accept" => format!("jobs accept {}", world.work),
        "drop" => format!("jobs drop {}", world.work),
        "drop bare" => format!("jobs drop {}", world.bare),
        _ => "apply --yes".to_owned(),
    };
    let when = format!("{verb}: a kill at {syscall} {nth}");
    let plain = desk.repo.owl_command(&desk.repo.main());
    let log = desk.repo.root().join("strace.log");
    let mut traced = Command::new("strace");
    traced
        .args(["-f", "-qq", "-o"])
        .arg(&log)
        .args(["-e", &format!("trace={syscall}"), "-e"])
        .arg(format!("inject={syscall}:signal=KILL:when={nth}"))
        .arg(plain.get_program())
        .args(words.split(' '))
        .current_dir(desk.repo.main())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env_clear();
    for (name, value) in plain.get_envs() {
        traced.env(name, value.expect("it is set"));
    }
    traced.status().expect("strace is there");
    let killed = fs::read_to_string(&log).is_ok_and(|log| log.contains("killed by SIGKILL"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    require_sense(&world, false, &when);
    // The next changing command finishes or undoes it.
    let mut ended = None;
    for _ in 0..4 {
        let run = desk.owl("apply --yes --wait");
        if run.code() == Some(0) {
            ended = Some(run);
            break;
        }
        remove_stale_locks(&desk.repo.common_dir());
        ended = Some(run);
    }
    let ended = ended.expect("it ran");
    assert_eq!(ended.code(), Some(0), "after {when}: {ended}");
    require_sense(&world, true, &when);
    assert_eq!(
        desk.state(world.landed),
        State::Done,
        "after {when}: {ended}"
    );
    let again = desk.owl("apply --yes");
    assert!(
        again.stdout().contains("Nothing to do"),
        "after {when}: {again}"
    );
    // The verb itself can be said again, and ends as it says.
    if verb != "apply" {
        let run = desk.owl(&words);
        assert_eq!(run.code(), Some(0), "after {when}: {run}");
        require_sense(&world, true, &when);
    }
    killed
}

#[test]
fn a_kill_at_any_side_effect_leaves_no_disagreement() {
    let name = "a_kill_at_any_side_effect_leaves_no_disagreement";
    let probe = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "true"])
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        return skipped(name, "no strace, or it may not trace");
    }
    let mut kills = 0;
    for verb in ["accept", "drop", "drop bare", "apply"] {
        for (syscall, few) in SYSCALLS {
            let moments: Vec<usize> = match most() {
                0 => few.to_vec(),
                most => (1..=most).collect(),
            };
            for nth in moments {
                if !kill_at(verb, syscall, nth) {
                    break;
                }
                kills += 1;
            }
        }
    }
    eprintln!("{kills} kills");
    assert!(kills > 15, "{kills}");
}

/// A dropped branch that git could not delete is deleted by the next run, and the ledger knows.
#[test]
fn a_drop_that_was_stopped_between_state_and_branch_is_finished() {
    let world = build();
    let desk = &world.desk;
    let lock = desk.repo.common_dir().join("packed-refs.lock");
    write(&lock, b"");
    let run = desk.owl(&format!("jobs drop {}", world.bare));
    assert_eq!(run.code(), Some(3), "{run}");
    assert_eq!(desk.state(world.bare), State::Cancelled);
    assert!(desk.tip("bare").is_some());
    let plan = desk.owl("plan --all");
    let said = plan.stdout();
    assert!(
        said.contains("was dropped by a run that was stopped"),
        "{plan}"
    );
    fs::remove_file(lock).expect("it is there");
    let run = desk.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert_eq!(desk.tip("bare"), None);
    assert_eq!(
        desk.rescued(),
        [world.tips[1].clone(), world.tips[1].clone()]
    );
    require_sense(&world, true, "a stale lock");
}

/// Stopped after the branch was deleted and before the ledger was told, a drop is finished as well.
#[test]
fn a_drop_that_was_stopped_before_the_ledger_was_told_is_finished() {
    let world = build();
    let desk = &world.desk;
    let lock = desk.repo.common_dir().join("packed-refs.lock");
    write(&lock, b"");
    let run = desk.owl(&format!("jobs drop {}", world.bare));
    assert_eq!(run.code(), Some(3), "{run}");
    fs::remove_file(lock).expect("it is there");
    desk.repo.git(["branch", "-q", "-D", "bare"]);
    let run = desk.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("its branch was gone"), "{run}");
    require_sense(&world, true, "a branch that was deleted already");
}
