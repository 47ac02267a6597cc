//! Edits that git was told not to see, or that a clean driver strips (guard 9).

use super::world::{World, erase, put};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn flag(world: &World, tree: &Path, flag: &str, file: &str) {
    world.git_at(tree, &["update-index", flag, file]);
}

#[test]
fn a_flag_holds_with_an_edit_and_not_without() {
    let world = World::new();
    for (name, switch) in [
        ("assume", "--assume-unchanged"),
        ("skip", "--skip-worktree"),
    ] {
        let edited = world.add(&format!("{name}-edited"));
        flag(&world, &edited, switch, "README.md");
        put(&edited.join("README.md"), "two\n");
        let mode = world.add(&format!("{name}-mode"));
        flag(&world, &mode, switch, "README.md");
        fs::set_permissions(mode.join("README.md"), fs::Permissions::from_mode(0o755))
            .expect("a mode");
        let kind = world.add(&format!("{name}-kind"));
        flag(&world, &kind, switch, "README.md");
        erase(kind.join("README.md"));
        symlink("src", kind.join("README.md")).expect("a symlink");
        let way = world.add(&format!("{name}-way"));
        flag(&world, &way, switch, "src/app.py");
        fs::rename(way.join("src"), way.join("data")).expect("it is there");
        symlink("data", way.join("src")).expect("a symlink");
        let same = world.add(&format!("{name}-same"));
        flag(&world, &same, switch, "README.md");
    }
    let gone = world.add("skip-gone");
    flag(&world, &gone, "--skip-worktree", "README.md");
    erase(gone.join("README.md"));
    let deleted = world.add("assume-gone");
    flag(&world, &deleted, "--assume-unchanged", "README.md");
    erase(deleted.join("README.md"));

    let plan = world.plan();
    for name in ["assume-way", "skip-way"] {
        let row = World::row(&plan, name);
        assert_eq!(
            row.verdict,
            owl::plan::Verdict::Hold,
            "{name}: {}",
            row.message
        );
    }
    world.settle(
        &[
            ("assume-edited", "hidden-edits"),
            ("assume-mode", "hidden-edits"),
            ("assume-kind", "hidden-edits"),
            ("assume-gone", "hidden-edits"),
            ("skip-edited", "hidden-edits"),
            ("skip-mode", "hidden-edits"),
            ("skip-kind", "hidden-edits"),
        ],
        &["assume-same", "skip-same", "skip-gone"],
    );
}

#[test]
fn a_directory_in_the_place_of_a_flagged_file() {
    // D5
    let world = World::new();
    let tree = world.add("directory");
    flag(&world, &tree, "--assume-unchanged", "README.md");
    erase(tree.join("README.md"));
    put(&tree.join("README.md/q"), "mine");
    world.add("control");
    let row = World::row(&world.plan(), "directory");
    assert_eq!(row.verdict, owl::plan::Verdict::Hold, "{}", row.message);
    world.settle(&[], &["control"]);
    assert!(tree.join("README.md/q").exists());
}

#[test]
fn sparse_patterns_hide_nothing() {
    // D1, with a full and with a sparse index.
    let world = World::new();
    for (name, index) in [("full", "false"), ("sparse", "true")] {
        for end in ["edited", "new", "clean"] {
            let tree = world.add(&format!("{name}-{end}"));
            world.git(&["config", "extensions.worktreeConfig", "true"]);
            world.git_at(&tree, &["config", "--worktree", "index.sparse", index]);
            world.git_at(&tree, &["sparse-checkout", "set", "--cone", "docs"]);
            assert!(!tree.join("src").exists());
            let expect = "sparse.expectFilesOutsideOfPatterns";
            world.git_at(&tree, &["config", "--worktree", expect, "true"]);
        }
        put(
            &world.tree(&format!("{name}-edited")).join("src/app.py"),
            "print(2)\n",
        );
        put(
            &world.tree(&format!("{name}-new")).join("src/new.py"),
            "mine\n",
        );
    }
    let plan = world.plan();
    for name in ["full-edited", "full-new", "sparse-edited", "sparse-new"] {
        let row = World::row(&plan, name);
        assert_eq!(
            row.verdict,
            owl::plan::Verdict::Hold,
            "{name}: {}",
            row.message
        );
    }
    world.settle(&[], &["full-clean", "sparse-clean"]);
    assert!(world.tree("full-edited").join("src/app.py").exists());
    assert!(world.tree("sparse-new").join("src/new.py").exists());
}

#[test]
fn settings_that_blind_git_do_not_blind_owl() {
    for (key, value) in [
        ("core.fileMode", "false"),
        ("core.ignoreCase", "true"),
        ("core.checkStat", "minimal"),
        ("core.trustctime", "false"),
    ] {
        let world = World::new();
        let tree = world.add("edited");
        let control = world.add("control");
        world.git(&["config", key, value]);
        match key {
            "core.fileMode" => {
                let file = tree.join("README.md");
                fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a mode");
            }
            "core.ignoreCase" => put(&tree.join("readme.md"), "mine\n"),
            _ => {
                same_size_edit(&world, &tree);
                same_size_edit_back(&world, &control);
            }
        }
        let row = World::row(&world.plan(), "edited");
        assert_eq!(
            row.verdict,
            owl::plan::Verdict::Hold,
            "{key}: {}",
            row.message
        );
        world.settle(&[], &["control"]);
        assert!(tree.exists());
    }
}

/// An edit of the same length, with the times of before.
fn same_size_edit(world: &World, tree: &Path) {
    put(&tree.join("README.md"), "two\n");
    let before = world.main().join(".gitignore");
    let touched = world
        .command("touch")
        .arg("-r")
        .arg(before)
        .arg(tree.join("README.md"))
        .status();
    assert!(touched.expect("touch runs").success());
}

fn same_size_edit_back(world: &World, tree: &Path) {
    same_size_edit(world, tree);
    put(&tree.join("README.md"), "one\n");
}

#[test]
fn a_driver_is_judged_by_what_it_writes() {
    let world = World::new();
    world.put(
        ".gitattributes",
        "*.rot filter=rot\n*.nb filter=strip\n*.bin filter=lfs\n*.id ident\n",
    );
    world.git(&["config", "filter.rot.clean", "tr a-z n-za-m"]);
    world.git(&["config", "filter.rot.smudge", "tr a-z n-za-m"]);
    world.git(&["config", "filter.strip.clean", "grep -v output || true"]);
    world.git(&["config", "filter.strip.smudge", "cat"]);
    world.put("secret.rot", "hello\n");
    world.put("note.nb", "cell\n");
    world.put("v.id", "$Id$\n");
    world.commit("filtered");
    // The file is what a checkout writes.
    let control = world.add("control");
    assert_eq!(
        fs::read(control.join("secret.rot")).expect("it is there"),
        b"hello\n"
    );
    let stripped = world.add("stripped");
    put(&stripped.join("note.nb"), "cell\noutput 42\n");
    world.git_at(&stripped, &["add", "note.nb"]);
    assert_eq!(world.git_at(&stripped, &["status", "--porcelain"]), "");
    let ident = world.add("ident");
    put(&ident.join("v.id"), "$Id: a password $\n");
    world.git_at(&ident, &["add", "v.id"]);
    assert_eq!(world.git_at(&ident, &["status", "--porcelain"]), "");
    let row = World::row(&world.plan(), "stripped");
    assert_eq!(row.reason.to_string(), "hidden-edits", "{}", row.message);
    assert!(row.message.contains("note.nb"), "{}", row.message);
    // `ident` is no driver: the content proof at apply finds it.
    world.settle(&[("stripped", "hidden-edits")], &["control"]);
    assert!(ident.join("v.id").exists());
}

#[test]
fn a_driver_that_fails_proves_nothing() {
    let world = World::new();
    world.put(".gitattributes", "*.rot filter=rot\n");
    world.git(&["config", "filter.rot.clean", "cat"]);
    world.git(&["config", "filter.rot.smudge", "cat"]);
    world.put("secret.rot", "hello\n");
    world.commit("filtered");
    let tree = world.add("tree");
    world.git(&["config", "filter.rot.smudge", "false"]);
    let row = World::row(&world.plan(), "tree");
    assert_eq!(
        row.reason.to_string(),
        "unknown-hidden-edits",
        "{}",
        row.message
    );
    world.apply(|| {});
    assert!(tree.exists());
    world.git(&["config", "filter.rot.smudge", "cat"]);
    world.settle(&[], &["tree"]);
}

#[test]
fn large_objects_are_compared_by_id_and_no_driver_runs() {
    let world = World::new();
    let oid = "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447";
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12\n");
    world.put(".gitattributes", "*.bin filter=lfs\n");
    world.put("big.bin", &pointer);
    world.commit("pointer");
    let ran = world.root().join("ran");
    let clean = format!("sh -c 'cat >/dev/null; printf \"%s\" \"$0\"' '{pointer}'");
    world.git(&["config", "filter.lfs.clean", &clean]);
    world.git(&[
        "config",
        "filter.lfs.smudge",
        &format!("touch {}; cat", ran.display()),
    ]);
    let original = world.add("original");
    let unsmudged = world.add("unsmudged");
    let edited = world.add("edited");
    for tree in [&original, &edited, &unsmudged] {
        put(&tree.join("big.bin"), &pointer);
    }
    erase(&ran);
    let object = world
        .main()
        .join(".git/lfs/objects")
        .join(&oid[..2])
        .join(&oid[2..4])
        .join(oid);
    put(&original.join("big.bin"), "hello world\n");
    put(&edited.join("big.bin"), "hello owl...");
    for tree in [&original, &edited] {
        world.git_at(tree, &["add", "big.bin"]);
        assert_eq!(world.git_at(tree, &["status", "--porcelain"]), "");
    }
    let row = World::row(&world.plan(), "original");
    assert_eq!(
        row.reason.to_string(),
        "unknown-hidden-edits",
        "{}",
        row.message
    );
    put(&object, "hello world\n");
    world.settle(&[("edited", "hidden-edits")], &["original", "unsmudged"]);
    assert!(!ran.exists(), "the driver ran");
}

#[test]
fn line_endings_and_encodings_in_either_direction() {
    let world = World::new();
    world.put(
        ".gitattributes",
        "*.crlf text eol=crlf\n*.u16 working-tree-encoding=UTF-16LE-BOM\n*.txt text=auto\n",
    );
    world.put("a.crlf", "x\ny\n");
    fs::write(world.main().join("b.u16"), b"\xff\xfea\0\n\0").expect("a file");
    world.commit("encoded");
    world.add("control");
    let flagged = world.add("flagged");
    flag(&world, &flagged, "--assume-unchanged", "a.crlf");
    flag(&world, &flagged, "--assume-unchanged", "b.u16");
    let edited = world.add("edited");
    flag(&world, &edited, "--assume-unchanged", "b.u16");
    fs::write(edited.join("b.u16"), b"\xff\xfeb\0\n\0").expect("a file");
    world.settle(&[("edited", "hidden-edits")], &["control", "flagged"]);
}
