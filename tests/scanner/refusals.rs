//! What the scanner must see, each by itself; and what it must leave to git.
//!
//! Each test has a tree that differs in nothing else, and of which the scanner says "clean".

use crate::edits::same_size;
use crate::settled::{erase, settle, told};
use crate::support::write;
use crate::support::yard::Yard;
use owl::observe::Glimpse;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

type Prepare = fn(&Yard, &Path);

/// Requires that the scanner calls the control clean, and gives each of the others a reason of its
/// own to look closer, which starts like this.
fn refused(cases: &[(&str, &str, Prepare)]) {
    let yard = Yard::new();
    let names: Vec<&str> = cases.iter().map(|(name, ..)| *name).collect();
    for name in &names {
        yard.landed(name);
    }
    let all: Vec<&str> = names.iter().copied().chain(["control"]).collect();
    settle(&yard, &all);
    for (name, why, prepare) in cases {
        prepare(&yard, &yard.path(name));
        let found = told(&yard, name).expect_err(name);
        assert!(found.starts_with(why), "{name}: {found}");
    }
    assert_eq!(told(&yard, "control"), Ok(Glimpse::default()));
}

#[test]
fn a_file_that_was_touched_in_any_way() {
    refused(&[
        ("content", "a file has been touched", |_, tree| {
            same_size(&tree.join("README.md"), false);
        }),
        // Only the ctime tells.
        ("restored", "a file has been touched", |_, tree| {
            same_size(&tree.join("README.md"), true);
        }),
        ("mode", "a mode differs", |_, tree| {
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(tree.join("README.md"), mode).expect("its owner may");
        }),
        ("kind", "a mode differs", |_, tree| {
            erase(&tree.join("README.md"));
            symlink("elsewhere", tree.join("README.md")).expect("nothing is there");
        }),
        ("directory", "a tracked file is no file", |_, tree| {
            erase(&tree.join("README.md"));
            fs::create_dir(tree.join("README.md")).expect("nothing is there");
        }),
        ("gone", "a tracked file is gone", |_, tree| {
            erase(&tree.join("README.md"));
        }),
    ]);
}

#[test]
fn an_edit_within_the_tick_of_the_index() {
    // The index is made as young as the file, so that an edit could hide in the same tick.
    refused(&[("racy", "a file is as young as the index", |yard, tree| {
        let ctime = fs::symlink_metadata(tree.join("README.md")).expect("it is there");
        let seconds = std::os::unix::fs::MetadataExt::ctime(&ctime);
        crate::support::aging::touch(&yard.entry("racy").join("index"), seconds);
    })]);
}

#[test]
fn an_index_that_is_not_plain() {
    refused(&[
        // The file is as the index says; only HEAD's tree is another one.
        ("staged", "something may be staged", |yard, tree| {
            write(&tree.join("README.md"), b"two\n");
            yard.repo.git_in(tree, ["add", "README.md"]);
        }),
        ("removed", "something may be staged", |yard, tree| {
            yard.repo
                .git_in(tree, ["rm", "-q", "--cached", "README.md"]);
        }),
        ("intended", "an index flag", |yard, tree| {
            write(&tree.join("later"), b"x");
            yard.repo.git_in(tree, ["add", "-N", "later"]);
        }),
        ("conflict", "a conflict", |yard, tree| {
            yard.repo
                .git_in(tree, ["checkout", "-q", "-b", "other", "HEAD^"]);
            yard.repo.commit(tree, "conflict.txt", b"another\n");
            drop(yard.repo.try_git(tree, ["merge", "-q", "conflict"]));
        }),
        ("assumed", "an index flag", |yard, tree| {
            let words = ["update-index", "--assume-unchanged", "README.md"];
            yard.repo.git_in(tree, words);
        }),
        ("skipped", "an index flag", |yard, tree| {
            let words = ["update-index", "--skip-worktree", "README.md"];
            yard.repo.git_in(tree, words);
        }),
        ("gitlink", "a submodule", |yard, tree| {
            let link = "160000,1111111111111111111111111111111111111111,sub";
            yard.repo
                .git_in(tree, ["update-index", "--add", "--cacheinfo", link]);
        }),
        (
            "split",
            "configuration of its own, or a split index",
            |yard, tree| {
                yard.repo.git_in(tree, ["update-index", "--split-index"]);
            },
        ),
        ("flipped", "the index is damaged", |yard, _| {
            let index = yard.entry("flipped").join("index");
            let mut bytes = fs::read(&index).expect("it is there");
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            fs::write(&index, bytes).expect("it can be written");
        }),
        ("own-config", "configuration of its own", |yard, _| {
            write(&yard.entry("own-config").join("config.worktree"), b"");
        }),
        (
            "elsewhere",
            "git and gix do not read HEAD alike",
            |yard, _| {
                write(
                    &yard.entry("elsewhere").join("HEAD"),
                    b"ref: refs/heads/none\n",
                );
            },
        ),
    ]);
}

#[test]
fn what_lies_inside() {
    refused(&[
        ("nested", "a repository inside", |yard, tree| {
            fs::create_dir(tree.join("inner")).expect("nothing is there");
            yard.repo.git_in(&tree.join("inner"), ["init", "-q"]);
        }),
        (
            "linked-rules",
            "an ignore file could not be read",
            |_, tree| {
                symlink("README.md", tree.join(".gitignore")).expect("nothing is there");
            },
        ),
        (
            "directory-rules",
            "an ignore file could not be read",
            |_, tree| {
                fs::create_dir(tree.join(".gitignore")).expect("nothing is there");
            },
        ),
        (
            "odd-rules",
            "an ignore pattern of an unusual kind",
            |_, tree| {
                write(&tree.join(".gitignore"), b"[[:alpha:]]*\n");
            },
        ),
        ("nul", "an ignore file of an unusual kind", |_, tree| {
            write(&tree.join(".gitignore"), b"a\0b\n");
        }),
    ]);
}

#[test]
fn ignored_and_untracked_as_git_has_them() {
    let yard = Yard::new();
    let tree = yard.landed("rules");
    write(
        &tree.join(".gitignore"),
        b"*.log\n!keep.log\nout/\n!out/kept\n",
    );
    yard.repo.git_in(&tree, ["add", ".gitignore"]);
    yard.repo.git_in(&tree, ["commit", "-q", "-m", "rules"]);
    settle(&yard, &["rules", "control"]);
    for file in [
        "a.log",
        "keep.log",
        "out/kept",
        "sub/.gitignore",
        "sub/keep.log",
        "sub/b.log",
    ] {
        write(&tree.join(file), b"keep.log\n!b.log\n");
    }
    let found = told(&yard, "rules").expect("the scanner answers");
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).into()).collect();
    let expected = Glimpse {
        changed: [].into(),
        untracked: paths(&["keep.log", "sub/.gitignore", "sub/b.log"]),
        ignored: paths(&["a.log", "out", "sub/keep.log"]),
    };
    assert_eq!(found, expected);
    assert_eq!(told(&yard, "control"), Ok(Glimpse::default()));
}

#[test]
fn a_setting_under_which_git_sees_something_else() {
    let yard = Yard::new();
    settle(&yard, &["control"]);
    let trifle = yard.repo.root().join("trifle");
    write(&trifle, b"[user]\nname = x\n");
    let weighty = yard.repo.root().join("weighty");
    write(&weighty, b"[core]\nexcludesFile = /nowhere\n");
    let condition = "includeIf.gitdir:/**.path";
    let odd: [(&str, &str); 7] = [
        ("core.worktree", "/"),
        ("core.ignoreCase", "true"),
        ("core.precomposeUnicode", "true"),
        ("core.sparseCheckout", "true"),
        ("core.excludesFile", "relative"),
        ("core.excludesFile", "~root/ignore"),
        (condition, weighty.to_str().expect("UTF-8")),
    ];
    for (key, value) in odd {
        yard.repo.git(["config", key, value]);
        told(&yard, "control").expect_err(key);
        yard.repo.git(["config", "--unset", key]);
        assert_eq!(told(&yard, "control"), Ok(Glimpse::default()), "{key}");
    }
    yard.repo
        .git(["config", condition, trifle.to_str().expect("UTF-8")]);
    assert_eq!(told(&yard, "control"), Ok(Glimpse::default()));
}

#[test]
fn rules_of_the_main_worktree_alone_do_not_count() {
    let yard = Yard::new();
    settle(&yard, &["control"]);
    let rules = yard.repo.root().join("rules");
    write(&rules, b"*\n");
    yard.repo
        .git(["config", "extensions.worktreeConfig", "true"]);
    let words = ["config", "--worktree", "core.excludesFile"];
    yard.repo
        .git(words.into_iter().chain([rules.to_str().expect("UTF-8")]));
    write(&yard.path("control").join("mine.txt"), b"mine\n");
    let found = told(&yard, "control").expect("the scanner answers");
    assert_eq!(found.untracked.len(), 1, "{found:?}");
    // Under rules of all worktrees it is ignored.
    yard.repo.git([
        "config",
        "core.excludesFile",
        rules.to_str().expect("UTF-8"),
    ]);
    let found = told(&yard, "control").expect("the scanner answers");
    assert_eq!(
        (found.untracked.len(), found.ignored.len()),
        (0, 1),
        "{found:?}"
    );
}

#[test]
fn git_and_gix_must_read_head_alike() {
    let mut yard = Yard::new();
    settle(&yard, &["control"]);
    let real = String::from_utf8(
        yard.repo
            .command("sh")
            .args(["-c", "command -v git"])
            .output()
            .expect("sh is installed")
            .stdout,
    );
    let real = real.expect("UTF-8");
    let real = real.trim();
    let (zeros, bin) = ("1".repeat(40), yard.repo.root().join("bin"));
    let body = format!(
        "case \"$*\" in *'worktree list'*) {real} \"$@\" | sed -z 's/^HEAD .*/HEAD {zeros}/' ;; \
         *) exec {real} \"$@\" ;; esac"
    );
    yard.repo.script(&bin.join("git"), &body);
    assert_eq!(told(&yard, "control"), Ok(Glimpse::default()));
    let path = std::env::join_paths([bin.as_path(), Path::new("/usr/bin"), Path::new("/bin")]);
    yard.git_path = Some(path.expect("no colon"));
    assert_eq!(
        told(&yard, "control"),
        Err("git and gix do not read HEAD alike")
    );
}
