//! `owl::git` on real repositories, hostile and healthy; `git_program.rs` has the program itself.

mod support;

use owl::git::{Git, GitEnv, GitError, Limits, Oid, Repository, Status};
use owl::resource::BytePath;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::{Repo, write};

fn git(repo: &Repo) -> Git {
    Git::new(GitEnv::from_vars(repo.vars()), Limits::default()).expect("git is installed")
}

fn open(repo: &Repo) -> Repository {
    git(repo)
        .repository(&repo.main())
        .expect("it is a repository")
}

fn status(repo: &Repo, path: &Path) -> Status {
    let worktree = open(repo).worktree(path).expect("it is a worktree");
    worktree.status().expect("it has a status")
}

fn oid(text: &str) -> Oid {
    Oid::parse(text.as_bytes()).expect("git prints whole ids")
}

// Where git may look

// D3
#[test]
fn the_environment_of_the_caller_does_not_redirect() {
    let repo = Repo::new();
    let path = repo.add("a");
    write(&path.join("idea.txt"), b"x");
    let decoy = repo.root().join("decoy");
    repo.git_in(repo.root(), ["init", "-q", "decoy"]);
    let hostile = [
        ("GIT_DIR", decoy.join(".git")),
        ("GIT_WORK_TREE", decoy.clone()),
        ("GIT_COMMON_DIR", decoy.join(".git")),
        ("GIT_INDEX_FILE", decoy.join("index")),
        ("GIT_OBJECT_DIRECTORY", decoy.join("objects")),
        ("GIT_CEILING_DIRECTORIES", repo.root().to_owned()),
        ("GIT_CONFIG_COUNT", "1".into()),
        ("GIT_CONFIG_KEY_0", "status.showUntrackedFiles".into()),
        ("GIT_CONFIG_VALUE_0", "no".into()),
    ];
    let hostile = hostile.map(|(name, value)| (OsString::from(name), value.into_os_string()));
    let env = GitEnv::from_vars(repo.vars().into_iter().chain(hostile));
    let git = Git::new(env, Limits::default()).expect("git is installed");
    let opened = git.repository(&repo.main()).expect("it is a repository");
    let status = opened
        .worktree(&path)
        .and_then(|it| it.status())
        .expect("it has a status");
    assert_eq!(status.untracked, [BytePath::from("idea.txt")]);
}

#[test]
fn a_directory_without_a_valid_git_file_is_not_answered_for() {
    let repo = Repo::new();
    let opened = open(&repo);
    let inside = repo.main().join("store/agent-1");
    std::fs::create_dir_all(&inside).expect("it can be made");
    opened
        .worktree(&inside)
        .expect_err("it is only a directory of the main worktree");
    git(&repo)
        .repository(&inside)
        .expect_err("nor is it a repository");

    let path = repo.add("a");
    let sub = path.join("sub");
    std::fs::create_dir(&sub).expect("it can be made");
    opened
        .worktree(&sub)
        .expect_err("it lies in a worktree, but is none");
    write(
        &sub.join(".git"),
        format!("gitdir: {}\n", repo.common_dir().display()).as_bytes(),
    );
    let forged = opened
        .worktree(&sub)
        .expect("git takes it for a main worktree");
    assert!(forged.is_main());
    opened
        .remove_worktree(&sub)
        .expect_err("git does not list it");
    assert!(sub.join(".git").exists());

    repo.git_in(repo.root(), ["init", "-q", "other"]);
    let error = opened
        .worktree(&repo.root().join("other"))
        .expect_err("another repository");
    assert!(matches!(error, GitError::AnotherPlace { .. }), "{error}");
    opened
        .worktree(Path::new("wt/a"))
        .expect_err("a relative path");
    assert_eq!(
        opened.worktree(&path).expect("it is one").git_dir(),
        repo.common_dir().join("worktrees/a")
    );
    assert_eq!(
        opened.worktree(&repo.main()).expect("it is one").git_dir(),
        repo.common_dir()
    );
}

#[test]
fn a_repository_opens_by_any_of_its_places() {
    let repo = Repo::new();
    let path = repo.add("a");
    for place in [repo.main(), repo.common_dir(), path] {
        let opened = git(&repo).repository(&place).expect("it is a repository");
        assert_eq!(opened.common_dir(), repo.common_dir());
    }
    repo.git_in(repo.root(), ["clone", "-q", "--bare", "main", "bare.git"]);
    let bare = repo.root().join("bare.git");
    let opened = git(&repo).repository(&bare).expect("it is a repository");
    let listed = opened.worktrees().expect("it is listed");
    assert!(listed[0].bare, "{listed:?}");
    assert_eq!(listed[0].path, BytePath::from(bare));
}

#[test]
fn a_configured_working_tree_is_no_decoy() {
    let repo = Repo::new();
    let path = repo.add("a");
    let opened = open(&repo);
    let worktree = opened.worktree(&path).expect("it is one");
    write(&path.join("idea.txt"), b"x");
    std::fs::create_dir(repo.root().join("decoy")).expect("it can be made");
    repo.git(["config", "extensions.worktreeConfig", "true"]);
    let decoy = repo.root().join("decoy");
    let set = [
        OsStr::new("config"),
        OsStr::new("--worktree"),
        OsStr::new("core.worktree"),
        decoy.as_os_str(),
    ];
    repo.git_in(&path, set);
    let error = opened
        .worktree(&path)
        .expect_err("git is sent to the decoy");
    assert!(matches!(error, GitError::AnotherPlace { .. }), "{error}");
    let seen = worktree.status().expect("it has a status");
    assert_eq!(seen.untracked, [BytePath::from("idea.txt")]);

    let file = worktree.git_dir().join("config.worktree");
    write(&file, b"[core]\n\tbare = true\n");
    opened
        .worktree(&path)
        .expect_err("it says that it has no working tree");
    let seen = worktree.status().expect("it has a status");
    assert_eq!(seen.untracked, [BytePath::from("idea.txt")]);
}

#[test]
fn a_foreign_owner_stays_an_error() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: a_foreign_owner_stays_an_error (only root can give a file away)");
        return;
    }
    let repo = Repo::new();
    let path = repo.add("a");
    let opened = open(&repo);
    std::os::unix::fs::chown(path.join(".git"), Some(65534), None).expect("root may");
    let error = opened
        .worktree(&path)
        .expect_err("its owner is somebody else");
    assert!(error.to_string().contains("dubious ownership"), "{error}");
    opened
        .remove_worktree(&path)
        .expect_err("its owner is somebody else");
    assert!(path.exists());
    std::os::unix::fs::chown(repo.common_dir(), Some(65534), None).expect("root may");
    let error = git(&repo)
        .repository(&repo.main())
        .expect_err("its owner is somebody else");
    assert!(error.to_string().contains("dubious ownership"), "{error}");
}

// What git says

#[test]
fn worktrees_are_listed_with_odd_bytes() {
    let repo = Repo::new();
    let name = OsStr::from_bytes(b"a\nworktree \"q\"\xff");
    let odd = repo.root().join("wt").join(name);
    let words = ["worktree", "add", "-q", "--detach"].map(OsStr::new);
    repo.git(words.into_iter().chain([odd.as_os_str()]));
    let words = ["worktree", "lock", "--reason", "one\n\ntwo", "--"].map(OsStr::new);
    repo.git(words.into_iter().chain([odd.as_os_str()]));
    let gone = repo.add("gone");
    std::fs::rename(&gone, repo.root().join("moved")).expect("it can be moved");

    let listed = open(&repo).worktrees().expect("it is listed");
    assert_eq!(listed.len(), 3);
    assert_eq!(listed[0].path, BytePath::from(repo.main()));
    assert_eq!(
        listed[0].branch.as_deref(),
        Some(b"refs/heads/main".as_slice())
    );
    let odd_one = listed
        .iter()
        .find(|it| it.path.as_path() == odd)
        .expect("it is listed");
    assert!(odd_one.detached);
    assert_eq!(odd_one.head, Some(oid(&repo.git(["rev-parse", "HEAD"]))));
    assert_eq!(odd_one.locked.as_deref(), Some(b"one\n\ntwo".as_slice()));
    let gone_one = listed
        .iter()
        .find(|it| it.path.as_path() == gone)
        .expect("it is listed");
    assert!(gone_one.prunable.is_some() && gone_one.locked.is_none());
    assert!(listed.iter().all(|it| it.other.is_empty()));

    let worktree = open(&repo)
        .worktree(&odd)
        .expect("a line break does not confuse it");
    assert_eq!(worktree.path(), odd);
    write(&odd.join(OsStr::from_bytes(b"x\n? y\xfe")), b"");
    let untracked = worktree.status().expect("it has a status").untracked;
    assert_eq!(untracked, [BytePath::from_bytes(b"x\n? y\xfe")]);
}

#[test]
fn status_sees_through_hostile_settings() {
    let repo = Repo::new();
    let path = repo.add("a");
    for (key, value) in [
        ("status.showUntrackedFiles", "no"),
        ("core.ignoreCase", "true"),
        ("core.fileMode", "false"),
        ("core.trustctime", "false"),
        ("core.checkStat", "minimal"),
        ("status.relativePaths", "true"),
        ("status.showStash", "true"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
    ] {
        repo.git(["config", key, value]);
    }
    write(&path.join("readme.md"), b"another case");
    write(&path.join("deep/er/idea.txt"), b"x");
    repo.commit(&path, "tool", b"#!/bin/sh\n");
    std::fs::set_permissions(path.join("tool"), std::fs::Permissions::from_mode(0o755))
        .expect("ours");
    let seen = status(&repo, &path);
    assert_eq!(
        seen.untracked,
        ["deep/er/idea.txt".into(), "readme.md".into()]
    );
    assert_eq!(seen.changes.len(), 1);
    assert_eq!(seen.changes[0].xy, *b".M");
    assert_eq!(seen.branch, b"a");
    assert_eq!(
        seen.head,
        Some(oid(&repo.git(["rev-parse", "refs/heads/a"])))
    );
}

#[test]
fn an_edit_behind_a_minimal_stat_check_is_seen() {
    let repo = Repo::new();
    let path = repo.add("a");
    repo.git(["config", "core.trustctime", "false"]);
    repo.git(["config", "core.checkStat", "minimal"]);
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
    let backdate = |file: &Path| {
        let file = File::options().write(true).open(file).expect("ours");
        file.set_modified(long_ago).expect("ours");
    };
    backdate(&path.join("README.md"));
    repo.git_in(&path, ["update-index", "--refresh"]);
    let edited = repo.root().join("edited");
    write(&edited, b"two\n");
    backdate(&edited);
    std::fs::rename(&edited, path.join("README.md")).expect("one file system");
    let plain = repo.try_git(&path, ["status", "--porcelain"]);
    assert!(plain.stdout.is_empty(), "git is fooled");
    let opened = open(&repo);
    assert_eq!(status(&repo, &path).changes.len(), 1);
    opened.remove_worktree(&path).expect_err("it is modified");
}

#[test]
fn an_ignored_file_is_named_and_an_ignored_directory_is_one_line() {
    let repo = Repo::new();
    let path = repo.add("a");
    repo.commit(&path, ".gitignore", b"node_modules/\n.env\n*.sqlite\n");
    for file in [
        "node_modules/x/y.js",
        "node_modules/.env",
        "src/.env",
        "src/only/db.sqlite",
    ] {
        write(&path.join(file), b"x");
    }
    let seen = status(&repo, &path);
    assert_eq!(
        seen.ignored,
        [
            "node_modules/".into(),
            "src/.env".into(),
            "src/only/db.sqlite".into()
        ]
    );
    assert!(seen.untracked.is_empty());
}

#[test]
fn looking_runs_nothing_and_leaves_no_trace() {
    let repo = Repo::new();
    let path = repo.add("a");
    let mark = repo.root().join("mark");
    let body = format!("touch '{}'", mark.display());
    let fsmonitor = repo.root().join("fsmonitor");
    repo.script(&fsmonitor, &body);
    for hook in [
        "post-index-change",
        "fsmonitor-watchman",
        "reference-transaction",
        "post-checkout",
    ] {
        repo.script(&repo.common_dir().join("hooks").join(hook), &body);
    }
    let hook = fsmonitor.to_str().expect("it is UTF-8");
    repo.git(["config", "core.fsmonitor", hook]);
    repo.git(["config", "core.untrackedCache", "true"]);
    // The same bytes with another time: a status that may write would refresh the index.
    write(&path.join("README.md"), b"one\n");
    let entry = repo.common_dir().join("worktrees/a");
    let before = traces(&entry);
    let opened = open(&repo);
    let worktree = opened.worktree(&path).expect("it is one");
    assert!(
        worktree
            .status()
            .expect("it has a status")
            .changes
            .is_empty()
    );
    opened.worktrees().expect("it is listed");
    opened.refs(&[b"refs/"]).expect("it has refs");
    opened.stash().expect("it has none");
    opened.config().expect("it has a configuration");
    assert_eq!(traces(&entry), before);

    write(&path.join("idea.txt"), b"x");
    opened.remove_worktree(&path).expect_err("it is not clean");
    assert_eq!(traces(&entry), before, "nor does a refused removal");
    std::fs::rename(path.join("idea.txt"), repo.root().join("idea.txt")).expect("it can be moved");
    opened.remove_worktree(&path).expect("it is clean");
    assert!(!mark.exists(), "a hook ran");
}

fn traces(entry: &Path) -> (Vec<u8>, SystemTime, Vec<OsString>) {
    let index = std::fs::read(entry.join("index")).expect("it has an index");
    let time = std::fs::metadata(entry)
        .and_then(|it| it.modified())
        .expect("it is there");
    let files = std::fs::read_dir(entry).expect("it is there");
    let mut names: Vec<OsString> = files
        .map(|file| file.expect("it is read").file_name())
        .collect();
    names.sort();
    (index, time, names)
}

#[test]
fn a_directory_that_cannot_be_read_is_no_clean_status() {
    if rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: a_directory_that_cannot_be_read_is_no_clean_status (root reads all)");
        return;
    }
    let repo = Repo::new();
    let path = repo.add("a");
    write(&path.join("secret/idea.txt"), b"x");
    let mode = std::fs::Permissions::from_mode;
    std::fs::set_permissions(path.join("secret"), mode(0)).expect("ours");
    let worktree = open(&repo).worktree(&path).expect("it is one");
    let error = worktree.status().expect_err("it may hide something");
    std::fs::set_permissions(path.join("secret"), mode(0o755)).expect("ours");
    assert!(matches!(error, GitError::Warned { .. }), "{error}");
}

#[test]
fn refs_are_whole_names_and_broken_is_not_absent() {
    let repo = Repo::new();
    let opened = open(&repo);
    let head = oid(&repo.git(["rev-parse", "HEAD"]));
    repo.git(["tag", "-a", "-m", "x", "main"]);
    repo.git(["update-ref", "refs/refs/heads/ghost", "HEAD"]);
    repo.git(["update-ref", "refs/heads/dir/leaf", "HEAD"]);
    assert_eq!(
        opened.resolve(b"refs/heads/main").expect("it answers"),
        Some(head.clone())
    );
    assert_eq!(
        opened.resolve(b"refs/tags/main").expect("it answers"),
        Some(head)
    );
    for absent in [
        b"refs/heads/ghost".as_slice(),
        b"refs/heads/dir",
        b"refs/heads/none",
    ] {
        assert_eq!(opened.resolve(absent).expect("it answers"), None);
    }
    opened.resolve(b"main").expect_err("a short name");
    opened.resolve(b"HEAD").expect_err("a short name");
    let names: Vec<_> = opened
        .refs(&[b"refs/heads/"])
        .expect("it has refs")
        .into_iter()
        .map(|it| it.name)
        .collect();
    assert_eq!(
        names,
        [b"refs/heads/dir/leaf".to_vec(), b"refs/heads/main".to_vec()]
    );
    for content in [b"".as_slice(), b"garbage\n"] {
        write(&repo.common_dir().join("refs/heads/broken"), content);
        opened
            .resolve(b"refs/heads/broken")
            .expect_err("it is broken, not absent");
    }
}

#[test]
fn ancestry_is_by_object_and_not_by_replacement() {
    let repo = Repo::new();
    let opened = open(&repo);
    let base = oid(&repo.git(["rev-parse", "HEAD"]));
    let path = repo.add("a");
    let tip = oid(&repo.commit(&path, "work.txt", b"x"));
    assert!(opened.is_ancestor(&base, &tip).expect("it answers"));
    assert!(!opened.is_ancestor(&tip, &base).expect("it answers"));
    // A branch named like the commit, a graft and a replacement each would say yes.
    repo.git(["update-ref", &format!("refs/heads/{tip}"), base.as_str()]);
    let graft = format!("{base} {tip}\n");
    write(&repo.common_dir().join("info/grafts"), graft.as_bytes());
    let other = oid(&repo.git(["commit-tree", "-m", "x", "-p", tip.as_str(), "HEAD^{tree}"]));
    repo.git(["replace", base.as_str(), other.as_str()]);
    assert!(!opened.is_ancestor(&tip, &base).expect("it answers"));
    assert_eq!(
        opened
            .unpublished_count(&tip, std::slice::from_ref(&base))
            .expect("it answers"),
        1
    );
    assert_eq!(opened.unpublished_count(&tip, &[]).expect("it answers"), 2);
    let many = vec![base.clone(); 100_000];
    assert_eq!(
        opened.unpublished_count(&tip, &many).expect("it answers"),
        1
    );
    let absent = oid(&"a".repeat(40));
    opened
        .is_ancestor(&absent, &base)
        .expect_err("it is not there");
    opened
        .unpublished_count(&tip, &[absent])
        .expect_err("it is not there");
}

#[test]
fn configuration_and_stash_are_read_as_bytes() {
    let repo = Repo::new();
    let opened = open(&repo);
    assert!(opened.stash().expect("it answers").is_empty());
    let url = "/srv/a\nb=c";
    repo.git(["config", "remote.or.igin.url", url]);
    repo.git(["config", "log.showSignature", "true"]);
    let config = opened.config().expect("it answers");
    let remote = config
        .iter()
        .find(|it| it.key == b"remote.or.igin.url")
        .expect("it is set");
    assert_eq!(
        (remote.scope.as_slice(), remote.value.as_deref()),
        (b"local".as_slice(), Some(url.as_bytes()))
    );
    assert!(config.iter().all(|it| it.scope != b"command"));
    for message in ["first", "second \u{fc}"] {
        write(&repo.main().join("README.md"), message.as_bytes());
        repo.git(["stash", "push", "-q", "-m", message]);
    }
    let stash = opened.stash().expect("it answers");
    let messages: Vec<_> = stash.iter().map(|it| it.message.as_slice()).collect();
    assert_eq!(
        messages,
        ["On main: second \u{fc}".as_bytes(), b"On main: first"]
    );
    assert_eq!(stash[0].oid, oid(&repo.git(["rev-parse", "refs/stash"])));
    write(&repo.common_dir().join("refs/stash"), b"");
    opened
        .stash()
        .expect_err("a broken stash is not an empty one");
}

// What git changes

#[test]
fn only_a_clean_unlocked_worktree_is_removed() {
    let repo = Repo::new();
    let opened = open(&repo);
    repo.git(["config", "status.showUntrackedFiles", "no"]);

    let untracked = repo.add("untracked");
    write(&untracked.join("idea.txt"), b"x");
    assert!(
        repo.try_git(&untracked, ["status", "--porcelain"])
            .stdout
            .is_empty(),
        "git is fooled"
    );
    let error = opened
        .remove_worktree(&untracked)
        .expect_err("it has an untracked file");
    assert!(
        matches!(
            error,
            GitError::Failed {
                code: Some(128),
                ..
            }
        ),
        "{error}"
    );
    assert!(untracked.join("idea.txt").exists());

    let modified = repo.add("modified");
    write(&modified.join("README.md"), b"two\n");
    opened
        .remove_worktree(&modified)
        .expect_err("it is modified");
    assert!(modified.join("README.md").exists());

    let locked = repo.add("locked");
    repo.git([
        OsStr::new("worktree"),
        OsStr::new("lock"),
        locked.as_os_str(),
    ]);
    opened.remove_worktree(&locked).expect_err("it is locked");
    assert!(locked.join("README.md").exists());

    opened
        .remove_worktree(&repo.main())
        .expect_err("it is the main worktree");
    opened
        .remove_worktree(Path::new("clean"))
        .expect_err("a relative path");

    let clean = repo.add("clean");
    let link = repo.root().join("link");
    std::os::unix::fs::symlink(&clean, &link).expect("it can be made");
    let error = opened.remove_worktree(&link).expect_err("a symbolic link");
    assert!(matches!(error, GitError::AnotherPlace { .. }), "{error}");
    assert!(clean.exists());

    let gone = repo.add("gone");
    std::fs::rename(&gone, repo.root().join("moved")).expect("it can be moved");
    opened.remove_worktree(&gone).expect_err("it is not there");
    assert!(
        repo.common_dir().join("worktrees/gone").exists(),
        "its entry stays"
    );

    opened.remove_worktree(&clean).expect("it is clean");
    assert!(!clean.exists());
    let listed = opened.worktrees().expect("it is listed");
    assert!(listed.iter().all(|it| it.path.as_path() != clean));
    assert_eq!(listed.len(), 5);
}
