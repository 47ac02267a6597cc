//! What a person on a terminal is asked. `script` gives the binary a terminal.

use super::owl_binary::POLICY;
use super::support::Repo;
use std::io::{Read, Write};
use std::process::Stdio;

/// Runs `owl WORDS` on a terminal and types `answer`; what was on the screen, and the exit code.
fn on_a_terminal(repo: &Repo, words: &str, answer: &str) -> (String, Option<i32>) {
    let owl = env!("CARGO_BIN_EXE_owl");
    let mut command = repo.command("script");
    let mut child = command
        .args(["-qec", &format!("{owl} {words}"), "/dev/null"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .current_dir(repo.main())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script (util-linux) is installed");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(answer.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let screen = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    (screen, output.status.code())
}

#[test]
fn the_plan_is_shown_and_only_a_yes_is_a_yes() {
    let repo = Repo::new().with_policy();
    let trees = ["one", "two"].map(|name| repo.landed(name));
    let gone = repo.landed("gone");
    std::fs::rename(gone, repo.root().join("moved-away")).expect("it moves");
    for answer in ["\n", "n\n", "yo\n", "2\n"] {
        let (screen, code) = on_a_terminal(&repo, "apply", answer);
        assert_eq!(code, Some(0), "{screen}");
        assert!(
            screen.contains("Remove 2 worktrees and prune 1 entry? [y/N]"),
            "{screen}"
        );
        assert!(screen.contains("Plan: 2 to remove"), "{screen}");
        assert!(screen.contains("Nothing was changed."), "{screen}");
        assert!(trees.iter().all(|tree| tree.exists()), "{screen}");
    }
    let (screen, code) = on_a_terminal(&repo, "apply", "y\n");
    assert_eq!(code, Some(0), "{screen}");
    assert!(trees.iter().all(|tree| !tree.exists()), "{screen}");
}

#[test]
fn over_a_limit_the_number_is_typed_even_with_yes() {
    let repo = Repo::new();
    let limited = format!("{POLICY}limits: {{ max-removals: 1 }}\n");
    repo.commit(&repo.main(), "owl.yaml", limited.as_bytes());
    let trees = ["one", "two"].map(|name| repo.landed(name));
    for (answer, expected) in [("\n", 0), ("y\n", 0), ("1\n", 2)] {
        let (screen, code) = on_a_terminal(&repo, "apply --yes", answer);
        assert_eq!(code, Some(expected), "{screen}");
        assert!(
            screen.contains("over the policy's max-removals of 1"),
            "{screen}"
        );
        assert!(trees.iter().all(|tree| tree.exists()), "{screen}");
    }
    let (screen, code) = on_a_terminal(&repo, "apply", "2\n");
    assert_eq!(code, Some(0), "{screen}");
    assert!(trees.iter().all(|tree| !tree.exists()), "{screen}");
}

/// Nobody waits for a forgotten terminal: while the question stands no lock is held, and what
/// another owl did meanwhile is seen by the look before each row.
#[test]
fn no_lock_is_held_while_the_question_waits() {
    let repo = Repo::new().with_policy();
    let trees = ["one", "two"].map(|name| repo.landed(name));
    let owl = env!("CARGO_BIN_EXE_owl");
    let mut child = repo
        .command("script")
        .args(["-qec", &format!("{owl} apply"), "/dev/null"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .current_dir(repo.main())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script (util-linux) is installed");
    let mut out = child.stdout.take().expect("it is piped");
    let mut screen = String::new();
    let mut some = [0; 512];
    while !screen.contains("[y/N]") {
        let count = out.read(&mut some).expect("it writes");
        assert!(count > 0, "{screen}");
        screen.push_str(&String::from_utf8_lossy(&some[..count]));
    }
    let cron = repo.owl("apply --yes --only main/one");
    assert_eq!(cron.code(), Some(0), "{cron}");
    assert!(!trees[0].exists() && trees[1].exists(), "{cron}");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(b"y\n").expect("it reads");
    out.read_to_string(&mut screen).expect("it ends");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{screen}");
    assert!(screen.contains("already-gone main/one"), "{screen}");
    assert!(!trees[1].exists(), "{screen}");
}
