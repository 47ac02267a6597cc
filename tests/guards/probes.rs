//! Guard 16: a probe that cannot answer holds, and is never an answer.

use crate::case::Case;
use crate::support::snapshot::Snapshot;
use crate::support::{is_root, skipped, write};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn guard_16_a_lock_that_cannot_be_read_is_a_lock() {
    // Git itself dies of these, so that nothing is known of the whole project.
    type Lock = fn(&Case);
    let locks: [Lock; 2] = [
        |case| fs::create_dir(case.entry.join("locked")).unwrap(),
        |case| symlink("/nowhere", case.entry.join("locked")).unwrap(),
    ];
    for lock in locks {
        let case = Case::new();
        lock(&case);
        case.age().nothing_at_all("unknown-locked");
    }
}

#[test]
fn guard_16_a_reflog_that_cannot_be_read_holds() {
    for content in [
        b"garbage\n".as_slice(),
        b"\xff",
        b"0 1 A <a@b> soon +0000\tx\n",
    ] {
        let case = Case::new();
        write(&case.entry.join("logs/HEAD"), content);
        case.age().reasons(&["unknown-fresh"]);
    }
}

#[test]
fn guard_16_a_private_ref_that_cannot_be_read_holds() {
    let case = Case::new();
    write(&case.entry.join("refs/worktree/mine"), b"garbage\n");
    case.age().reasons(&["unknown-commits-at-risk"]);
}

#[test]
fn guard_16_an_index_that_cannot_be_read_holds() {
    for content in [b"garbage".as_slice(), b""] {
        let case = Case::new();
        write(&case.entry.join("index"), content);
        case.age().reasons(&["unknown-uncommitted"]);
    }
}

#[test]
fn guard_16_an_index_that_is_cut_short_holds() {
    let case = Case::new();
    let bytes = fs::read(case.entry.join("index")).unwrap();
    write(&case.entry.join("index"), &bytes[..bytes.len() - 30]);
    // Not made old again: git would take the occasion to write a whole index.
    case.reasons(&["unknown-uncommitted"]);
}

#[test]
fn guard_16_a_head_that_cannot_be_read_holds() {
    for content in [b"garbage\n".as_slice(), b"", b"ref: \n"] {
        let case = Case::new();
        write(&case.entry.join("HEAD"), content);
        case.age()
            .reasons(&["unknown-uncommitted", "registration-broken"]);
    }
}

/// `git-facts 21`: the checked-out file is the last copy.
#[test]
fn guard_16_a_blob_that_is_missing_holds() {
    let case = Case::new();
    let blob = case
        .yard
        .repo
        .git_in(&case.path, ["rev-parse", "HEAD:held.txt"]);
    let (fan, rest) = blob.split_at(2);
    let object = case
        .yard
        .repo
        .common_dir()
        .join("objects")
        .join(fan)
        .join(rest);
    fs::rename(&object, case.yard.repo.root().join("away")).unwrap();
    case.reasons(&["unknown-uncommitted"]);
}

#[test]
fn guard_16_a_stash_that_cannot_be_read_holds_all() {
    for content in [b"garbage\n".as_slice(), b""] {
        let case = Case::new();
        write(&case.yard.repo.main().join("README.md"), b"mine\n");
        case.yard.repo.git(["stash", "-q"]);
        let log = case.yard.repo.common_dir().join("logs/refs/stash");
        if content.is_empty() {
            fs::rename(&log, case.yard.repo.root().join("away")).unwrap();
        } else {
            write(&log, content);
        }
        case.nothing_at_all("unknown-stash");
    }
}

/// What a whole project rests on: nothing is told of any tree, and the run is incomplete.
#[test]
fn guard_16_a_repository_that_cannot_be_read_holds_all() {
    type Break = fn(&Case);
    let breaks: [(&str, Break); 5] = [
        ("the base", |case| {
            write(
                &case.yard.repo.common_dir().join("refs/heads/main"),
                b"garbage\n",
            );
        }),
        ("the configuration", |case| {
            write(&case.yard.repo.common_dir().join("config"), b"[core\n");
        }),
        ("packed-refs", |case| {
            write(
                &case.yard.repo.common_dir().join("packed-refs"),
                b"garbage\n",
            );
        }),
        ("the base's commit", |case| {
            let id = "1234567890123456789012345678901234567890\n";
            write(
                &case.yard.repo.common_dir().join("refs/heads/main"),
                id.as_bytes(),
            );
        }),
        // D6
        ("an extension", |case| {
            case.yard
                .repo
                .git(["config", "core.repositoryFormatVersion", "1"]);
            case.yard
                .repo
                .git(["config", "extensions.unheardOf", "true"]);
        }),
    ];
    for (name, damage) in breaks {
        let case = Case::new();
        damage(&case);
        let main = case.yard.repo.main();
        let before = Snapshot::of(&[&main]);
        let plan = case.yard.look();
        assert!(
            !plan.complete,
            "{name}: {}",
            crate::support::yard::said(&plan)
        );
        for tree in ["control", "held"] {
            let found = crate::support::yard::row(&plan, &case.yard.address(tree));
            assert_eq!(found.verdict, owl::plan::Verdict::Hold, "{name}");
        }
        assert!(case.yard.apply().is_empty(), "{name}");
        before.require_same(name, &[&main]);
    }
}

/// `git-facts 12`, `42`: an alternate that has vanished takes objects with it.
#[test]
fn guard_16_an_alternate_that_has_vanished_holds() {
    let case = Case::new();
    write(
        &case.yard.repo.common_dir().join("objects/info/alternates"),
        b"/nowhere/objects\n",
    );
    let main = case.yard.repo.main();
    let before = Snapshot::of(&[&main]);
    let plan = case.yard.look();
    if plan.items.iter().any(|row| row.verdict.acts()) {
        // Every object is there after all; then it may go.
        return;
    }
    assert!(case.yard.apply().is_empty());
    before.require_same("the repository", &[&main]);
}

type Place = fn(&Case) -> std::path::PathBuf;

/// A place that this user may not read, each in turn.
#[test]
fn guard_16_what_may_not_be_read_holds() {
    if is_root() {
        return skipped(
            "guard_16_what_may_not_be_read_holds",
            "root may read everything",
        );
    }
    let places: [(Place, &[&str]); 9] = [
        (|case| case.path.join("src"), &["unknown-fresh"]),
        (|case| case.path.join(".git"), &["unknown-path-swapped"]),
        (|case| case.entry.join("locked"), &["unknown-locked"]),
        (|case| case.entry.join("gitdir"), &["registration-broken"]),
        (
            |case| case.entry.join("commondir"),
            &["registration-broken"],
        ),
        (
            |case| case.entry.join("HEAD"),
            &["unknown-uncommitted", "registration-broken"],
        ),
        (|case| case.entry.join("index"), &["unknown-uncommitted"]),
        (|case| case.entry.join("logs"), &["unknown-fresh"]),
        (
            |case| case.entry.join("refs"),
            &["unknown-operation-in-progress"],
        ),
    ];
    for (place, reasons) in places {
        let case = Case::new();
        case.yard.repo.commit(&case.path, "src/lib.rs", b"x");
        case.yard.merge("held");
        let place = place(&case);
        if place.ends_with("locked") {
            write(&place, b"mine");
        }
        if place.ends_with("refs") {
            write(&place.join("worktree/mine"), b"x");
        }
        case.age();
        let mode = fs::metadata(&place).unwrap().permissions();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o000)).unwrap();
        eprintln!("{}", place.display());
        case.not_touched(reasons);
        fs::set_permissions(&place, mode).unwrap();
    }
}

/// A directory of a store that this user may not enter, beside ones that are fine.
#[test]
fn guard_16_a_leaf_that_may_not_be_read_has_a_row_and_spoils_no_other() {
    if is_root() {
        let name = "guard_16_a_leaf_that_may_not_be_read_has_a_row_and_spoils_no_other";
        return skipped(name, "root may read everything");
    }
    let case = Case::new();
    let closed = case.yard.path("closed");
    write(&closed.join("thesis.tex"), b"x");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let plan = case.yard.look();
    let address = owl::resource::Address::directory("main", b".claude/worktrees/closed");
    let found = crate::support::yard::row(&plan, &address);
    assert_eq!(found.verdict, owl::plan::Verdict::Hold);
    drop(plan);
    drop(case.yard.approved(&["control", "held"]));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}
