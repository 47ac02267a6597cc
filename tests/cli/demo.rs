//! `owl demo`, which is the first thing that a reader of the README runs.

use super::owl_binary::snap;
use super::support::Repo;

fn entries(path: &std::path::Path) -> usize {
    std::fs::read_dir(path).expect("it is there").count()
}

/// The text without the name that the demo made up for its directory.
fn nameless(text: &str) -> String {
    let mut parts = text.split("/owl-demo-");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once('/').expect("something is below it");
        out.push_str("/[DEMO]/");
        out.push_str(rest);
    }
    out
}

#[test]
fn it_shows_the_whole_and_leaves_nothing() {
    let repo = Repo::empty();
    let run = repo.owl_in(repo.root(), ["demo"]);
    snap("cli__demo", &nameless(&run.to_string()));
    assert_eq!(run.code(), Some(0));
    assert_eq!(entries(&repo.root().join("tmp")), 0);
    assert_eq!(entries(&repo.root().join("home")), 0);
}

#[test]
fn it_is_kept_where_it_was_asked_for_and_overwrites_nothing() {
    let repo = Repo::empty();
    let run = repo.owl_in(repo.root(), ["demo", "--keep", "kept"]);
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(
        repo.root()
            .join("kept/app/.claude/worktrees/take-notes/notes.md")
            .exists()
    );
    assert!(
        repo.root()
            .join("kept/home/.local/state/owl/audit.jsonl")
            .exists()
    );
    let again = repo.owl_in(&repo.root().join("kept/app"), ["plan"]);
    assert!(again.stdout().contains("nothing to do; 5 held"), "{again}");
    let refused = repo.owl_in(repo.root(), ["demo", "--keep", "kept"]);
    assert_eq!(refused.code(), Some(2), "{refused}");
}

#[test]
fn it_listens_to_no_setting_of_the_user() {
    let repo = Repo::empty();
    let mut command = repo.owl_command(repo.root());
    let hostile = repo.root().join("hostile.config");
    std::fs::write(
        &hostile,
        "[init]\ndefaultBranch = trunk\n[commit]\ngpgSign = true\n[core]\nhooksPath = /x\n",
    )
    .expect("it can be written");
    command
        .arg("demo")
        .env("GIT_CONFIG_GLOBAL", hostile)
        .env("OWL_POLICY", "/no/such/file")
        .env("GIT_DIR", "/no/such/dir");
    let run = repo.run(command);
    assert_eq!(run.code(), Some(0), "{run}");
}
