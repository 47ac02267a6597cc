//! A3.1, A3.7, and `spec 7.6`, for drop.

use super::{Desk, State};
use std::fs;
use std::os::unix::fs::MetadataExt;

#[test]
fn a3_1_a3_7_drop_removes_worktree_and_branch_and_both_come_back() {
    let desk = Desk::new();
    let id = desk.review("work");
    let kept = desk.review("kept");
    let tip = desk.tip("work").expect("it is there");
    assert_eq!(desk.done(&format!("jobs drop {id}")), "1 cancelled");
    assert!(!desk.place("work").exists());
    assert_eq!(desk.tip("work"), None);
    let contents = desk.contents();
    let entry = contents.job(id).expect("it is there");
    assert_eq!(entry.job.state, State::Cancelled);
    assert_eq!(
        (&entry.job.branch, &entry.job.worktree),
        (&None, &None),
        "A3.7"
    );
    assert!(!entry.drops);
    assert_eq!(desk.rescued(), *std::slice::from_ref(&tip));
    desk.require_untouched(kept, "kept", &State::Review, desk.tip("kept").as_deref());
    desk.done("restore work");
    assert_eq!(desk.tip("work"), Some(tip));
    // A branch of that name is not taken for the dropped job's.
    let said = desk.refused(&format!("jobs accept {id}"));
    assert!(said.contains("cancelled"), "{said}");
    assert!(desk.tip("work").is_some());
}

#[test]
fn a_branch_that_must_stay_holds_the_whole_drop() {
    let desk = Desk::new();
    let control = desk.review("control");
    let id = desk.review("work");
    let other = desk.repo.root().join("other");
    let path = other.to_string_lossy().into_owned();
    desk.repo
        .git(["worktree", "add", "-q", "-f", &path, "work"]);
    let tip = desk.tip("work");
    let said = desk.refused(&format!("jobs drop {id}"));
    assert!(said.contains("stays"), "{said}");
    desk.require_untouched(id, "work", &State::Review, tip.as_deref());
    desk.done(&format!("jobs drop {control}"));
    assert_eq!(desk.tip("control"), None);
}

#[test]
fn a_drop_without_a_worktree_deletes_the_branch() {
    let desk = Desk::new();
    let id = desk.review("gone");
    let tip = desk.tip("gone").expect("it is there");
    fs::remove_dir_all(desk.place("gone")).expect("it is there");
    desk.repo.git(["worktree", "prune"]);
    assert_eq!(desk.done(&format!("jobs drop {id}")), "1 cancelled");
    assert_eq!(desk.tip("gone"), None);
    assert_eq!(desk.rescued(), [tip]);
    let contents = desk.contents();
    let entry = contents.job(id).expect("it is there");
    assert_eq!((&entry.job.branch, entry.drops), (&None, false));
}

/// `spec 8`: what was cancelled before is only disposed of, by either verb.
#[test]
fn what_is_decided_is_only_disposed_of() {
    let desk = Desk::new();
    for (name, verb) in [("stays", "accept"), ("goes", "drop")] {
        let path = desk.repo.agent(name);
        desk.repo.commit(&path, "x", b"x");
        let id = desk.added(name);
        desk.done(&format!("jobs cancel {id}"));
        let before = desk
            .contents()
            .job(id)
            .and_then(|entry| entry.job.decided.clone());
        desk.done(&format!("jobs {verb} {id}"));
        assert_eq!(desk.state(id), State::Cancelled);
        assert!(!desk.place(name).exists(), "{name}");
        assert_eq!(desk.tip(name).is_some(), verb == "accept");
        let after = desk
            .contents()
            .job(id)
            .and_then(|entry| entry.job.decided.clone());
        assert_eq!(after, before, "the decision stands");
    }
    // A commit since the decision is not what was decided about.
    let path = desk.repo.agent("moved");
    desk.repo.commit(&path, "x", b"x");
    let id = desk.added("moved");
    desk.done(&format!("jobs cancel {id}"));
    let tip = desk.repo.commit(&path, "y", b"y");
    let said = desk.refused(&format!("jobs drop {id}"));
    assert!(said.contains("was decided at"), "{said}");
    desk.require_untouched(id, "moved", &State::Cancelled, Some(tip.as_str()));
}

/// A branch that another job is at work on is nobody's to delete, whoever had it before.
#[test]
fn the_branch_of_another_open_job_stays() {
    let desk = Desk::new();
    desk.repo.git(["branch", "shared"]);
    let first: i64 = desk
        .done("jobs add --branch shared")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs cancel {first}"));
    let second: i64 = desk
        .done("jobs add --branch shared")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs start {second}"));
    let said = desk.refused(&format!("jobs drop {first}"));
    assert!(said.contains(&format!("job {second}")), "{said}");
    assert!(desk.tip("shared").is_some());
    // Nor by a drop that was stopped before it had deleted the branch.
    let id = desk.review("gone");
    fs::remove_dir_all(desk.place("gone")).expect("it is there");
    desk.repo.git(["worktree", "prune"]);
    let lock = desk.repo.common_dir().join("packed-refs.lock");
    fs::write(&lock, "").expect("it is free");
    assert_eq!(desk.owl(&format!("jobs drop {id}")).code(), Some(3));
    let next: i64 = desk
        .done("jobs add --branch gone")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs start {next}"));
    fs::remove_file(lock).expect("it is there");
    desk.owl("apply --yes");
    assert!(desk.tip("gone").is_some());
    let contents = desk.contents();
    assert!(!contents.job(id).expect("it is there").drops, "it is over");
    assert_eq!(desk.state(next), State::Active);
}

/// The same where the worktree has gone already, and only the deletion of the branch is left.
#[test]
fn the_branch_of_a_job_that_came_meanwhile_stays() {
    let desk = Desk::new();
    let [id, control] = ["work", "control"].map(|name| desk.review(name));
    let lock = desk.repo.common_dir().join("packed-refs.lock");
    fs::write(&lock, "").expect("it is free");
    for id in [id, control] {
        assert_eq!(desk.owl(&format!("jobs drop {id}")).code(), Some(3));
    }
    assert!(!desk.place("work").exists() && desk.tip("work").is_some());
    let next: i64 = desk
        .done("jobs add --branch work")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs start {next}"));
    fs::remove_file(lock).expect("it is there");
    let run = desk.owl("apply --yes");
    assert!(desk.tip("work").is_some(), "{run}");
    assert_eq!(desk.tip("control"), None, "{run}");
    let contents = desk.contents();
    assert!(!contents.job(id).expect("it is there").drops, "it is over");
    assert!(!desk.repo.common_dir().join("owl").exists(), "no trace");
}

/// An inode is given anew: a worktree that was made after the decision is another one.
#[test]
fn a_worktree_that_is_younger_than_the_decision_is_another() {
    let desk = Desk::new();
    let path = desk.repo.agent("work");
    desk.repo.commit(&path, "x", b"x");
    let id = desk.added("work");
    desk.done(&format!("jobs cancel {id}"));
    let place = path.to_string_lossy().into_owned();
    for _ in 0..8 {
        desk.repo.git(["worktree", "remove", &place]);
        desk.repo.git(["worktree", "add", "-q", &place, "work"]);
        desk.owl("gc --yes");
        let run = desk.owl("apply --yes");
        assert!(path.is_dir(), "{run}");
        let run = desk.owl(&format!("jobs drop {id}"));
        assert!(path.is_dir() && desk.tip("work").is_some(), "{run}");
    }
}

/// Another worktree at the recorded place, on another branch, with the very inode: the branch of the
/// job goes, and nothing else.
#[test]
fn a_drop_leaves_what_took_the_place_of_its_worktree() {
    let desk = Desk::new();
    let path = desk.repo.agent("work");
    let tip = desk.repo.commit(&path, "x", b"x");
    let id = desk.added("work");
    desk.done(&format!("jobs cancel {id}"));
    let place = path.to_string_lossy().into_owned();
    desk.repo.git(["worktree", "remove", &place]);
    desk.repo
        .git(["worktree", "add", "-q", "-b", "other", &place]);
    fs::write(path.join("idea.txt"), "only here").expect("it can be written");
    let found = fs::metadata(&path).expect("it is there");
    // An inode is given anew as the file system likes: this is what it comes to.
    let connection = rusqlite::Connection::open(desk.ledger()).expect("it is there");
    let set = "UPDATE jobs SET worktree_device = ?1, worktree_inode = ?2";
    let values = [found.dev().cast_signed(), found.ino().cast_signed()];
    connection.execute(set, values).expect("it is a statement");
    drop(connection);
    assert_eq!(
        desk.done(&format!("jobs drop {id}")),
        format!("{id} cancelled")
    );
    assert_eq!(desk.tip("work"), None);
    assert_eq!(desk.rescued(), [tip]);
    assert!(desk.tip("other").is_some() && path.join("idea.txt").is_file());
}

/// What is on another branch by now is not what the job is about.
#[test]
fn a_worktree_on_another_branch_is_not_disposed_of() {
    let desk = Desk::new();
    let control = desk.review("control");
    for verb in ["accept", "drop"] {
        let id = desk.review(verb);
        let path = desk.place(verb);
        desk.repo
            .git_in(&path, ["switch", "-q", "-c", &format!("{verb}-2")]);
        let said = desk.refused(&format!("jobs {verb} {id}"));
        assert!(said.contains("HEAD is not on the branch"), "{said}");
        desk.require_untouched(id, verb, &State::Review, desk.tip(verb).as_deref());
    }
    desk.done(&format!("jobs drop {control}"));
    assert_eq!(desk.tip("control"), None);
}
