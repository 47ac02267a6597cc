//! Guard 11, and what vouches for a commit: the graph around the tree.

use crate::case::Case;
use crate::support::write;
use crate::support::yard::{POLICY, Yard, row, said};
use owl::assess::Code;
use owl::plan::Reason;
use std::fs;

/// Incident 53.
#[test]
fn guard_11_a_detached_commit_that_nothing_else_reaches_holds() {
    let mut case = Case::new();
    let repo = &case.yard.repo;
    repo.git_in(&case.path, ["checkout", "-q", "--detach"]);
    repo.commit(&case.path, "loose.txt", b"x");
    case.yard.policy = POLICY.replace("{ published: true }", "{ clean: true }");
    case.age().held_by(Code::CommitsAtRisk);
}

/// Incident 58.
#[test]
fn guard_11_a_commit_only_in_the_head_reflog_holds() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.git_in(&case.path, ["checkout", "-q", "--detach"]);
    repo.commit(&case.path, "loose.txt", b"x");
    repo.git_in(&case.path, ["checkout", "-q", "held"]);
    case.age().held_by(Code::CommitsAtRisk);
}

/// Incident 59.
#[test]
fn guard_11_a_commit_only_in_a_private_ref_holds() {
    let case = Case::new();
    let tree = case
        .yard
        .repo
        .git_in(&case.path, ["rev-parse", "HEAD^{tree}"]);
    let words = ["commit-tree", "-m", "loose", &tree];
    let loose = case.yard.repo.git_in(&case.path, words);
    let words = ["update-ref", "refs/worktree/mine", &loose];
    case.yard.repo.git_in(&case.path, words);
    case.age().held_by(Code::CommitsAtRisk);
}

/// `refs/owl`, `refs/stash`, and `FETCH_HEAD` outlive nothing.
#[test]
fn guard_11_a_ref_that_expires_saves_nothing() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.git_in(&case.path, ["checkout", "-q", "--detach"]);
    let loose = repo.commit(&case.path, "loose.txt", b"x");
    repo.git_in(&case.path, ["checkout", "-q", "held"]);
    repo.git(["update-ref", "refs/owl/rescue/held/1", &loose]);
    write(
        &repo.common_dir().join("FETCH_HEAD"),
        format!("{loose}\t\tx\n").as_bytes(),
    );
    case.age().held_by(Code::CommitsAtRisk);
}

#[test]
fn guard_11_a_stash_of_its_branch_holds() {
    let case = Case::new();
    write(&case.path.join("README.md"), b"mine\n");
    case.yard.repo.git_in(&case.path, ["stash", "-q"]);
    case.age().held_by(Code::Stash);
}

/// The control is on another branch, and its row does not care.
#[test]
fn guard_11_a_stash_on_a_detached_head_holds() {
    let case = Case::new();
    case.yard
        .repo
        .git_in(&case.path, ["checkout", "-q", "--detach"]);
    write(&case.path.join("README.md"), b"mine\n");
    case.yard.repo.git_in(&case.path, ["stash", "-q"]);
    case.age().held_by(Code::Stash);
}

#[test]
fn guard_11_an_unborn_branch_holds() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.git_in(&case.path, ["checkout", "-q", "--orphan", "new"]);
    repo.git_in(&case.path, ["rm", "-q", "-r", "--cached", "."]);
    for file in ["README.md", "control.txt", "held.txt"] {
        if case.path.join(file).exists() {
            #[expect(clippy::disallowed_methods, reason = "the tests build the world")]
            fs::remove_file(case.path.join(file)).unwrap();
        }
    }
    case.age().held_by(Code::Unborn);
}

/// `git-facts 32`: a power loss leaves an empty ref.
#[test]
fn guard_11_an_empty_branch_ref_holds() {
    let case = Case::new();
    write(&case.yard.repo.common_dir().join("refs/heads/held"), b"");
    let plan = case.age().yard.look();
    let held = row(&plan, &case.address);
    assert!(!held.verdict.acts(), "{}", said(&plan));
}

#[test]
fn guard_11_without_a_base_or_a_remote_it_is_held() {
    let case = Case::new();
    let mut yard = case.yard;
    yard.origin();
    yard.repo.git(["push", "-q", "origin", "control"]);
    yard.repo.git(["fetch", "-q", "origin"]);
    yard.repo.git(["remote", "set-head", "origin", "--delete"]);
    yard.repo
        .git(["update-ref", "-d", "refs/remotes/origin/main"]);
    yard.repo.git(["branch", "-m", "trunk"]);
    yard.policy = POLICY.replace("{ landed: true }", "{ clean: true }");
    let case = Case { yard, ..case };
    case.held_by(Code::NoBase);
}

/// What vouches: the same tree is removed with the ref, and held without it.
#[test]
fn published_counts_only_for_a_remote_that_is_elsewhere() {
    for (url, counts) in [("elsewhere", true), ("here", false), ("nothing", false)] {
        let yard = Yard::without_control();
        let path = yard.add("agent");
        yard.repo.commit(&path, "agent.txt", b"x");
        yard.origin();
        yard.repo.git(["push", "-q", "origin", "agent"]);
        match url {
            "here" => {
                let main = yard.repo.main();
                yard.repo
                    .git(["config", "remote.origin.url", main.to_str().unwrap()]);
            }
            "nothing" => {
                yard.repo
                    .git(["config", "--remove-section", "remote.origin"]);
            }
            _ => {}
        }
        yard.age("agent");
        let plan = yard.look();
        let found = row(&plan, &yard.address("agent"));
        assert_eq!(found.verdict.acts(), counts, "{url}: {}", said(&plan));
        if !counts {
            assert_eq!(found.reason, Reason::Unpublished, "{url}");
        }
    }
}

/// A remote that is this repository under another spelling vouches for nothing, and of one that is
/// not there nobody can tell; the same remote vouches where it is elsewhere.
#[test]
fn published_by_this_repository_under_any_name_is_not_published() {
    type Name = fn(&Yard) -> String;
    let names: [(&str, Name); 9] = [
        ("elsewhere, with an escape", |yard| {
            let origin = yard.repo.root().join("origin.git").display().to_string();
            format!("file://{}", origin.replacen("origin", "%6frigin", 1))
        }),
        ("elsewhere, with a host", |_| {
            "https://example.com/x".to_owned()
        }),
        ("an escape", |yard| {
            let main = yard.repo.main().display().to_string();
            let (above, name) = main.rsplit_once('/').unwrap();
            let (first, rest) = name.split_at(1);
            format!("file://{above}/%{:02x}{rest}", first.as_bytes()[0])
        }),
        ("an ending that git tries", |yard| {
            let alias = yard.repo.root().join("me");
            let link = alias.with_extension("git");
            std::os::unix::fs::symlink(yard.repo.common_dir(), link).unwrap();
            alias.display().to_string()
        }),
        ("a file that links to it", |yard| {
            let alias = yard.repo.root().join("file.git");
            let text = format!("gitdir: {}\n", yard.repo.common_dir().display());
            write(&alias, text.as_bytes());
            alias.display().to_string()
        }),
        ("relative to the worktree", |_| "../../..".to_owned()),
        ("insteadOf", |yard| {
            let key = format!("url.{}.insteadOf", yard.repo.main().display());
            yard.repo.git(["config", &key, "gh:x"]);
            "gh:x".to_owned()
        }),
        ("pushInsteadOf", |yard| {
            let key = format!("url.{}.pushInsteadOf", yard.repo.main().display());
            let origin = yard.repo.root().join("origin.git").display().to_string();
            yard.repo.git(["config", &key, &origin]);
            origin
        }),
        ("not there", |yard| {
            yard.repo.root().join("unmounted").display().to_string()
        }),
    ];
    for (what, name) in names {
        let yard = Yard::without_control();
        let path = yard.add("agent");
        yard.repo.commit(&path, "agent.txt", b"x");
        yard.origin();
        yard.repo.git(["push", "-q", "origin", "agent"]);
        let url = name(&yard);
        yard.repo.git(["config", "remote.origin.url", &url]);
        yard.age("agent");
        let plan = yard.look();
        let found = row(&plan, &yard.address("agent"));
        let counts = what.starts_with("elsewhere");
        assert_eq!(found.verdict.acts(), counts, "{what}: {}", said(&plan));
        if what == "not there" {
            assert!(
                found.message.contains("the remote origin: "),
                "{}",
                said(&plan)
            );
        } else if !counts {
            assert_eq!(found.reason, Reason::Unpublished, "{what}");
        }
    }
}

/// A ref belongs to the remote with the longest name that starts it.
#[test]
fn a_remote_lends_no_trust_to_one_below_its_name() {
    for here in [true, false] {
        let yard = Yard::without_control();
        let path = yard.add("agent");
        yard.repo.commit(&path, "agent.txt", b"x");
        yard.origin();
        let url = if here {
            yard.repo.main()
        } else {
            yard.repo.root().join("origin.git")
        };
        yard.repo
            .git(["config", "remote.origin/me.url", url.to_str().unwrap()]);
        yard.repo
            .git(["update-ref", "refs/remotes/origin/me/agent", "agent"]);
        yard.age("agent");
        let plan = yard.look();
        let found = row(&plan, &yard.address("agent"));
        assert_eq!(found.verdict.acts(), !here, "{}", said(&plan));
    }
}

/// `git-facts 40`, `41`, `47`: short names, replaced commits, and the base itself prove nothing.
#[test]
fn what_only_looks_landed_is_not() {
    type Deceive = fn(&Yard, &str);
    let lies: [(&str, Deceive); 4] = [
        ("a tag called main", |yard, tip| {
            yard.repo.git(["tag", "main", tip]);
        }),
        ("a branch called origin/main", |yard, tip| {
            yard.repo.git(["update-ref", "refs/heads/origin/main", tip]);
        }),
        ("a replaced commit", |yard, tip| {
            let merged = yard
                .repo
                .git(["commit-tree", "-m", "m", "-p", tip, "main^{tree}"]);
            yard.repo.git(["replace", "main", &merged]);
        }),
        // D8
        ("a graft", |yard, tip| {
            let main = yard.repo.git(["rev-parse", "main"]);
            let grafts = yard.repo.common_dir().join("info/grafts");
            write(&grafts, format!("{main} {tip}\n").as_bytes());
        }),
    ];
    for (name, deceive) in lies {
        let yard = Yard::new();
        let path = yard.add("agent");
        let tip = yard.repo.commit(&path, "agent.txt", b"x");
        deceive(&yard, &tip);
        yard.age("agent");
        let plan = yard.look();
        let found = row(&plan, &yard.address("agent"));
        assert_eq!(found.reason, Reason::Unpublished, "{name}: {}", said(&plan));
        assert!(
            row(&plan, &yard.address("control")).verdict.acts(),
            "{name}"
        );
    }
    let yard = Yard::new();
    let path = yard.path("base");
    yard.repo.git(["checkout", "-q", "--detach"]);
    let words = ["worktree", "add", "-q", "--"].map(std::ffi::OsStr::new);
    yard.repo
        .git(words.into_iter().chain([path.as_os_str(), "main".as_ref()]));
    yard.age("base");
    let plan = yard.look();
    let found = row(&plan, &yard.address("base"));
    assert!(
        !found.verdict.acts(),
        "the base vouches for itself: {}",
        said(&plan)
    );
}
