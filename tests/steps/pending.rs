//! A branch whose worktree is gone, and that could not be deleted (`spec 7.6`).
//!
//! A stale lock of git's stops the deletion; what happens before the next run counts.

use super::support::Repo;
use std::path::{Path, PathBuf};

const POLICY: &str = "\
apiVersion: owl/v1
stores: [{ path: .claude/worktrees/* }]
rules: [{ name: declined, when: { branch: \"d*\" }, then: drop }]
ttl: { grace: 0s }
pid-namespace: own
";

/// A repository whose branch `d1` is to be deleted, and its commit; and the stale lock.
fn pending() -> (Repo, String, PathBuf) {
    let repo = Repo::new();
    repo.commit(&repo.main(), "owl.yaml", POLICY.as_bytes());
    let tip = repo.commit(&repo.agent("d1"), "one.txt", b"one");
    let lock = repo.common_dir().join("packed-refs.lock");
    std::fs::write(&lock, "").expect("it is new");
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(3), "{run}");
    assert!(run.stdout().contains("branch-kept"), "{run}");
    assert!(!repo.main().join(".claude/worktrees/d1").exists());
    assert_eq!(repo.git(["rev-parse", "d1"]), tip);
    (repo, tip, lock)
}

fn unlock(lock: &Path) {
    std::fs::rename(lock, lock.with_extension("gone")).expect("it is there");
}

fn has(repo: &Repo, branch: &str) -> bool {
    let full = format!("refs/heads/{branch}");
    let said = repo.try_git(&repo.main(), ["show-ref", "--verify", "-q", &full]);
    said.status.success()
}

/// Another branch that is dropped in the run that must not drop this one.
fn control(repo: &Repo) {
    repo.commit(&repo.agent("d2"), "two.txt", b"two");
}

#[test]
fn the_next_run_deletes_it() {
    let (repo, tip, lock) = pending();
    let plan = repo.owl("plan --all");
    assert!(
        plan.stdout().contains("its branch is still there"),
        "{plan}"
    );
    unlock(&lock);
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!has(&repo, "d1") && !repo.common_dir().join("owl").exists());
    assert_eq!(repo.owl("restore d1").code(), Some(0));
    assert_eq!(repo.git(["rev-parse", "d1"]), tip);
}

#[test]
fn what_its_reflog_names_since_keeps_it() {
    let (repo, tip, lock) = pending();
    unlock(&lock);
    let again = repo.root().join("again");
    let words = ["worktree", "add", "-q"].map(std::ffi::OsStr::new);
    let words = words.into_iter().chain([again.as_os_str(), "d1".as_ref()]);
    repo.git(words.collect::<Vec<_>>());
    let hard = repo.commit(&again, "hard.txt", b"hard");
    repo.git_in(&again, ["reset", "-q", "--hard", "HEAD~1"]);
    repo.git(["worktree", "remove", "../again"]);
    control(&repo);
    let run = repo.owl("apply --yes");
    let told = format!("{}{}", run.stdout(), run.stderr());
    assert!(told.contains("only it and its reflog name"), "{run}");
    assert!(!has(&repo, "d2"), "the control: {run}");
    assert_eq!(repo.git(["rev-parse", "d1"]), tip);
    assert!(repo.git(["reflog", "d1"]).contains("hard.txt"), "{hard}");
    assert_eq!(repo.git(["fsck", "--unreachable"]), "");
    assert!(
        repo.owl("apply --yes")
            .stdout()
            .starts_with("Nothing to do")
    );
    assert!(has(&repo, "d1"));
}

#[test]
fn a_policy_that_keeps_it_now_keeps_it() {
    for (what, rules) in [
        (
            "keep",
            "{ name: k, when: { branch: d1 }, then: keep }, { name: declined, when: { branch: d2 }, then: drop }",
        ),
        (
            "a keep in doubt",
            "{ name: k, when: { size-over: 1GiB }, then: keep }, { name: declined, when: { branch: d2 }, then: drop }",
        ),
        (
            "no drop",
            "{ name: declined, when: { branch: d2 }, then: drop }",
        ),
    ] {
        let (repo, tip, lock) = pending();
        unlock(&lock);
        let old = "{ name: declined, when: { branch: \"d*\" }, then: drop }";
        repo.commit(
            &repo.main(),
            "owl.yaml",
            POLICY.replace(old, rules).as_bytes(),
        );
        control(&repo);
        let run = repo.owl("apply --yes");
        assert!(!has(&repo, "d2"), "the control, {what}: {run}");
        assert_eq!(repo.git(["rev-parse", "d1"]), tip, "{what}: {run}");
        assert!(
            run.stdout().contains("refs/heads/d1 stays"),
            "{what}: {run}"
        );
        assert!(!repo.common_dir().join("owl").exists(), "{what}");
    }
}

#[test]
fn whoever_restores_it_keeps_it() {
    let (repo, tip, lock) = pending();
    let run = repo.owl("restore");
    assert!(run.stderr().contains("its deletion is pending"), "{run}");
    let run = repo.owl("restore d1");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stderr().contains("is called off"), "{run}");
    unlock(&lock);
    control(&repo);
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!has(&repo, "d2"), "the control: {run}");
    assert_eq!(repo.git(["rev-parse", "d1"]), tip);
    assert!(repo.owl("restore").stderr().is_empty());
}
