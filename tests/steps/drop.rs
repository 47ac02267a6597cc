//! `then: drop`: worktree and branch go, and a rescue ref has every commit (A3.1, `spec 7.6`).

use super::support::aging::age;
use super::support::write;
use super::support::yard::{Yard, outcome, require_fate, row, said};
use super::{DROP, has_branch, rescues};
use owl::apply::Fate;
use owl::plan::{Step, Verdict};

/// A worktree with two commits of its own, the second of which was amended.
fn amended(yard: &Yard, name: &str, branch: &str) -> (String, String) {
    let path = yard.add_at(branch, &yard.path(name));
    yard.repo.commit(&path, "one.txt", b"one");
    let before = yard.repo.commit(&path, "two.txt", b"two");
    write(&path.join("two.txt"), b"better");
    yard.repo.git_in(&path, ["add", "."]);
    yard.repo
        .git_in(&path, ["commit", "-q", "--amend", "-m", "amended"]);
    let tip = yard.repo.git_in(&path, ["rev-parse", "HEAD"]);
    yard.age(name);
    (tip, before)
}

#[test]
fn a_dropped_branch_goes_and_every_commit_is_rescued() {
    let yard = Yard::new().under(DROP);
    let (tip, before) = amended(&yard, "work", "a/work");
    assert_ne!(tip, before);
    let plan = yard.look();
    let planned = row(&plan, &yard.address("work"));
    assert_eq!(planned.verdict, Verdict::Remove, "{}", said(&plan));
    let commits: Vec<&str> = planned
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::WriteRescueRef { under, commit } => {
                assert_eq!(under.as_str(), Some("refs/owl/rescue/a/work"));
                Some(commit.as_str())
            }
            Step::SetJobState { .. }
            | Step::LiftLock { .. }
            | Step::DiscardExpendable { .. }
            | Step::DiscardChange { .. }
            | Step::RemoveSubmodule { .. }
            | Step::RemoveWorktree
            | Step::PruneEntry
            | Step::DeleteBranch { .. }
            | Step::ExpireRescueRef { .. } => None,
        })
        .collect();
    assert_eq!(commits, [&tip, &before]);
    assert!(
        matches!(planned.steps.last(), Some(Step::DeleteBranch { commit, .. }) if *commit == tip)
    );
    let done = yard.apply();
    require_fate(&done, &yard.address("work"), Fate::Removed);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    let stepped = &outcome(&done, &yard.address("work")).steps;
    assert!(
        stepped.len() == 4 && stepped.iter().all(|one| one.done),
        "{stepped:?}"
    );
    assert!(!yard.path("work").exists() && !yard.path("control").exists());
    assert!(!has_branch(&yard, "a/work") && !has_branch(&yard, "control"));
    assert!(
        !yard
            .repo
            .common_dir()
            .join("logs/refs/heads/a/work")
            .exists()
    );
    assert!(!yard.repo.common_dir().join("owl").exists());
    let found = rescues(&yard);
    let of_work: Vec<&str> = found
        .iter()
        .filter(|(name, _)| name.starts_with("refs/owl/rescue/a/work/"))
        .map(|(_, commit)| commit.as_str())
        .collect();
    assert_eq!(of_work, [&tip, &before], "{found:?}");
    assert_eq!(found.len(), 3, "the control has one, too: {found:?}");
    // Promise 3.
    assert!(yard.apply().is_empty());
    assert_eq!(rescues(&yard), found);
}

#[test]
fn a_detached_worktree_is_dropped_by_its_entry() {
    let yard = Yard::new().under(DROP);
    let path = yard.add("loose");
    yard.repo.git_in(&path, ["checkout", "-q", "--detach"]);
    let tip = yard.repo.commit(&path, "loose.txt", b"only here");
    yard.age("loose");
    let done = yard.apply();
    require_fate(&done, &yard.address("loose"), Fate::Removed);
    let found = rescues(&yard);
    let own = found
        .iter()
        .find(|(name, _)| name.starts_with("refs/owl/rescue/loose/"));
    assert_eq!(
        own.map(|(_, commit)| commit.as_str()),
        Some(tip.as_str()),
        "{found:?}"
    );
    assert!(has_branch(&yard, "loose"), "it had that branch no more");
}

#[test]
fn of_a_worktree_that_is_gone_the_entry_and_then_the_branch_go() {
    let yard = Yard::new().under(DROP);
    let (tip, before) = amended(&yard, "gone", "gone");
    #[expect(clippy::disallowed_methods, reason = "the tests build the world")]
    std::fs::remove_dir_all(yard.path("gone")).expect("the scene is as it was built");
    // The tree may only be elsewhere: what nobody else has is held (`spec 5`, Prune).
    let plan = yard.look();
    let held = row(&plan, &yard.address("gone"));
    assert_eq!(
        (held.verdict, held.reason.to_string()),
        (Verdict::Hold, "unpublished".to_owned())
    );
    let done = yard.apply();
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert!(yard.entry("gone").exists() && has_branch(&yard, "gone"));
    yard.merge("gone");
    let done = yard.apply();
    require_fate(&done, &yard.address("gone"), Fate::Pruned);
    assert!(!yard.entry("gone").exists() && !has_branch(&yard, "gone"));
    let commits: Vec<String> = rescues(&yard)
        .into_iter()
        .map(|(_, commit)| commit)
        .collect();
    assert!(
        commits.contains(&tip) && commits.contains(&before),
        "{commits:?}"
    );
}

/// A git that moves the branch while the worktree is being removed.
#[test]
fn a_branch_that_moves_meanwhile_stays() {
    let mut yard = Yard::new().under(DROP);
    let (tip, _) = amended(&yard, "moved", "moved");
    let other = yard.repo.git(["rev-parse", "main"]);
    let approved = yard.approved(&["control", "moved"]);
    let real = String::from_utf8(
        yard.repo
            .command("sh")
            .args(["-c", "command -v git"])
            .output()
            .expect("the scene is as it was built")
            .stdout,
    )
    .expect("the scene is as it was built");
    let real = real.trim();
    let bin = yard.repo.root().join("bin");
    yard.repo.script(
        &bin.join("git"),
        &format!(
            "case \"$*\" in *'worktree remove'*aside*) for last; do :; done; if [ -e \"$last/two.txt\" ]; then\n\
             {real} \"$@\"; said=$?; {real} --git-dir={} update-ref refs/heads/moved {other}; exit $said; fi;; esac\n\
             exec {real} \"$@\"",
            yard.repo.common_dir().display()
        ),
    );
    let mut path = bin.into_os_string();
    path.push(":");
    #[expect(
        clippy::disallowed_methods,
        reason = "git is found where the tests' is"
    )]
    path.push(std::env::var_os("PATH").expect("the scene is as it was built"));
    yard.git_path = Some(path);
    let done = yard.carry_out(&approved);
    let found = outcome(&done, &yard.address("moved"));
    assert_eq!(found.fate, Fate::BranchKept, "{}", found.message);
    assert!(
        found
            .message
            .contains("refs/heads/moved stays: it has moved"),
        "{}",
        found.message
    );
    assert!(
        !found
            .steps
            .last()
            .expect("the scene is as it was built")
            .done
    );
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert_eq!(yard.repo.git(["rev-parse", "refs/heads/moved"]), other);
    assert!(!yard.path("moved").exists() && !has_branch(&yard, "control"));
    assert!(rescues(&yard).iter().any(|(_, commit)| *commit == tip));
    assert!(
        !yard.repo.common_dir().join("owl").exists(),
        "nothing is open"
    );
}

/// What was written for a row that is given back is withdrawn.
#[test]
fn a_row_that_is_put_back_has_no_rescue_ref() {
    let mut yard = Yard::new().under(DROP);
    let (tip, _) = amended(&yard, "back", "back");
    let approved = yard.approved(&["control", "back"]);
    let real = String::from_utf8(
        yard.repo
            .command("sh")
            .args(["-c", "command -v git"])
            .output()
            .expect("the scene is as it was built")
            .stdout,
    )
    .expect("the scene is as it was built");
    let real = real.trim();
    let bin = yard.repo.root().join("bin");
    // git refuses to remove this one.
    yard.repo.script(
        &bin.join("git"),
        &format!(
            "case \"$*\" in *'worktree remove'*aside*) for last; do :; done; if [ -e \"$last/two.txt\" ]; then exit 1; fi;; esac\nexec {real} \"$@\"",
        ),
    );
    let mut path = bin.into_os_string();
    path.push(":");
    #[expect(
        clippy::disallowed_methods,
        reason = "git is found where the tests' is"
    )]
    path.push(std::env::var_os("PATH").expect("the scene is as it was built"));
    yard.git_path = Some(path);
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("back"), Fate::Failed);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert_eq!(yard.repo.git(["rev-parse", "refs/heads/back"]), tip);
    assert!(yard.path("back").join("two.txt").exists());
    let found = rescues(&yard);
    assert!(
        found.iter().all(|(name, _)| !name.contains("/back/")),
        "{found:?}"
    );
    age(&yard.path("back"));
}

/// Guard 11 in a store of `rescue`, and the same without.
#[test]
fn in_a_store_of_rescue_detached_commits_do_not_hold() {
    let loose = |yard: &Yard| {
        let path = yard.add("loose");
        yard.repo.git_in(&path, ["checkout", "-q", "--detach"]);
        let tip = yard.repo.commit(&path, "loose.txt", b"only here");
        yard.age("loose");
        tip
    };
    let accept = DROP.replace("then: drop", "then: accept");
    let yard = Yard::new().under(&accept);
    loose(&yard);
    let plan = yard.look();
    assert_eq!(
        row(&plan, &yard.address("loose")).reason.to_string(),
        "commits-at-risk"
    );
    assert_eq!(
        row(&plan, &yard.address("control")).verdict,
        Verdict::Remove
    );
    let yard = Yard::new().under(&format!("{accept}rescue: [.claude/worktrees/*]\n"));
    let tip = loose(&yard);
    let done = yard.apply();
    require_fate(&done, &yard.address("loose"), Fate::Removed);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    let found = rescues(&yard);
    assert_eq!(
        found.len(),
        1,
        "nothing of the control was at risk: {found:?}"
    );
    assert_eq!(found[0].1, tip);
    assert!(has_branch(&yard, "loose") && has_branch(&yard, "control"));
}
