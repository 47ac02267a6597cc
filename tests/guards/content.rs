//! Guards 8, 9, 10, 12, 13, and 15: what is in the tree.

use crate::case::Case;
use crate::support::aging::age;
use crate::support::yard::Yard;
use crate::support::{is_root, skipped, write};
use owl::assess::Code;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

// Guard 8

#[test]
fn guard_8_every_operation_in_progress_holds() {
    let files = [
        "MERGE_HEAD",
        "MERGE_AUTOSTASH",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
        "BISECT_LOG",
        "BISECT_START",
        "NOTES_MERGE_PARTIAL",
        "rebase-merge/autostash",
        "rebase-apply/0001",
        "sequencer/todo",
        "NOTES_MERGE_WORKTREE/note",
    ];
    for file in files {
        let case = Case::new();
        let head = case.yard.repo.git_in(&case.path, ["rev-parse", "HEAD"]);
        write(&case.entry.join(file), format!("{head}\n").as_bytes());
        case.age().held_by(Code::OperationInProgress);
    }
}

#[test]
fn guard_8_a_merge_that_git_itself_left_half_done_holds() {
    let case = Case::new();
    let words = ["merge", "-q", "--no-ff", "--no-commit", "main"];
    case.yard.repo.git_in(&case.path, words);
    case.age().held_by(Code::OperationInProgress);
}

#[test]
fn guard_8_a_lock_file_in_the_entry_holds() {
    for file in ["index.lock", "HEAD.lock", "logs/HEAD.lock"] {
        let case = Case::new();
        write(&case.entry.join(file), b"");
        case.age().held_by(Code::OperationInProgress);
    }
}

// Guard 9

#[test]
fn guard_9_tracked_changes_hold() {
    type Change = fn(&Case);
    let changes: [Change; 5] = [
        |case| write(&case.path.join("README.md"), b"mine\n"),
        |case| {
            write(&case.path.join("README.md"), b"mine\n");
            case.yard.repo.git_in(&case.path, ["add", "README.md"]);
        },
        |case| {
            case.yard
                .repo
                .git_in(&case.path, ["rm", "-q", "--cached", "README.md"]);
            write(
                &case.yard.repo.common_dir().join("info/exclude"),
                b"/.claude/\n",
            );
            case.yard
                .repo
                .git_in(&case.path, ["add", "-N", "README.md"]);
        },
        |case| fs::rename(case.path.join("README.md"), case.path.join("held.txt")).unwrap(),
        |case| {
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(case.path.join("README.md"), mode).unwrap();
        },
    ];
    for change in changes {
        let case = Case::new();
        change(&case);
        case.age().held_by(Code::Uncommitted);
    }
}

/// `git-facts 11`: the size is the same, and the mtime has been put back.
#[test]
fn guard_9_an_edit_of_the_same_size_and_time_holds() {
    let case = Case::new();
    case.yard.repo.git(["config", "core.trustctime", "false"]);
    case.yard.repo.git(["config", "core.checkStat", "minimal"]);
    write(&case.path.join("README.md"), b"two\n");
    case.age().held_by(Code::Uncommitted);
}

/// Incident 37, D4.
#[test]
fn guard_9_untracked_files_hold_whatever_the_settings() {
    for setting in ["", "no", "normal"] {
        let case = Case::new();
        if !setting.is_empty() {
            case.yard
                .repo
                .git(["config", "status.showUntrackedFiles", setting]);
        }
        write(&case.path.join("notes/idea.md"), b"x");
        case.age().held_by(Code::Untracked);
    }
    let case = Case::new();
    case.yard.repo.git(["config", "core.ignoreCase", "true"]);
    write(&case.path.join("readme.md"), b"another file");
    case.age().held_by(Code::Untracked);
}

#[test]
fn guard_9_an_untracked_symlink_holds() {
    let case = Case::new();
    std::os::unix::fs::symlink("/nowhere", case.path.join("link")).unwrap();
    case.age().held_by(Code::Untracked);
}

#[test]
fn guard_9_special_files_hold() {
    let case = Case::new();
    let fifo = case.path.join("pipe");
    let status = case.yard.repo.command("mkfifo").arg(&fifo).status();
    assert!(status.unwrap().success());
    case.age().held_by(Code::SpecialFile);

    let case = Case::new();
    let socket = std::os::unix::net::UnixListener::bind(case.path.join("s")).unwrap();
    drop(socket);
    case.age().held_by(Code::SpecialFile);
}

/// Incident 38.
#[test]
fn guard_9_index_flags_hold() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let case = Case::new();
        case.yard
            .repo
            .git_in(&case.path, ["update-index", flag, "README.md"]);
        write(&case.path.join("README.md"), b"mine\n");
        case.age().held_by(Code::HiddenEdits);
    }
}

/// `git-facts 12`: what a clean filter strips is clean to git.
#[test]
fn guard_9_a_filter_driver_holds() {
    let yard = Yard::without_control();
    yard.repo.commit(
        &yard.repo.main(),
        ".gitattributes",
        b"secret.txt filter=strip\n",
    );
    yard.landed("control");
    let case = Case::of(yard);
    case.yard
        .repo
        .git(["config", "filter.strip.clean", "sed /SECRET/d"]);
    write(&case.path.join("secret.txt"), b"a\nSECRET\n");
    case.yard.repo.git_in(&case.path, ["add", "secret.txt"]);
    case.yard
        .repo
        .git_in(&case.path, ["commit", "-q", "-m", "secret"]);
    case.yard.merge("held");
    case.age().held_by(Code::HiddenEdits);
}

#[test]
fn guard_9_submodules_hold() {
    // A gitlink with something in its place.
    let case = Case::new();
    let head = case.yard.repo.git(["rev-parse", "HEAD"]);
    let link = format!("160000,{head},vendor");
    let git = |words: &[&str]| case.yard.repo.git_in(&case.path, words);
    git(&["update-index", "--add", "--cacheinfo", &link]);
    git(&["commit", "-q", "-m", "vendor"]);
    write(&case.path.join("vendor/only-copy.txt"), b"x");
    case.yard.merge("held");
    case.age()
        .reasons(&["submodule", "untracked", "uncommitted"]);
    // A repository of a submodule that is not checked out any more (`git-facts 23`).
    let case = Case::new();
    write(
        &case.entry.join("modules/vendor/HEAD"),
        b"ref: refs/heads/main\n",
    );
    case.age().held_by(Code::Submodule);
}

// Guard 10

/// `git-facts 7`: no status shows it.
#[test]
fn guard_10_a_repository_in_a_tracked_directory_holds() {
    let case = Case::new();
    case.yard.repo.commit(&case.path, "src/lib.rs", b"x");
    case.yard.merge("held");
    case.yard.repo.git_in(&case.path, ["init", "-q", "src"]);
    case.age().held_by(Code::NestedRepository);
}

#[test]
fn guard_10_a_bare_repository_holds() {
    let case = Case::new();
    case.yard
        .repo
        .git_in(&case.path, ["init", "-q", "--bare", "x.git"]);
    case.age()
        .held_by_all(&[Code::Untracked, Code::NestedRepository]);
}

#[test]
fn guard_10_a_git_file_that_leads_nowhere_holds() {
    let case = Case::new();
    case.yard.repo.commit(&case.path, "src/lib.rs", b"x");
    case.yard.merge("held");
    write(&case.path.join("src/.git"), b"gitdir: /nowhere\n");
    case.age().held_by(Code::NestedRepository);
}

/// The container is removed only if every worktree inside is.
/// Incident 50.
#[test]
fn guard_10_a_worktree_inside_that_stays_holds_its_container() {
    for setting in ["outside a store", "in a store, but dirty"] {
        let case = Case::new();
        let inner = case.path.join(".claude/worktrees/inner");
        let mut yard = case.yard;
        yard.add_at("inner", &inner);
        yard.land("inner", &inner);
        if setting != "outside a store" {
            let stores = "stores:\n  - path: .claude/worktrees/*/.claude/worktrees/*\n";
            yard.policy = yard.policy.replace("stores:\n", stores);
            write(&inner.join("notes.md"), b"mine");
            age(&inner);
        }
        let case = Case { yard, ..case };
        let plan = case.age().yard.look();
        let row = crate::support::yard::row(&plan, &case.address);
        assert_eq!(row.reason.to_string(), "nested-repository", "{setting}");
        assert!(row.message.contains("main/inner"), "{}", row.message);
        case.nothing_but_the_control(plan);
    }
}

/// A leaf of a store inside that nothing claims is content of its container like any other.
#[test]
fn guard_12_a_directory_of_a_nested_store_is_not_passed_over() {
    let case = Case::new();
    let mut yard = case.yard;
    let stores = "stores:\n  - path: .claude/worktrees/*/.claude/worktrees/*\n";
    yard.policy = yard.policy.replace("stores:\n", stores);
    let case = Case { yard, ..case };
    let junk = case.path.join(".claude/worktrees/junk");
    write(&junk.join("thesis.tex"), b"the only copy");
    case.age().held_by(Code::IgnoredData);
    assert!(junk.join("thesis.tex").exists());
}

/// The same for a worktree of another repository, whose own row is ignored.
#[test]
fn guard_10_a_worktree_of_another_repository_in_an_absolute_store_is_not_passed_over() {
    let case = Case::new();
    let other = crate::support::Repo::new();
    let mut yard = case.yard;
    let store = yard
        .repo
        .main()
        .join(".claude/worktrees/held/.claude/worktrees");
    let stores = format!("stores:\n  - path: {}/*\n", store.display());
    yard.policy = yard.policy.replace("stores:\n", &stores);
    let case = Case { yard, ..case };
    let inner = store.join("foreign");
    let words = ["worktree", "add", "-q", "-b", "foreign"].map(std::ffi::OsStr::new);
    other.git(words.into_iter().chain([inner.as_os_str()]));
    write(&inner.join("work.txt"), b"the only copy");
    case.age();
    let plan = case.yard.look();
    let row = crate::support::yard::row(&plan, &case.address);
    assert!(!row.verdict.acts(), "{}", crate::support::yard::said(&plan));
    case.nothing_but_the_control(plan);
}

// Guard 12

/// Incident 34.
#[test]
fn guard_12_ignored_files_hold() {
    for (pattern, file) in [
        (".env\n", ".env"),
        ("/results/\n", "results/deep/gold.csv"),
        ("*.sqlite\n", "data/app.sqlite"),
        ("/node_modules/\n", "node_modules/left-pad/index.js"),
    ] {
        let case = Case::new();
        let exclude = case.yard.repo.common_dir().join("info/exclude");
        write(&exclude, format!("/.claude/\n{pattern}").as_bytes());
        write(&case.path.join(file), b"x");
        case.age().held_by(Code::IgnoredData);
    }
}

// Guard 13

struct Mounted<'a>(&'a Case, PathBuf);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let mut command = self.0.yard.repo.command("umount");
        let status = command.arg("-l").arg(&self.1).status();
        assert!(status.expect("umount is installed").success());
    }
}

fn mount<'a>(case: &'a Case, words: &[&str], point: &Path) -> Mounted<'a> {
    let mut command = case.yard.repo.command("mount");
    let status = command.args(words).arg(point).status();
    assert!(status.expect("mount is installed").success());
    Mounted(case, point.to_owned())
}

#[test]
fn guard_13_a_mount_inside_holds() {
    if !is_root() {
        return skipped("guard_13_a_mount_inside_holds", "only root may mount");
    }
    let case = Case::new();
    let point = case.path.join("empty");
    fs::create_dir(&point).unwrap();
    let mounted = mount(&case, &["-t", "tmpfs", "tmpfs"], &point);
    age(&case.path);
    case.held_by(Code::MountInside);
    drop(mounted);

    let case = Case::new();
    let point = case.path.join("empty");
    let gold = case.yard.repo.root().join("gold");
    write(&gold.join("gold.txt"), b"not in the worktree");
    fs::create_dir(&point).unwrap();
    let mounted = mount(&case, &["--bind", gold.to_str().unwrap()], &point);
    age(&case.path);
    let plan = case.yard.look();
    let row = crate::support::yard::row(&plan, &case.address);
    assert!(!row.verdict.acts());
    let held = |code| {
        row.guards
            .iter()
            .any(|one| one.guard == code && !one.passes())
    };
    assert!(held(Code::MountInside));
    case.nothing_but_the_control(plan);
    drop(mounted);
    assert!(gold.join("gold.txt").exists());
}

// Guard 15

struct Immutable<'a>(&'a Case, PathBuf);

impl Drop for Immutable<'_> {
    fn drop(&mut self) {
        let mut command = self.0.yard.repo.command("chattr");
        let status = command.arg("-i").arg(&self.1).status();
        assert!(status.expect("chattr is installed").success());
    }
}

#[test]
fn guard_15_an_immutable_file_holds() {
    let name = "guard_15_an_immutable_file_holds";
    if !is_root() {
        return skipped(name, "only root may make a file immutable");
    }
    let case = Case::new();
    let file = case.path.join("README.md");
    let status = case
        .yard
        .repo
        .command("chattr")
        .arg("+i")
        .arg(&file)
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return skipped(name, "the file system has no immutable files");
    }
    let fixed = Immutable(&case, file);
    case.held_by(Code::Undeletable);
    drop(fixed);
}

#[test]
fn guard_15_a_directory_that_may_not_be_changed_holds() {
    if is_root() {
        let name = "guard_15_a_directory_that_may_not_be_changed_holds";
        return skipped(name, "root may change every directory");
    }
    let case = Case::new();
    case.yard.repo.commit(&case.path, "src/lib.rs", b"x");
    case.yard.merge("held");
    case.age();
    let src = case.path.join("src");
    fs::set_permissions(&src, fs::Permissions::from_mode(0o555)).unwrap();
    case.held_by(Code::Undeletable);
    fs::set_permissions(&src, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn guard_15_a_file_of_another_owner_holds() {
    if !is_root() {
        let name = "guard_15_a_file_of_another_owner_holds";
        return skipped(name, "only root can give a file away");
    }
    let case = Case::new();
    std::os::unix::fs::chown(case.path.join("README.md"), Some(65534), None).unwrap();
    case.age().held_by(Code::ForeignOwner);
}
