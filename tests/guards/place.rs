//! Guards 1, 2, and 3: whose it is, and whether it is what it seems.

use crate::case::Case;
use crate::support::snapshot::Snapshot;
use crate::support::yard::{POLICY, Yard, row, said};
use crate::support::{Repo, write};
use owl::assess::Code;
use owl::plan::{Reason, Verdict};
use owl::resource::Address;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

// Guard 1

/// Requires that a row is ignored for this reason, and that an apply leaves `kept` alone while the
/// control goes.
fn ignored(yard: &Yard, address: &Address, code: Code, kept: &[&Path]) {
    let plan = yard.look();
    let found = row(&plan, address);
    assert_eq!(found.verdict, Verdict::Ignore, "{}", said(&plan));
    assert_eq!(found.reason, Reason::Guard(code), "{}", said(&plan));
    let before = Snapshot::of(kept);
    let done = yard.apply();
    assert!(!yard.path("control").exists(), "{done:?}");
    before.require_same("what is ignored", kept);
}

#[test]
fn guard_1_a_worktree_outside_every_store_is_ignored() {
    for place in ["../human", ".claude/human", ".claude/worktrees/a/human"] {
        let yard = Yard::new();
        let path = yard.repo.main().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        yard.add_at("human", &path);
        yard.land("human", &path);
        let kept = [path.as_path(), &yard.entry("human")];
        ignored(&yard, &yard.address("human"), Code::OutsideStore, &kept);
    }
}

/// Incident 87.
#[test]
fn guard_1_the_main_worktree_is_ignored() {
    let yard = Yard::new();
    let readme = yard.repo.main().join("README.md");
    ignored(
        &yard,
        &Address::main("main"),
        Code::MainWorktree,
        &[&readme],
    );
}

/// The main worktree lies in a store of another project, and in one of its own.
#[test]
fn guard_1_a_main_worktree_that_lies_in_a_store_is_ignored() {
    let yard = Yard::new();
    let parent = yard.repo.root().to_owned();
    let stores = format!("stores:\n  - path: {}/*\n", parent.display());
    let yard = yard.under(&POLICY.replace("stores:\n", &stores));
    let readme = yard.repo.main().join("README.md");
    ignored(
        &yard,
        &Address::main("main"),
        Code::MainWorktree,
        &[&readme],
    );
}

#[test]
fn guard_1_a_bare_repository_is_ignored() {
    let yard = Yard::without_control();
    let bare = yard.repo.root().join("bare.git");
    yard.repo.git_in(
        yard.repo.root(),
        ["clone", "-q", "--bare", "main", "bare.git"],
    );
    let path = yard.repo.root().join("trees/agent");
    let words = ["worktree", "add", "-q", "-b", "agent", "--"].map(OsStr::new);
    yard.repo
        .git_in(&bare, words.into_iter().chain([path.as_os_str()]));
    crate::support::aging::age(&path);
    crate::support::aging::age(&bare.join("worktrees/agent"));
    let store = format!(
        "apiVersion: owl/v1\nprojects:\n  - path: {}\n",
        bare.display()
    );
    let policy = POLICY.replace("apiVersion: owl/v1\n", &store);
    let yard = yard.under(&policy.replace(".claude/worktrees/*", "trees/*"));
    let plan = yard.look();
    let found = row(&plan, &Address::main("bare"));
    assert_eq!(found.reason, Reason::Guard(Code::Bare), "{}", said(&plan));
    assert_eq!(found.verdict, Verdict::Ignore);
    let refs = bare.join("packed-refs");
    let before = Snapshot::of(&[&refs]);
    drop(yard.apply());
    assert!(!path.exists(), "the control");
    before.require_same("the bare repository", &[&refs]);
}

#[test]
fn guard_1_a_worktree_of_another_repository_is_ignored() {
    let yard = Yard::new();
    let other = Repo::new();
    let store = yard.repo.root().join("shared");
    let path = store.join("foreign");
    let words = ["worktree", "add", "-q", "-b", "foreign", "--"].map(OsStr::new);
    other.git(words.into_iter().chain([path.as_os_str()]));
    crate::support::aging::age(&path);
    let stores = format!("stores:\n  - path: {}/*\n", store.display());
    let yard = yard.under(&POLICY.replace("stores:\n", &stores));
    let name = path.to_str().unwrap().as_bytes();
    let address = Address::directory("main", name);
    let entry = other.common_dir().join("worktrees/foreign");
    ignored(&yard, &address, Code::OtherRepository, &[&path, &entry]);
}

// Guard 2

/// Incident 89.
#[test]
fn guard_2_a_symlink_in_the_place_of_the_directory_holds() {
    for relative in [false, true] {
        let case = Case::new();
        let aside = case.yard.path("../aside");
        fs::rename(&case.path, &aside).unwrap();
        let target = if relative {
            Path::new("../aside")
        } else {
            &aside
        };
        symlink(target, &case.path).unwrap();
        write(&aside.join("only-copy.txt"), b"x");
        let before = Snapshot::of(&[&aside]);
        case.reasons(&["path-swapped"]);
        before.require_same("what it points at", &[&aside]);
    }
}

#[test]
fn guard_2_a_store_behind_a_symlink_holds() {
    let case = Case::new();
    let store = case.yard.repo.main().join(".claude/worktrees");
    let (from, to) = (store, case.yard.repo.root().join("disk"));
    fs::rename(&from, &to).unwrap();
    symlink(&to, &from).unwrap();
    case.nothing_at_all("path-swapped");
}

#[test]
fn guard_2_something_else_in_the_place_of_the_directory_holds() {
    type Replace = fn(&Case);
    let replacements: [(&[&str], Replace); 3] = [
        (&["path-swapped"], |case| write(&case.path, b"a file")),
        (&["path-swapped"], |case| {
            let path = case.path.to_str().unwrap();
            case.yard.repo.git(["clone", "-q", ".", path]);
        }),
        (&["registration-broken"], |case| {
            write(&case.path.join("thesis.tex"), b"x");
        }),
    ];
    for (reasons, replace) in replacements {
        let case = Case::new();
        fs::rename(&case.path, case.yard.repo.root().join("away")).unwrap();
        replace(&case);
        case.reasons(reasons);
    }
}

// Guard 3

/// Incidents 73, 95.
#[test]
fn guard_3_directories_that_nothing_claims_hold() {
    type Make = fn(&Yard, &Path);
    let makes: [(&str, Make); 4] = [
        ("unregistered", |_, path| {
            write(&path.join("thesis.tex"), b"x");
        }),
        ("unregistered", |_, path| fs::create_dir(path).unwrap()),
        ("path-swapped", |yard, path| {
            yard.repo.git(["init", "-q", path.to_str().unwrap()]);
        }),
        ("registration-broken", |_, path| {
            write(&path.join(".git"), b"gitdir: /nowhere/worktrees/x\n");
        }),
    ];
    for (reason, make) in makes {
        let yard = Yard::new();
        let path = yard.path("junk");
        make(&yard, &path);
        crate::support::aging::age(&path);
        let before = Snapshot::of(&[&path]);
        let plan = yard.look();
        let address = Address::directory("main", b".claude/worktrees/junk");
        let found = row(&plan, &address);
        assert_eq!(found.reason.to_string(), reason, "{}", said(&plan));
        assert_eq!(found.verdict, Verdict::Hold);
        drop(yard.apply());
        assert!(!yard.path("control").exists());
        before.require_same("the directory", &[&path]);
    }
}

/// Incidents 98, 99.
#[test]
fn guard_3_a_broken_registration_holds() {
    type Break = fn(&Case);
    let breaks: [(&str, Break); 11] = [
        ("no .git file", |case| gone(&case.path.join(".git"))),
        ("garbage in the .git file", |case| {
            write(&case.path.join(".git"), b"garbage\n");
        }),
        (".git names another entry", |case| {
            case.yard
                .add_at("third", &case.yard.repo.root().join("third"));
            let other = case.yard.entry("third");
            write(
                &case.path.join(".git"),
                format!("gitdir: {}\n", other.display()).as_bytes(),
            );
        }),
        (".git is a symlink", |case| {
            gone(&case.path.join(".git"));
            symlink(&case.entry, case.path.join(".git")).unwrap();
        }),
        ("no gitdir", |case| gone(&case.entry.join("gitdir"))),
        ("garbage in gitdir", |case| {
            write(&case.entry.join("gitdir"), b"\xff\n");
        }),
        ("an empty gitdir", |case| {
            write(&case.entry.join("gitdir"), b"");
        }),
        ("gitdir names another place", |case| {
            let other = case.yard.path("elsewhere/.git");
            write(
                &case.entry.join("gitdir"),
                format!("{}\n", other.display()).as_bytes(),
            );
        }),
        ("no commondir", |case| gone(&case.entry.join("commondir"))),
        ("commondir names another repository", |case| {
            case.yard
                .repo
                .git_in(case.yard.repo.root(), ["init", "-q", "other"]);
            let other = case.yard.repo.root().join("other/.git");
            write(
                &case.entry.join("commondir"),
                other.to_str().unwrap().as_bytes(),
            );
        }),
        ("a copy of it", |case| {
            let copy = case.yard.path("copy");
            let mut command = case.yard.repo.command("cp");
            assert!(
                command
                    .arg("-a")
                    .args([&case.path, &copy])
                    .status()
                    .unwrap()
                    .success()
            );
        }),
    ];
    for (name, damage) in breaks {
        let case = Case::new();
        damage(&case);
        crate::support::aging::age(&case.path);
        crate::support::aging::age(&case.entry);
        eprintln!("{name}");
        case.reasons(&["registration-broken"]);
    }
}

/// `git-facts 25`: prune would delete the entry that the worktree uses.
#[test]
fn guard_3_two_entries_for_one_place_hold() {
    let case = Case::new();
    let twin = case.yard.entry("a-twin");
    let mut command = case.yard.repo.command("cp");
    assert!(
        command
            .arg("-a")
            .args([&case.entry, &twin])
            .status()
            .unwrap()
            .success()
    );
    crate::support::aging::age(&twin);
    let before = Snapshot::of(&[&twin]);
    case.reasons(&["registration-broken"]);
    before.require_same("the twin", &[&twin]);
}

#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
fn gone(path: &Path) {
    fs::remove_file(path).expect("it is there");
}
