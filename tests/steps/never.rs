//! What a drop never deletes (`spec 5`, Drop; `spec 7.6`): each with a control that is dropped in the
//! same run.

use super::support::snapshot::Snapshot;
use super::support::write;
use super::support::yard::{Yard, require_fate, row, said};
use super::{DROP, has_branch};
use owl::apply::Fate;
use owl::plan::Verdict;

/// One worktree `held` whose branch must stay, after a change.
struct Case {
    name: &'static str,
    branch: &'static str,
    reason: &'static str,
    words: &'static str,
    change: fn(&Yard),
}

fn other_entry(yard: &Yard) -> std::path::PathBuf {
    yard.repo.add("elsewhere");
    yard.repo.common_dir().join("worktrees/elsewhere")
}

/// Makes a symbolic ref as git did once, and still does by `core.preferSymlinkRefs`.
fn link(file: &std::path::Path, target: &str) {
    let _gone = std::fs::rename(file, file.with_extension("was"));
    std::os::unix::fs::symlink(target, file).expect("its place is free");
}

const CASES: [Case; 17] = [
    Case {
        name: "the base",
        branch: "main",
        reason: "branch-stays",
        words: "it is the base branch",
        change: |yard| {
            yard.repo.git(["checkout", "-q", "-b", "aside"]);
        },
    },
    Case {
        name: "the branch of a remote HEAD",
        branch: "trunk",
        reason: "branch-stays",
        words: "refs/remotes/upstream/HEAD names the same branch",
        change: |yard| {
            yard.origin();
            yard.repo
                .git(["update-ref", "refs/remotes/upstream/trunk", "main"]);
            let words = [
                "symbolic-ref",
                "refs/remotes/upstream/HEAD",
                "refs/remotes/upstream/trunk",
            ];
            yard.repo.git(words);
        },
    },
    Case {
        name: "checked out in the main worktree",
        branch: "held",
        reason: "branch-stays",
        words: "checked out in the main worktree",
        change: |yard| {
            yard.repo.git(["symbolic-ref", "HEAD", "refs/heads/held"]);
        },
    },
    Case {
        name: "checked out in another worktree",
        branch: "held",
        reason: "branch-stays",
        words: "checked out in the worktree elsewhere",
        change: |yard| {
            write(&other_entry(yard).join("HEAD"), b"ref: refs/heads/held\n");
        },
    },
    Case {
        name: "being rebased in another worktree",
        branch: "held",
        reason: "branch-stays",
        words: "being rebased in the worktree elsewhere",
        change: |yard| {
            write(
                &other_entry(yard).join("rebase-merge/head-name"),
                b"refs/heads/held\n",
            );
        },
    },
    Case {
        name: "to be updated by a rebase in another worktree",
        branch: "held",
        reason: "branch-stays",
        words: "being rebased in the worktree elsewhere",
        change: |yard| {
            let file = other_entry(yard).join("rebase-merge/update-refs");
            let null = "0".repeat(40);
            write(
                &file,
                format!("refs/heads/held\n{null}\n{null}\n").as_bytes(),
            );
        },
    },
    Case {
        name: "being bisected in the main worktree",
        branch: "held",
        reason: "branch-stays",
        words: "being bisected in the main worktree",
        change: |yard| {
            write(&yard.repo.common_dir().join("BISECT_START"), b"held\n");
        },
    },
    Case {
        name: "a symbolic ref names it",
        branch: "held",
        reason: "branch-stays",
        words: "refs/heads/alias is symbolic for it",
        change: |yard| {
            yard.repo
                .git(["symbolic-ref", "refs/heads/alias", "refs/heads/held"]);
        },
    },
    Case {
        name: "checked out in the main worktree, by a symlink",
        branch: "held",
        reason: "branch-stays",
        words: "checked out in the main worktree",
        change: |yard| link(&yard.repo.common_dir().join("HEAD"), "refs/heads/held"),
    },
    Case {
        name: "checked out in another worktree, by a symlink",
        branch: "held",
        reason: "branch-stays",
        words: "checked out in the worktree elsewhere",
        change: |yard| link(&other_entry(yard).join("HEAD"), "refs/heads/held"),
    },
    Case {
        name: "a symlink is symbolic for it",
        branch: "held",
        reason: "branch-stays",
        words: "refs/heads/al/ias is symbolic for it",
        change: |yard| {
            let below = yard.repo.common_dir().join("refs/heads/al");
            std::fs::create_dir(&below).expect("it is new");
            link(&below.join("ias"), "refs/heads/held");
        },
    },
    // What git reads through such a link is gone with the file.
    Case {
        name: "a symlink leads to its file",
        branch: "held",
        reason: "branch-stays",
        words: "refs/heads/al is symbolic for it",
        change: |yard| link(&yard.repo.common_dir().join("refs/heads/al"), "held"),
    },
    Case {
        name: "a symlink in a linked directory leads to its file",
        branch: "team/held",
        reason: "branch-stays",
        words: "refs/tags/also/too is symbolic for it",
        change: |yard| {
            let refs = yard.repo.common_dir().join("refs");
            link(&refs.join("heads/team/too"), "held");
            link(&refs.join("tags/also"), "../heads/team");
        },
    },
    Case {
        name: "checked out in another worktree, by a symlink to its file",
        branch: "held",
        reason: "branch-stays",
        words: "checked out in the worktree elsewhere",
        change: |yard| link(&other_entry(yard).join("HEAD"), "../../refs/heads/held"),
    },
    Case {
        name: "the branch of a remote HEAD that is a symlink",
        branch: "trunk",
        reason: "branch-stays",
        words: "refs/remotes/upstream/HEAD names the same branch",
        change: |yard| {
            yard.origin();
            yard.repo
                .git(["update-ref", "refs/remotes/upstream/trunk", "main"]);
            let refs = yard.repo.common_dir().join("refs/remotes/upstream");
            link(&refs.join("HEAD"), "refs/remotes/upstream/trunk");
        },
    },
    Case {
        name: "it is a symbolic ref",
        branch: "held",
        reason: "branch-stays",
        words: "it is a symbolic ref",
        change: |yard| {
            yard.repo.git(["branch", "real", "spare"]);
            yard.repo
                .git(["symbolic-ref", "refs/heads/held", "refs/heads/real"]);
        },
    },
    Case {
        name: "HEAD of another worktree cannot be read",
        branch: "held",
        reason: "unknown-branch",
        words: "names neither a branch nor a commit",
        change: |yard| {
            write(&other_entry(yard).join("HEAD"), b"garbage\n");
        },
    },
];

fn held(case: &Case) {
    let yard = Yard::without_control().under(DROP);
    yard.repo.git(["branch", "-q", "spare", "main"]);
    let is_base = case.branch == "main";
    if is_base {
        (case.change)(&yard);
    }
    let path = yard.path("held");
    let place = path.to_str().expect("the scene is as it was built");
    if is_base {
        yard.repo.git(["worktree", "add", "-q", place, "main"]);
    } else {
        yard.repo
            .git(["worktree", "add", "-q", "-b", case.branch, place]);
    }
    let control = yard.add("control");
    yard.repo.commit(&control, "control.txt", b"x");
    // Where no branch can be told to be free, another rule shows that the run goes on.
    let fine = yard.landed("fine");
    if !is_base {
        (case.change)(&yard);
    }
    yard.age("held");
    yard.age("control");
    let plan = yard.look();
    let planned = row(&plan, &yard.address("held"));
    let found = (planned.verdict, planned.reason.to_string());
    assert_eq!(
        found,
        (Verdict::Hold, case.reason.to_owned()),
        "{}: {}",
        case.name,
        said(&plan)
    );
    assert!(
        planned.message.contains(case.words),
        "{}: {}",
        case.name,
        planned.message
    );
    assert!(planned.steps.is_empty() && planned.unfinished.is_some());
    let full = format!("refs/heads/{}", case.branch);
    let before = (
        Snapshot::of(&[&path, &yard.entry("held")]),
        yard.repo.git(["rev-parse", &full]),
    );
    let done = yard.apply();
    before
        .0
        .require_same(case.name, &[&path, &yard.entry("held")]);
    assert_eq!(
        yard.repo.git(["rev-parse", &full]),
        before.1,
        "{}",
        case.name
    );
    if case.reason == "unknown-branch" {
        require_fate(&done, &yard.address("fine"), Fate::Removed);
        assert!(!fine.exists());
    } else {
        require_fate(&done, &yard.address("control"), Fate::Removed);
        assert!(
            !control.exists() && !has_branch(&yard, "control"),
            "{}",
            case.name
        );
    }
}

#[test]
fn what_must_stay_holds_and_the_control_is_dropped() {
    for case in &CASES {
        held(case);
    }
}

/// Between the plan and the act somebody checks the branch out.
#[test]
fn a_branch_that_is_checked_out_meanwhile_keeps_its_row() {
    let yard = Yard::new().under(DROP);
    let path = yard.add("held");
    yard.repo.commit(&path, "held.txt", b"x");
    let entry = other_entry(&yard);
    yard.age("held");
    let approved = yard.approved(&["control", "held"]);
    write(&entry.join("HEAD"), b"ref: refs/heads/held\n");
    let before = Snapshot::of(&[&path]);
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("held"), Fate::Kept);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    before.require_same("checked out meanwhile", &[&path]);
    assert!(has_branch(&yard, "held") && !has_branch(&yard, "control"));
}
