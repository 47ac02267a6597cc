//! Right before a removal nothing is taken from stat data (`spec 5.1`).

use super::world::{World, put};
use owl::observe::Focus;
use owl::plan::Verdict;
use std::fs;
use std::os::unix::fs::symlink;

/// Makes the index believe that an edited file is the committed one: its stat data are those of the
/// edit, its id is still the old one.
fn lie(world: &World, name: &str, file: &str, text: &str) {
    let tree = world.tree(name);
    put(&tree.join(file), text);
    let touched = world
        .command("touch")
        .args(["-d", "2020-01-01T00:00:00Z"])
        .arg(tree.join(file))
        .status();
    assert!(touched.expect("touch runs").success());
    let index = world.entry(name).join("index");
    let bytes = fs::read(&index).expect("an index");
    let stat = world
        .command("stat")
        .args(["-c", "%Z %z"])
        .arg(tree.join(file))
        .output();
    let stat = String::from_utf8(stat.expect("stat runs").stdout).expect("text");
    let seconds: u32 = stat
        .split(' ')
        .next()
        .and_then(|one| one.parse().ok())
        .expect("a ctime");
    let nanoseconds: u32 = stat
        .split('.')
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .and_then(|one| one.parse().ok())
        .expect("nanoseconds");
    let mut bytes = bytes;
    let at = entry_at(&bytes, file.as_bytes());
    bytes[at..at + 4].copy_from_slice(&seconds.to_be_bytes());
    bytes[at + 4..at + 8].copy_from_slice(&nanoseconds.to_be_bytes());
    let modified: u32 = 1_577_836_800;
    bytes[at + 8..at + 12].copy_from_slice(&modified.to_be_bytes());
    bytes[at + 12..at + 16].copy_from_slice(&0_u32.to_be_bytes());
    let size = u32::try_from(text.len()).expect("small");
    bytes[at + 36..at + 40].copy_from_slice(&size.to_be_bytes());
    // git does not look at the checksum when it reads (`git-facts 39`), and neither does owl.
    fs::write(&index, bytes).expect("an index");
}

/// Where the fixed part of an entry starts, in an index of version 2 with SHA-1.
fn entry_at(index: &[u8], path: &[u8]) -> usize {
    let mut wanted = path.to_vec();
    wanted.push(0);
    let found = index.windows(wanted.len()).position(|part| part == wanted);
    found.expect("the path is in the index") - 62
}

#[test]
fn an_edit_with_size_and_times_restored() {
    let world = World::new();
    world.add("edited");
    world.add("control");
    lie(&world, "edited", "README.md", "two\n");
    lie(&world, "control", "README.md", "one\n");
    let plan = world.plan();
    for name in ["edited", "control"] {
        let row = World::row(&plan, name);
        assert_eq!(
            row.verdict,
            Verdict::Remove,
            "stat data say so: {name}: {}",
            row.message
        );
    }
    let done = world.apply(|| {});
    assert!(world.tree("edited").exists(), "{done:?}");
    assert!(!world.tree("control").exists(), "{done:?}");
    let kept = done
        .iter()
        .find(|(address, ..)| address.ends_with("/edited"));
    let (_, _, message) = kept.expect("it has an outcome");
    assert!(message.contains("README.md"), "{message}");
}

#[test]
fn the_proof_can_be_asked_for_at_plan_time() {
    let world = World::new();
    world.add("edited");
    world.add("control");
    lie(&world, "edited", "README.md", "two\n");
    let plan = world.plan_focused(&Focus::EverythingByContent);
    assert_eq!(
        World::row(&plan, "edited").reason.to_string(),
        "uncommitted"
    );
    assert_eq!(World::row(&plan, "control").verdict, Verdict::Remove);
}

/// The same as a user asks for it; without the flag, apply is the one that holds it.
#[test]
fn plan_and_observe_take_the_flag() {
    let world = World::new();
    world.add("edited");
    world.add("control");
    lie(&world, "edited", "README.md", "two\n");
    let policy = world.root().join("owl.yaml");
    let text = "apiVersion: owl/v1
stores: [{ path: .claude/worktrees/* }]
rules: [{ name: landed, when: { landed: true }, then: accept }]
ttl: { grace: 0s }
";
    fs::write(&policy, text).expect("a file");
    let owl = |words: &[&str]| {
        let mut owl = world.command(env!("CARGO_BIN_EXE_owl"));
        owl.args(words).arg("--policy").arg(&policy);
        let output = owl.current_dir(world.main()).output().expect("owl runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    };
    let verdicts = |words: &[&str]| {
        let (_, text) = owl(words);
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        ["edited", "control"].map(|name| {
            let address = format!("main/{name}");
            let items = document["items"].as_array().expect("a list").iter();
            let mut items = items.filter(|item| item["address"] == address.as_str());
            let verdict = items.next().expect("a row")["verdict"].as_str();
            verdict.expect("text").to_owned()
        })
    };
    let plan = ["plan", "--format", "json"];
    assert_eq!(verdicts(&plan), ["remove", "remove"]);
    let stat = [&plan[..], &["--proof", "stat"]].concat();
    assert_eq!(verdicts(&stat), ["remove", "remove"]);
    let content = [&plan[..], &["--proof", "content"]].concat();
    assert_eq!(verdicts(&content), ["hold", "remove"]);
    let (code, observed) = owl(&["observe", "--proof", "content"]);
    assert_eq!(code, Some(0));
    let recorded = world.root().join("observation.json");
    fs::write(&recorded, observed).expect("a file");
    let recorded = recorded.to_str().expect("UTF-8");
    let words = [&plan[..], &["--observation", recorded]].concat();
    assert_eq!(verdicts(&words), ["hold", "remove"]);
    let both = [&words[..], &["--proof", "content"]].concat();
    assert_eq!(owl(&both).0, Some(2), "what was recorded is not looked at");
    assert_eq!(owl(&["apply", "--yes"]).0, Some(3));
    assert!(world.tree("edited").exists() && !world.tree("control").exists());
}

#[test]
fn every_kind_of_entry_is_what_a_checkout_gives() {
    let world = World::new();
    world.put("run.sh", "#!/bin/sh\n");
    let made = world
        .command("chmod")
        .arg("755")
        .arg(world.main().join("run.sh"))
        .status();
    assert!(made.expect("chmod runs").success());
    symlink("README.md", world.main().join("link")).expect("a symlink");
    world.put(
        ".gitattributes",
        "*.crlf text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE-BOM\n",
    );
    world.put("a.crlf", "x\r\ny\r\n");
    world.put("v.id", "$Id$\n");
    fs::write(world.main().join("b.u16"), b"\xff\xfea\0\n\0").expect("a file");
    for n in 0..1200 {
        world.put(&format!("many/{n}.txt"), &format!("{n}\n"));
    }
    world.commit("kinds");
    world.git(&["config", "core.autocrlf", "true"]);
    world.add("control");
    world.add("edited");
    lie(&world, "edited", "many/777.txt", "888\r\n");
    let done = world.apply(|| {});
    assert!(world.tree("edited").exists(), "{done:?}");
    assert!(!world.tree("control").exists(), "{done:?}");
}
