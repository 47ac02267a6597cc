//! E: the wrong thing deleted.

use crate::case::Case;
use crate::support::write;
use crate::support::yard::{Yard, require_fate, row, said};
use owl::apply::Fate;
use std::fs;

/// Names that differ in case only are two names.
#[test]
fn incident_90_siblings_that_differ_in_case_only() {
    let yard = Yard::new();
    yard.landed("Agent");
    let small = yard.landed("agent");
    write(&small.join("notes.md"), b"only here");
    yard.age("agent");
    let done = yard.apply();
    require_fate(&done, &yard.address("Agent"), Fate::Removed);
    assert!(small.join("notes.md").exists() && yard.entry("agent").exists());
    assert!(!yard.path("Agent").exists());
}

/// A link to a directory outside goes; what it names does not.
#[test]
fn incident_93_a_symlink_is_removed_and_its_target_is_not() {
    let yard = Yard::new();
    let shared = yard.repo.root().join("shared");
    write(&shared.join("left-pad/index.js"), b"x");
    let tree = yard.add("linked");
    std::os::unix::fs::symlink(&shared, tree.join("node_modules")).unwrap();
    yard.repo.git_in(&tree, ["add", "node_modules"]);
    yard.land("linked", &tree);
    let done = yard.apply();
    require_fate(&done, &yard.address("linked"), Fate::Removed);
    assert!(shared.join("left-pad/index.js").exists());
}

/// Several trees of one repository go; every object and every other HEAD stays.
#[test]
fn incident_94_97_the_repository_and_the_other_trees_are_untouched() {
    let case = Case::new();
    let repo = &case.yard.repo;
    write(&case.path.join("notes.md"), b"only here");
    for name in ["one", "two", "three"] {
        case.yard.landed(name);
    }
    let objects = || repo.git(["cat-file", "--batch-all-objects", "--batch-check"]);
    let heads = || {
        let main = fs::read(repo.common_dir().join("HEAD")).unwrap();
        (main, fs::read(case.entry.join("HEAD")).unwrap())
    };
    let before = (objects(), heads(), repo.git(["for-each-ref"]));
    case.age();
    let done = case.yard.apply();
    assert_eq!(done.len(), 4, "{done:?}");
    assert_eq!((objects(), heads(), repo.git(["for-each-ref"])), before);
    repo.git(["fsck", "--full", "--strict"]);
}

/// Paths are bytes, and git is asked with `-z`.
#[test]
fn incident_101_spaces_and_line_feeds_in_paths() {
    for name in ["a b", "a\nb", "a\nworktree etc", "\u{202e}txt"] {
        let yard = Yard::new();
        let (gone, kept) = (yard.path(name), yard.path(&format!("{name} kept")));
        for (branch, path) in [("gone", &gone), ("kept", &kept)] {
            yard.add_at(branch, path);
            yard.repo.commit(path, &format!("{branch}.txt"), b"x");
            yard.merge(branch);
            crate::support::aging::age(path);
        }
        write(&kept.join("notes.md"), b"only here");
        for entry in fs::read_dir(yard.repo.common_dir().join("worktrees")).unwrap() {
            crate::support::aging::age(&entry.unwrap().path());
        }
        let plan = yard.look();
        drop(yard.apply());
        assert!(!gone.exists(), "{name:?}: {}", said(&plan));
        assert!(kept.join("notes.md").exists(), "{name:?}");
    }
}

/// A backslash is a character of a name like any other.
#[test]
fn incident_102_a_backslash_is_no_separator() {
    let yard = Yard::new();
    let stores = "stores:\n  - path: .claude/worktrees/a/*\n";
    let policy = yard.policy.replace("stores:\n", stores);
    let yard = yard.under(&policy);
    let (slash, back) = (yard.path("a/b"), yard.path("a\\b"));
    for (branch, path) in [("slash", &slash), ("back", &back)] {
        yard.add_at(branch, path);
        yard.repo.commit(path, &format!("{branch}.txt"), b"x");
        yard.merge(branch);
        crate::support::aging::age(path);
    }
    write(&back.join("notes.md"), b"only here");
    for entry in fs::read_dir(yard.repo.common_dir().join("worktrees")).unwrap() {
        crate::support::aging::age(&entry.unwrap().path());
    }
    let plan = yard.look();
    let held = plan.items.iter().find(|row| row.path.ends_with("a\\b"));
    assert!(!held.unwrap().verdict.acts(), "{}", said(&plan));
    assert!(row(&plan, &yard.address("control")).verdict.acts());
    drop(yard.apply());
    assert!(!slash.exists(), "{}", said(&plan));
    assert!(back.join("notes.md").exists());
}
