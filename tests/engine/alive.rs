//! An entry of which git has deleted a part is alive as long as git finds a repository by it: what
//! somebody does there after owl was killed is theirs (`spec 7.4`, promise 3).

use super::scene::{Scene, find, skip};
use super::since::{BEFORE, DROP, built, ignoring, kill_in, text, work_on};
use std::fs;
use std::path::{Path, PathBuf};

/// Nothing that somebody made is unreachable, and their worktree works.
fn assert_alive(scene: &Scene, tree: &Path, tip: &str, told: &str) {
    assert_eq!(
        scene.git(&["-C", text(tree), "rev-parse", "HEAD"]).trim(),
        tip,
        "{told}"
    );
    scene.git(&["-C", text(tree), "status"]);
    assert_eq!(scene.git(&["fsck", "--unreachable"]), "", "{told}");
    scene.git(&["worktree", "prune", "--expire=now"]);
    assert!(scene.records().is_empty(), "{told}");
    assert_eq!(
        scene.git(&["-C", text(tree), "rev-parse", "HEAD"]).trim(),
        tip,
        "it was pruned: {told}"
    );
}

/// A worktree that somebody has moved out of every store, with a file in its entry that git itself
/// deletes at the next commit.
fn moved_out(scene: &Scene) -> PathBuf {
    let place = built(scene, "one");
    let tree = scene.git(&["rev-parse", "main^{tree}"]);
    fs::write(scene.entry("one").join("AUTO_MERGE"), tree).expect("it can be written");
    let elsewhere = scene.root.join("elsewhere");
    fs::rename(&place, &elsewhere).expect("it is free");
    elsewhere
}

#[test]
fn a_prune_is_not_finished_over_somebody_who_works_in_the_moved_tree() {
    for (gone, comes_home) in [
        ("AUTO_MERGE", false),
        ("gitdir", false),
        ("index", false),
        ("AUTO_MERGE", true),
        ("gitdir", true),
    ] {
        let scene = ignoring(DROP);
        let mut tree = moved_out(&scene);
        kill_in(&scene, BEFORE);
        if comes_home {
            let home = scene.place("one");
            fs::rename(&tree, &home).expect("it is free");
            tree = home;
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "what git did before it was stopped"
        )]
        fs::remove_file(scene.entry("one").join(gone)).expect("it was there");
        if gone == "index" {
            scene.git(&["-C", text(&tree), "reset", "-q"]);
        }
        let tip = work_on(&scene, &tree);
        built(&scene, "two");
        let said = scene.apply();
        let told = format!(
            "{gone}, home: {comes_home}: {:#}\n{}",
            said.document, said.stderr
        );
        assert_eq!(said.fate("two"), "removed", "{told}");
        assert!(scene.entry("one").join("HEAD").exists(), "{told}");
        let gitdir = fs::read_to_string(scene.entry("one").join("gitdir")).expect("there");
        let home = scene.place("one").join(".git");
        assert_eq!(gitdir.trim_end(), text(&home), "{told}");
        if comes_home {
            assert_alive(&scene, &tree, &tip, &told);
        }
        let lost = scene.git(&["-C", text(&tree), "fsck", "--unreachable"]);
        assert_eq!(lost, "", "{told}");
        assert_eq!(scene.plan().item("one")["verdict"], "hold", "{told}");
    }
}

/// The control: where nobody has worked, what git had begun is finished.
#[test]
fn a_prune_that_git_had_begun_is_finished() {
    for gone in [
        "AUTO_MERGE",
        "gitdir",
        "index",
        "logs/HEAD",
        "HEAD",
        "commondir",
    ] {
        let scene = ignoring(DROP);
        moved_out(&scene);
        kill_in(&scene, BEFORE);
        #[expect(
            clippy::disallowed_methods,
            reason = "what git did before it was stopped"
        )]
        fs::remove_file(scene.entry("one").join(gone)).expect("it was there");
        let said = scene.apply();
        let told = format!("{gone}: {:#}\n{}", said.document, said.stderr);
        assert_eq!(said.code, Some(0), "{told}");
        assert!(!scene.entry("one").exists(), "{told}");
        assert!(!scene.common().join("owl").exists(), "{told}");
    }
}

/// Without its `gitdir` file a half-deleted tree goes on working.
#[test]
fn a_half_deleted_tree_without_gitdir_is_somebodys_still() {
    for works in [true, false] {
        let scene = ignoring(&DROP.replace("then: drop", "then: accept"));
        built(&scene, "one");
        let entry = scene.entry("one");
        kill_in(
            &scene,
            &format!(
                "case \"$*\" in *'worktree remove'*) rm -rf \"$last/target\" {}; kill -9 $PPID; exit 1;; esac",
                entry.join("gitdir").display()
            ),
        );
        built(&scene, "two");
        let aside = scene.standing_aside().remove(0);
        let tip = works.then(|| work_on(&scene, &aside));
        let said = scene.apply();
        let told = format!("{works}: {:#}\n{}", said.document, said.stderr);
        assert_eq!(said.fate("two"), "removed", "{told}");
        match tip {
            Some(tip) => assert_alive(&scene, &scene.place("one"), &tip, &told),
            None => scene.assert_gone(&["one", "two"]),
        }
    }
}

/// Killed before anything was deleted, and brought elsewhere with git: no lock of owl's is left.
#[test]
fn a_tree_that_was_brought_elsewhere_while_it_was_taken_is_let_go() {
    let scene = ignoring(DROP);
    built(&scene, "one");
    kill_in(
        &scene,
        "case \"$*\" in *owl/aside/*status*) kill -9 $PPID; exit 1;; esac",
    );
    let aside = scene.standing_aside().remove(0);
    let mine = scene.root.join("mine");
    scene.git(&["worktree", "move", "-f", "-f", text(&aside), text(&mine)]);
    built(&scene, "two");
    let said = scene.apply();
    let told = format!("{:#}\n{}", said.document, said.stderr);
    assert!(told.contains("brought it to another place"), "{told}");
    assert_eq!(said.fate("two"), "removed", "{told}");
    assert!(!scene.entry("one").join("locked").exists(), "{told}");
    assert!(!scene.common().join("owl").exists(), "{told}");
    assert!(mine.join(".git").exists());
}

/// In place, something new at the old path is not what was removed, and the record closes.
#[test]
fn something_new_at_the_place_of_a_removed_tree_is_not_touched() {
    for what in ["a directory", "a file"] {
        let scene = ignoring(DROP);
        let Some(_bound) = scene.bind_store() else {
            return skip("a store cannot be bind-mounted");
        };
        let place = built(&scene, "one");
        let git = find("git").expect("git is installed");
        kill_in(
            &scene,
            &format!(
                "case \"$*\" in *'worktree remove'*) {} \"$@\"; kill -9 $PPID; exit 1;; esac",
                text(&git)
            ),
        );
        let notes = if what == "a file" {
            place.clone()
        } else {
            fs::create_dir(&place).expect("it is free");
            place.join("notes")
        };
        fs::write(&notes, "mine").expect("it can be written");
        built(&scene, "two");
        let said = scene.apply();
        let told = format!("{what}: {:#}\n{}", said.document, said.stderr);
        let recovered = &said.document["recovered"][0]["outcome"];
        assert_eq!(recovered["fate"], "removed", "{told}");
        assert!(told.contains("something new stands in its place"), "{told}");
        assert_eq!(fs::read_to_string(&notes).expect("it is there"), "mine");
        assert!(scene.records().is_empty(), "{told}");
        // Its branch went, as planned.
        let branches = scene.git(&["branch", "--list", "one"]);
        assert_eq!(branches, "", "{told}");
        assert_eq!(said.fate("two"), "removed", "{told}");
    }
}

/// A container whose inner worktree is not gone after all stays: that has to go home to it.
#[test]
fn a_container_waits_for_what_could_not_be_removed_in_it() {
    let scene = ignoring(&DROP.replace(
        "[{path: .claude/worktrees/*}]",
        "[{path: .claude/worktrees/*}, {path: .claude/worktrees/*/.claude/worktrees/*}]",
    ));
    let outer = scene.add("outer");
    let inner = outer.join(".claude/worktrees/inner");
    scene.git(&["worktree", "add", "-q", "-b", "inner", text(&inner)]);
    built(&scene, "two");
    scene.intercept(
        "case \"$*\" in *'worktree remove'*) [ -e \"$last/target\" ] || { [ -e \"$last/.claude\" ] || { \
         rm -rf \"$last/d0\"; exit 1; }; };; esac",
    );
    let said = scene.apply();
    scene.no_interception();
    let told = format!("{:#}\n{}", said.document, said.stderr);
    assert_eq!(said.fate("inner"), "partially-removed", "{told}");
    assert_eq!(said.fate("outer"), "kept", "{told}");
    assert!(said.message("outer").contains("lies in it"), "{told}");
    assert_eq!(said.fate("two"), "removed", "{told}");
    assert!(outer.join(".git").exists());
    let again = scene.apply();
    assert_eq!(again.code, Some(0), "{:#}", again.document);
    assert!(!inner.exists() && !outer.exists(), "{:#}", again.document);
}
