//! Reading creates nothing, changes nothing, and sees what is there now.

use super::support::Repo;
use owl::job::{State, Verb};
use owl::ledger::{Change, Ledger, Reading, read};
use std::os::unix::fs::MetadataExt;

#[test]
fn a_ledger_that_is_not_there_is_its_own_answer_and_is_not_made() {
    let repo = Repo::new();
    assert_eq!(
        read(&repo.ledger()).expect("it can be told"),
        Reading::Missing
    );
    for command in [
        "list",
        "show 1",
        "export",
        "start 1",
        "finish 1 --outcome failed",
        "extend 1",
        "block 1",
        "unblock 1",
        "cancel 1",
        "adopt x",
    ] {
        let run = repo.refused(&format!("jobs {command}"));
        assert!(run.stderr().contains("there is no ledger at"), "{run}");
    }
    repo.done("plan --all");
    assert!(!repo.root().join("home/.local").exists());
    repo.done("jobs add --branch fix");
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).expect("it is there").mode() & 0o777;
    assert_eq!(mode(&repo.ledger()), 0o600);
    assert_eq!(mode(repo.ledger().parent().expect("it has one")), 0o700);
}

#[test]
fn reading_leaves_no_trace() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let before = repo.beside();
    assert_eq!(before.len(), 1, "the ledger alone");
    let stamp = |repo: &Repo| {
        let found = std::fs::metadata(repo.ledger()).expect("it is there");
        (
            found.mtime(),
            found.mtime_nsec(),
            found.ctime_nsec(),
            found.ino(),
        )
    };
    let was = stamp(&repo);
    for command in ["list", "show 1", "export", "list --format json"] {
        repo.done(&format!("jobs {command}"));
        assert!(repo.beside() == before, "{command}");
        assert_eq!(stamp(&repo), was, "{command}");
    }
}

#[test]
fn what_is_only_in_the_log_is_seen_and_a_killed_writers_log_too() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let mut ledger = Ledger::open(&repo.ledger()).expect("it is there");
    let now = super::support::yard::now();
    ledger
        .change(1, None, &Change::new(Verb::Start), now)
        .expect("it is pending");
    assert!(repo.beside().len() > 1, "the log is there");
    assert_eq!(
        repo.contents().job(1).expect("it is there").job.state,
        State::Active
    );
    assert!(repo.done("jobs list").contains("active"));
    // As after `kill -9`: the files as they are, with nobody behind them.
    let copy = Repo::new();
    std::fs::create_dir_all(copy.ledger().parent().expect("it has one")).expect("it can be made");
    for (path, bytes) in repo.beside() {
        let name = path.file_name().expect("it has one");
        std::fs::write(copy.ledger().with_file_name(name), bytes).expect("it can be written");
    }
    assert!(copy.done("jobs list").contains("active"));
    drop(ledger);
    assert_eq!(repo.beside().len(), 1, "the last one takes the log away");
}
