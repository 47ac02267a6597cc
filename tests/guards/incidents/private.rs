//! C: the only copy lives in the entry, or in HEAD.

use crate::case::Case;
use crate::support::write;
use crate::support::yard::{Yard, row, said};
use owl::assess::Code;
use owl::plan::{Reason, Verdict};

/// `rebase -i`, stopped at a break: porcelain is empty.
#[test]
fn incident_54_a_paused_rebase() {
    let case = Case::new();
    let repo = &case.yard.repo;
    let editor = "sequence.editor=sed -i -e '$a break'";
    repo.git_in(&case.path, ["-c", editor, "rebase", "-q", "-i", "HEAD~1"]);
    let status = repo.git_in(&case.path, ["status", "--porcelain"]);
    assert_eq!(status, "", "git says that it is clean");
    assert!(case.entry.join("rebase-merge").exists(), "it is paused");
    case.age().reasons(&["operation-in-progress"]);
}

/// The same with an edit that `--autostash` put away: no stash lists it.
#[test]
fn incident_55_an_autostash() {
    let case = Case::new();
    let repo = &case.yard.repo;
    write(&case.path.join("README.md"), b"the only copy\n");
    let editor = "sequence.editor=sed -i -e '$a break'";
    let words = ["-c", editor, "rebase", "-q", "-i", "--autostash", "HEAD~1"];
    repo.git_in(&case.path, words);
    assert_eq!(repo.git(["stash", "list"]), "");
    assert!(case.entry.join("rebase-merge/autostash").exists());
    case.age().reasons(&["operation-in-progress"]);
}

#[test]
fn incident_57_a_bisect() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.git_in(&case.path, ["bisect", "start"]);
    repo.git_in(&case.path, ["bisect", "bad"]);
    let status = repo.git_in(&case.path, ["status", "--porcelain"]);
    assert_eq!(status, "", "git says that it is clean");
    case.age().reasons(&["operation-in-progress"]);
}

/// Two trees of one session, one of them with work that is nowhere else; committed is not safe.
#[test]
fn incident_61_62_63_each_tree_is_judged_by_its_own_commits() {
    let case = Case::new();
    for nth in 0..5 {
        let file = format!("work{nth}.txt");
        case.yard.repo.commit(&case.path, &file, b"only here");
    }
    let plan = case.age().yard.look();
    let found = row(&plan, &case.address);
    assert_eq!(found.reason, Reason::Unpublished, "{}", said(&plan));
    assert!(found.message.contains('5'), "{}", found.message);
    case.nothing_but_the_control(plan);
}

/// The tree was made on one branch and stands on another now: that one is judged, and kept.
#[test]
fn incident_66_the_branch_that_is_checked_out_now() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.git_in(&case.path, ["checkout", "-q", "-b", "second"]);
    repo.commit(&case.path, "second.txt", b"only here");
    let tips = repo.git(["for-each-ref", "refs/heads"]);
    let plan = case.age().yard.look();
    let found = row(&plan, &case.address);
    assert_eq!(found.verdict, Verdict::Hold, "{}", said(&plan));
    assert_eq!(found.branch.clone().flatten().as_deref(), Some("second"));
    case.nothing_but_the_control(plan);
    assert_eq!(case.yard.repo.git(["for-each-ref", "refs/heads"]), tips);
}

/// The stash is everybody's: it outlives a removal, and one of its own branch holds a tree.
#[test]
fn incident_65_a_stash_of_another_tree_survives() {
    let yard = Yard::new();
    let other = yard.add("other");
    write(&other.join("README.md"), b"only in the stash\n");
    yard.repo.git_in(&other, ["stash", "-q"]);
    yard.age("other");
    let before = yard.repo.git(["rev-parse", "refs/stash"]);
    let plan = yard.look();
    let found = row(&plan, &yard.address("other"));
    assert_eq!(found.reason, Reason::Guard(Code::Stash), "{}", said(&plan));
    drop(yard.apply());
    assert!(!yard.path("control").exists() && other.exists());
    assert_eq!(yard.repo.git(["rev-parse", "refs/stash"]), before);
}
