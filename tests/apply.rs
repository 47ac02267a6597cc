//! Apply through the library: observe, plan, approve, change the world, apply (`spec 7`).

mod support;

use owl::apply::{Event, Fate, Lock, LockError, Outcome};
use owl::plan::{Approval, Refusal};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Child;
use support::aging::age;
use support::snapshot::Snapshot;
use support::yard::{POLICY, Yard, acting_rows, outcome, require_fate, row, said};
use support::{is_root, skipped, write};

/// Changes something between approval and apply; what must end with the test is returned.
type Change = fn(&Yard) -> Option<Running>;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().expect("it is ours");
        self.0.wait().expect("it is ours");
    }
}

/// After the change, the row `moved` has this fate and says these words; the control is removed.
fn keeps(name: &str, fate: Fate, words: &[&str], change: Change) {
    let yard = Yard::new();
    yard.landed("moved");
    stays(name, &yard, fate, words, change);
}

fn stays(name: &str, yard: &Yard, fate: Fate, words: &[&str], change: Change) {
    let approved = yard.approved(&["control", "moved"]);
    let running = change(yard);
    let (path, entry) = (yard.path("moved"), yard.entry("moved"));
    let kept: [&Path; 2] = [&path, &entry];
    let before = Snapshot::of(&kept);
    let done = yard.carry_out(&approved);
    let found = outcome(&done, &yard.address("moved"));
    assert_eq!(found.fate, fate, "{name}: {}", found.message);
    let said = |word: &str| found.message.contains(word);
    assert!(
        words.is_empty() || words.iter().any(|word| said(word)),
        "{name}: {}",
        found.message
    );
    before.require_same(name, &kept);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert!(!yard.path("control").exists(), "{name}");
    drop(running);
}

#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
fn delete(path: &Path) {
    fs::remove_dir_all(path).expect("it is there");
}

#[test]
fn look_again_a_change_in_the_tree_keeps_it() {
    let kept = Fate::Kept;
    keeps("an edit", kept, &["tracked change"], |yard| {
        let file = yard.path("moved").join("README.md");
        write(&file, b"mine\n");
        support::aging::touch(&file, support::aging::LONG_AGO);
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
        let now = support::yard::now().as_second() - 1;
        support::aging::touch(&yard.path("moved").join("README.md"), now);
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

// Twice, nested, narrowed

/// `spec 1`, promise 3.
#[test]
fn a_second_apply_changes_nothing() {
    let yard = Yard::new();
    yard.landed("gone");
    delete(&yard.path("gone"));
    let path = yard.landed("dirty");
    write(&path.join("idea.md"), b"x");
    let approved = yard.look().approve(&Approval::Yes, &[]).unwrap();
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    require_fate(&done, &yard.address("gone"), Fate::Pruned);
    assert!(!yard.entry("control").exists() && !yard.entry("gone").exists());
    let main = yard.repo.main();
    let before = Snapshot::of(&[&main]);
    // The plan of then, once more: what it names is gone, and nothing else is touched.
    let again = yard.carry_out(&approved);
    let fates: Vec<_> = again.iter().map(|one| one.outcome.fate).collect();
    assert_eq!(fates, [Fate::AlreadyGone, Fate::AlreadyGone], "{again:?}");
    let plan = yard.look();
    assert_eq!(acting_rows(&plan).count(), 0, "{}", said(&plan));
    assert!(!plan.applyable);
    assert!(yard.apply().is_empty());
    before.require_same("a second apply", &[&main]);
    for branch in ["control", "gone", "dirty"] {
        yard.repo
            .git(["rev-parse", "--verify", &format!("refs/heads/{branch}")]);
    }
}

/// A plan leaves no trace in the repository.
#[test]
fn a_plan_changes_nothing() {
    let yard = Yard::new();
    let main = yard.repo.main();
    let before = Snapshot::of(&[&main]);
    let first = serde_json::to_string(&yard.look().items).unwrap();
    let second = serde_json::to_string(&yard.look().items).unwrap();
    assert_eq!(
        first.replace(char::is_numeric, ""),
        second.replace(char::is_numeric, "")
    );
    before.require_same("a plan", &[&main]);
}

fn nested() -> Yard {
    let stores = "stores:\n  - path: .claude/worktrees/*/.claude/worktrees/*\n";
    let yard = Yard::new().under(&POLICY.replace("stores:\n", stores));
    let inner = yard.landed("outer").join(".claude/worktrees/inner");
    yard.add_at("inner", &inner);
    yard.land("inner", &inner);
    yard.age("outer");
    yard
}

/// `spec 6`: nested before container.
#[test]
fn nested_and_container_go_in_one_run() {
    let yard = nested();
    let approved = yard.approved(&["control", "inner", "outer"]);
    let order: Vec<_> = approved.rows().map(|row| row.address.clone()).collect();
    let at = |name| order.iter().position(|one| *one == yard.address(name));
    assert!(at("inner") < at("outer"), "{order:?}");
    let done = yard.carry_out(&approved);
    for name in ["control", "inner", "outer"] {
        require_fate(&done, &yard.address(name), Fate::Removed);
    }
    assert!(!yard.path("outer").exists());
    assert!(!yard.entry("inner").exists() && !yard.entry("outer").exists());
}

#[test]
fn a_container_stays_when_the_nested_one_moves_meanwhile() {
    let yard = nested();
    let approved = yard.approved(&["control", "inner", "outer"]);
    let inner = yard.path("outer").join(".claude/worktrees/inner");
    write(&inner.join("idea.md"), b"x");
    let outer = yard.path("outer");
    let before = Snapshot::of(&[&outer]);
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("inner"), Fate::Kept);
    require_fate(&done, &yard.address("outer"), Fate::Kept);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    before.require_same("the container", &[&outer]);
}

#[test]
fn only_narrows_and_never_widens() {
    let yard = nested();
    // The container alone: it waits for the nested one, which was not chosen.
    let only = [yard.address("outer")];
    let approved = yard.look().approve(&Approval::Yes, &only).unwrap();
    let outer = yard.path("outer");
    let before = Snapshot::of(&[&outer]);
    let done = yard.carry_out(&approved);
    assert_eq!(done.len(), 1);
    require_fate(&done, &only[0], Fate::Kept);
    before.require_same("the container", &[&outer]);
    assert!(yard.path("control").exists());
    // The nested one alone.
    let only = [yard.address("inner")];
    let approved = yard.look().approve(&Approval::Yes, &only).unwrap();
    let done = yard.carry_out(&approved);
    assert_eq!(done.len(), 1);
    require_fate(&done, &only[0], Fate::Removed);
    assert!(yard.path("control").exists() && outer.exists());
    // A row that does not act, and one that is not there.
    let main = owl::resource::Address::main("main");
    let approved = yard.look().approve(&Approval::Yes, &[main]).unwrap();
    assert!(yard.carry_out(&approved).is_empty());
    let nobody = yard.address("nobody");
    let refused = yard
        .look()
        .approve(&Approval::Yes, std::slice::from_ref(&nobody));
    assert_eq!(refused.unwrap_err(), Refusal::NoSuchRow(nobody));
}

// Brakes, locks, the audit log

#[test]
fn limits_refuse_the_whole_plan() {
    let yard = Yard::new();
    yard.landed("second");
    let limits = "limits:\n  max-removals: 1\n";
    let yard = yard.under(&format!("{POLICY}{limits}"));
    let plan = yard.look();
    let refused = plan.clone().approve(&Approval::Yes, &[]);
    assert!(
        matches!(refused, Err(Refusal::OverLimits(_))),
        "{refused:?}"
    );
    let wrong = plan.clone().approve(&Approval::Typed(1), &[]);
    assert!(
        matches!(wrong, Err(Refusal::WrongNumber { .. })),
        "{wrong:?}"
    );
    // Narrowed, it is over its limit nonetheless: the limit is about the world.
    let only = [yard.address("second")];
    let refused = plan.clone().approve(&Approval::Yes, &only);
    assert!(
        matches!(refused, Err(Refusal::OverLimits(_))),
        "{refused:?}"
    );
    let approved = plan
        .approve(&Approval::Typed(2), &[])
        .expect("it was typed");
    assert_eq!(yard.carry_out(&approved).len(), 2);
}

/// An unmounted disk looks like many directories that are gone at once.
#[test]
fn max_gone_refuses_the_whole_plan() {
    for (gone, refused) in [(4, false), (5, true)] {
        let yard = Yard::without_control();
        for nth in 0..gone {
            let name = format!("agent-{nth}");
            yard.landed(&name);
            delete(&yard.path(&name));
        }
        let answer = yard.look().approve(&Approval::Yes, &[]);
        assert_eq!(answer.is_err(), refused, "{gone}: {answer:?}");
    }
}

#[test]
fn one_owl_at_a_time_in_a_repository() {
    let yard = Yard::new();
    let dir = yard.repo.common_dir();
    let before = Snapshot::of(&[&dir]);
    let lock = Lock::take(&dir, false).expect("nobody holds it");
    let second = Lock::take(&dir, false);
    assert!(matches!(second, Err(LockError::Taken(_))), "{second:?}");
    let mut command = yard.repo.command("flock");
    let other = command
        .args(["--nonblock".as_ref(), dir.as_os_str(), "true".as_ref()])
        .status();
    if other.as_ref().is_ok() {
        assert!(!other.unwrap().success(), "another process got it, too");
    }
    drop(lock);
    // A child that another test started meanwhile has inherited the handle until it ends.
    drop(Lock::take(&dir, true).expect("it was let go"));
    before.require_same("the lock leaves nothing behind", &[&dir]);
}

/// C6, `spec 7.3`: an attempt line before, an outcome line after.
#[test]
fn the_audit_log_has_attempt_and_outcome() {
    let yard = Yard::new();
    yard.landed("moved");
    let approved = yard.approved(&["control", "moved"]);
    write(&yard.path("moved").join("idea.md"), b"x");
    let audit = yard.audit();
    let mut attempts = 0;
    let done = yard.carry_out_with(&approved, &audit, &mut |event| {
        let Event::Attempt(_) = event else { return };
        attempts += 1;
    });
    assert_eq!((done.len(), attempts), (2, 2));
    let text = fs::read_to_string(audit.path()).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    let found: Vec<_> = lines
        .iter()
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            let fate = line["outcome"]["fate"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            (text("event"), text("address"), fate)
        })
        .collect();
    let line = |event: &str, address: &str, fate: &str| {
        (event.to_owned(), address.to_owned(), fate.to_owned())
    };
    // Deletions run side by side, so that only the lines of one row have an order.
    for (address, fate) in [("main/control", "removed"), ("main/moved", "kept")] {
        let own: Vec<_> = found.iter().filter(|line| line.1 == address).collect();
        let expected = [line("attempt", address, ""), line("outcome", address, fate)];
        assert_eq!(own, expected.iter().collect::<Vec<_>>());
    }
    assert_eq!(found.len(), 4);
    assert!(
        lines
            .iter()
            .all(|line| line["policy"] == yard.parsed().source.sha256.as_str())
    );
    let mode = fs::metadata(audit.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_audit_log_that_cannot_be_written_stops_the_row() {
    let yard = Yard::new();
    let approved = yard.approved(&["control"]);
    let audit = yard.audit();
    fs::create_dir(audit.path()).unwrap();
    let kept = yard.repo.main();
    let before = Snapshot::of(&[&kept]);
    let done = yard.carry_out_with(&approved, &audit, &mut |_| {});
    require_fate(&done, &yard.address("control"), Fate::Failed);
    let said = &outcome(&done, &yard.address("control")).message;
    assert!(said.contains("audit log"), "{said}");
    before.require_same("the repository", &[&kept]);
}

// The last moment: between the look and git's own

/// A yard whose git runs `sabotage` right before such a call; all else is git itself. `$tree` is the
/// last word of the call: of a removal, where the tree stands by then.
fn sabotaged(yard: &mut Yard, call: &str, sabotage: &str) {
    let real = yard
        .repo
        .command("sh")
        .args(["-c", "command -v git"])
        .output()
        .expect("sh is installed");
    let real = String::from_utf8(real.stdout).expect("it is a plain path");
    let bin = yard.repo.root().join("bin");
    let body = format!(
        "for tree; do :; done\ncase \" $* \" in *' {call} '*) {sabotage};; esac\nexec {} \"$@\"",
        real.trim()
    );
    yard.repo.script(&bin.join("git"), &body);
    let mut path = bin.into_os_string();
    #[expect(
        clippy::disallowed_methods,
        reason = "git is found where the tests' is"
    )]
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    yard.git_path = Some(path);
}

/// The outcome of the only row, when this happens right before git removes.
fn at_the_last_moment(yard: &mut Yard, sabotage: &str) -> Outcome {
    right_before(yard, "worktree remove", sabotage)
}

/// The same, right before git is asked for something else.
fn right_before(yard: &mut Yard, call: &str, sabotage: &str) -> Outcome {
    let approved = yard.approved(&["control"]);
    sabotaged(yard, call, sabotage);
    let done = yard.carry_out(&approved);
    outcome(&done, &yard.address("control")).clone()
}

#[test]
fn a_file_that_comes_after_the_last_look_stops_git_itself() {
    let mut yard = Yard::new();
    yard.repo.git(["config", "status.showUntrackedFiles", "no"]);
    let path = yard.path("control");
    let outcome = at_the_last_moment(&mut yard, "echo x > $tree/idea.md");
    assert_eq!(outcome.fate, Fate::Failed, "{outcome:?}");
    assert!(path.join("idea.md").exists() && path.join("README.md").exists());
    assert!(yard.entry("control").exists());
}

#[test]
fn a_lock_that_comes_after_the_last_look_stops_git_itself() {
    let mut yard = Yard::new();
    let entry = yard.entry("control");
    let outcome = at_the_last_moment(&mut yard, &format!("echo x > {}/locked", entry.display()));
    assert_eq!(outcome.fate, Fate::Failed, "{outcome:?}");
    assert!(yard.path("control").join("README.md").exists());
}

/// C6: never `removed` for a tree of which something is left (`git-facts 2`).
#[test]
fn a_removal_that_stops_half_way_is_said_to_be_partial() {
    let mut yard = Yard::without_control();
    let path = yard.add("control");
    for file in ["a/1", "b/2", "c/3"] {
        yard.repo.commit(&path, file, b"x");
    }
    yard.land("control", &path);
    let (fix, unfix) = if is_root() {
        ("chattr +i $tree/b/2", "chattr -i")
    } else {
        ("chmod 555 $tree/b", "chmod 755")
    };
    let outcome = at_the_last_moment(&mut yard, fix);
    let left = yard.standing_aside();
    let fixed = left.join("b");
    let file = if is_root() { fixed.join("2") } else { fixed };
    let undo = format!("{unfix} {}", file.display());
    let undone = yard
        .repo
        .command("sh")
        .args(["-c", &undo])
        .status()
        .unwrap();
    assert!(undone.success());
    assert_eq!(outcome.fate, Fate::PartiallyRemoved, "{outcome:?}");
    let (before, after) = outcome.counts.expect("it has counts");
    assert!(0 < after && after <= before, "{outcome:?}");
    assert!(
        !yard.entry("control").exists(),
        "git deletes it nonetheless"
    );
    assert!(left.join("b/2").exists());
    let shown = left.display().to_string();
    assert!(outcome.message.contains(&shown), "{outcome:?}");
}

/// Nothing of the tree is gone, but git has deleted the entry: that is not nothing.
#[test]
fn a_removal_that_takes_the_entry_alone_is_no_mere_failure() {
    let mut yard = Yard::new();
    let entry = yard.entry("control");
    let aside = yard.repo.root().join("entry-aside");
    let sabotage = format!("mv {0} {1}; exit 1", entry.display(), aside.display());
    let outcome = at_the_last_moment(&mut yard, &sabotage);
    assert_eq!(outcome.fate, Fate::PartiallyRemoved, "{outcome:?}");
    // The tree itself is whole, and the outcome says where.
    let left = yard.standing_aside();
    assert!(left.join("README.md").exists());
    let shown = left.display().to_string();
    assert!(outcome.message.contains(&shown), "{outcome:?}");
}

/// `spec 4`: git is the second witness of what gix found in the graph.
#[test]
fn git_must_agree_that_it_has_landed() {
    let mut yard = Yard::new();
    let main = yard.repo.git(["rev-parse", "main"]);
    let ahead = ["commit-tree", "-m", "ahead", "-p", &main, "main^{tree}"];
    let ahead = yard.repo.git(ahead);
    let file = yard.repo.common_dir().join("refs/heads/main");
    let sabotage = format!("echo {ahead} > {}", file.display());
    let outcome = right_before(&mut yard, "for-each-ref", &sabotage);
    assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
    assert!(outcome.message.contains("has moved"), "{outcome:?}");
    assert!(yard.path("control").join("README.md").exists());

    for (answer, words) in [("exit 1", "git does not find"), ("exit 128", "128")] {
        let mut yard = Yard::new();
        let outcome = right_before(&mut yard, "merge-base", answer);
        assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
        assert!(outcome.message.contains(words), "{outcome:?}");
        assert!(yard.path("control").join("README.md").exists());
    }
}

#[test]
fn what_git_says_is_looked_at() {
    // git says yes and does nothing.
    let mut yard = Yard::new();
    let outcome = at_the_last_moment(&mut yard, "exit 0");
    assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
    assert!(
        outcome.message.contains("something is still there"),
        "{outcome:?}"
    );
    assert!(yard.path("control").join("README.md").exists());
    assert!(yard.entry("control").exists());
    // git says yes, the directory is gone, and the entry is not.
    let mut yard = Yard::new();
    let moved = yard.repo.root().join("x");
    let sabotage = format!("mv $tree {}; exit 0", moved.display());
    let outcome = at_the_last_moment(&mut yard, &sabotage);
    assert_eq!(outcome.fate, Fate::Kept, "{outcome:?}");
    assert!(outcome.message.contains("still lists it"), "{outcome:?}");
    assert!(moved.join("README.md").exists());
}

#[test]
fn a_row_keeps_its_address_in_plan_and_outcome() {
    let yard = Yard::new();
    let plan = yard.look();
    let planned = row(&plan, &yard.address("control")).address.clone();
    let done = yard.apply();
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].address, planned);
}

#[test]
fn the_same_as_an_ordinary_user() {
    support::ordinary::run_as_nobody("apply::the_same_as_an_ordinary_user");
}
