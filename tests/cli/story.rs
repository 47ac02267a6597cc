//! The main story: plan, apply, and apply again.

use super::owl_binary::snap;
use super::support::{Repo, write};
use std::fmt::Write as _;

/// One of each: goes, is pruned, is held for a file, is held for a commit.
fn project() -> Repo {
    let repo = Repo::new().with_policy();
    repo.landed("fix-login");
    let notes = repo.landed("take-notes");
    write(&notes.join("notes.md"), b"found out\n");
    let own = repo.agent("try-cache");
    repo.commit(&own, "cache.txt", b"work\n");
    let gone = repo.landed("old-spike");
    std::fs::rename(gone, repo.root().join("moved-away")).expect("it can be moved");
    repo
}

#[test]
fn plan_apply_and_apply_again() {
    let repo = project();
    let mut story = String::new();
    for words in [
        "plan",
        "plan --all",
        "apply -n",
        "apply",
        "apply --yes",
        "apply --yes",
        "plan",
    ] {
        writeln!(story, "{}", repo.owl(words)).expect("memory takes it");
    }
    snap("cli__story", &story);
    let below = repo.main().join(".claude/worktrees");
    assert!(!below.join("fix-login").exists());
    assert!(below.join("take-notes/notes.md").exists());
    assert!(below.join("try-cache/cache.txt").exists());
    assert_eq!(
        repo.git(["branch", "--list", "fix-login"]).trim(),
        "fix-login"
    );
}

#[test]
fn nothing_is_written_unless_something_is_done() {
    let repo = Repo::new().with_policy();
    for words in ["plan", "apply -n", "apply", "apply --yes"] {
        assert_eq!(repo.owl(words).code(), Some(0), "{words}");
    }
    assert!(!repo.root().join("home/.local").exists());
    repo.landed("one");
    assert_eq!(repo.owl("plan").code(), Some(0));
    assert_eq!(repo.owl("apply -n").code(), Some(0));
    assert!(!repo.root().join("home/.local").exists());
    assert_eq!(repo.owl("apply --yes").code(), Some(0));
    assert_eq!(repo.audit().len(), 2);
    assert_eq!(repo.owl("apply --yes").code(), Some(0));
    assert_eq!(repo.audit().len(), 2);
}

#[test]
fn only_narrows_and_never_widens() {
    let repo = project();
    let two = repo.landed("second");
    let mut story = String::new();
    for words in [
        "apply --yes --only main/no-such",
        "apply --yes --only main/take-notes",
        "apply -n --only main/second --only main/take-notes",
        "apply --yes --only main/second",
    ] {
        writeln!(story, "{}", repo.owl(words)).expect("memory takes it");
    }
    snap("cli__only", &story);
    assert!(!two.exists());
    assert!(repo.main().join(".claude/worktrees/fix-login").exists());
}

#[test]
fn an_empty_table_says_where_was_looked() {
    let repo = Repo::new().with_policy();
    let mut story = repo.owl("plan").to_string();
    repo.commit(
        &repo.main(),
        "owl.yaml",
        b"apiVersion: owl/v1\nstores: []\n",
    );
    write!(story, "\n{}", repo.owl("plan")).expect("memory takes it");
    snap("cli__empty", &story);
}

#[test]
fn quiet_says_only_what_needs_a_person() {
    let repo = Repo::new();
    let pinned = "rules:\n  - { name: pinned, when: { branch: pinned }, then: keep }\n";
    let policy = super::owl_binary::POLICY.replace("rules:\n", pinned);
    repo.commit(&repo.main(), "owl.yaml", policy.as_bytes());
    repo.agent("pinned");
    assert_eq!(
        repo.owl("apply --yes --quiet").to_string(),
        "$ owl apply --yes --quiet\n[exit 0]\n"
    );
    repo.landed("fix-login");
    // The line about hidden processes is left out of the transcript.
    let calm = repo.owl("apply --yes --quiet");
    assert!(calm.stdout().lines().count() <= 1, "{calm}");
    assert_eq!((calm.stderr().as_str(), calm.code()), ("", Some(0)));
    let notes = repo.landed("take-notes");
    write(&notes.join("notes.md"), b"found out\n");
    repo.landed("third");
    let mut story = repo.owl("plan --quiet").to_string();
    write!(story, "\n{}", repo.owl("apply --yes --quiet")).expect("memory takes it");
    snap("cli__quiet", &story);
}

#[test]
fn hostile_names_never_reach_the_terminal() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new().with_policy();
    let store = repo.main().join(".claude/worktrees");
    let names: [&[u8]; 4] = [
        b"esc\x1b[2J\x1b[31m",
        b"line\nPlan: nothing to do.",
        "rtl\u{202e}gpj".as_bytes(),
        b"bytes\xff\xfe",
    ];
    for (index, name) in names.into_iter().enumerate() {
        let path = store.join(std::ffi::OsStr::from_bytes(name));
        let branch = format!("b{index}");
        let words = ["worktree", "add", "-q", "-b", &branch].map(std::ffi::OsStr::new);
        repo.git(words.into_iter().chain([path.as_os_str()]));
        if index % 2 == 0 {
            write(&path.join("x\x1b[2J.txt"), b"untracked\n");
        }
    }
    let plan = repo.owl("plan --all");
    let json = repo.owl("plan --format json").json();
    let apply = repo.owl("apply --yes");
    let said = [
        &plan.output.stdout,
        &plan.output.stderr,
        &apply.output.stdout,
    ]
    .map(Vec::as_slice);
    let raw = |byte: &u8| *byte != b'\n' && (*byte < b' ' || *byte >= 0x7f);
    assert!(!said.concat().iter().any(raw), "{plan}\n{apply}");
    snap("cli__hostile", &format!("{plan}\n{apply}"));
    let items = json["items"].as_array().expect("items");
    let hex = |item: &serde_json::Value| Some(item["path_bytes"]["bytes_hex"].as_str()?.to_owned());
    let bytes: Vec<_> = items.iter().filter_map(hex).collect();
    assert!(bytes[0].ends_with("fffe"), "{bytes:?}");
}
