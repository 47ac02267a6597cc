//! B: wrong answers to "is it clean?".

use crate::case::Case;
use crate::support::write;
use crate::support::yard::{Yard, row, said};
use owl::assess::Code;
use std::fs;

/// Per-worktree excludes hide an untracked file from every status without `--ignored`.
#[test]
fn incident_39_hidden_by_an_excludes_file_of_its_own() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.git(["config", "extensions.worktreeConfig", "true"]);
    let excludes = repo.root().join("excludes");
    write(&excludes, b"new*\n");
    let excludes = excludes.to_str().unwrap();
    repo.git_in(
        &case.path,
        ["config", "--worktree", "core.excludesFile", excludes],
    );
    write(&case.path.join("new-idea.md"), b"the only copy");
    let status = repo.git_in(&case.path, ["status", "--porcelain"]);
    assert_eq!(status, "", "git says that it is clean");
    case.age().held_by(Code::IgnoredData);
}

/// A pattern for a directory does not match a symlink; the file is named, so that a person sees
/// which it is.
#[test]
fn incident_41_a_symlink_that_no_pattern_matches_is_named() {
    let case = Case::new();
    let exclude = case.yard.repo.common_dir().join("info/exclude");
    write(&exclude, b"/.claude/\nnode_modules/\n");
    let shared = case.yard.repo.root().join("shared");
    write(&shared.join("left-pad/index.js"), b"x");
    std::os::unix::fs::symlink(&shared, case.path.join("node_modules")).unwrap();
    let plan = case.age().yard.look();
    let found = row(&plan, &case.address);
    assert!(found.message.contains("node_modules"), "{}", said(&plan));
    case.held_by(Code::Untracked);
    assert!(shared.join("left-pad/index.js").exists());
}

/// Line endings in the repository that no checkout gives: changed from the first moment, without an
/// edit. It is reported as what it is to git, and nobody resolves it for the user.
#[test]
fn incident_42_only_line_endings_differ() {
    let yard = Yard::new();
    let main = yard.repo.main();
    yard.repo.commit(&main, "lines.txt", b"one\r\ntwo\r\n");
    let attributes = b"*.txt text eol=lf\n";
    yard.repo.commit(&main, ".gitattributes", attributes);
    let path = yard.landed("held");
    let before = fs::read(path.join("lines.txt")).unwrap();
    let plan = yard.look();
    let found = row(&plan, &yard.address("held"));
    let reason = found.reason.to_string();
    assert_eq!(reason, "uncommitted", "{}", said(&plan));
    assert!(found.message.contains("lines.txt"), "{}", found.message);
    drop(yard.apply());
    assert!(!yard.path("control").exists());
    assert_eq!(fs::read(path.join("lines.txt")).unwrap(), before);
}

/// The directory is there, the entry is not: no status answers, and that is not "dirty".
#[test]
fn incident_43_an_orphan_is_a_class_of_its_own() {
    let yard = Yard::new();
    let path = yard.landed("orphan");
    let away = yard.repo.root().join("away");
    fs::rename(yard.entry("orphan"), away).unwrap();
    let plan = yard.look();
    let found = plan
        .items
        .iter()
        .find(|row| row.path.ends_with("/orphan"))
        .unwrap_or_else(|| panic!("{}", said(&plan)));
    assert_eq!(found.reason.to_string(), "registration-broken");
    assert!(path.join(".git").exists());
    drop(yard.apply());
    assert!(path.join("orphan.txt").exists() && !yard.path("control").exists());
}

/// An empty list of worktrees is impossible, so that it is an error and never "none".
#[test]
fn incident_45_a_list_that_fails_stops_the_project() {
    let mut case = Case::new();
    let real = case
        .yard
        .repo
        .command("sh")
        .args(["-c", "command -v git"])
        .output();
    let real = String::from_utf8(real.unwrap().stdout).unwrap();
    let bin = case.yard.repo.root().join("bin");
    let git = bin.join("git");
    let body = |answer: &str| {
        format!(
            "#!/bin/sh\ncase \"$*\" in *'worktree list'*) {answer};; esac\nexec {} \"$@\"\n",
            real.trim()
        )
    };
    let path = case.yard.repo.vars().into_iter();
    let (_, path) = path.into_iter().find(|(name, _)| name == "PATH").unwrap();
    let mut search = bin.into_os_string();
    search.push(":");
    search.push(path);
    for answer in ["exit 1", "exit 0"] {
        write(&git, body(answer).as_bytes());
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&git, mode).unwrap();
        case.yard.git_path = Some(search.clone());
        let plan = case.yard.look();
        let acts = plan.items.iter().any(|row| row.verdict.acts());
        assert!(!acts, "{answer}: {}", said(&plan));
    }
    case.yard.git_path = None;
    drop(case.yard.approved(&["control", "held"]));
}

/// Most files were deleted by hand: it is held, and nobody commits it for the user.
#[test]
fn incident_51_a_damaged_tree_is_never_committed() {
    let yard = Yard::without_control();
    for nth in 0..30 {
        let file = format!("file{nth}.txt");
        write(&yard.repo.main().join(&file), b"x");
        yard.repo.git(["add", &file]);
    }
    yard.repo.git(["commit", "-q", "-m", "files"]);
    yard.landed("control");
    let case = Case::of(yard);
    for nth in 0..30 {
        fs::rename(
            case.path.join(format!("file{nth}.txt")),
            case.yard.repo.root().join("deleted"),
        )
        .unwrap();
    }
    let tip = case.yard.repo.git(["rev-parse", "refs/heads/held"]);
    case.age().held_by(Code::Uncommitted);
    assert_eq!(case.yard.repo.git(["rev-parse", "refs/heads/held"]), tip);
    assert!(!case.path.join("file1.txt").exists(), "nor restored");
}
