//! Measures on prepared repositories; run by hand (`shared/bench`).

use crate::support::Repo;
use crate::yard::{answers, entry, observe_in, policy};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// What `make_squash.sh` makes, and what must be said of it.
const TRUTH: &[(&str, &[&str])] = &[
    ("merged-ff", &["ancestor"]),
    ("true-merge", &["ancestor"]),
    ("squash", &["merge-adds-nothing", "squash"]),
    ("squash-then-touched", &["squash"]),
    ("squash-then-reverted", &["conflict taken-back"]),
    ("rebase", &["merge-adds-nothing", "patch-ids"]),
    ("partial", &["no 1/2"]),
    ("unmerged", &["no"]),
    ("squash-plus-extra", &["no"]),
    ("squash-with-conflict-resolution", &["no"]),
    ("net-empty", &["conflict net-empty"]),
    (
        "merged-base-in-then-squash",
        &["merge-adds-nothing", "squash"],
    ),
    ("squash-other-file-moved", &["merge-adds-nothing moved"]),
    (
        "squash-base-touched-near",
        &["merge-adds-nothing", "squash"],
    ),
];

/// `OWL_SQUASH_DIR=DEST cargo test --release --test landed -- --ignored --nocapture`
#[test]
#[ignore = "needs the repository of make_squash.sh"]
fn every_kind_of_make_squash_is_told() {
    let main = PathBuf::from(std::env::var_os("OWL_SQUASH_DIR").unwrap());
    let truth = std::fs::read_to_string(main.join("truth.tsv")).unwrap();
    let truth: BTreeMap<&str, &str> = truth
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    for branch in truth.keys() {
        entry(&main, branch, &format!("ref: refs/heads/{branch}\n"));
    }
    let start = Instant::now();
    let answers = answers(&observe_in(&main, Repo::empty().vars(), policy()));
    println!("{} branches in {:?}", truth.len(), start.elapsed());
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (branch, kind) in truth {
        *seen.entry((kind, &answers[branch])).or_default() += 1;
    }
    for ((kind, answer), count) in &seen {
        println!("{count:4} {kind}: {answer}");
        let (_, expected) = TRUTH.iter().find(|(known, _)| known == kind).unwrap();
        assert!(expected.contains(answer), "{kind}: {answer}");
    }
    assert_eq!(seen.len(), TRUTH.len());
}
