//! How a worktree of a job is collected, on the way through the library (A4.15, A4.20, A4.21).

use super::desk::Desk;
use super::support::yard::require_fate;
use owl::apply::Fate;
use owl::job::State;
use owl::plan::Verdict;
use std::ffi::OsString;

/// A worktree that appears while owl is collecting is left, whatever the ledger says of it.
#[test]
fn a4_15_what_appears_meanwhile_is_left() {
    let desk = Desk::new();
    let approved = desk.yard.approved(&["control"]);
    let late = desk.work("late");
    desk.add("late", State::Done);
    let done = desk.yard.carry_out(&approved);
    require_fate(&done, &desk.address("control"), Fate::Removed);
    assert!(late.join("late.txt").is_file());
    let done = desk.yard.apply();
    require_fate(&done, &desk.address("late"), Fate::Removed);
}

/// Git removes it, and is not forced: its own check is a second guard.
#[test]
fn a4_20_git_removes_it_without_force() {
    let mut desk = Desk::new();
    let bin = desk.yard.repo.root().join("bin");
    let log = desk.yard.repo.root().join("git.log");
    std::fs::create_dir(&bin).expect("it is free");
    let vars = desk.yard.repo.vars();
    let path = vars.into_iter().find(|(name, _)| name == "PATH");
    let path = path.map(|(_, value)| value).expect("there is a PATH");
    let find = desk
        .yard
        .repo
        .command("sh")
        .args(["-c", "command -v git"])
        .output();
    let git = find.expect("sh is there").stdout;
    let git = String::from_utf8_lossy(&git).trim().to_owned();
    let body = format!(
        "printf '%s\\n' \"$*\" >> '{}'\nexec {git} \"$@\"",
        log.display()
    );
    desk.yard.repo.script(&bin.join("git"), &body);
    let mut own = OsString::from(&bin);
    own.push(":");
    own.push(path);
    desk.yard.git_path = Some(own);
    let done = desk.yard.apply();
    require_fate(&done, &desk.address("control"), Fate::Removed);
    let log = std::fs::read_to_string(log).expect("git was asked");
    let removals: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("worktree remove"))
        .collect();
    assert_eq!(removals.len(), 1, "{log}");
    assert!(!log.contains("--force") && !log.contains(" -f "), "{log}");
}

/// A rebase that was left in the middle is reported, and nothing is done about it.
#[test]
fn a4_21_a_rebase_that_is_stuck_is_reported() {
    let desk = Desk::new();
    let path = desk.work("stuck");
    desk.yard
        .repo
        .commit(&desk.yard.repo.main(), "stuck.txt", b"other\n");
    let rebase = desk.yard.repo.try_git(&path, ["rebase", "main"]);
    assert!(!rebase.status.success(), "it conflicts");
    desk.yard.age("stuck");
    desk.add("stuck", State::Done);
    let plan = desk.acting(&["control"]);
    let row = desk.require(&plan, "stuck", Verdict::Hold, "operation-in-progress");
    assert!(row.message.contains("rebase"), "{}", row.message);
    let done = desk.yard.apply();
    require_fate(&done, &desk.address("control"), Fate::Removed);
    assert!(path.join("stuck.txt").is_file());
    assert!(desk.yard.entry("stuck").join("rebase-merge").is_dir());
}
