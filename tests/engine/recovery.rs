//! What the next owl says and does after one was killed, through the binary (`spec 7.4`).

use super::scene::{POLICY, Scene, picture};
use serde_json::Value;
use std::fs;

/// A moment at which owl dies, and what becomes of what it had taken.
struct Moment {
    what: &'static str,
    kill: &'static str,
    /// The fate of the row that was open.
    fate: &'static str,
    address: &'static str,
}

const MOMENTS: [Moment; 4] = [
    Moment {
        what: "while it looks at what stands aside",
        kill: "case \"$*\" in *owl/aside/*status*) kill -9 $PPID; exit 1;; esac",
        fate: "restored",
        address: "main/one",
    },
    Moment {
        what: "when git begins",
        kill: "case \"$*\" in *'worktree remove'*) kill -9 $PPID; exit 1;; esac",
        fate: "restored",
        address: "main/one",
    },
    Moment {
        what: "with git in the middle of a deletion",
        kill: "case \"$*\" in *'worktree remove'*) rm -f \"$last/d3/f3\"; kill -9 $PPID; \
               exit 1;; esac",
        fate: "removed",
        address: "main/one",
    },
    Moment {
        what: "with a git that goes on and finishes",
        kill: "case \"$*\" in *'worktree remove'*) kill -9 $PPID;; esac",
        fate: "removed",
        address: "main/one",
    },
];

fn killed(moment: &Moment) -> Scene {
    let scene = Scene::new(20);
    let pinned = "rules: [{name: pinned, when: {branch: pinned}, then: keep}, ";
    let policy = POLICY.replace("rules: [", pinned);
    fs::write(scene.root.join("policy.yaml"), policy).expect("it can be written");
    scene.add("one");
    // So that the store is not empty at the end, which is a warning.
    scene.add("pinned");
    scene.intercept(moment.kill);
    drop(scene.owl("apply").output().expect("owl runs"));
    scene.no_interception();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(scene.records().len(), 1, "{}", moment.what);
    scene
}

/// A reading command shows what is open, as a row, and changes nothing.
fn assert_only_shown(scene: &Scene, what: &str) {
    let before = picture(&scene.main());
    let (code, out, _) = scene.human(&["plan"]);
    assert_eq!(code, Some(0), "{what}: {out}");
    assert!(
        out.contains("hold") && out.contains("main/one"),
        "{what}: {out}"
    );
    let plan = scene.plan();
    assert_eq!(plan.item("one")["reason"], "interrupted", "{what}");
    assert_eq!(picture(&scene.main()), before, "{what}");
}

#[test]
fn people_are_told_what_was_open_and_what_became_of_it() {
    for moment in &MOMENTS {
        let scene = killed(moment);
        assert_only_shown(&scene, moment.what);
        let (code, out, err) = scene.human(&["apply", "--yes"]);
        let told = format!("{}: {out}{err}", moment.what);
        assert_eq!(code, Some(0), "{told}");
        let (first, rest) = out.split_once("\n\n").expect("a paragraph of its own");
        assert!(first.starts_with("Left open by an earlier run"), "{told}");
        let line = first.lines().nth(1).expect("one line a row");
        assert!(
            line.contains(moment.fate) && line.contains(moment.address),
            "{told}"
        );
        if moment.fate == "restored" {
            assert!(rest.contains("removed  main/one"), "{told}");
        }
        scene.assert_gone(&["one"]);
        let (code, out, _) = scene.human(&["apply", "--yes"]);
        assert_eq!(code, Some(0));
        assert!(out.starts_with("Nothing to do"), "{told}: {out}");
    }
}

#[test]
fn a_quiet_run_says_nothing_where_nobody_is_needed() {
    for moment in &MOMENTS {
        let scene = killed(moment);
        let (code, out, err) = scene.human(&["apply", "--yes", "--quiet"]);
        assert_eq!(
            (code, out.as_str(), err.as_str()),
            (Some(0), "", ""),
            "{}",
            moment.what
        );
        scene.assert_gone(&["one"]);
    }
}

#[test]
fn a_quiet_run_says_what_could_not_be_ended() {
    let scene = killed(&MOMENTS[0]);
    fs::create_dir(scene.place("one")).expect("its place is free");
    let (code, out, err) = scene.human(&["apply", "--yes", "--quiet"]);
    assert_eq!(code, Some(3), "{out}{err}");
    let aside = scene.standing_aside().remove(0);
    let place = scene.place("one");
    for path in [&aside, &place] {
        assert!(out.contains(path.to_str().expect("text")), "{out}");
    }
    fs::remove_dir(&place).expect("it is empty");
    assert_eq!(scene.human(&["apply", "--yes", "--quiet"]).0, Some(0));
    scene.assert_gone(&["one"]);
}

#[test]
fn programs_are_told_apart_from_the_plans_own_rows() {
    for moment in &MOMENTS {
        let scene = killed(moment);
        let said = scene.apply();
        assert_eq!(said.code, Some(0), "{}: {:#}", moment.what, said.document);
        let recovered = said.document["recovered"].as_array().expect("a list");
        assert_eq!(recovered.len(), 1, "{}", moment.what);
        assert_eq!(recovered[0]["address"], moment.address);
        assert_eq!(recovered[0]["outcome"]["fate"], moment.fate);
        scene.assert_gone(&["one"]);
        assert_eq!(scene.apply().document["recovered"], Value::Null);
    }
}

/// A journal that cannot be trusted: said to people with the way out, nothing touched; once it has
/// been mended the next run finishes.
#[test]
fn people_are_told_which_journal_cannot_be_trusted_and_what_to_do() {
    let scene = killed(&MOMENTS[0]);
    scene.add("two");
    let file = scene.records().remove(0);
    let good = fs::read_to_string(&file).expect("it is there");
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.expect("it is text");
    for (what, damaged, word) in [
        ("corrupt", good.replacen("/one", "/two", 1), "is damaged"),
        ("truncated", good[..good.len() / 2].to_owned(), "is damaged"),
        (
            "newer",
            good.replacen("\"version\":", "\"version\":9", 1),
            "another version of owl",
        ),
        (
            "not owl's",
            "{\"format\":\"other\",\"version\":1,\"sha256\":\"\"}\n{}\n".to_owned(),
            "is not a file of owl's",
        ),
    ] {
        fs::write(&file, damaged).expect("it can be written");
        let before = picture(&scene.main());
        for words in [
            &["plan"][..],
            &["apply", "--yes"],
            &["apply", "--yes", "--quiet"],
        ] {
            let (code, out, err) = scene.human(words);
            assert_eq!(code, Some(2), "{what} {words:?}: {out}{err}");
            for part in [name, word, "nothing here is touched until"] {
                assert!(out.contains(part), "{what} {words:?}: {out}{err}");
            }
        }
        assert_eq!(picture(&scene.main()), before, "{what}");
    }
    fs::write(&file, good).expect("it can be written");
    assert_eq!(scene.human(&["apply", "--yes"]).0, Some(0));
    scene.assert_gone(&["one", "two"]);
}
