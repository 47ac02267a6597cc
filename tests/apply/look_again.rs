//! Whatever moved since the plan keeps its row, and no other.

use crate::changed::{Change, Running, delete, keeps, stays};
use crate::support::aging::age;
use crate::support::yard::Yard;
use crate::support::{is_root, skipped, write};
use owl::apply::Fate;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

#[test]
fn look_again_a_change_in_the_tree_keeps_it() {
    let kept = Fate::Kept;
    keeps("an edit", kept, &["tracked change"], |yard| {
        let file = yard.path("moved").join("README.md");
        write(&file, b"mine\n");
        crate::support::aging::touch(&file, crate::support::aging::LONG_AGO);
        None
    });
    keeps("an untracked file", kept, &["untracked"], |yard| {
        write(&yard.path("moved").join("idea.md"), b"x");
        yard.age("moved");
        None
    });
    keeps("an ignored file", kept, &["ignored"], |yard| {
        let exclude = yard.repo.common_dir().join("info/exclude");
        write(&exclude, b"/.claude/\n.env\n");
        write(&yard.path("moved").join(".env"), b"x");
        yard.age("moved");
        None
    });
    keeps("a fresh file", kept, &["last sign of life"], |yard| {
        let now = crate::support::yard::now().as_second() - 1;
        crate::support::aging::touch(&yard.path("moved").join("README.md"), now);
        None
    });
    keeps("a FIFO", kept, &["FIFO"], |yard| {
        let fifo = yard.path("moved").join("pipe");
        assert!(
            yard.repo
                .command("mkfifo")
                .arg(fifo)
                .status()
                .unwrap()
                .success()
        );
        yard.age("moved");
        None
    });
    keeps(
        "a nested repository",
        kept,
        &["repository inside"],
        |yard| {
            let nested = yard.path("moved");
            write(&nested.join("sub/.git"), b"gitdir: /nowhere\n");
            yard.age("moved");
            None
        },
    );
    keeps("an index flag", kept, &[], |yard| {
        let words = ["update-index", "--assume-unchanged", "README.md"];
        yard.repo.git_in(&yard.path("moved"), words);
        write(&yard.path("moved").join("README.md"), b"mine\n");
        yard.age("moved");
        None
    });
}

#[test]
fn look_again_a_change_in_the_entry_keeps_it() {
    let kept = Fate::Kept;
    keeps("a lock", kept, &["locked: mine"], |yard| {
        write(&yard.entry("moved").join("locked"), b"mine");
        None
    });
    keeps("a merge in progress", kept, &["in progress"], |yard| {
        let tip = yard.repo.git(["rev-parse", "main"]);
        write(&yard.entry("moved").join("MERGE_HEAD"), tip.as_bytes());
        yard.age("moved");
        None
    });
    keeps("a lock file", kept, &["in progress"], |yard| {
        write(&yard.entry("moved").join("index.lock"), b"");
        yard.age("moved");
        None
    });
    keeps("another gitdir", kept, &[], |yard| {
        let other = yard.path("elsewhere/.git");
        write(
            &yard.entry("moved").join("gitdir"),
            other.as_os_str().as_encoded_bytes(),
        );
        yard.age("moved");
        None
    });
    // The same place by another name: it is what git would go by.
    keeps(
        "another way there",
        kept,
        &["git has another path"],
        |yard| {
            let alias = yard.repo.root().join("alias");
            symlink(yard.repo.main(), &alias).unwrap();
            let other = alias.join(".claude/worktrees/moved/.git");
            write(
                &yard.entry("moved").join("gitdir"),
                other.as_os_str().as_encoded_bytes(),
            );
            yard.age("moved");
            None
        },
    );
    keeps("another commondir", kept, &["commondir names"], |yard| {
        yard.repo.git_in(yard.repo.root(), ["init", "-q", "other"]);
        let other = yard.repo.root().join("other/.git");
        write(
            &yard.entry("moved").join("commondir"),
            other.as_os_str().as_encoded_bytes(),
        );
        yard.age("moved");
        None
    });
    keeps(
        "a rewritten .git file",
        kept,
        &["is hold now", ".git file"],
        |yard| {
            let other = yard.entry("elsewhere");
            let line = format!("gitdir: {}\n", other.display());
            write(&yard.path("moved").join(".git"), line.as_bytes());
            yard.age("moved");
            None
        },
    );
    keeps(
        "a commit in the HEAD reflog",
        kept,
        &["nothing else would reach"],
        |yard| {
            let loose = yard.repo.git(["commit-tree", "-m", "loose", "main^{tree}"]);
            let line = format!("{loose} {loose} A <a@b> 1767350000 +0000\tcheckout: x\n");
            let log = yard.entry("moved").join("logs/HEAD");
            let mut bytes = fs::read(&log).unwrap();
            bytes.extend_from_slice(line.as_bytes());
            write(&log, &bytes);
            yard.age("moved");
            None
        },
    );
    keeps(
        "an unregistered tree",
        kept,
        &["git has forgotten it"],
        |yard| {
            let aside = yard.repo.root().join("entry-aside");
            fs::rename(yard.entry("moved"), aside).unwrap();
            None
        },
    );
}

#[test]
fn look_again_a_change_of_head_or_branch_keeps_it() {
    let kept = Fate::Kept;
    keeps(
        "a commit",
        kept,
        &["neither landed nor published", "is "],
        |yard| {
            yard.repo.commit(&yard.path("moved"), "more.txt", b"x");
            yard.age("moved");
            None
        },
    );
    // Landed as well, so that nothing but HEAD differs.
    keeps(
        "a commit that has landed",
        kept,
        &["HEAD has moved"],
        |yard| {
            yard.repo.commit(&yard.path("moved"), "more.txt", b"x");
            yard.merge("moved");
            yard.age("moved");
            None
        },
    );
    keeps("another branch", kept, &["HEAD has moved"], |yard| {
        let words = ["checkout", "-q", "-b", "another"];
        yard.repo.git_in(&yard.path("moved"), words);
        yard.age("moved");
        None
    });
    keeps("a detached HEAD", kept, &["HEAD has moved"], |yard| {
        yard.repo
            .git_in(&yard.path("moved"), ["checkout", "-q", "--detach"]);
        yard.age("moved");
        None
    });
    keeps("a stash", kept, &["stash"], |yard| {
        write(&yard.repo.main().join("README.md"), b"mine\n");
        let made = yard.repo.git(["stash", "create"]);
        yard.repo
            .git(["stash", "store", "-m", "On moved: mine", &made]);
        yard.repo.git(["checkout", "-q", "README.md"]);
        None
    });
}

/// What vouched is gone; `moved` is a later branch than the control, which still has landed.
#[test]
fn look_again_when_the_base_moves_back_keeps_it() {
    keeps(
        "the base",
        Fate::Kept,
        &["neither landed nor published"],
        |yard| {
            yard.repo.git(["reset", "-q", "--hard", "main^"]);
            None
        },
    );
}

#[test]
fn look_again_when_a_remote_tracking_ref_goes_keeps_it() {
    let yard = Yard::new();
    let path = yard.add("moved");
    yard.repo.commit(&path, "moved.txt", b"x");
    yard.origin();
    yard.repo.git(["push", "-q", "origin", "moved"]);
    yard.age("moved");
    stays(
        "a ref",
        &yard,
        Fate::Kept,
        &["neither landed nor published"],
        |yard| {
            yard.repo
                .git(["update-ref", "-d", "refs/remotes/origin/moved"]);
            None
        },
    );
}

/// Puts the worktree aside.
fn aside(yard: &Yard) -> PathBuf {
    let to = yard.repo.root().join("aside");
    fs::rename(yard.path("moved"), &to).expect("it is there");
    to
}

#[test]
fn look_again_another_thing_in_its_place_keeps_it() {
    let kept = Fate::Kept;
    keeps("a copy", kept, &["another directory"], |yard| {
        let from = aside(yard);
        let mut command = yard.repo.command("cp");
        let status = command.arg("-a").args([from, yard.path("moved")]).status();
        assert!(status.unwrap().success());
        yard.age("moved");
        None
    });
    keeps("a symlink to it", kept, &["is a symlink"], |yard| {
        symlink(aside(yard), yard.path("moved")).unwrap();
        None
    });
    keeps("a file", kept, &["a file stands"], |yard| {
        aside(yard);
        write(&yard.path("moved"), b"thesis");
        None
    });
    keeps(
        "a plain directory",
        kept,
        &[".git file is missing"],
        |yard| {
            aside(yard);
            write(&yard.path("moved").join("thesis.tex"), b"x");
            None
        },
    );
    keeps("a clone", kept, &["another repository"], |yard| {
        aside(yard);
        yard.repo
            .git(["clone", "-q", ".", yard.path("moved").to_str().unwrap()]);
        None
    });
}

#[test]
fn look_again_a_directory_that_is_gone_is_already_gone() {
    keeps("rm -r", Fate::AlreadyGone, &["gone"], |yard| {
        delete(&yard.path("moved"));
        None
    });
    keeps(
        "git worktree remove",
        Fate::AlreadyGone,
        &["gone"],
        |yard| {
            let words = ["worktree", "remove", "--"].map(OsStr::new);
            let path = yard.path("moved");
            yard.repo.git(words.into_iter().chain([path.as_os_str()]));
            None
        },
    );
}

/// Incident 82.
#[test]
fn look_again_a_process_that_comes_keeps_it() {
    keeps("a process", Fate::Kept, &["sleep"], |yard| {
        let mut command = yard.repo.command("sleep");
        command.arg("600").current_dir(yard.path("moved"));
        Some(Running(command.spawn().expect("sleep is installed")))
    });
}

#[test]
fn look_again_a_worktree_that_comes_to_lie_inside_keeps_it() {
    keeps(
        "a worktree inside",
        Fate::Kept,
        &["worktree inside stays"],
        |yard| {
            let inner = yard.path("moved").join("inner");
            yard.add_at("inner", &inner);
            age(&yard.path("moved"));
            yard.age("moved");
            None
        },
    );
}

#[test]
fn look_again_an_entry_whose_directory_is_back_is_not_pruned() {
    let yard = Yard::new();
    yard.landed("moved");
    let aside = yard.repo.root().join("aside");
    fs::rename(yard.path("moved"), &aside).unwrap();
    stays("a prune", &yard, Fate::Kept, &["is remove now"], |yard| {
        let aside = yard.repo.root().join("aside");
        fs::rename(aside, yard.path("moved")).unwrap();
        None
    });
}

#[test]
fn look_again_an_entry_that_was_pruned_meanwhile_is_already_gone() {
    let yard = Yard::new();
    yard.landed("moved");
    delete(&yard.path("moved"));
    stays("a prune", &yard, Fate::AlreadyGone, &[], |yard| {
        yard.repo.git(["worktree", "prune"]);
        None
    });
}

#[test]
fn look_again_an_entry_that_changes_is_not_pruned() {
    let changes: [(&str, Change); 3] = [
        ("locked", |yard| {
            write(&yard.entry("moved").join("locked"), b"mine");
            None
        }),
        ("HEAD has moved", |yard| {
            let tip = yard.repo.git(["rev-parse", "main"]);
            write(&yard.entry("moved").join("HEAD"), tip.as_bytes());
            yard.age("moved");
            None
        }),
        ("registration", |yard| {
            let aside = yard.repo.root().join("aside");
            fs::rename(aside, yard.path("elsewhere")).unwrap();
            None
        }),
    ];
    for (word, change) in changes {
        let yard = Yard::new();
        yard.landed("moved");
        fs::rename(yard.path("moved"), yard.repo.root().join("aside")).unwrap();
        let words: &[&str] = if word == "registration" {
            &["is hold now"]
        } else {
            &[word]
        };
        stays(word, &yard, Fate::Kept, words, change);
    }
}

#[test]
fn look_again_a_mount_that_comes_keeps_it() {
    if !is_root() {
        return skipped(
            "look_again_a_mount_that_comes_keeps_it",
            "only root may mount",
        );
    }
    let yard = Yard::new();
    let path = yard.landed("moved");
    let point = path.join("empty");
    fs::create_dir(&point).unwrap();
    stays(
        "a mount",
        &yard,
        Fate::Kept,
        &["mount point inside"],
        |yard| {
            let point = yard.path("moved").join("empty");
            let mut command = yard.repo.command("mount");
            let status = command.args(["-t", "tmpfs", "tmpfs"]).arg(&point).status();
            assert!(status.unwrap().success());
            None
        },
    );
    let mut command = yard.repo.command("umount");
    assert!(command.arg(&point).status().unwrap().success());
}
