//! The git commands that check evidence, run: they agree with owl (`spec 4.1`).

use crate::yard::{Yard, trees};
use owl::assess::Evidence;
use owl::fact::Fact;

#[test]
fn git_agrees_with_every_kind_of_proof() {
    let yard = Yard::new();
    yard.sh("lines f; lines g; lines h; lines i; save start
         git checkout -q -b ancestor; line f 1 a; main; git merge -q --no-ff ancestor
         git checkout -q -b adds-nothing; line f 5 x; main; line f 15 far; squash adds-nothing
         git checkout -q -b squash; line g 5 x; line g 9 y; main; squash squash; line g 5 later
         git checkout -q -b patch-ids; line h 5 x; line h 15 y; main; line g 1 z
         git cherry-pick main..patch-ids >/dev/null; line h 5 later
         git checkout -q -b same-tree; line i 5 x; line i 6 y; main; squash same-tree");
    let kinds = [
        "ancestor",
        "adds-nothing",
        "squash",
        "patch-ids",
        "same-tree",
    ];
    for kind in kinds {
        yard.ask(kind);
    }
    let trees = trees(&yard.observe());
    for kind in kinds {
        let tree = &trees[kind];
        let Fact::Known(landed) = &tree.landed else {
            panic!("{kind}: {:?}", tree.landed);
        };
        let evidence = Evidence::landed(tree, landed);
        assert!(kind == "adds-nothing" || Evidence::code_of(landed.how) == kind);
        let commands = evidence.commands();
        assert!(commands.len() >= 2, "{commands:?}");
        for pair in commands.chunks(2) {
            let said: Vec<String> = pair.iter().map(|command| yard.sh(command)).collect();
            if kind != "ancestor" {
                let first = |said: &str| said.split(' ').next().map(ToOwned::to_owned);
                assert_eq!(first(&said[0]), first(&said[1]), "{pair:?}");
                assert!(!said[0].is_empty(), "{pair:?}");
            }
        }
    }
}

#[test]
fn evidence_in_json_names_kind_base_commits_and_paths() {
    let yard = Yard::new();
    yard.sh(
        "lines g; save start; git checkout -q -b squash; line g 5 x; line g 9 y; main
         squash squash; line g 5 later",
    );
    yard.ask("squash");
    let tree = &trees(&yard.observe())["squash"];
    let evidence = Evidence::landed(tree, tree.landed.known().unwrap());
    let json = serde_json::to_value(&evidence).unwrap();
    let id = |of: &str| yard.sh(&format!("git rev-parse {of}"));
    assert_eq!(json["kind"], "squash");
    assert_eq!(json["base"], "refs/heads/main");
    assert_eq!(json["base_commit"], id("main"));
    assert_eq!(json["commit"], id("squash"));
    assert_eq!(json["merge_base"], id("main~2"));
    assert_eq!(json["twin"], id("main~1"));
    assert_eq!(json["paths"]["first"][0], "g");
}
