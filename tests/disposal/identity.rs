//! Nothing is acted on by mistaken identity.

use super::support::Repo;
use super::{Desk, State};
use std::fs;

/// Two repositories called alike: a decision about one touches nothing of the other.
#[test]
fn two_repositories_of_one_name() {
    let desk = Desk::new();
    let twin = Repo::new();
    assert_eq!(twin.main().file_name(), desk.repo.main().file_name());
    let id = desk.review("work");
    let other = twin.agent("work");
    twin.commit(&other, "work.txt", b"work\n");
    let before = twin.git(["rev-parse", "work"]);
    // From within the twin: a number names a job, wherever one stands.
    let mut command = desk.repo.owl_command(&twin.main());
    command.args(["jobs", "drop", &id.to_string()]);
    let run = desk.repo.run(command);
    assert_eq!(run.code(), Some(0), "{run}");
    assert_eq!(desk.tip("work"), None);
    assert!(!desk.place("work").exists());
    assert_eq!(twin.git(["rev-parse", "work"]), before);
    assert!(other.is_dir());
}

#[test]
fn a_repository_that_was_moved_or_replaced_is_another() {
    let desk = Desk::new();
    let id = desk.review("work");
    let tip = desk.tip("work");
    let away = desk.repo.root().join("away");
    fs::rename(desk.repo.main(), &away).expect("it can be moved");
    let run = desk
        .repo
        .owl_in(desk.repo.root(), ["jobs", "drop", &id.to_string()]);
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("owl jobs adopt"), "{run}");
    assert_eq!(desk.state(id), State::Review);
    // A new one at its path.
    fs::create_dir(desk.repo.main()).expect("it is free");
    desk.repo
        .git_in(&desk.repo.main(), ["init", "-q", "-b", "main"]);
    let run = desk
        .repo
        .owl_in(&desk.repo.main(), ["jobs", "drop", &id.to_string()]);
    assert_eq!(run.code(), Some(2), "{run}");
    assert_eq!(desk.state(id), State::Review);
    fs::remove_dir_all(desk.repo.main()).expect("it is there");
    fs::rename(&away, desk.repo.main()).expect("it can be moved");
    desk.require_untouched(id, "work", &State::Review, tip.as_deref());
    desk.done(&format!("jobs drop {id}"));
    assert_eq!(desk.tip("work"), None);
}

/// A branch of that name that is another worktree's, and a worktree that took the recorded one's
/// place: the job's own is what it recorded.
#[test]
fn a_worktree_in_the_recorded_place_is_another() {
    let desk = Desk::new();
    let id = desk.review("work");
    let away = desk.repo.root().join("away");
    let (from, to) = (desk.place("work"), away.to_string_lossy().into_owned());
    desk.repo
        .git(["worktree", "move", &from.to_string_lossy(), &to]);
    desk.repo.git([
        "worktree",
        "add",
        "-q",
        "-b",
        "new",
        &from.to_string_lossy(),
    ]);
    fs::write(from.join("new.txt"), "new").expect("it can be written");
    let tip = desk.tip("work");
    desk.refused(&format!("jobs drop {id}"));
    assert_eq!(desk.state(id), State::Review);
    assert_eq!(desk.tip("work"), tip);
    assert!(away.is_dir() && from.join("new.txt").is_file());
    // Accepted, it is the state alone: whatever stands there is not touched.
    desk.done(&format!("jobs accept {id}"));
    assert_eq!(desk.state(id), State::Done);
    assert!(away.is_dir() && from.join("new.txt").is_file());
    assert_eq!(desk.tip("work"), tip);
}

/// cron with another HOME: another ledger, and so no job of that number.
#[test]
fn another_home_has_another_ledger() {
    let desk = Desk::new();
    let id = desk.review("work");
    let home = desk.repo.root().join("elsewhere");
    fs::create_dir(&home).expect("it is free");
    let mut command = desk.repo.owl_command(&desk.repo.main());
    command
        .args(["jobs", "drop", &id.to_string()])
        .env("HOME", &home);
    let run = desk.repo.run(command);
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("ledger"), "{run}");
    desk.require_untouched(id, "work", &State::Review, desk.tip("work").as_deref());
    assert!(!home.join(".local/share/owl").exists(), "none is made");
}
