//! One repository, one branch for each way in which work lands, lands in part, or does not.
//!
//! Each case works in a directory of its own, `$B/`, on a branch of that name.

use crate::yard::Yard;

/// Name, script, answer. Each script starts on `main` with `$B/f` and `$B/g` of twenty lines, on
/// the new branch `$B`; other cases' commits lie before and after.
const CASES: &[(&str, &str, &str)] = &[
    (
        "ancestor",
        "line $B/f 5 x; main; git merge -q --no-ff $B",
        "ancestor",
    ),
    ("unmerged", "line $B/f 5 x", "no"),
    // Squash.
    (
        "squash",
        "line $B/f 5 x; line $B/g 6 y; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "squash-moved-on",
        "line $B/f 5 x; line $B/f 9 y; main; squash $B; line $B/f 5 later",
        "squash",
    ),
    (
        "squash-far-edit",
        "line $B/f 5 x; line $B/g 5 y; main; line $B/f 15 far; squash $B",
        "merge-adds-nothing",
    ),
    (
        "squash-near-edit-moved-on",
        "line $B/f 5 x; line $B/g 5 y; main; line $B/f 7 near; squash $B; line $B/f 5 later",
        "squash",
    ),
    (
        "squash-extra",
        "line $B/f 5 x; main; squash $B; git checkout -q $B; line $B/f 15 more",
        "no 1/2",
    ),
    (
        "squash-edited",
        "line $B/f 5 x; line $B/g 5 y; main; git merge -q --squash $B; sed -i 's/^x$/z/' $B/f; save edited",
        "no",
    ),
    (
        "squash-minus-file",
        "line $B/f 5 x; line $B/g 5 y; main; git merge -q --squash $B; git checkout -q HEAD -- $B/g; save minus",
        "no 1/2",
    ),
    (
        "squash-whitespace",
        "line $B/f 5 x; line $B/g 5 y; main; git merge -q --squash $B; sed -i 's/^x$/  x/' $B/f; save indented",
        "no",
    ),
    (
        "squash-extra-whitespace-inside",
        "sed -i '5s/ /  /' $B/f; save a; line $B/g 5 y; main; line $B/g 5 y",
        "no 1/2",
    ),
    (
        "squash-enlarged",
        "line $B/f 5 x; line $B/f 9 y; main; git merge -q --squash $B; echo more >$B/h; save enlarged",
        "merge-adds-nothing",
    ),
    // Rebase and cherry-pick.
    (
        "rebase",
        "line $B/f 5 x; line $B/g 5 y; main; git cherry-pick main..$B >/dev/null",
        "merge-adds-nothing",
    ),
    (
        "rebase-moved-on",
        "line $B/f 5 x; line $B/f 15 y; main; line $B/g 1 z; git cherry-pick main..$B >/dev/null; line $B/f 5 later",
        "patch-ids",
    ),
    (
        "one-moved-on",
        "line $B/f 5 x; main; line $B/g 1 z; git cherry-pick $B >/dev/null; line $B/f 5 later",
        "patch-ids",
    ),
    (
        "rebase-same-line-moved-on",
        "line $B/f 5 x; line $B/f 5 xx; main; line $B/g 1 z; git cherry-pick main..$B >/dev/null; line $B/f 5 later",
        "patch-ids",
    ),
    (
        "rebase-no-ff-moved-on",
        "line $B/f 5 x; line $B/g 5 y; main; line $B/f 15 z; git checkout -q -b $B-side main; git cherry-pick main..$B >/dev/null; main; line $B/f 18 z; git merge -q --no-ff $B-side; line $B/f 5 later",
        "patch-ids",
    ),
    (
        "partial",
        "line $B/f 5 x; line $B/g 5 y; main; git cherry-pick $B~1 >/dev/null",
        "no 1/2",
    ),
    (
        "empty-among-others",
        "line $B/f 5 x; save nothing; line $B/g 5 y; main; line $B/f 15 z; git cherry-pick --allow-empty main..$B >/dev/null; line $B/f 5 later; line $B/g 5 later",
        "patch-ids",
    ),
    (
        "other-block",
        "for i in 1 2 3; do printf 'start\\n one\\n two\\n three\\nend\\n'; done >$B/h; save h; main; git merge -q --ff-only $B; git checkout -q $B; sed -i '3s/$/\\n new/' $B/h; save first; main; sed -i '8s/$/\\n new/' $B/h; save second",
        "no",
    ),
    (
        "before-the-fork",
        "main; git checkout -q -B $B-old main; line $B/f 5 x; main; git cherry-pick $B-old >/dev/null; git revert --no-edit HEAD >/dev/null; git checkout -q -B $B main; line $B/f 5 x",
        "no",
    ),
    // Nothing as a whole.
    ("empty-commit", "save nothing", "conflict net-empty"),
    (
        "net-empty",
        "line $B/f 5 x; git revert --no-edit HEAD >/dev/null",
        "conflict net-empty",
    ),
    // Taken back.
    (
        "reverted",
        "line $B/f 5 x; line $B/g 5 y; main; squash $B; git revert --no-edit HEAD >/dev/null",
        "conflict taken-back",
    ),
    (
        "reverted-after-far-edit",
        "line $B/f 5 x; main; squash $B; C=$(git rev-parse HEAD); line $B/f 15 far; git revert --no-edit $C >/dev/null",
        "conflict taken-back",
    ),
    (
        "reverted-one-file",
        "line $B/f 5 x; line $B/g 5 y; main; squash $B; git checkout -q HEAD~1 -- $B/g; save back",
        "conflict taken-back",
    ),
    (
        "reverted-beside-other-work",
        "line $B/f 5 x; line $B/f 15 y; main; squash $B; sed -i \"5s/.*/$B\\/f 5/;10s/.*/ten/\" $B/f; save mixed",
        "conflict taken-back",
    ),
    (
        "reverted-and-moved-on",
        "line $B/f 5 x; main; squash $B; git revert --no-edit HEAD >/dev/null; line $B/f 5 other",
        "conflict taken-back",
    ),
    (
        "reverted-and-landed-again",
        "line $B/f 5 x; main; squash $B; git revert --no-edit HEAD >/dev/null; squash $B",
        "merge-adds-nothing",
    ),
    (
        "reverted-landed-again-moved-on",
        "line $B/f 5 x; line $B/f 15 y; main; squash $B; git revert --no-edit HEAD >/dev/null; squash $B; line $B/f 5 later",
        "squash",
    ),
    (
        "rebased-one-reverted",
        "line $B/f 5 x; line $B/f 15 y; main; git cherry-pick main..$B >/dev/null; git revert --no-edit HEAD~1 >/dev/null",
        "conflict taken-back",
    ),
    (
        "added-then-deleted",
        "lines $B/h; save h; main; squash $B; git rm -q $B/h; save gone",
        "conflict taken-back",
    ),
    (
        "mode-taken-back",
        "chmod +x $B/f; save x; line $B/f 5 x; main; squash $B; line $B/f 5 later; chmod -x $B/f; save back",
        "conflict taken-back",
    ),
    (
        "binary-taken-back",
        "printf 'a\\0b' >$B/b; save b; main; git merge -q --ff-only $B; git checkout -q $B; printf 'a\\0c' >$B/b; save c; main; squash $B; git revert --no-edit HEAD >/dev/null",
        "conflict taken-back",
    ),
    (
        "dropped-by-merge",
        "line $B/f 5 x; main; git checkout -q -b $B-side main; squash $B; main; line $B/g 3 z; git merge -q -s ours $B-side",
        "no",
    ),
    // Moved.
    (
        "added-then-moved",
        "lines $B/h; save h; main; squash $B; git mv $B/h $B/i; save moved",
        "patch-ids",
    ),
    (
        "moved-before",
        "line $B/f 5 x; main; git mv $B/f $B/m; save moved; line $B/m 5 x",
        "merge-adds-nothing moved",
    ),
    (
        "moved-before-unmerged",
        "line $B/f 5 x; main; git mv $B/f $B/m; save moved; line $B/m 6 other",
        "no",
    ),
    (
        "moved-by-branch",
        "git mv $B/f $B/m; save moved; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "moved-by-branch-unmerged",
        "git mv $B/f $B/m; save moved",
        "no",
    ),
    // Modes, kinds, bytes.
    (
        "mode-only",
        "chmod +x $B/f; save x; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "mode-only-moved-on",
        "chmod +x $B/f; save x; main; squash $B; line $B/f 5 later",
        "merge-adds-nothing",
    ),
    ("mode-only-unmerged", "chmod +x $B/f; save x", "no"),
    (
        "mode-left-out",
        "line $B/f 5 x; chmod +x $B/f; git commit -q -a --amend -m x; main; line $B/f 5 x",
        "no",
    ),
    (
        "binary",
        "printf 'a\\0b' >$B/b; save b; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "binary-moved-on",
        "printf 'a\\0b' >$B/b; save b; main; squash $B; printf 'a\\0c' >$B/b; save c",
        "patch-ids",
    ),
    (
        "binary-differs",
        "printf 'a\\0b' >$B/b; save b; main; printf 'a\\0c' >$B/b; save c",
        "no",
    ),
    (
        "symlink",
        "ln -s f $B/l; save l; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "symlink-differs",
        "ln -s f $B/l; save l; main; ln -s g $B/l; save l",
        "no",
    ),
    (
        "file-for-symlink",
        "ln -s f $B/l; save l; main; printf f >$B/l; save l",
        "no",
    ),
    (
        "deletion",
        "git rm -q $B/f; save gone; main; squash $B",
        "merge-adds-nothing",
    ),
    ("deletion-unmerged", "git rm -q $B/f; save gone", "no"),
    (
        "deletion-of-more",
        "git rm -q $B/f; save gone; main; line $B/f 3 kept",
        "no",
    ),
    (
        "directory-for-file",
        "git rm -q $B/f; mkdir $B/f; echo 1 >$B/f/f; save dir; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "directory-for-file-unmerged",
        "git rm -q $B/f; mkdir $B/f; echo 1 >$B/f/f; save dir; main; git rm -q $B/f; save gone",
        "no",
    ),
    (
        "crlf",
        "sed -i 's/$/\\r/' $B/f; save crlf; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "crlf-unmerged",
        "sed -i 's/$/\\r/' $B/f; save crlf; main; line $B/g 3 z",
        "no",
    ),
    (
        "last-line-end",
        "printf %s \"$(cat $B/f)\" >$B/f; save end; main; line $B/g 3 z",
        "no",
    ),
    (
        "last-line-end-landed",
        "printf %s \"$(cat $B/f)\" >$B/f; save end; main; squash $B",
        "merge-adds-nothing",
    ),
    (
        "gitlink",
        "git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,$B/s; git commit -q -m s; git reset -q --hard; main; git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,$B/s; git commit -q -m s2; git reset -q --hard",
        "merge-adds-nothing",
    ),
    (
        "gitlink-differs",
        "git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,$B/s; git commit -q -m s; git reset -q --hard; main; git update-index --add --cacheinfo 160000,2222222222222222222222222222222222222222,$B/s; git commit -q -m s2; git reset -q --hard",
        "no",
    ),
    // Merges in the branch.
    (
        "base-merged-in",
        "line $B/f 5 x; main; line $B/f 15 z; git checkout -q $B; git merge -q --no-edit main; main; line $B/g 15 z; squash $B; line $B/f 5 later",
        "patch-ids",
    ),
    (
        "base-merged-in-unmerged",
        "line $B/f 5 x; main; line $B/f 15 z; git checkout -q $B; git merge -q --no-edit main",
        "no",
    ),
    (
        "evil-merge",
        "line $B/f 5 x; main; line $B/f 15 z; git checkout -q $B; git merge -q --no-commit main >/dev/null; echo evil >$B/evil; save evil; main; line $B/g 15 z; squash $B",
        "conflict own-merge",
    ),
    (
        "evil-merge-picked",
        "line $B/f 5 x; main; line $B/f 15 z; git checkout -q $B; git merge -q --no-commit main >/dev/null; echo evil >$B/evil; save evil; main; git cherry-pick $B^1 >/dev/null",
        "no",
    ),
    (
        "merge-drops-work",
        "line $B/f 5 x; line $B/g 5 y; main; line $B/f 15 z; git checkout -q $B; git merge -q --no-commit main >/dev/null; git checkout -q main -- $B/g; save dropped; main; squash $B",
        "conflict own-merge",
    ),
    (
        "two-lines-merged",
        "line $B/f 5 x; git checkout -q -b $B-two $B~1; line $B/g 5 y; git checkout -q $B; git merge -q --no-edit $B-two; main; squash $B; line $B/f 5 later",
        "squash",
    ),
    (
        "criss-cross",
        "line $B/f 5 x; git branch $B-1; main; line $B/f 15 z; git branch $B-2; git merge -q --no-edit $B-1; git checkout -q $B; git merge -q --no-edit $B-2; line $B/g 5 y",
        "unknown",
    ),
    (
        "criss-cross-landed",
        "line $B/f 5 x; git branch $B-1; main; line $B/f 15 z; git branch $B-2; git merge -q --no-edit $B-1; git checkout -q $B; git merge -q --no-edit $B-2; line $B/g 5 y; main; squash $B",
        "merge-adds-nothing",
    ),
];

#[test]
fn every_way_to_land_is_told() {
    let yard = Yard::new();
    let mut script = String::new();
    for (name, body, _) in CASES {
        let start =
            format!("B={name}; git checkout -q main; lines $B/f; lines $B/g; save start $B");
        script = script + &start + "; git checkout -q -b $B; " + body + "\n";
    }
    script.push_str("main; lines last; save last\n");
    yard.sh(&script);
    for (name, ..) in CASES {
        yard.ask(name);
    }
    let answers = yard.answers();
    let mut wrong = Vec::new();
    for (name, _, expected) in CASES {
        let got = &answers[*name];
        if got != expected && !(*expected == "unknown" && got.starts_with("unknown: ")) {
            wrong.push(format!("{name}: expected {expected}, got {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_trees_are_the_same() {
    let yard = Yard::new();
    yard.sh(
        "lines f; save f; git checkout -q -b same; line f 5 x; line f 6 y; main
         git branch other same; squash same; git checkout -q other; line f 9 z",
    );
    yard.ask("same");
    yard.ask("other");
    let answers = yard.answers();
    assert_eq!(answers["same"], "same-tree");
    assert_eq!(answers["other"], "no");
}

#[test]
fn no_attribute_and_no_driver_has_a_say() {
    let yard = Yard::new();
    let ran = yard.repo.root().join("ran");
    yard.sh(&format!(
        "git config merge.mine.driver 'touch {0}; true'; git config diff.mine.textconv 'touch {0}; cat'
         lines f; lines g; lines h; printf 'f merge=ours\\ng merge=union\\nh merge=mine diff=mine\\n' >.gitattributes
         printf 'f merge=ours\\ng merge=union\\nh merge=mine diff=mine\\n' >.git/info/attributes
         git config merge.ours.driver true; save start
         for n in f g h; do git checkout -q -b $n main; line $n 5 $n; main; done
         git checkout -q -b in main; line f 15 in; main; line f 5 other; line g 5 other; line h 5 other
         git -c merge.ours.driver= cherry-pick -X theirs in >/dev/null 2>&1 || {{ git show in:f >f; save in; }}; line f 5 other; rm -f {0}",
        ran.display()
    ));
    for branch in ["f", "g", "h", "in"] {
        yard.ask(branch);
    }
    let answers = yard.answers();
    assert_eq!(
        [&answers["f"], &answers["g"], &answers["h"]],
        ["no", "no", "no"]
    );
    assert_eq!(answers["in"], "merge-adds-nothing");
    assert!(!ran.exists(), "a driver ran");
}
