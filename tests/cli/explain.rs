//! `owl explain`: everything behind one row.

use super::support::{Repo, write};

fn project() -> Repo {
    let repo = Repo::new().with_policy();
    repo.landed("fix-login");
    let notes = repo.landed("take-notes");
    write(&notes.join("notes.md"), b"found out\n");
    repo
}

#[test]
fn a_row_that_goes_names_the_commands_that_check_it() {
    let repo = project();
    let told = repo.owl("explain main/fix-login");
    let text = told.to_string();
    assert!(
        text.contains("\nmain/fix-login: remove (ancestor)"),
        "{text}"
    );
    for part in [
        "  untracked  pass",
        "finished (refs/heads/main:owl.yaml:5) -> accept: holds",
        "$ git rev-parse --verify refs/heads/main",
        "$ git merge-base --is-ancestor ",
        "idle for",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_row_that_is_held_says_why_and_what_shows_it() {
    let repo = project();
    let text = repo.owl("explain main/take-notes").to_string();
    assert!(
        text.contains("\nmain/take-notes: hold (untracked)"),
        "{text}"
    );
    assert!(text.contains("HOLD  1 untracked: notes.md"), "{text}");
    assert!(text.contains("status --untracked-files=all"), "{text}");
    let json = repo.owl("explain main/take-notes --format json").json();
    assert_eq!(json["row"]["reason"], "untracked");
    assert_eq!(json["rules"][0]["holds"], true);
}

#[test]
fn an_address_that_is_none_is_an_error() {
    let repo = project();
    let text = repo.owl("explain main/nobody").to_string();
    assert!(
        text.contains("error: the plan has no row main/nobody"),
        "{text}"
    );
    assert!(text.contains("[exit 2]"), "{text}");
}
