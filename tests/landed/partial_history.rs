//! What a shallow or a partial clone cannot tell is unknown; what it can tell is told.

use crate::yard::{Yard, answers, entry, observe_in, policy};

/// `landed` is squashed and then edited again, `open` is not landed, `old` forked first of all.
fn origin() -> Yard {
    let yard = Yard::new();
    yard.sh(
        "git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true
         for n in 1 2 3 4 5; do save $n; done; lines f; lines g; save start; git branch old; line g 1 z
         git checkout -q old; line f 9 old
         git checkout -q -b landed main; line f 5 x; git checkout -q -b open main; line g 5 y; main
         line g 15 z; squash landed; line g 16 z",
    );
    yard
}

fn clone(yard: &Yard, options: &str) -> std::path::PathBuf {
    let to = yard.repo.root().join("clone");
    yard.sh(&format!(
        "cd ..; git clone -q {options} --no-single-branch file://$PWD/main clone
         cd clone; for b in landed open old; do git branch -q $b origin/$b; done
         git remote set-url origin https://example.com/x
         git for-each-ref --format='delete %(refname)' refs/remotes/origin/landed refs/remotes/origin/open refs/remotes/origin/old | git update-ref --stdin"
    ));
    for branch in ["landed", "open", "old"] {
        entry(&to, branch, &format!("ref: refs/heads/{branch}\n"));
    }
    to
}

#[test]
fn a_shallow_clone_says_yes_or_that_it_cannot_tell() {
    let yard = origin();
    let clone = clone(&yard, "--depth 4");
    let answers = answers(&observe_in(&clone, yard.repo.vars(), policy()));
    assert_eq!(answers["landed"], "merge-adds-nothing");
    assert!(
        answers["open"].starts_with("unknown: "),
        "{}",
        answers["open"]
    );
    assert!(
        answers["old"].starts_with("unknown: "),
        "{}",
        answers["old"]
    );
}

#[test]
fn a_full_clone_says_no() {
    let yard = origin();
    let clone = clone(&yard, "");
    let answers = answers(&observe_in(&clone, yard.repo.vars(), policy()));
    assert_eq!(answers["landed"], "merge-adds-nothing");
    assert_eq!(answers["open"], "no");
    assert_eq!(answers["old"], "no");
}

#[test]
fn what_a_partial_clone_lacks_is_not_fetched_and_unknown() {
    let yard = origin();
    let clone = clone(&yard, "--filter=blob:none --no-checkout");
    let before = yard.sh_in(
        &clone,
        "git rev-list --objects --all --missing=print | grep -c '^?'",
    );
    let answers = answers(&observe_in(&clone, yard.repo.vars(), policy()));
    assert_eq!(
        answers["landed"], "merge-adds-nothing",
        "its blobs are equal by id"
    );
    assert!(
        answers["open"].starts_with("unknown: "),
        "{}",
        answers["open"]
    );
    let after = yard.sh_in(
        &clone,
        "git rev-list --objects --all --missing=print | grep -c '^?'",
    );
    assert_eq!(before, after, "nothing was fetched");
}

#[test]
fn a_missing_tree_is_unknown_for_its_branch_alone() {
    let yard = origin();
    for branch in ["landed", "open", "old"] {
        yard.ask(branch);
    }
    let tree = yard.sh("git rev-parse open^{tree}");
    let (first, rest) = tree.split_at(2);
    std::fs::remove_file(
        yard.repo
            .common_dir()
            .join("objects")
            .join(first)
            .join(rest),
    )
    .unwrap();
    let answers = yard.answers();
    assert!(
        answers["open"].starts_with("unknown: "),
        "{}",
        answers["open"]
    );
    assert_eq!(answers["landed"], "merge-adds-nothing");
    assert_eq!(answers["old"], "no");
}
