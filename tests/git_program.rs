//! `owl::git` and the program that it runs: found, new enough, limited, cheap.

mod support;

use owl::git::{Git, GitEnv, GitError, Limits};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, Instant};
use support::Repo;

/// A git that is a script; found first on the path.
fn fake(repo: &Repo, body: &str, limits: Limits) -> Result<Git, GitError> {
    repo.script(&repo.root().join("bin/git"), body);
    let mut path = repo.root().join("bin").into_os_string();
    let vars = repo.vars().into_iter().map(|(name, value)| {
        if name != "PATH" {
            return (name, value);
        }
        path.push(":");
        path.push(value);
        (name, std::mem::take(&mut path))
    });
    Git::new(GitEnv::from_vars(vars), limits)
}

#[test]
fn a_missing_git_is_named() {
    let env = GitEnv::from_vars([("PATH".into(), "/nonexistent".into())]);
    let error = Git::new(env, Limits::default()).expect_err("there is none");
    assert!(matches!(error, GitError::NotFound { .. }), "{error}");
    assert!(error.to_string().contains("2.36.0"), "{error}");
}

#[test]
fn an_old_git_is_refused() {
    let repo = Repo::empty();
    let error = fake(&repo, "echo git version 2.35.8", Limits::default()).expect_err("too old");
    assert!(matches!(error, GitError::TooOld { .. }), "{error}");
}

#[test]
fn a_wedged_git_is_killed_with_its_children() {
    let repo = Repo::empty();
    let pids = repo.root().join("pids");
    let body = format!(
        "trap '' TERM; sleep 300 & echo $! > '{0}'; echo $$ >> '{0}'; wait; sleep 300",
        pids.display()
    );
    let limits = Limits {
        read: Duration::from_millis(300),
        ..Limits::default()
    };
    let start = Instant::now();
    let error = fake(&repo, &body, limits).expect_err("it never ends");
    assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
    assert!(
        start.elapsed() < Duration::from_secs(6),
        "{:?}",
        start.elapsed()
    );
    require_gone(&pids);
}

/// Waits until no process of the file runs: who killed the group need not have been its parent.
fn require_gone(pids: &Path) {
    let pids = std::fs::read_to_string(pids).expect("the script wrote it");
    let runs = |pid: &str| {
        std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z "))
    };
    let start = Instant::now();
    while pids.lines().any(runs) {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "still running: {pids}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_grandchild_that_holds_the_pipe_does_not_hold_owl() {
    let repo = Repo::empty();
    let pids = repo.root().join("pids");
    let body = format!(
        "sleep 300 & echo $! > '{}'; echo git version 2.40.0",
        pids.display()
    );
    let limits = Limits {
        read: Duration::from_millis(300),
        ..Limits::default()
    };
    let start = Instant::now();
    let error = fake(&repo, &body, limits).expect_err("its output may not be whole");
    assert!(matches!(error, GitError::TimedOut { .. }), "{error}");
    assert!(
        start.elapsed() < Duration::from_secs(6),
        "{:?}",
        start.elapsed()
    );
    require_gone(&pids);
}

#[test]
fn output_over_the_cap_is_an_error() {
    let repo = Repo::empty();
    let limits = Limits {
        output: 1000,
        ..Limits::default()
    };
    let error = fake(&repo, "while :; do echo git version 2.40.0; done", limits);
    let error = error.expect_err("it prints for ever");
    assert!(
        matches!(error, GitError::TooMuchOutput { cap: 1000, .. }),
        "{error}"
    );
    let exact = "printf '%-1000s' 'git version 2.40.0'";
    fake(&repo, exact, limits).expect("the cap itself is allowed");
}

#[test]
fn a_loud_git_does_not_block_and_a_warning_is_no_answer() {
    let repo = Repo::new();
    let body = "case \"$*\" in *--version*) echo git version 2.40.0;; \
                *) head -c 300000 /dev/zero >&2; pwd;; esac";
    let loud = fake(&repo, body, Limits::default()).expect("its version is fine");
    let error = loud.repository(&repo.main()).expect_err("it warned");
    assert!(matches!(error, GitError::Warned { .. }), "{error}");
}

#[test]
fn a_call_is_cheap() {
    let repo = Repo::empty();
    let fresh = |repo: &Repo| {
        Git::new(GitEnv::from_vars(repo.vars()), Limits::default()).expect("git is installed");
    };
    let mut took: Vec<Duration> = (0..40)
        .map(|_| {
            let start = Instant::now();
            fresh(&repo);
            start.elapsed()
        })
        .collect();
    took.sort();
    println!("git --version: median {:?}, least {:?}", took[20], took[0]);
    assert!(took[0] < Duration::from_millis(6), "{:?}", took[0]);
}

#[test]
fn a_lock_that_may_be_inherited_is_inherited() {
    let repo = Repo::empty();
    let lock = File::open(repo.root()).expect("it is there");
    rustix::io::fcntl_setfd(&lock, rustix::io::FdFlags::empty()).expect("it is open");
    let body = format!(
        "test -d /dev/fd/{} && echo git version 2.40.0",
        lock.as_raw_fd()
    );
    fake(&repo, &body, Limits::default()).expect("a killed owl's git still holds the lock");
}
