//! A signal ends the run after the current row; nothing else is started.

use super::exits::which;
use super::support::Repo;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Runs apply on three rows, sends a signal while the first removal runs, and gives the exit code,
/// what was said, and which trees are left.
fn interrupted(signal: &str) -> (Option<i32>, String, Vec<PathBuf>) {
    let repo = Repo::new().with_policy();
    let trees = ["a", "b", "c"].map(|name| repo.landed(name));
    let mark = repo.root().join("mark");
    let git = which(&repo);
    let body = format!(
        "case \"$*\" in *'worktree remove'*) {{ : > {}; }}; sleep 1;; esac\nexec {git} \"$@\"",
        mark.display()
    );
    repo.script(&repo.root().join("bin/git"), &body);
    let path = format!("{}:/usr/bin:/bin", repo.root().join("bin").display());
    let mut command = repo.owl_command(&repo.main());
    let child = command
        .args(["apply", "--yes"])
        .env("PATH", path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let since = Instant::now();
    while !mark.exists() {
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "no removal began"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    let sent = repo.command("kill").args([signal, &id]).status();
    assert!(sent.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    let left = trees.into_iter().filter(|tree| tree.exists()).collect();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), said, left)
}

#[test]
fn the_first_signal_finishes_what_is_begun_and_starts_no_other() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (got, said, left) = interrupted(signal);
        assert_eq!(got, Some(code), "{said}");
        // The row after may have been begun while git deleted the first; what was begun is finished.
        let (gone, left) = (3 - left.len(), left.len());
        assert!(gone > 0 && left > 0, "{said}");
        let sum = format!("Applied: {gone} removed, {left} not-attempted");
        assert!(said.contains(&sum), "{said}");
    }
}
