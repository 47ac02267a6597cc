//! Journals that are open, damaged, foreign, or of another owl (`spec 7.4`).

use super::scene::{Scene, command, find, picture, skip};
use std::fs;
use std::path::PathBuf;

/// A scene in which owl was killed with a worktree aside; the record's file.
fn interrupted() -> (Scene, PathBuf) {
    let scene = Scene::new(20);
    scene.add("one");
    scene.add("two");
    scene.intercept("case \"$*\" in *owl/aside/*status*) kill -9 $PPID; exit 1;; esac");
    drop(scene.owl("apply").output().expect("owl runs"));
    scene.no_interception();
    let file = scene.records().remove(0);
    assert_eq!(scene.standing_aside().len(), 1);
    (scene, file)
}

fn row(scene: &Scene) -> (String, String) {
    let plan = scene.plan();
    let row = plan
        .items()
        .find(|item| item["kind"] == "worktree" && item["address"] == "main/one")
        .unwrap_or_else(|| panic!("no row: {:#}", plan.document));
    let text = |key: &str| row[key].as_str().unwrap_or("").to_owned();
    assert_eq!(text("verdict"), "hold");
    (text("reason"), text("message"))
}

#[test]
fn readers_show_what_is_open_and_change_nothing() {
    let (scene, _) = interrupted();
    let before = picture(&scene.root);
    assert_eq!(row(&scene).0, "interrupted");
    let output = scene.owl("observe").output().expect("owl runs");
    assert!(output.status.success());
    assert_eq!(picture(&scene.root), before);
    let said = scene.apply();
    assert!(said.stderr.contains("restored"), "{}", said.stderr);
    assert_eq!(said.fate("one"), "removed", "{:#}", said.document);
    scene.assert_gone(&["one", "two"]);
}

#[test]
fn while_the_lock_is_held_a_row_says_that_apply_is_running() {
    let (scene, _) = interrupted();
    if find("flock").is_none() {
        return skip("no flock(1)");
    }
    let mut holder = command("flock")
        .arg(scene.common())
        .args(["sleep", "30"])
        .spawn()
        .expect("flock runs");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let (reason, message) = row(&scene);
    let said = scene.apply();
    drop(
        command("pkill")
            .args(["-P", &holder.id().to_string()])
            .status(),
    );
    holder.wait().expect("it ends");
    assert_eq!(
        (reason.as_str(), message.as_str()),
        ("apply-running", "apply is running")
    );
    assert!(said.stderr.contains("another owl"), "{}", said.stderr);
    assert_eq!(row(&scene).0, "interrupted");
}

#[test]
fn a_journal_that_cannot_be_trusted_stops_the_project_and_is_named() {
    type Damage = fn(&str) -> Vec<u8>;
    let table: [(&str, Damage); 7] = [
        ("empty", |_| Vec::new()),
        ("cut short", |text| {
            text.as_bytes()[..text.len() / 2].to_vec()
        }),
        ("without its last line end", |text| {
            text.trim_end().as_bytes().to_vec()
        }),
        ("a changed path", |text| {
            text.replacen("/one", "/two", 1).into_bytes()
        }),
        ("of a newer owl", |text| {
            text.replacen("\"version\":", "\"version\":9", 1)
                .into_bytes()
        }),
        ("of another program", |_| {
            b"{\"format\":\"other\",\"version\":1,\"sha256\":\"\"}\n{}\n".to_vec()
        }),
        ("not text", |_| vec![0xff; 40]),
    ];
    for (what, damage) in table {
        let (scene, file) = interrupted();
        let text = fs::read_to_string(&file).expect("it is there");
        fs::write(&file, damage(&text)).expect("it can be written");
        let bytes = fs::read(&file).expect("it is there");
        let aside = scene.standing_aside();
        let said = scene.apply();
        assert_eq!(said.code, Some(2), "{what}: {:#}", said.document);
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .expect("text");
        let warnings = said.document["warnings"].to_string();
        assert!(warnings.contains(name), "{what}: {warnings}");
        assert_eq!(said.fate("two"), "kept", "{what}");
        assert!(said.message("two").contains(name), "{what}");
        assert_eq!(scene.standing_aside(), aside, "{what}");
        assert_eq!(fs::read(&file).expect("it is there"), bytes, "{what}");
        assert!(
            scene.is_whole(&aside[0]) && scene.is_whole(&scene.place("two")),
            "{what}"
        );
        let rows = scene.plan();
        let standing = rows
            .items()
            .filter(|item| item["reason"] == "interrupted")
            .count();
        assert_eq!(standing, 1, "{what}: what stands aside has a row");
        fs::write(&file, &text).expect("it can be written");
        assert_eq!(scene.apply().code, Some(0), "{what}: mended");
        scene.assert_gone(&["one", "two"]);
    }
}

#[test]
fn a_copied_repository_does_not_act_on_its_originals_journal() {
    let (scene, _) = interrupted();
    let original = scene.root.join("original");
    fs::rename(scene.main(), &original).expect("it is there");
    let copied = command("cp")
        .arg("-a")
        .arg(&original)
        .arg(scene.main())
        .status();
    assert!(copied.expect("cp runs").success());
    let before = picture(&scene.main());
    let said = scene.apply();
    assert_eq!(said.code, Some(2));
    let warnings = said.document["warnings"].to_string();
    assert!(warnings.contains("belongs to the repository"), "{warnings}");
    assert_eq!(picture(&scene.main()).len(), before.len());
}

#[test]
fn what_stands_aside_without_a_record_is_a_row_and_is_not_touched() {
    let (scene, file) = interrupted();
    fs::rename(&file, scene.root.join("record")).expect("it is there");
    let aside = scene.standing_aside();
    assert_eq!(row(&scene).0, "interrupted");
    let said = scene.apply();
    assert_eq!(said.fate("two"), "removed", "the others go on");
    assert_eq!(scene.standing_aside(), aside);
    assert!(scene.is_whole(&aside[0]));
    fs::create_dir_all(file.parent().expect("it has one")).expect("it can be made");
    fs::rename(scene.root.join("record"), &file).expect("the folder is there");
    scene.apply_patiently();
    scene.apply();
    scene.assert_gone(&["one", "two"]);
}
