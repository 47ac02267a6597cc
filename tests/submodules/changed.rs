//! What changes between the plan and the removal puts the worktree back; what git leaves half done is
//! finished, of what is proven only.

use super::built::{Built, became, brief, put, shell};
use super::support::skipped;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A saved plan names each submodule with its commit.
#[test]
fn a_saved_plan_is_stale_when_a_submodule_has_moved() {
    let built = Built::new();
    for name in ["moved", "dirty", "stashed", "control"] {
        built.add(name);
    }
    let file = built.scene.root.join("plan.json");
    let file = file.to_str().expect("it is text");
    let (code, ..) = built.scene.human(&["plan", "--out", file]);
    assert_eq!(code, Some(0));
    let text = fs::read_to_string(file).expect("it was written");
    assert!(text.contains("remove-submodule"), "{text}");
    let at = |name: &str| built.scene.place(name).join("lib");
    built.git(&at("moved"), &["checkout", "-q", "HEAD~1"]);
    put(&at("dirty").join("idea.txt"), "x");
    put(&at("stashed").join("lib.txt"), "mine\n");
    built.git(&at("stashed"), &["stash", "-q"]);
    let held = ["moved", "dirty", "stashed"];
    let before: Vec<_> = held.iter().map(|name| built.picture(name)).collect();
    let mut owl = built.scene.owl("apply");
    let output = owl.arg(file).output().expect("owl runs");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    built.scene.assert_gone(&["control"]);
    for (name, before) in held.iter().zip(before) {
        assert!(built.picture(name) == before, "{name} was touched");
    }
}

/// Makes git say that a file is unchanged which has other bytes of the same length.
fn lie(file: &Path, index: &Path, name: &str) {
    let bytes = fs::read(file).expect("it is there");
    fs::write(file, vec![b'#'; bytes.len()]).expect("it can be written");
    let past = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let opened = fs::File::options()
        .write(true)
        .open(file)
        .expect("it is there");
    opened.set_modified(past).expect("it is ours");
    let there = fs::metadata(file).expect("it is there");
    let mut index_bytes = fs::read(index).expect("it is there");
    let name = [name.as_bytes(), b"\0"].concat();
    let at = index_bytes
        .windows(name.len())
        .position(|part| part == name);
    let entry = at.expect("it is tracked") - 62;
    let times = [
        there.ctime(),
        there.ctime_nsec(),
        there.mtime(),
        there.mtime_nsec(),
    ];
    for (nth, time) in times.into_iter().enumerate() {
        let word = u32::try_from(time).expect("a time").to_be_bytes();
        index_bytes[entry + 4 * nth..][..4].copy_from_slice(&word);
    }
    fs::write(index, index_bytes).expect("it can be written");
}

/// Timestamps may lie: right before the removal the bytes are compared (`spec 5.1`).
#[test]
fn an_edit_that_no_status_sees_holds() {
    let built = Built::new();
    for name in ["lied", "lied-deep", "control"] {
        built.add(name);
    }
    let at = built.scene.place("lied").join("lib");
    lie(
        &at.join("lib.txt"),
        &built.module("lied").join("index"),
        "lib.txt",
    );
    assert_eq!(
        built.git(&at, &["--no-optional-locks", "status", "--porcelain"]),
        ""
    );
    let at = built.scene.place("lied-deep").join("lib/deep");
    let index = built.module("lied-deep").join("modules/deep/index");
    lie(&at.join("deep.txt"), &index, "deep.txt");
    assert_eq!(
        built.git(&at, &["--no-optional-locks", "status", "--porcelain"]),
        ""
    );
    let before = [built.picture("lied"), built.picture("lied-deep")];
    let said = built.scene.apply();
    for (name, before) in ["lied", "lied-deep"].into_iter().zip(before) {
        let message = became(&said, name).1;
        assert!(message.contains("tracked changes"), "{name}: {message}");
        assert!(built.picture(name) == before, "{name} was touched");
    }
    built.scene.assert_gone(&["control"]);
}

/// While it stands aside: a file, a branch, a repository that is written to after it was looked at.
#[test]
fn what_comes_in_while_it_stands_aside_puts_it_back() {
    let cases = [
        ("*owl/modules/*rev-list*", 1, "echo x > $aside/lib/idea.txt"),
        (
            "*owl/modules/*rev-list*",
            2,
            "echo x > $aside/lib/deep/idea.txt",
        ),
        (
            "*owl/modules/*status*",
            1,
            "cp $modules/lib/refs/heads/main $modules/lib/refs/heads/mine",
        ),
        (
            "*owl/modules/*status*",
            2,
            "echo x > $modules/lib/objects/idea",
        ),
        (
            "*owl/modules/*status*",
            2,
            "echo x > $modules/lib/modules/deep/idea",
        ),
        (
            "*owl/modules/*status*",
            2,
            "echo '#####' > $aside/lib/lib.txt",
        ),
        (
            "*owl/modules/*status*",
            1,
            "echo '#####' > $aside/lib/lib.txt",
        ),
    ];
    for (when, nth, what) in cases {
        let built = Built::new();
        built.add("taken");
        let before = built.picture("taken");
        let (common, count) = (built.scene.common(), built.scene.root.join("count"));
        let (common, count) = (common.display(), count.display());
        built.scene.intercept(&format!(
            "aside=$(echo {common}/owl/aside/*); modules=$(echo {common}/owl/modules/*)
             case \"$*\" in {when}) echo x >> {count}; if [ $(wc -l < {count}) -eq {nth} ]; then {what}; echo done > {count}.done; fi;; esac"
        ));
        let said = built.scene.apply();
        built.scene.no_interception();
        let shown = format!("{when} {nth} {what}: {}", brief(&said));
        assert!(built.other("count.done").is_file(), "not reached: {shown}");
        assert_eq!(became(&said, "taken").0, "kept", "{shown}");
        assert!(!built.scene.common().join("owl").exists(), "{shown}");
        let after = built.picture("taken");
        for one in &before {
            let is_same = after.contains(one);
            let is_edited = one.0.ends_with("lib/lib.txt") && what.contains("lib.txt");
            assert!(
                is_same || is_edited,
                "{} is not what it was: {shown}",
                one.0.display()
            );
        }
        assert!(
            after.len() > before.len() || what.contains("lib.txt"),
            "what came in is gone: {shown}"
        );
        // The control: without it, it goes.
        built.add("control");
        built.scene.apply();
        built.scene.assert_gone(&["control"]);
    }
}

/// The real git, with the words of the one that stands before it.
fn real() -> String {
    let git = super::scene::find("git").expect("git is installed");
    format!("{} \"$@\"", git.display())
}

/// Kills owl where git would remove the worktree, after `first`.
fn interrupted(built: &Built, first: &str) {
    let common = built.scene.common();
    let common = common.display();
    built.scene.intercept(&format!(
        "aside=$(echo {common}/owl/aside/*); modules=$(echo {common}/owl/modules/*)
         case \"$*\" in *'worktree remove'*) {first}; kill -9 $PPID; exit 9;; esac"
    ));
    let output = built.scene.owl("apply").output().expect("owl runs");
    assert_eq!(output.status.code(), None, "{output:?}");
    built.scene.no_interception();
}

#[test]
fn a_deletion_that_was_begun_is_finished_of_what_is_proven() {
    let built = Built::new();
    built.add("begun");
    interrupted(&built, "rm -r $aside/lib/lib.txt $aside/d0");
    let said = built.scene.apply();
    assert_eq!(became(&said, "begun").0, "removed", "{}", brief(&said));
    built.scene.assert_gone(&["begun"]);
}

#[test]
fn what_came_into_a_half_deleted_submodule_stays() {
    for what in [
        "echo x > $aside/lib/idea.txt",
        "echo '#####' > $aside/lib/src/app.py",
        "echo x > $aside/lib/deep/idea.txt",
        "echo x > $modules/lib/objects/idea",
    ] {
        let built = Built::new();
        built.add("begun");
        interrupted(
            &built,
            &format!("rm -r $aside/lib/lib.txt $aside/d0; {what}"),
        );
        let stored = built.scene.common().join("owl/modules");
        let stored = super::scene::names(&stored).remove(0);
        let before = below(&stored);
        let aside = built.scene.standing_aside().remove(0);
        let tree = below(&aside.join("lib"));
        let said = built.scene.apply();
        // It is at home again, whole but for what git had deleted, with its repositories.
        assert_eq!(became(&said, "begun").0, "kept", "{what}: {}", brief(&said));
        assert!(!built.scene.common().join("owl").exists(), "{what}");
        let home = built.scene.place("begun");
        let modules = built.scene.entry("begun").join("modules");
        assert!(below(&modules) == before, "{what}");
        let mut now = below(&home.join("lib"));
        now.retain(|(path, _)| !path.ends_with(".git"));
        assert!(now == tree, "{what}");
        for at in [&home, &home.join("lib")] {
            let at = at.to_str().expect("it is text");
            built.scene.git(&["-C", at, "status"]);
        }
        let plan = built.scene.plan();
        assert_eq!(plan.item("begun")["verdict"], "hold", "{}", brief(&plan));
    }
}

/// Every file below a directory, whatever its own place is.
fn below(directory: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let strip = |path: std::path::PathBuf| {
        let path = path.strip_prefix(directory);
        path.expect("it is below").to_owned()
    };
    let all = super::scene::picture(directory).into_iter();
    all.map(|(path, _, _, bytes)| (strip(path), bytes))
        .collect()
}

#[test]
fn the_repositories_of_a_worktree_that_is_gone_go_if_nothing_came_in() {
    let built = Built::new();
    built.add("gone");
    interrupted(&built, &real());
    assert!(built.scene.standing_aside().is_empty());
    let said = built.scene.plan();
    let shown = said.items().find(|item| item["reason"] == "interrupted");
    assert!(shown.is_some(), "{}", brief(&said));
    let said = built.scene.apply();
    assert_eq!(became(&said, "gone").0, "removed", "{}", brief(&said));
    built.scene.assert_gone(&["gone"]);

    let built = Built::new();
    built.add("gone");
    interrupted(&built, &format!("{}; echo x > $modules/lib/idea", real()));
    for _ in 0..2 {
        let said = built.scene.apply();
        assert_eq!(
            became(&said, "gone").0,
            "partially-removed",
            "{}",
            brief(&said)
        );
        assert!(
            became(&said, "gone").1.contains("have changed"),
            "{}",
            became(&said, "gone").1
        );
    }
    let modules = super::scene::names(&built.scene.common().join("owl/modules"));
    assert!(modules[0].join("lib/idea").is_file() && modules[0].join("lib/HEAD").is_file());
    // A person has looked at it.
    fs::rename(&modules[0], built.other("moved-away")).expect("it can be moved");
    let said = built.scene.apply();
    assert_eq!(became(&said, "gone").0, "removed", "{}", brief(&said));
    built.scene.assert_gone(&["gone"]);
}

/// Where it cannot be moved, its submodules cannot be put out of reach.
#[test]
fn a_worktree_that_cannot_be_moved_keeps_its_submodules() {
    let name = "a_worktree_that_cannot_be_moved_keeps_its_submodules";
    let built = Built::new();
    let Some(_bound) = built.scene.bind_store() else {
        return skipped(name, "only root can mount");
    };
    built.add("held");
    built.scene.add("control");
    let before = built.picture("held");
    let said = built.scene.apply();
    assert_eq!(became(&said, "held").0, "kept", "{}", brief(&said));
    assert!(
        became(&said, "held")
            .1
            .contains("can only be removed where it can be moved")
    );
    assert!(built.picture("held") == before);
    built.scene.assert_gone(&["control"]);
}

/// Somebody makes the submodules anew while the repositories are away: nothing of either is lost.
#[test]
fn repositories_that_cannot_go_back_wait() {
    let built = Built::new();
    built.add("taken");
    let entry = built.scene.entry("taken").join("modules");
    let count = built.scene.root.join("count");
    built.scene.intercept(&format!(
        "case \"$*\" in *owl/modules/*rev-list*) mkdir -p {}/new; echo x > {0}/new/file; echo x > {};; esac",
        entry.display(),
        count.display()
    ));
    let said = built.scene.apply();
    built.scene.no_interception();
    assert!(count.is_file());
    assert_eq!(became(&said, "taken").0, "kept", "{}", brief(&said));
    assert!(
        became(&said, "taken").1.contains("could not be put back"),
        "{}",
        became(&said, "taken").1
    );
    assert_eq!(built.scene.standing_aside().len(), 1);
    shell(&entry, "rm -r new; rmdir ../modules");
    let said = built.scene.apply();
    assert!(said.code.is_some());
    built.scene.assert_gone(&["taken"]);
}
