//! The prune of `spec 5`: an entry whose directory is gone.

use crate::support::aging::age;
use crate::support::snapshot::Snapshot;
use crate::support::yard::{POLICY, Yard, require_fate, row, said};
use crate::support::{is_root, skipped, write};
use owl::apply::Fate;
use owl::plan::Verdict;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// Two landed worktrees whose directories are gone, `control` and `held`.
fn gone() -> Yard {
    let yard = Yard::new();
    yard.landed("held");
    for name in ["control", "held"] {
        take(&yard, name);
    }
    drop(yard.approved(&["control", "held"]));
    yard
}

fn take(yard: &Yard, name: &str) {
    fs::rename(
        yard.path(name),
        yard.repo.root().join(format!("gone-{name}")),
    )
    .expect("it is there");
}

/// The held entry is held, and the control is pruned.
fn holds(yard: &Yard, reasons: &[&str]) {
    let plan = yard.look();
    let found = row(&plan, &yard.address("held"));
    let reason = found.reason.to_string();
    assert!(reasons.contains(&reason.as_str()), "{}", said(&plan));
    let entry = yard.entry("held");
    let before = Snapshot::of(&[&entry]);
    let done = yard.apply();
    require_fate(&done, &yard.address("control"), Fate::Pruned);
    assert!(!yard.entry("control").exists());
    before.require_same("the held entry", &[&entry]);
}

/// Nothing is pruned.
fn holds_both(yard: &Yard) {
    let main = yard.repo.main();
    let before = Snapshot::of(&[&main]);
    let plan = yard.look();
    for name in ["control", "held"] {
        let found = row(&plan, &yard.address(name));
        assert!(!found.verdict.acts(), "{}", said(&plan));
    }
    assert!(yard.apply().is_empty());
    before.require_same("the repository", &[&main]);
}

/// A4.10, A3.5: never `git worktree prune`, so that a user's own stale entry stays.
#[test]
fn a4_10_a_users_own_stale_entry_outside_the_stores_stays() {
    let yard = Yard::new();
    let path = yard.repo.root().join("usb-stick");
    yard.add_at("human", &path);
    yard.land("human", &path);
    fs::rename(&path, yard.repo.root().join("unplugged")).unwrap();
    take(&yard, "control");
    let entry = yard.entry("human");
    let before = Snapshot::of(&[&entry]);
    let done = yard.apply();
    require_fate(&done, &yard.address("control"), Fate::Pruned);
    assert!(!yard.entry("control").exists());
    before.require_same("the human's entry", &[&entry]);
    assert!(yard.repo.git(["worktree", "list"]).contains("usb-stick"));
    yard.repo
        .git(["rev-parse", "--verify", "refs/heads/control"]);
}

#[test]
fn prune_asks_the_guards_of_the_entry() {
    type Change = (&'static [&'static str], fn(&Yard));
    let changes: [Change; 9] = [
        (&["locked"], |yard| {
            write(&yard.entry("held").join("locked"), b"mine");
        }),
        (&["fresh"], |yard| {
            let now = crate::support::yard::now().as_second() - 60;
            crate::support::aging::touch(&yard.entry("held"), now);
        }),
        (&["operation-in-progress"], |yard| {
            write(&yard.entry("held").join("rebase-merge/autostash"), b"x");
            age(&yard.entry("held"));
        }),
        (&["commits-at-risk", "unknown-commits-at-risk"], |yard| {
            let words = ["commit-tree", "-m", "loose", "main^{tree}"];
            let loose = yard.repo.git(words);
            write(
                &yard.entry("held").join("HEAD"),
                format!("{loose}\n").as_bytes(),
            );
            age(&yard.entry("held"));
        }),
        (&["commits-at-risk"], |yard| {
            let words = ["commit-tree", "-m", "loose", "main^{tree}"];
            let loose = yard.repo.git(words);
            let file = yard.entry("held").join("refs/worktree/mine");
            write(&file, format!("{loose}\n").as_bytes());
            age(&yard.entry("held"));
        }),
        (&["uncommitted"], |yard| {
            let blob = yard.repo.root().join("blob");
            write(&blob, b"only staged");
            let id = yard.repo.git(["hash-object", "-w", blob.to_str().unwrap()]);
            let info = format!("100644,{id},staged.txt");
            let mut command = yard.repo.command("git");
            command.current_dir(yard.repo.main());
            command.env("GIT_INDEX_FILE", yard.entry("held").join("index"));
            command.args(["update-index", "--add", "--cacheinfo", &info]);
            assert!(command.status().unwrap().success());
            age(&yard.entry("held"));
        }),
        (&["submodule"], |yard| {
            write(&yard.entry("held").join("modules/vendor/HEAD"), b"x");
            age(&yard.entry("held"));
        }),
        (&["conflicting-evidence"], |yard| {
            let words = ["commit-tree", "-m", "more", "-p", "held", "main^{tree}"];
            let more = yard.repo.git(words);
            yard.repo.git(["update-ref", "refs/heads/held", &more]);
        }),
        (&["stash"], |yard| {
            let words = ["stash", "create"];
            write(&yard.repo.main().join("README.md"), b"mine\n");
            let made = yard.repo.git(words);
            yard.repo
                .git(["stash", "store", "-m", "On held: mine", &made]);
            yard.repo.git(["checkout", "-q", "README.md"]);
        }),
    ];
    for (reasons, change) in changes {
        let yard = gone();
        change(&yard);
        holds(&yard, reasons);
    }
}

/// A process may still be in the entry, such as an editor of a commit message.
#[test]
fn prune_asks_for_processes_in_the_entry() {
    let yard = gone();
    let open = fs::File::open(yard.entry("held").join("HEAD")).unwrap();
    let mut command = yard.repo.command("sleep");
    let mut child = command.arg("600").stdin(open).spawn().unwrap();
    holds(&yard, &["process-inside"]);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn prune_never_where_a_keep_matches_nor_without_an_accept() {
    let yard = gone();
    let keep = "rules:\n  - name: pinned\n    when: { branch: held }\n    then: keep\n";
    holds(
        &yard.under(&POLICY.replace("rules:\n", keep)),
        &["kept-by-rule"],
    );

    let yard = gone();
    let report = POLICY.replace("then: accept", "then: keep");
    holds_both(&yard.under(&report));
}

/// The directory was moved within the store: its `.git` file still names the entry.
#[test]
fn prune_never_while_a_git_file_in_a_store_names_the_entry() {
    let yard = gone();
    fs::rename(yard.repo.root().join("gone-held"), yard.path("moved")).unwrap();
    holds(&yard, &["registration-broken"]);
}

/// A directory of a store that cannot be read may be the one that was moved.
#[test]
fn prune_never_while_a_store_cannot_be_read() {
    if is_root() {
        let name = "prune_never_while_a_store_cannot_be_read";
        return skipped(name, "root may read everything");
    }
    for closed in ["the leaf", "its .git file", "the store"] {
        let yard = gone();
        let moved = yard.path("moved");
        fs::rename(yard.repo.root().join("gone-held"), &moved).unwrap();
        let (place, mode) = match closed {
            "the leaf" => (moved, 0),
            "its .git file" => (moved.join(".git"), 0),
            _ => (yard.path(""), 0o311),
        };
        let before = fs::metadata(&place).unwrap().permissions();
        fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
        let plan = yard.look();
        for name in ["control", "held"] {
            let found = row(&plan, &yard.address(name));
            assert_eq!(found.verdict, Verdict::Hold, "{closed}: {}", said(&plan));
        }
        assert!(yard.apply().is_empty(), "{closed}");
        fs::set_permissions(&place, before).unwrap();
    }
}

#[test]
fn prune_never_where_something_else_is_on_the_way() {
    for what in ["a symlink", "a dangling symlink", "a file"] {
        let yard = gone();
        let store = yard.repo.main().join(".claude/worktrees");
        fs::rename(&store, yard.repo.root().join("old-store")).unwrap();
        match what {
            "a symlink" => symlink(yard.repo.root().join("old-store"), &store).unwrap(),
            "a dangling symlink" => symlink("/nowhere", &store).unwrap(),
            _ => write(&store, b"a file"),
        }
        holds_both(&yard);
    }
}

/// The disk of an absolute store may be away.
#[test]
fn prune_never_in_an_absolute_store_in_which_nothing_is_left() {
    for missing in [true, false] {
        let yard = Yard::without_control();
        let store = yard.repo.root().join("disk");
        let stores = format!("stores:\n  - path: {}/*\n", store.display());
        let yard = yard.under(&POLICY.replace("stores:\n", &stores));
        for name in ["control", "held"] {
            yard.add_at(name, &store.join(name));
            yard.land(name, &store.join(name));
        }
        drop(yard.approved(&["control", "held"]));
        fs::rename(&store, yard.repo.root().join("unplugged")).unwrap();
        if !missing {
            fs::create_dir(&store).unwrap();
        }
        holds_both(&yard);
        // With a sibling left, the disk is there, and what is gone is gone.
        fs::create_dir_all(store.join("sibling")).unwrap();
        drop(yard.approved(&["control", "held"]));
    }
}

/// A whole store that was deleted: an entry stands alone, and is pruned.
#[test]
fn prune_where_the_whole_store_is_gone() {
    let yard = gone();
    let claude = yard.repo.main().join(".claude");
    fs::rename(&claude, yard.repo.root().join("old-claude")).unwrap();
    let done = yard.apply();
    assert!(
        done.iter().all(|one| one.outcome.fate == Fate::Pruned),
        "{done:?}"
    );
    let entries: &Path = &yard.repo.common_dir().join("worktrees");
    assert!(!entries.exists() || fs::read_dir(entries).unwrap().next().is_none());
}

/// A disk below a `*` of the store: its mount point is there, and empty.
#[test]
fn prune_never_below_an_empty_directory_of_a_store() {
    let root = tempfile::TempDir::new().expect("a directory");
    let disks = root.path().canonicalize().expect("it is there");
    let store = format!("{}/*/wt/*", disks.display());
    let policy = POLICY.replace(".claude/worktrees/*", &store);
    let yard = Yard::without_control().under(&policy);
    for name in ["stays", "control", "held"] {
        let disk = if name == "held" { "usb" } else { "home" };
        let path = disks.join(disk).join("wt").join(name);
        yard.add_at(name, &path);
        yard.land(name, &path);
    }
    let away = disks.join("home/wt/control");
    write(&disks.join("home/wt/stays/notes.md"), b"x");
    fs::rename(away, yard.repo.root().join("control")).expect("it is there");
    fs::rename(disks.join("usb/wt"), yard.repo.root().join("usb")).expect("it is there");
    holds(&yard, &["unknown-path-swapped"]);
    let plan = yard.look();
    let found = row(&plan, &yard.address("held"));
    assert!(found.message.contains("usb is empty"), "{}", said(&plan));
    // With the directory, what was in it is gone.
    fs::remove_dir(disks.join("usb")).expect("it is empty");
    require_fate(&yard.apply(), &yard.address("held"), Fate::Pruned);
}
