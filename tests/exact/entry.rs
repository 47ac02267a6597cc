//! Guards 8 and 11: what lies in an administrative entry, which goes with the tree.

use crate::world::{World, erase, put};
use std::fs;
use std::path::Path;

/// A commit that only what the test does next will name.
fn loose(world: &World, tree: &Path, message: &str) -> String {
    let (head, what) = ("HEAD", "HEAD^{tree}");
    let what = world.git_at(tree, &["rev-parse", what]);
    world.git_at(tree, &["commit-tree", "-p", head, "-m", message, &what])
}

#[test]
fn what_git_leaves_behind_a_finished_rebase_is_no_operation() {
    let world = World::new();
    let tree = world.add("rebased");
    put(&tree.join("README.md"), "two\n");
    world.git_at(&tree, &["commit", "-qam", "mine"]);
    world.put("README.md", "three\n");
    world.commit("theirs");
    let stopped = world
        .command("git")
        .args(["rebase", "-q", "main"])
        .current_dir(&tree)
        .output()
        .expect("git runs");
    assert!(!stopped.status.success(), "both have changed the line");
    put(&tree.join("README.md"), "both\n");
    world.git_at(&tree, &["add", "README.md"]);
    world.git_at(&tree, &["-c", "core.editor=true", "rebase", "--continue"]);
    assert!(world.entry("rebased").join("REBASE_HEAD").is_file());
    world.git(&["merge", "-q", "--ff-only", "rebased"]);
    // The commit that it names is judged like that of a private ref.
    let tree = world.add("named");
    let commit = loose(&world, &tree, "loose");
    put(
        &world.entry("named").join("REBASE_HEAD"),
        &format!("{commit}\n"),
    );
    let tree = world.add("rebasing");
    let head = world.git_at(&tree, &["rev-parse", "HEAD"]);
    put(&world.entry("rebasing").join("REBASE_HEAD"), &head);
    put(&world.entry("rebasing").join("rebase-merge/onto"), &head);
    world.settle(
        &[
            ("named", "commits-at-risk"),
            ("rebasing", "operation-in-progress"),
        ],
        &["rebased"],
    );
}

#[test]
fn the_directory_that_a_finished_merge_of_notes_leaves_is_no_operation() {
    let world = World::new();
    world.add("over");
    let left = world.entry("over").join("NOTES_MERGE_WORKTREE");
    fs::create_dir(left).expect("it can be made");
    world.add("merging");
    put(&world.entry("merging").join("NOTES_MERGE_WORKTREE/1"), "x");
    world.settle(&[("merging", "operation-in-progress")], &["over"]);
}

#[test]
fn what_only_looks_like_gits_in_the_entry_holds() {
    let world = World::new();
    let strangers = [
        "info/handover.md",
        "info/exclude",
        "codex-notes.md",
        "description",
        "sharedindex.notes",
        "index.save",
        "index.d/notes",
        "fsmonitor--daemon/notes",
        "fsmonitor--daemon.notes",
        "ORIG_HEAD",
        "AUTO_MERGE",
        // A claim says whose the tree is, and owl reads none yet (`spec 9`).
        "owl-claim",
    ];
    let names: Vec<String> = (0..strangers.len()).map(|n| format!("held-{n}")).collect();
    for (name, path) in names.iter().zip(strangers) {
        world.add(name);
        put(&world.entry(name).join(path), "mine");
    }
    world.add("log");
    put(&world.entry("log").join("logs/session.log"), "mine\n");
    let mut held: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), "unknown-operation-in-progress"))
        .collect();
    held.push(("log", "unknown-commits-at-risk"));

    // What git and the harnesses really write there.
    let tree = world.add("usual");
    let tip = world.git_at(&tree, &["rev-parse", "HEAD"]);
    world.git_at(&tree, &["update-ref", "ORIG_HEAD", &tip]);
    world.git_at(
        &tree,
        &["update-ref", "--create-reflog", "refs/worktree/mine", &tip],
    );
    world.git_at(&tree, &["sparse-checkout", "set", "--no-cone", "/*"]);
    world.git_at(&tree, &["update-index", "--split-index"]);
    let entry = world.entry("usual");
    fs::copy(entry.join("logs/HEAD"), entry.join("logs/ORIG_HEAD")).expect("it is there");
    put(&entry.join("codex-thread.json"), "{}");
    put(&entry.join("fsmonitor--daemon/cookies/1-2"), "");
    let has = |path: &str| assert!(entry.join(path).exists(), "{path}");
    has("info/sparse-checkout");
    has("logs/refs/worktree/mine");
    world.settle(&held, &["usual"]);
}

#[test]
fn a_message_that_no_commit_has_holds() {
    let world = World::new();
    let drafted = world.add("drafted");
    world.git_at(&drafted, &["commit", "-q", "--allow-empty", "-m", "one"]);
    let file = |name: &str| world.entry(name).join("COMMIT_EDITMSG");
    let draft = "Hand over\n\nThe cause is in the third module.\n# On branch drafted\n";
    put(&file("drafted"), draft);
    world.add("tagging");
    put(&world.entry("tagging").join("TAG_EDITMSG"), "what is new\n");

    // Each leaves the file behind, and has its message in a commit.
    let says = |tree: &Path, words: &[&str]| {
        let all = ["-c", "core.editor=true", "commit", "-q", "--allow-empty"];
        world.git_at(tree, &[&all, words].concat());
    };
    let tree = world.add("said");
    says(
        &tree,
        &["-m", "  two  ", "-m", "body\n\n\n# no comment here", "-s"],
    );
    let tree = world.add("amended");
    says(&tree, &["-m", "two"]);
    says(&tree, &["--amend", "-v"]);
    let tree = world.add("reset");
    says(&tree, &["-m", "three"]);
    world.git_at(&tree, &["branch", "keeps"]);
    world.git_at(&tree, &["reset", "-q", "--hard", "HEAD~1"]);
    // An editor that was closed without a word.
    world.add("aborted");
    let comments = "\n# Please enter the commit message for your changes.\n#\n";
    put(&file("aborted"), comments);
    for name in ["said", "amended", "reset"] {
        assert!(file(name).is_file(), "{name}");
    }
    for branch in ["drafted", "said", "amended"] {
        world.git(&["merge", "-q", "--no-ff", "-m", "merge", branch]);
    }
    let unknown = "unknown-operation-in-progress";
    world.settle(
        &[("drafted", unknown), ("tagging", unknown)],
        &["said", "amended", "reset", "aborted"],
    );
}

#[test]
fn a_message_that_begins_like_a_comment_of_another_configuration_holds() {
    let world = World::new();
    let file = |name: &str| world.entry(name).join("COMMIT_EDITMSG");
    let drafts = [
        ("gitmoji", ":sparkles: careful words\n"),
        ("scope", "@ops: careful words\n"),
        ("spaced", "& more\n"),
        ("number", "#12 is mended\n"),
        // Its own configuration says `;`.
        ("hash", "# careful words\n"),
    ];
    for (name, text) in drafts {
        world.add(name);
        put(&file(name), text);
    }
    world.git(&["config", "extensions.worktreeConfig", "true"]);
    let says = |tree: &Path, key: &str, value: &str| {
        world.git_at(tree, &["config", "--worktree", key, value]);
    };
    // What the message was begun with makes git choose another character under `auto`.
    let edit = |tree: &Path, editor: &str| {
        let editor = format!("core.editor={editor}");
        let words = [
            "-c",
            &editor,
            "commit",
            "-q",
            "--allow-empty",
            "-e",
            "-m",
            "#12 is mended",
        ];
        world.command("git").args(words).current_dir(tree).output()
    };
    says(&world.tree("hash"), "core.commentChar", ";");
    // What the main worktree alone is told counts in none of them.
    says(&world.main(), "core.commentString", "&");
    // Of each kind one that went into a commit, and an editor that was closed without a word.
    let gone = ["semicolon", "semicolon-left", "auto", "auto-left"];
    for (name, char) in gone.iter().zip([";", ";", "auto", "auto"]) {
        let tree = world.add(name);
        says(&tree, "core.commentChar", char);
        let is_left = name.ends_with("-left");
        let editor = if is_left { "sed -i 1d" } else { "true" };
        let done = edit(&tree, editor).expect("git runs");
        assert_eq!(done.status.success(), !is_left, "{name}: {done:?}");
        let left = fs::read_to_string(file(name)).expect("git leaves it");
        assert!(left.contains("\n; Please enter"), "{name}: {left}");
        if !is_left {
            world.git(&["merge", "-q", "--no-ff", "-m", "merge", name]);
        }
    }
    let unknown = "unknown-operation-in-progress";
    let held = drafts.map(|(name, _)| (name, unknown));
    world.settle(&held, &gone);
}

#[test]
fn what_was_fetched_and_has_no_other_name_holds() {
    let world = World::new();
    let origin = world.root().join("origin.git");
    let place = origin.to_str().expect("UTF-8");
    world.git(&["clone", "-q", "--bare", ".", place]);
    world.git(&["remote", "add", "origin", place]);
    // Elsewhere, a branch and a pull request that this repository does not have.
    let other = world.root().join("other");
    let there = other.to_str().expect("UTF-8");
    world.git(&["clone", "-q", place, there]);
    for (name, to) in [
        ("theirs", "refs/heads/theirs"),
        ("pull", "refs/pull/1/head"),
    ] {
        world.git_at(&other, &["checkout", "-q", "-B", name, "origin/main"]);
        world.git_at(&other, &["commit", "-q", "--allow-empty", "-m", name]);
        world.git_at(&other, &["push", "-q", "origin", &format!("{name}:{to}")]);
    }
    world.git_at(&other, &["checkout", "-q", "-B", "local", "origin/main"]);
    world.git_at(&other, &["commit", "-q", "--allow-empty", "-m", "local"]);
    world.git_at(&other, &["tag", "-a", "-m", "t", "v1"]);
    world.git_at(&other, &["push", "-q", "origin", "v1"]);

    let fetch = |name: &str, words: &[&str]| {
        let tree = world.add(name);
        world.git_at(&tree, &[&["fetch", "-q"], words].concat());
    };
    fetch("pull", &["origin", "refs/pull/1/head"]);
    let tree = world.add("merged-head");
    let commit = loose(&world, &tree, "loose");
    put(&world.entry("merged-head").join("ORIG_HEAD"), &commit);
    world.add("broken");
    put(&world.entry("broken").join("FETCH_HEAD"), "my notes\n");

    fetch("all", &["--tags", "origin"]);
    fetch("one", &["origin", "theirs"]);
    // Whatever becomes of the branch there: the fetch gave it a name that is gone here as well.
    fetch("stale", &["origin"]);
    world.git_at(&other, &["push", "-q", "origin", ":theirs"]);
    world.git(&["fetch", "-q", "--prune", "origin"]);
    world.settle(
        &[
            ("pull", "commits-at-risk"),
            ("merged-head", "commits-at-risk"),
            ("broken", "unknown-commits-at-risk"),
        ],
        &["all", "one", "stale"],
    );
}

#[test]
fn what_was_fetched_from_a_bare_path_alone_holds() {
    let world = World::new();
    let other = world.root().join("other");
    let there = other.to_str().expect("UTF-8");
    world.git(&["clone", "-q", ".", there]);
    world.git_at(&other, &["commit", "-q", "--allow-empty", "-m", "theirs"]);
    let held = world.add("held");
    let control = world.add("control");
    for tree in [&held, &control] {
        world.git_at(tree, &["fetch", "-q", there, "main"]);
    }
    let file = world.entry("control").join("FETCH_HEAD");
    erase(file);
    world.settle(&[("held", "commits-at-risk")], &["control"]);
}
