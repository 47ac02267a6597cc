//! Saved plans: each thing that a row rests on is moved, one at a time; that row is refused, and
//! says what moved, and the others are done (`spec 6`).

use super::owl_binary::Run;
use super::support::Repo;
use super::support::snapshot::Snapshot;
use super::support::write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const POLICY: &[u8] = b"\
apiVersion: owl/v1
stores: [{ path: .claude/worktrees/* }]
rules:
  - { name: declined, when: { branch: \"drop*\" }, then: drop }
  - { name: pushed, when: { branch: \"pub*\", published: true }, then: accept }
  - { name: finished, when: { landed: true }, then: accept }
ttl: { grace: 0s }
expendable: [scratch.txt]
dead-locks: lift
pid-namespace: own
";

struct Case {
    name: &'static str,
    words: &'static str,
    change: fn(&Repo, &Path, &Path),
}

/// A commit that is merged, so that nothing but HEAD differs.
fn commit(repo: &Repo, path: &Path) {
    repo.commit(path, "more.txt", b"more");
    let branch = path
        .file_name()
        .expect("the scene is as it was built")
        .to_str()
        .expect("the scene is as it was built");
    repo.git(["merge", "-q", "--no-ff", "--no-edit", branch]);
}

const CASES: [Case; 15] = [
    Case {
        name: "head",
        words: "HEAD has moved",
        change: |repo, path, _| commit(repo, path),
    },
    Case {
        name: "branch",
        words: "HEAD has moved",
        change: |repo, path, _| drop(repo.git_in(path, ["checkout", "-q", "-b", "branch-two"])),
    },
    Case {
        name: "detached",
        words: "HEAD has moved",
        change: |repo, path, _| drop(repo.git_in(path, ["checkout", "-q", "--detach"])),
    },
    Case {
        name: "identity",
        words: "another directory stands in its place",
        change: |repo, path, _| {
            let aside = repo.root().join("aside");
            std::fs::rename(path, &aside).expect("the scene is as it was built");
            assert!(
                repo.command("cp")
                    .arg("-a")
                    .args([aside, path.to_owned()])
                    .status()
                    .expect("the scene is as it was built")
                    .success()
            );
        },
    },
    Case {
        name: "git-path",
        words: "git has another path for it",
        change: |repo, path, entry| {
            let alias = repo.root().join("alias");
            symlink(repo.main(), &alias).expect("the scene is as it was built");
            let other = alias
                .join(
                    path.strip_prefix(repo.main())
                        .expect("the scene is as it was built"),
                )
                .join(".git");
            write(&entry.join("gitdir"), other.as_os_str().as_encoded_bytes());
        },
    },
    Case {
        name: "lock",
        words: "it is hold now: locked: mine",
        change: |_, _, entry| write(&entry.join("locked"), b"mine"),
    },
    Case {
        name: "dead-lock",
        words: "its steps are others now",
        change: |repo, _, entry| {
            let mut child = repo
                .command("true")
                .spawn()
                .expect("the scene is as it was built");
            child.wait().expect("the scene is as it was built");
            let reason = format!("claude session x (pid {} start 1)", child.id());
            write(&entry.join("locked"), reason.as_bytes());
        },
    },
    Case {
        name: "untracked",
        words: "it is hold now: 1 untracked: idea.md",
        change: |_, path, _| write(&path.join("idea.md"), b"x"),
    },
    Case {
        name: "tracked",
        words: "it is hold now: 1 tracked change",
        change: |_, path, _| write(&path.join("README.md"), b"mine\n"),
    },
    Case {
        name: "ignored",
        words: "what is untracked or ignored in it has changed",
        change: |_, path, _| write(&path.join("lib/.DS_Store"), b"harmless"),
    },
    Case {
        name: "expendable",
        words: "its steps are others now",
        change: |_, path, _| write(&path.join("scratch.txt"), b"other"),
    },
    Case {
        name: "pub-evidence",
        words: "another rule decides now; its verdict rests on other evidence now",
        change: |repo, path, _| {
            let branch = path
                .file_name()
                .expect("the scene is as it was built")
                .to_str()
                .expect("the scene is as it was built");
            repo.git(["merge", "-q", "--no-ff", "--no-edit", branch]);
            repo.git(["update-ref", "-d", "refs/remotes/origin/pub-evidence"]);
        },
    },
    Case {
        name: "drop-reflog",
        words: "its steps are others now",
        change: |repo, path, _| {
            repo.commit(path, "lost.txt", b"lost");
            repo.git_in(path, ["reset", "-q", "--hard", "HEAD^"]);
        },
    },
    Case {
        name: "inside",
        words: "it is hold now: worktree inside stays",
        change: |repo, path, _| {
            let inner = path.join(".claude/worktrees/inner");
            let words = ["worktree", "add", "-q", "-b", "inner"].map(std::ffi::OsStr::new);
            repo.git(words.into_iter().chain([inner.as_os_str()]));
        },
    },
    Case {
        name: "gone",
        words: "there is nothing of this name any more",
        change: |repo, path, _| {
            let words = ["worktree", "remove", "--force", "--"].map(std::ffi::OsStr::new);
            repo.git(words.into_iter().chain([path.as_os_str()]));
        },
    },
];

fn scene() -> Repo {
    let repo = Repo::new();
    write(
        &repo.common_dir().join("info/exclude"),
        b"/.claude/\n.claude/\n.DS_Store\n",
    );
    repo.commit(&repo.main(), "owl.yaml", POLICY);
    write(&repo.main().join("lib/a.txt"), b"a");
    repo.git(["add", "."]);
    repo.git(["commit", "-q", "-m", "lib"]);
    let origin = repo.root().join("origin.git");
    repo.git_in(
        repo.root(),
        ["init", "-q", "--bare", "-b", "main", "origin.git"],
    );
    repo.git([
        "remote",
        "add",
        "origin",
        origin.to_str().expect("the scene is as it was built"),
    ]);
    for case in &CASES {
        if case.name.starts_with("pub") {
            let path = repo.agent(case.name);
            repo.commit(&path, "pub.txt", b"x");
            repo.git(["push", "-q", "origin", case.name]);
        } else if case.name.starts_with("drop") {
            let path = repo.agent(case.name);
            repo.commit(&path, "dropped.txt", b"x");
        } else {
            let path = repo.landed(case.name);
            write(&path.join("scratch.txt"), b"first");
        }
    }
    for name in ["control", "drop-control"] {
        repo.landed(name);
    }
    repo
}

fn place(repo: &Repo, name: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let path = repo.main().join(".claude/worktrees").join(name);
    (path, repo.common_dir().join("worktrees").join(name))
}

/// What became of a row.
fn fate(run: &Run, name: &str) -> (String, String) {
    let json = run.json();
    let wanted = format!("main/{name}");
    let of = |list: &serde_json::Value| {
        let mut items = list.as_array().into_iter().flatten();
        items
            .find(|item| item["address"] == wanted.as_str() && !item["outcome"].is_null())
            .cloned()
    };
    let found = of(&json["stale"]).or_else(|| of(&json["items"]));
    let found = found.unwrap_or_else(|| panic!("{name}: {run}"));
    let text = |key: &str| {
        found["outcome"][key]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    (text("fate"), text("message"))
}

#[test]
fn whatever_moved_makes_its_row_stale_and_no_other() {
    let repo = scene();
    let plan = repo.root().join("plan.json");
    let saved = repo.owl("plan --out ../plan.json");
    assert_eq!(saved.code(), Some(0), "{saved}");
    assert!(
        saved.stdout().contains("To apply: owl apply ../plan.json"),
        "{saved}"
    );
    let mode = std::fs::metadata(&plan)
        .expect("the scene is as it was built")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let document: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&plan).expect("the scene is as it was built"))
            .expect("the scene is as it was built");
    assert_eq!(document["summary"]["remove"], CASES.len() + 2, "{saved}");
    for case in &CASES {
        let (path, entry) = place(&repo, case.name);
        (case.change)(&repo, &path, &entry);
    }
    // The base moves on, and new rows come: neither is anything to the plan.
    repo.commit(&repo.main(), "later.txt", b"later");
    let new = repo.landed("new");
    let held: Vec<_> = CASES.iter().map(|case| place(&repo, case.name)).collect();
    let held: Vec<&Path> = held
        .iter()
        .flat_map(|(path, entry)| [&**path, &**entry])
        .collect();
    let before = Snapshot::of(&held);
    let refs = |repo: &Repo| {
        let all = repo.git(["for-each-ref", "refs/heads", "refs/remotes"]);
        let kept = all.lines().filter(|line| !line.contains("control"));
        kept.collect::<Vec<_>>().join("\n")
    };
    let branches = refs(&repo);
    let dry = repo.owl("apply -n ../plan.json");
    assert_eq!(dry.code(), Some(0), "{dry}");
    let run = repo.owl("apply --yes --format json ../plan.json");
    assert_eq!(run.code(), Some(3), "{run}");
    for case in &CASES {
        let (found, message) = fate(&run, case.name);
        assert_eq!(found, "stale", "{}: {message}", case.name);
        assert!(message.contains(case.words), "{}: {message}", case.name);
    }
    before.require_same("stale rows", &held);
    assert_eq!(refs(&repo), branches);
    for name in ["control", "drop-control"] {
        assert_eq!(fate(&run, name).0, "removed");
        assert!(!place(&repo, name).0.exists());
    }
    assert!(new.exists(), "a saved plan never gets a new row");
    let again = repo.owl("apply --yes --format json ../plan.json");
    assert_eq!(again.code(), Some(3), "{again}");
    assert_eq!(fate(&again, "control").0, "stale");
    before.require_same("stale rows", &held);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_no_plan_for_this_owl_and_policy_is_refused_whole() {
    let repo = Repo::new();
    repo.commit(&repo.main(), "owl.yaml", POLICY);
    let path = repo.landed("one");
    assert_eq!(repo.owl("plan --out ../plan.json").code(), Some(0));
    let file = repo.root().join("plan.json");
    let good = std::fs::read_to_string(&file).expect("the scene is as it was built");
    let observed =
        String::from_utf8(repo.owl("observe").output.stdout).expect("the scene is as it was built");
    let version = env!("CARGO_PKG_VERSION");
    let own = format!("\"owl_version\": \"{version}\"");
    let row = good[good
        .find("    {\n      \"address\": \"main/one\"")
        .expect("the scene is as it was built")..]
        .to_owned();
    let row = &row[..row.find("\n    }").expect("the scene is as it was built") + 6];
    let cases = [
        (
            "cut short",
            good[..good.len() / 2].to_owned(),
            "not a plan that owl saved",
        ),
        ("empty", String::new(), "not a plan that owl saved"),
        (
            "another thing",
            "apiVersion: owl/v1\n".to_owned(),
            "not a plan that owl saved",
        ),
        ("an observation", observed, "not a plan that owl saved"),
        (
            "a report",
            good.replacen("\"plan\"", "\"apply\"", 1),
            "a document of the kind",
        ),
        (
            "another form",
            good.replacen("\"1.0\"", "\"2.0\"", 1),
            "it has the form 2.0",
        ),
        (
            "another owl",
            good.replacen(&own, "\"owl_version\": \"9.1.0\"", 1),
            "owl 9.1.0 made it",
        ),
        (
            "a key",
            good.replacen("\"complete\"", "\"completely\"", 1),
            "unknown field `completely`",
        ),
        (
            "a row's key",
            good.replacen("\"git_path\"", "\"x\"", 1).replacen(
                "\"kind\": \"worktree\"",
                "\"kind\": \"worktree\", \"force\": true",
                1,
            ),
            "unknown field `force`",
        ),
        (
            "a verdict",
            good.replacen("\"verdict\": \"remove\"", "\"verdict\": \"destroy\"", 1),
            "unknown variant `destroy`",
        ),
        (
            "two rows",
            good.replacen(row, &format!("{row},\n{row}"), 1),
            "two rows main/one",
        ),
        (
            "another policy",
            good.replacen("\"sha256\": \"", "\"sha256\": \"0000", 1),
            "made under another policy",
        ),
    ];
    for (name, text, words) in cases {
        assert!(text != good, "{name}");
        std::fs::write(&file, &text).expect("the scene is as it was built");
        let run = repo.owl("apply --yes ../plan.json");
        assert_eq!(run.code(), Some(2), "{name}: {run}");
        assert!(run.stderr().contains(words), "{name}: {run}");
        assert!(path.exists() && repo.audit().is_empty(), "{name}");
    }
    // The policy that is in force is another one now.
    std::fs::write(&file, &good).expect("the scene is as it was built");
    let changed = [POLICY, b"# a comment\n"].concat();
    repo.commit(&repo.main(), "owl.yaml", &changed);
    let run = repo.owl("apply --yes ../plan.json");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("made under another policy"), "{run}");
    for words in [
        "apply --yes ../no-such",
        "apply --yes ..",
        "apply --yes /dev/null",
        "plan --out ..",
        "plan --out /dev/null",
        "plan --out ../no/such",
    ] {
        let run = repo.owl(words);
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(path.exists());
    }
    // Nothing but a plan is written over.
    repo.commit(&repo.main(), "owl.yaml", POLICY);
    let note = repo.root().join("note");
    for (name, text) in [("../note", "mine\n"), (".git/HEAD", ""), ("owl.yaml", "")] {
        if !text.is_empty() {
            std::fs::write(&note, text).expect("the scene is as it was built");
        }
        let before = std::fs::read(repo.main().join(name)).expect("it is there");
        let run = repo.owl(&format!("plan --out {name}"));
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(run.stderr().contains("is no plan that owl saved"), "{run}");
        assert_eq!(
            std::fs::read(repo.main().join(name)).expect("it is there"),
            before
        );
    }
    std::fs::write(&note, "").expect("the scene is as it was built");
    assert_eq!(
        repo.owl("plan --out ../note").code(),
        Some(0),
        "an empty file is nobody's"
    );
    assert_eq!(
        repo.owl("plan --out ../note").code(),
        Some(0),
        "a plan is written over"
    );
    // The same policy by another name is the same policy.
    std::fs::copy(repo.main().join("owl.yaml"), repo.root().join("same.yaml"))
        .expect("the scene is as it was built");
    assert_eq!(
        repo.owl("plan --out ../plan.json --policy ../same.yaml")
            .code(),
        Some(0)
    );
    let absolute = format!(
        "apply --yes ../plan.json --policy {}/same.yaml",
        repo.root().display()
    );
    let run = repo.owl(&absolute);
    assert_eq!(run.code(), Some(0), "the control: {run}");
    assert!(!path.exists());
}

/// A file is untrusted: what was made up in it does nothing that the policy does not.
#[test]
fn an_edited_row_is_stale_and_only_narrows() {
    let repo = Repo::new();
    repo.commit(&repo.main(), "owl.yaml", POLICY);
    let (one, two) = (repo.landed("one"), repo.landed("two"));
    let held = repo.landed("held");
    write(&held.join("notes.md"), b"mine");
    let plan = repo.owl("plan --format json").json();
    let mut forged = plan.clone();
    for item in forged["items"]
        .as_array_mut()
        .expect("the scene is as it was built")
    {
        if item["address"] == "main/held" {
            item["verdict"] = "remove".into();
            item["steps"] = serde_json::json!([{ "step": "remove-worktree" }]);
            item["reason"] = "ancestor".into();
        }
        if item["address"] == "main/two" {
            let more = serde_json::json!(
                { "step": "delete-branch", "reference": "refs/heads/main", "commit": item["head"] }
            );
            item["steps"]
                .as_array_mut()
                .expect("the scene is as it was built")
                .push(more);
        }
    }
    std::fs::write(repo.root().join("plan.json"), forged.to_string())
        .expect("the scene is as it was built");
    let run = repo.owl("apply --yes --format json ../plan.json");
    assert_eq!(run.code(), Some(3), "{run}");
    assert_eq!(fate(&run, "held").0, "stale");
    assert_eq!(fate(&run, "two").0, "stale");
    assert_eq!(fate(&run, "one").0, "removed");
    assert!(!one.exists() && two.exists() && held.join("notes.md").exists());
    std::fs::write(repo.root().join("plan.json"), plan.to_string())
        .expect("the scene is as it was built");
    let run = repo.owl("apply --yes --only main/nothing ../plan.json");
    assert_eq!(run.code(), Some(2), "{run}");
    let run = repo.owl("apply --yes --only main/two ../plan.json");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!two.exists());
}

/// A plan of one repository does nothing in another that looks the same.
#[test]
fn a_plan_of_another_place_does_nothing_here() {
    let (here, there) = (Repo::new(), Repo::new());
    for repo in [&here, &there] {
        repo.commit(&repo.main(), "owl.yaml", POLICY);
        repo.landed("one");
    }
    assert_eq!(there.owl("plan --out ../plan.json").code(), Some(0));
    let file = there.root().join("plan.json");
    let words = [
        "apply".as_ref(),
        "--yes".as_ref(),
        "--format".as_ref(),
        "json".as_ref(),
        file.as_os_str(),
    ];
    let run = here.owl_in(&here.main(), words);
    assert_eq!(run.code(), Some(3), "{run}");
    assert_eq!(fate(&run, "one").0, "stale");
    assert!(here.main().join(".claude/worktrees/one").exists());
    let observed = here.owl("plan --out ../plan.json --observation ../seen.json");
    assert_eq!(observed.code(), Some(2), "{observed}");
}

/// Brakes hold a saved plan as well.
#[test]
fn a_saved_plan_over_a_limit_is_refused() {
    let repo = Repo::new();
    let limited = [POLICY, b"limits: { max-removals: 1 }\n"].concat();
    repo.commit(&repo.main(), "owl.yaml", &limited);
    let trees = ["one", "two"].map(|name| repo.landed(name));
    assert_eq!(repo.owl("plan --out ../plan.json").code(), Some(0));
    let run = repo.owl("apply --yes ../plan.json");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("max-removals of 1"), "{run}");
    let run = repo.owl("apply --yes --only main/one");
    assert!(
        run.stderr().contains("the whole plan, whatever is chosen"),
        "{run}"
    );
    assert!(trees.iter().all(|tree| tree.exists()));
}
