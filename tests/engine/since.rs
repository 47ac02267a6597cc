//! What a person does with a worktree that a killed owl had taken is theirs: the next owl neither
//! undoes it nor finishes over it (`spec 7.4`, promise 3).

use super::scene::{Scene, find, picture, skip};
use owl::journal::Record;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

pub(super) const DROP: &str = "apiVersion: owl/v1
stores: [{path: .claude/worktrees/*}]
rules: [{name: all, when: {all: []}, then: drop}]
ttl: {grace: 0s}
limits: {max-gone: 100%}
rebuildable: [target]
";

/// owl is killed before git deletes anything.
pub(super) const BEFORE: &str = "case \"$*\" in *'worktree remove'*) kill -9 $PPID; exit 1;; esac";
/// The same, with the build output deleted.
const WITHIN: &str = "case \"$*\" in *'worktree remove'*) rm -rf \"$last/target\"; kill -9 $PPID; \
    exit 1;; esac";
/// The same, when git has ended.
const AFTER: &str = "case \"$*\" in *'worktree remove'*) REAL \"$@\"; kill -9 $PPID; exit 1;; esac";

pub(super) fn ignoring(policy: &str) -> Scene {
    let scene = Scene::new(20);
    let exclude = ".claude\ntarget\n.env\n";
    fs::write(scene.common().join("info/exclude"), exclude).expect("it can be written");
    fs::write(scene.main().join(".env"), "A=1\n").expect("it can be written");
    fs::write(scene.root.join("policy.yaml"), policy).expect("it can be written");
    scene
}

/// A worktree with build output and a copy of an `.env`.
pub(super) fn built(scene: &Scene, name: &str) -> PathBuf {
    let place = scene.add(name);
    let target = place.join("target");
    fs::create_dir(&target).expect("it is new");
    fs::write(place.join(".env"), "A=1\n").expect("it can be written");
    for nth in 0..9 {
        fs::write(target.join(format!("o{nth}")), "output").expect("it can be written");
    }
    place
}

/// A scene in which owl was killed with `one`; `two` is the control.
pub(super) fn killed(policy: &str, kill: &str) -> Scene {
    let scene = ignoring(policy);
    built(&scene, "one");
    kill_in(&scene, kill);
    built(&scene, "two");
    scene
}

pub(super) fn kill_in(scene: &Scene, kill: &str) {
    let git = find("git").expect("git is installed");
    scene.intercept(&kill.replace("REAL", text(&git)));
    drop(scene.owl("apply").output().expect("owl runs"));
    scene.no_interception();
    assert_eq!(scene.records().len(), 1, "owl was killed in the middle");
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("it is text")
}

/// A commit that only this worktree's HEAD names, and a staged change.
pub(super) fn work_on(scene: &Scene, place: &Path) -> String {
    let at = text(place);
    scene.git(&["-C", at, "checkout", "-q", "--detach"]);
    fs::write(place.join("hard"), "work\n").expect("it can be written");
    scene.git(&["-C", at, "add", "hard"]);
    scene.git(&["-C", at, "commit", "-q", "-m", "hard work"]);
    let tip = scene.git(&["-C", at, "rev-parse", "HEAD"]);
    fs::write(place.join("hard"), "more\n").expect("it can be written");
    scene.git(&["-C", at, "add", "hard"]);
    tip.trim().to_owned()
}

/// Nothing of the worktree has changed; the control went in the same run.
fn assert_untouched(scene: &Scene, place: &Path, before: &[&Path], what: &str) {
    let pictures: Vec<_> = before.iter().map(|path| picture(path)).collect();
    let head = scene.git(&["-C", text(place), "rev-parse", "HEAD"]);
    let said = scene.apply();
    let told = format!("{what}: {:#}\n{}", said.document, said.stderr);
    for (path, was) in before.iter().zip(pictures) {
        assert!(picture(path) == was, "{} changed: {told}", path.display());
    }
    assert_eq!(said.fate("two"), "removed", "{told}");
    assert!(!scene.place("two").exists() && !scene.entry("two").exists());
    assert_eq!(
        scene.git(&["-C", text(place), "rev-parse", "HEAD"]),
        head,
        "{told}"
    );
    scene.git(&["-C", text(place), "status"]);
    let lost = scene.git(&["fsck", "--unreachable"]);
    assert_eq!(lost, "", "{told}");
}

#[test]
fn a_worktree_that_was_moved_back_is_left_and_stays_registered() {
    let accept = DROP.replace("then: drop", "then: accept");
    for (policy, kill) in [(&*accept, BEFORE), (DROP, BEFORE), (DROP, WITHIN)] {
        let scene = killed(policy, kill);
        let (aside, place) = (scene.standing_aside().remove(0), scene.place("one"));
        scene.git(&["worktree", "move", text(&aside), text(&place)]);
        work_on(&scene, &place);
        assert_untouched(&scene, &place, &[&place, &scene.entry("one")], kill);
        assert!(scene.records().is_empty() && scene.standing_aside().is_empty());
        let said = scene.plan();
        assert_eq!(said.item("one")["verdict"], "hold", "{:#}", said.document);
    }
}

/// Moved without git: its entry still names the place aside.
#[test]
fn a_worktree_that_was_moved_by_hand_keeps_its_entry() {
    for (name, kill) in [
        ("one", BEFORE),
        ("elsewhere", BEFORE),
        ("elsewhere", WITHIN),
    ] {
        let scene = killed(DROP, kill);
        let (aside, place) = (scene.standing_aside().remove(0), scene.place(name));
        fs::rename(&aside, &place).expect("its place is free");
        work_on(&scene, &place);
        assert_untouched(&scene, &place, &[&place], name);
        assert!(scene.entry("one").join("HEAD").exists(), "{name}");
        let gitdir = fs::read_to_string(scene.entry("one").join("gitdir")).expect("there");
        assert_eq!(gitdir.trim_end(), text(&scene.place("one").join(".git")));
        assert!(scene.records().is_empty(), "{name}");
    }
}

/// An inode number comes again: the record is made to name the new entry's.
#[test]
fn a_new_worktree_of_the_same_name_and_inode_is_another_one() {
    for in_place in [false, true] {
        let scene = ignoring(DROP);
        let _bound = match (in_place, scene.bind_store()) {
            (false, _) => None,
            (true, Some(bound)) => Some(bound),
            (true, None) => return skip("a store cannot be bind-mounted"),
        };
        let place = built(&scene, "one");
        kill_in(&scene, AFTER);
        built(&scene, "two");
        assert!(!place.exists() && !scene.entry("one").exists());
        scene.git(&["worktree", "add", "-q", "--detach", text(&place)]);
        work_on(&scene, &place);
        let file = scene.records().remove(0);
        let op = file
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("text");
        let bytes = fs::read(&file).expect("it is there");
        let mut record = Record::parse(&bytes, op).expect("it is whole");
        let inode = |path: &Path| fs::metadata(path).expect("it is there").ino();
        record.entry_inode = inode(&scene.entry("one"));
        record.inode = Some(inode(&place));
        fs::write(&file, record.to_bytes().expect("it is whole")).expect("written");
        let before: [&Path; 2] = [&place, &scene.entry("one")];
        assert_untouched(&scene, &place, &before, "another one");
        assert!(scene.records().is_empty());
    }
}

/// Every file of a tree but its `.git`, whatever the tree's place is.
fn below(tree: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for (path, _, _, bytes) in picture(tree) {
        let path = path.strip_prefix(tree).expect("it is below").to_owned();
        if path != Path::new(".git") {
            all.push((path, bytes));
        }
    }
    all
}

/// Git deletes files first and the entry last: until then people may go on.
#[test]
fn of_a_half_deleted_tree_what_happened_since_is_not_deleted() {
    type Change = fn(&Scene, &Path);
    let changes: [(&str, &str, Change); 5] = [
        ("HEAD has moved since", "a commit", |scene, at| {
            work_on(scene, at);
            scene.git(&["-C", text(at), "reset", "-q", "--hard", "main"]);
        }),
        (
            "only its entry names the commit",
            "in the reflog",
            |scene, at| {
                let head = [
                    "-C",
                    text(at),
                    "commit",
                    "-q",
                    "--allow-empty",
                    "-m",
                    "hard",
                ];
                scene.git(&head);
                scene.git(&["-C", text(at), "reset", "-q", "--hard", "HEAD~1"]);
                // The branch keeps nothing of it.
                scene.git(&["reflog", "expire", "--expire=all", "refs/heads/one"]);
            },
        ),
        ("uncommitted", "staged", |scene, at| {
            let blob = scene.git(&["rev-parse", "main:d0/f0"]);
            let info = format!("100644,{},staged", blob.trim());
            scene.git(&[
                "-C",
                text(at),
                "update-index",
                "--add",
                "--cacheinfo",
                &info,
            ]);
        }),
        (".env is not what was proven", "an ignored file", |_, at| {
            fs::write(at.join(".env"), "B=2\n").expect("it can be written");
        }),
        ("target/o1 is not what was", "old times", |_, at| {
            fs::create_dir(at.join("target")).expect("it is new");
            fs::rename(at.join("d0/f0"), at.join("target/o1")).expect("it is there");
        }),
    ];
    for in_place in [false, true] {
        for (word, what, change) in changes {
            let scene = ignoring(&DROP.replace("then: drop", "then: accept"));
            let _bound = match (in_place, scene.bind_store()) {
                (false, _) => None,
                (true, Some(bound)) => Some(bound),
                (true, None) => return skip("a store cannot be bind-mounted"),
            };
            let place = built(&scene, "one");
            kill_in(&scene, WITHIN);
            built(&scene, "two");
            let at = if in_place {
                place
            } else {
                scene.standing_aside().remove(0)
            };
            change(&scene, &at);
            let before = below(&at);
            let logs = picture(&scene.entry("one").join("logs"));
            let index = fs::read(scene.entry("one").join("index")).expect("it is there");
            let lost = scene.git(&["fsck", "--unreachable"]);
            let said = scene.apply();
            let told = format!("{what}: {:#}\n{}", said.document, said.stderr);
            // It is at home again, with what was left of it, and the entry is whole.
            assert!(said.stderr.contains(word), "{told}");
            let home = scene.place("one");
            assert!(below(&home) == before, "{told}");
            scene.git(&["-C", text(&home), "status"]);
            let gitdir = fs::read_to_string(scene.entry("one").join("gitdir"));
            let gitdir = gitdir.expect("it is there");
            assert_eq!(gitdir.trim_end(), text(&home.join(".git")), "{told}");
            assert!(picture(&scene.entry("one").join("logs")) == logs, "{told}");
            let now = fs::read(scene.entry("one").join("index")).expect("it is there");
            assert!(now == index, "{told}");
            assert_eq!(said.fate("two"), "removed", "{told}");
            assert_eq!(scene.git(&["fsck", "--unreachable"]), lost, "{told}");
            assert!(!scene.common().join("owl").exists(), "{told}");
            assert_eq!(scene.plan().item("one")["verdict"], "hold", "{told}");
        }
    }
}

#[test]
fn a_half_deleted_tree_that_nobody_touched_is_finished() {
    let scene = killed(DROP, WITHIN);
    let said = scene.apply();
    assert_eq!(said.code, Some(0), "{:#}", said.document);
    assert_eq!(said.document["recovered"][0]["outcome"]["fate"], "removed");
    assert!(!scene.entry("one").exists() && !scene.common().join("owl").exists());
}

/// What comes in after the look is in no status of a look.
#[test]
fn an_ignored_file_that_comes_in_after_the_look_is_kept() {
    for in_place in [false, true] {
        let scene = ignoring(DROP);
        let _bound = match (in_place, scene.bind_store()) {
            (false, _) => None,
            (true, Some(bound)) => Some(bound),
            (true, None) => return skip("a store cannot be bind-mounted"),
        };
        let place = built(&scene, "one");
        built(&scene, "two");
        scene.intercept(&format!(
            "case \"$*\" in *update-ref*) [ -e \"$HOME/once\" ] || {{ : > \"$HOME/once\"; \
             for at in {0}/owl/aside/* {1}; do [ -e $at/target ] && echo k > $at/target/late; \
             done; }};; esac",
            scene.common().display(),
            place.display()
        ));
        let said = scene.apply();
        scene.no_interception();
        assert_eq!(said.fate("one"), "kept", "{:#}", said.document);
        let message = said.message("one");
        assert!(message.contains("target/late came in"), "{message}");
        let late = fs::read_to_string(place.join("target/late"));
        assert_eq!(late.expect("it is there"), "k\n");
        assert_eq!(said.fate("two"), "removed", "{:#}", said.document);
    }
}

/// A rescue ref that somebody has seen may be all that they rely on.
#[test]
fn recovery_withdraws_no_rescue_ref() {
    let scene = ignoring(DROP);
    let at = scene.add("one");
    scene.git(&[
        "-C",
        text(&at),
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "logged",
    ]);
    let logged = scene.git(&["rev-parse", "one"]);
    scene.git(&["-C", text(&at), "reset", "-q", "--hard", "HEAD~1"]);
    kill_in(&scene, BEFORE);
    let rescued = || {
        scene.git(&[
            "for-each-ref",
            "--format=%(objectname)",
            "refs/owl/rescue/one",
        ])
    };
    assert!(rescued().contains(logged.trim()), "{}", rescued());
    let keep = DROP.replace("then: drop", "then: keep");
    fs::write(scene.root.join("policy.yaml"), keep).expect("it can be written");
    scene.git(&["reflog", "expire", "--expire=all", "--all"]);
    let said = scene.apply();
    assert!(said.stderr.contains("restored"), "{}", said.stderr);
    assert!(rescued().contains(logged.trim()), "{}", rescued());
    assert_eq!(scene.git(&["fsck", "--unreachable"]), "");
}
