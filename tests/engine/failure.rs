//! Deletions that fail half way, or cannot begin (`git-facts 2`, `incidents 105`, `106`; C6).

use super::scene::{NOBODY, Scene, command, is_root, picture, skip};
use std::fs;
use std::path::Path;

fn run(program: &str, args: &[&str], path: &Path) -> bool {
    let status = command(program).args(args).arg(path).status();
    status.is_ok_and(|status| status.success())
}

/// Requires a partial removal with counts and a next step, a second run that says the same, and,
/// after `mend`, one that finishes.
fn assert_partial_then_finished(scene: &Scene, mend: impl Fn(&Path)) {
    let said = scene.apply();
    assert_eq!(said.fate("one"), "partially-removed", "{:#}", said.document);
    assert_eq!(said.code, Some(3));
    let counts = &said.item("one")["outcome"]["counts"];
    let (before, after) = (counts[0].as_u64(), counts[1].as_u64());
    assert!(after > Some(0) && after < before, "{counts}");
    assert!(
        said.message("one").contains("run `owl apply`"),
        "{}",
        said.message("one")
    );
    let aside = scene.standing_aside();
    assert_eq!(aside.len(), 1, "what is left stands aside");
    assert_eq!(scene.records().len(), 1, "the journal speaks of it");
    let plan = scene.plan();
    let row = plan.items().find(|item| item["reason"] == "interrupted");
    assert!(row.is_some(), "it has a row: {:#}", plan.document);
    scene.no_interception();
    scene.apply();
    assert_eq!(scene.records().len(), 1, "it cannot be finished yet");
    mend(&aside[0]);
    let said = scene.apply();
    assert!(said.stderr.contains("removed"), "{}", said.stderr);
    scene.assert_gone(&["one"]);
}

#[test]
fn an_immutable_file_leaves_a_row_and_is_finished_later() {
    if !is_root() {
        return skip("chattr +i needs root");
    }
    let scene = Scene::new(60);
    scene.add("one");
    scene.intercept("case \"$*\" in *'worktree remove'*) chattr +i \"$last/d3/f3\";; esac");
    assert_partial_then_finished(&scene, |aside| {
        assert!(run("chattr", &["-i"], &aside.join("d3/f3")));
    });
}

#[test]
fn a_mount_leaves_a_row_and_is_finished_later() {
    if !is_root() {
        return skip("mounting needs root");
    }
    let scene = Scene::new(60);
    scene.add("one");
    scene.intercept(
        "case \"$*\" in *'worktree remove'*) mkdir \"$last/.claude\"; \
         mount -t tmpfs none \"$last/.claude\";; esac",
    );
    assert_partial_then_finished(&scene, |aside| {
        assert!(run("umount", &[], &aside.join(".claude")));
    });
}

/// Incident 106.
#[test]
fn an_unwritable_directory_of_an_ordinary_user() {
    let Some(scene) = Scene::ordinary(60) else {
        return skip("only root can become an ordinary user");
    };
    scene.add("one");
    scene.intercept("case \"$*\" in *'worktree remove'*) chmod 500 \"$last/d3\";; esac");
    assert_partial_then_finished(&scene, |aside| {
        assert!(run("chmod", &["700"], &aside.join("d3")));
    });
}

/// `incidents 106`: the guard sees it before anything is done.
#[test]
fn an_unwritable_directory_holds_before_any_step() {
    let Some(scene) = Scene::ordinary(20) else {
        return skip("only root can become an ordinary user");
    };
    let place = scene.add("one");
    assert!(run("chmod", &["500"], &place.join("d3")));
    let before = picture(&place);
    let said = scene.apply();
    assert_eq!(said.item("one")["reason"], "undeletable");
    assert_eq!(picture(&place), before);
    assert!(run("chmod", &["700"], &place.join("d3")));
}

/// The entry goes with the tree: where it may not, nothing is begun.
#[test]
fn an_entry_that_may_not_be_deleted_holds_before_any_step() {
    let Some(scene) = Scene::ordinary(20) else {
        return skip("only root can become an ordinary user");
    };
    let held = ["entry", "below", "fixed"];
    for name in held.iter().chain(&["control", "later"]) {
        scene.add(name);
    }
    assert!(run("chmod", &["500"], &scene.entry("entry")));
    assert!(run("chmod", &["500"], &scene.entry("below").join("logs")));
    let fixed = scene.entry("fixed").join("logs/HEAD");
    if !run("chattr", &["+i"], &fixed) {
        return skip("the file system knows no immutable files");
    }
    scene.git(&["worktree", "lock", "later"]);
    let before = held.map(|name| picture(&scene.place(name)));
    let said = scene.apply();
    for (name, place) in held
        .iter()
        .zip(["worktrees/entry", "worktrees/below/logs", "logs/HEAD"])
    {
        let item = said.item(name);
        assert_eq!(item["reason"], "undeletable", "{item:#}");
        let message = item["message"].as_str().expect("a sentence");
        assert!(message.contains(place), "{message}");
    }
    scene.assert_gone(&["control"]);
    assert_eq!(held.map(|name| picture(&scene.place(name))), before);
    assert!(run("chmod", &["700"], &scene.entry("entry")));
    assert!(run("chmod", &["700"], &scene.entry("below").join("logs")));
    assert!(run("chattr", &["-i"], &fixed));

    // Nothing can be unlinked from the directory of the entries.
    scene.git(&["worktree", "unlock", "later"]);
    let entries = scene.common().join("worktrees");
    assert!(run("chown", &["root"], &entries));
    let said = scene.apply();
    for name in held.iter().chain(&["later"]) {
        assert_eq!(said.item(name)["reason"], "undeletable");
        assert!(scene.is_whole(&scene.place(name)));
    }
    assert_eq!(scene.records().len(), 0);
    scene.own(&entries);
    scene.apply();
    scene.assert_gone(&["entry", "below", "fixed", "later"]);
}

/// Each row says what is wrong, and what to do; nothing is begun.
#[test]
fn the_repository_of_another_user_says_what_to_do() {
    let Some(scene) = Scene::ordinary(5) else {
        return skip("only root can become an ordinary user");
    };
    let place = scene.add("one");
    assert!(run("chown", &["-R", "root"], &scene.main()));
    let before = picture(&scene.main());
    let said = scene.apply();
    let item = said.item("one");
    assert_eq!(item["verdict"], "hold", "{item:#}");
    let message = item["message"].as_str().expect("a sentence");
    for word in [
        "belongs to another user",
        "run owl as that user",
        "safe.directory",
    ] {
        assert!(message.contains(word), "{message}");
    }
    assert_eq!(picture(&scene.main()), before);
    assert!(place.is_dir());
    scene.own(&scene.main());
    scene.apply();
    scene.assert_gone(&["one"]);
}

/// What is left and not proven is never deleted, whatever else is mended.
#[test]
fn what_is_left_and_not_proven_stays() {
    if !is_root() {
        return skip("chattr +i needs root");
    }
    let scene = Scene::new(60);
    scene.add("one");
    scene.intercept("case \"$*\" in *'worktree remove'*) chattr +i \"$last/d3/f3\";; esac");
    scene.apply();
    scene.no_interception();
    let aside = scene.standing_aside().remove(0);
    assert!(run("chattr", &["-i"], &aside.join("d3/f3")));
    fs::write(aside.join("d3/new"), "only here").expect("it can be written");
    let said = scene.apply();
    assert!(
        said.stderr.contains("not what was proven"),
        "{}",
        said.stderr
    );
    assert!(aside.join("d3/new").exists() && aside.join("d3/f3").exists());
    fs::rename(aside.join("d3/new"), scene.root.join("rescued")).expect("it is there");
    fs::write(aside.join("d3/f3"), "changed").expect("it can be written");
    scene.apply();
    assert!(aside.join("d3/f3").exists(), "a changed file is not proven");
    fs::write(aside.join("d3/f3"), "content 3\n").expect("it can be written");
    scene.apply();
    scene.assert_gone(&["one"]);
}

/// The content may be the last copy once no ref reaches the commit.
#[test]
fn what_is_left_stays_when_its_commit_is_reached_no_more() {
    if !is_root() {
        return skip("chattr +i needs root");
    }
    let scene = Scene::new(60);
    scene.add("one");
    scene.intercept("case \"$*\" in *'worktree remove'*) chattr +i \"$last/d3/f3\";; esac");
    scene.apply();
    scene.no_interception();
    let aside = scene.standing_aside().remove(0);
    assert!(run("chattr", &["-i"], &aside.join("d3/f3")));
    scene.git(&["branch", "-D", "one"]);
    scene.git(&["commit", "-q", "--amend", "-m", "another root"]);
    let said = scene.apply();
    assert!(said.stderr.contains("no ref reaches"), "{}", said.stderr);
    assert!(aside.join("d3/f3").exists());
}

/// Incident 115.
#[test]
fn git_that_only_says_it_removed_is_not_believed() {
    let scene = Scene::new(20);
    scene.add("one");
    scene.intercept("case \"$*\" in *'worktree remove'*) exit 0;; esac");
    let said = scene.apply();
    assert_eq!(said.fate("one"), "kept");
    assert!(said.message("one").contains("something is still there"));
    scene.no_interception();
    let said = scene.apply();
    assert_eq!(said.fate("one"), "removed", "{}", said.stderr);
    scene.assert_gone(&["one"]);
}

/// A shared repository's files have more than the umask grants; owl's own have not.
#[test]
fn what_is_put_back_has_its_mode_again() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    let (link, named) = (place.join(".git"), scene.entry("one").join("gitdir"));
    fs::write(&link, "gitdir: ../../../.git/worktrees/one\n").expect("it is ours");
    for path in [&link, &named] {
        assert!(run("chmod", &["664"], path));
    }
    let before = [&link, &named].map(|path| picture_of(path));
    let seen = scene.root.join("seen");
    scene.intercept(&format!(
        "case \"$*\" in *owl/aside/*status*) stat -c %a '{}' >'{}';; *'worktree remove'*) exit 128;; esac",
        scene.entry("one").join("locked").display(),
        seen.display()
    ));
    let umask = ["-c", "umask 077; exec \"$@\"", "sh"].map(str::to_owned);
    let done = scene.owl_under("sh", &umask).output().expect("sh runs");
    assert_eq!(fs::read_to_string(&seen).expect("git was run"), "600\n");
    assert!(scene.is_whole(&place), "{done:?}");
    assert_eq!([&link, &named].map(|path| picture_of(path)), before);
    scene.no_interception();
    scene.apply();
    scene.assert_gone(&["one"]);
}

/// The mode and the bytes of a file.
fn picture_of(path: &Path) -> (u32, Vec<u8>) {
    use std::os::unix::fs::MetadataExt;
    let mode = fs::metadata(path).expect("it is there").mode();
    (mode, fs::read(path).expect("it is there"))
}

#[test]
fn git_that_refuses_changes_nothing() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    let before = picture(&scene.main());
    scene.intercept("case \"$*\" in *'worktree remove'*) exit 128;; esac");
    let said = scene.apply();
    assert_eq!(said.fate("one"), "failed", "{}", said.message("one"));
    scene.no_interception();
    assert!(scene.is_whole(&place));
    let names = |picture: &[(std::path::PathBuf, u32, i64, Vec<u8>)]| {
        let plain = picture
            .iter()
            .filter(|(_, mode, ..)| mode & 0o170_000 == 0o100_000);
        plain.cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&picture(&scene.main())), names(&before));
}

/// No record, no side effect: a disk without room for the journal stops the row.
#[test]
fn a_full_disk_stops_the_row() {
    if !is_root() {
        return skip("mounting needs root");
    }
    let scene = Scene::new(20);
    let place = scene.add("one");
    let owl = scene.common().join("owl");
    fs::create_dir(&owl).expect("it is new");
    if !run(
        "mount",
        &["-t", "tmpfs", "-o", "size=16k,nr_inodes=20", "none"],
        &owl,
    ) {
        return skip("a tmpfs cannot be mounted");
    }
    fs::create_dir(owl.join("journal")).expect("there is room");
    fs::create_dir(owl.join("aside")).expect("there is room");
    let filled = fs::write(owl.join("filler"), vec![1; 64 << 10]);
    assert!(filled.is_err(), "the disk is full");
    let said = scene.apply();
    assert_eq!(said.fate("one"), "kept");
    assert!(
        said.message("one").contains("journal could not be written"),
        "{}",
        said.message("one")
    );
    assert!(scene.is_whole(&place) && scene.entry("one").exists());
    assert!(run("umount", &[], &owl));
    assert_eq!(scene.apply().fate("one"), "removed");
}

#[test]
fn ordinary_users_remove_too() {
    let Some(scene) = Scene::ordinary(20) else {
        return skip("only root can become an ordinary user");
    };
    scene.add("one");
    scene.add("two");
    let said = scene.apply();
    assert_eq!(said.code, Some(0), "{:#} {NOBODY}", said.document);
    scene.assert_gone(&["one", "two"]);
}

/// Git is killed in the middle of an entry: what it left is none any more, so that it is not given
/// back, but said and finished by the next run.
#[test]
fn a_prune_that_fails_half_way_is_finished_later() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    assert!(run("rm", &["-rf"], &place));
    let entry = scene.entry("one");
    scene.intercept(&format!(
        "case \"$*\" in *'worktree remove'*) rm {}/HEAD; kill -9 $$;; esac",
        entry.display()
    ));
    let said = scene.apply();
    scene.no_interception();
    assert_eq!(said.code, Some(3), "{:#}", said.document);
    assert_eq!(said.fate("one"), "partially-removed");
    let message = said.message("one");
    for part in [entry.to_str().expect("text"), "run `owl apply`"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(scene.records().len(), 1, "the journal speaks of it");
    assert_eq!(scene.plan().code, Some(0));
    let said = scene.apply();
    assert_eq!(said.code, Some(0), "{:#}", said.document);
    assert_eq!(said.document["recovered"][0]["outcome"]["fate"], "pruned");
    scene.assert_gone(&["one"]);
}
