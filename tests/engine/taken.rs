//! Worktrees that owl has taken: moved aside, looked at, given back, or done in place (`spec 7.4`).

use super::scene::{Scene, command, is_root, picture, skip};
use std::fs;

/// Runs `body` when git is first asked for the status of a worktree that stands aside.
fn at_the_look_aside(scene: &Scene, body: &str) {
    scene.intercept(&format!(
        "case \"$*\" in *owl/aside/*status*) [ -e \"$HOME/once\" ] || {{ : > \"$HOME/once\"; \
         aside=$(ls -d {}/owl/aside/*); {body}; }};; esac",
        scene.common().display()
    ));
}

/// Incident 121.
#[test]
fn a_move_is_said_and_no_force_is_used() {
    let scene = Scene::new(20);
    scene.add("one");
    let log = scene.root.join("home/words");
    scene.intercept(&format!("echo \"$*\" >> {}", log.display()));
    let said = scene.apply();
    assert_eq!(said.item("one")["outcome"]["manner"], "moved");
    scene.assert_gone(&["one"]);
    let words = fs::read_to_string(log).expect("git was run");
    assert!(words.contains("worktree remove -- "), "{words}");
    assert!(words.contains("/.git/owl/aside/"), "{words}");
    for forbidden in ["--force", " -f", "prune"] {
        assert!(!words.contains(forbidden), "{words}");
    }
}

#[test]
fn what_comes_in_before_the_look_aside_is_given_back() {
    for (what, body) in [
        ("an untracked file", "echo new > $aside/idea"),
        ("a changed file", "echo changed > $aside/d0/f0"),
        ("a repository", "git init -q $aside/d0/inner"),
        ("a pipe", "mkfifo $aside/pipe"),
        (
            "somebody's operation",
            "touch $(sed 's/gitdir: //' $aside/.git)/MERGE_HEAD",
        ),
    ] {
        let scene = Scene::new(20);
        let place = scene.add("one");
        let entry = picture(&scene.entry("one"));
        at_the_look_aside(&scene, body);
        let said = scene.apply();
        assert_eq!(said.fate("one"), "kept", "{what}: {:#}", said.document);
        assert!(place.join(".git").exists(), "{what}");
        assert!(
            !scene.common().join("owl").exists(),
            "{what}: a trace is left"
        );
        scene.no_interception();
        let after = picture(&scene.entry("one"));
        let same = |(path, ..): &&(std::path::PathBuf, u32, i64, Vec<u8>)| {
            !path.ends_with("MERGE_HEAD") && !path.ends_with("index")
        };
        assert_eq!(
            after.iter().filter(same).collect::<Vec<_>>(),
            entry.iter().filter(same).collect::<Vec<_>>(),
            "{what}"
        );
        assert_eq!(scene.plan().item("one")["verdict"], "hold", "{what}");
    }
}

/// Incident 82.
#[test]
fn a_process_that_is_inside_is_seen_first() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    at_the_look_aside(
        &scene,
        "(cd $aside && exec setsid sleep 2) >/dev/null 2>&1 & sleep 0.5",
    );
    let said = scene.apply();
    assert_eq!(said.fate("one"), "kept", "{:#}", said.document);
    assert!(
        said.message("one").contains("sleep"),
        "{}",
        said.message("one")
    );
    assert!(scene.is_whole(&place));
}

#[test]
fn where_the_old_place_is_taken_it_stays_aside_and_has_a_row() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    at_the_look_aside(
        &scene,
        &format!("echo new > $aside/idea; mkdir {}", place.display()),
    );
    let said = scene.apply();
    assert_eq!(said.fate("one"), "kept");
    assert_eq!(said.item("one")["outcome"]["reason"], "aside");
    let aside = scene.standing_aside().remove(0);
    for path in [&aside, &place] {
        assert!(
            said.message("one").contains(path.to_str().expect("text")),
            "{path:?}"
        );
    }
    scene.no_interception();
    assert!(scene.entry("one").join("locked").exists());
    scene.git(&["worktree", "prune", "--expire=now"]);
    let plan = scene.plan();
    assert_eq!(plan.item("one")["verdict"], "hold");
    assert_eq!(plan.item("one")["reason"], "aside");
    assert_eq!(plan.code, Some(0));
    // Still taken: nothing changes, and nothing is lost.
    scene.apply();
    assert_eq!(
        fs::read_to_string(aside.join("idea")).expect("there"),
        "new\n"
    );
    fs::remove_dir(&place).expect("it is empty");
    let said = scene.apply();
    assert!(said.stderr.contains("restored"), "{}", said.stderr);
    assert_eq!(
        fs::read_to_string(place.join("idea")).expect("there"),
        "new\n"
    );
    assert!(!scene.entry("one").join("locked").exists());
    assert_eq!(scene.plan().item("one")["reason"], "untracked");
}

#[test]
fn a_new_thing_at_the_old_place_is_named_and_not_touched() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    scene.intercept(&format!(
        "case \"$*\" in *'worktree remove'*) mkdir {0} && echo new > {0}/new;; esac",
        place.display()
    ));
    let said = scene.apply();
    assert_eq!(said.fate("one"), "removed");
    assert!(said.message("one").contains("something new stands at"));
    assert_eq!(
        fs::read_to_string(place.join("new")).expect("there"),
        "new\n"
    );
}

#[test]
fn another_file_system_is_done_in_place_and_said() {
    if !is_root() {
        return skip("mounting needs root");
    }
    let scene = Scene::new(20);
    let store = scene.main().join(".claude/worktrees");
    fs::create_dir_all(&store).expect("it can be made");
    // A bind mount of the same file system: equal device numbers, and EXDEV all the same.
    let bound = command("mount")
        .arg("--bind")
        .args([&store, &store])
        .status();
    if !bound.is_ok_and(|status| status.success()) {
        return skip("a bind mount cannot be made");
    }
    scene.add("one");
    let said = scene.apply();
    let outcome = said.item("one")["outcome"].clone();
    scene.git(&["worktree", "list"]);
    let gone = !scene.place("one").exists() && !scene.entry("one").exists();
    assert!(
        command("umount")
            .arg(&store)
            .status()
            .expect("umount runs")
            .success()
    );
    assert_eq!(outcome["fate"], "removed", "{outcome}");
    assert_eq!(outcome["manner"], "in-place");
    assert!(
        outcome["message"]
            .as_str()
            .is_some_and(|text| text.contains("in place"))
    );
    assert!(gone && !scene.common().join("owl").exists());
}

#[test]
fn a_directory_that_comes_back_is_not_pruned() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    let elsewhere = scene.root.join("elsewhere");
    fs::rename(&place, &elsewhere).expect("it is there");
    // Back between the look and git's removal, clean, so that git would remove it whole.
    scene.intercept(&format!(
        "case \"$*\" in *'worktree remove'*) mv {} {};; esac",
        elsewhere.display(),
        place.display()
    ));
    let said = scene.apply();
    assert_eq!(said.fate("one"), "pruned", "{:#}", said.document);
    assert!(said.message("one").contains("something new stands at"));
    assert!(scene.is_whole(&place), "git must not have removed it");
    scene.no_interception();
    // Back before the last look: the prune is undone.
    let scene = Scene::new(20);
    let place = scene.add("one");
    let entry = picture(&scene.entry("one"));
    fs::rename(&place, &elsewhere).expect("it is there");
    scene.intercept(&format!(
        "case \"$*\" in *'worktree list'*) [ -e {2}/owl/journal ] && mv {0} {1};; esac",
        elsewhere.display(),
        place.display(),
        scene.common().display()
    ));
    let said = scene.apply();
    scene.no_interception();
    assert_eq!(said.fate("one"), "kept", "{:#}", said.document);
    assert!(scene.is_whole(&place));
    let plain = |(path, ..): &&(std::path::PathBuf, u32, i64, Vec<u8>)| !path.ends_with("index");
    let after = picture(&scene.entry("one"));
    assert_eq!(
        after.iter().filter(plain).collect::<Vec<_>>(),
        entry.iter().filter(plain).collect::<Vec<_>>()
    );
    assert!(
        scene
            .git(&["-C", place.to_str().expect("text"), "status", "--porcelain"])
            .is_empty()
    );
}

#[test]
fn a_relative_git_file_is_rewritten_and_restored() {
    let scene = Scene::new(20);
    let place = scene.add("one");
    fs::write(place.join(".git"), "gitdir: ../../../.git/worktrees/one\n").expect("written");
    let before = fs::read(place.join(".git")).expect("there");
    at_the_look_aside(&scene, "echo new > $aside/idea");
    assert_eq!(scene.apply().fate("one"), "kept");
    assert_eq!(fs::read(place.join(".git")).expect("there"), before);
    scene.no_interception();
    fs::rename(place.join("idea"), scene.root.join("idea")).expect("there");
    let said = scene.apply();
    assert_eq!(said.item("one")["outcome"]["manner"], "moved");
    scene.assert_gone(&["one"]);
}
