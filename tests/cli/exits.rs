//! Every exit code, and what a closed standard output means.

use super::owl_binary::POLICY;
use super::support::{Repo, write};
use std::io::Read;
use std::process::{Child, ChildStdout, Stdio};

#[test]
fn zero_and_one() {
    let repo = Repo::new().with_policy();
    assert_eq!(repo.owl("plan --exit-code").code(), Some(0));
    repo.landed("agent");
    assert_eq!(repo.owl("plan").code(), Some(0));
    assert_eq!(repo.owl("plan --exit-code").code(), Some(1));
    assert_eq!(repo.owl("plan --exit-code --format json").code(), Some(1));
}

#[test]
fn two_for_warnings_under_strict() {
    let repo = Repo::new();
    let tree = repo.landed("agent");
    let text = format!("{POLICY}x-note: none\n").replace(
        "rules:\n",
        "rules:\n  - { name: never, when: { branch: no-such }, then: keep }\n",
    );
    repo.commit(&repo.main(), "owl.yaml", text.as_bytes());
    let plan = repo.owl("plan");
    assert!(plan.stdout().contains("warning: rule never"), "{plan}");
    assert_eq!(plan.code(), Some(0));
    assert_eq!(repo.owl("plan --strict").code(), Some(2));
    let json = repo.owl("plan --strict --format json");
    assert_eq!(
        (json.code(), json.json()["kind"].as_str()),
        (Some(2), Some("plan"))
    );
    assert_eq!(repo.owl("apply --yes --strict").code(), Some(2));
    assert!(tree.exists());
    assert_eq!(repo.owl("apply --yes").code(), Some(0));
    assert!(!tree.exists());
}

#[test]
fn two_for_an_incomplete_observation_while_the_others_go_on() {
    let repo = Repo::new();
    let tree = repo.landed("agent");
    let broken = repo.root().join("broken");
    std::fs::create_dir(&broken).expect("it can be made");
    repo.git_in(&broken, ["init", "-q"]);
    write(&broken.join(".git/config"), b"[core\n");
    let text = format!("{POLICY}projects: [{{ path: ../main }}, {{ path: ../broken }}]\n");
    write(&repo.root().join("owl.yaml"), text.as_bytes());
    let plan = repo.owl("plan --policy ../owl.yaml");
    assert_eq!(plan.code(), Some(2), "{plan}");
    assert!(
        plan.stdout().contains("Not everything could be read"),
        "{plan}"
    );
    let apply = repo.owl("apply --yes --policy ../owl.yaml");
    assert_eq!(apply.code(), Some(2), "{apply}");
    assert!(!tree.exists(), "{apply}");
}

/// Another program that holds a lock until its standard input ends: a lock of this one would be
/// inherited by the owl that waits for it.
fn held(repo: &Repo, lock: &std::path::Path) -> (Child, ChildStdout) {
    let mut holder = repo.command("flock");
    let mut holder = holder
        .arg(lock)
        .args(["sh", "-c", "echo held; read line"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("flock (util-linux) is installed");
    let mut said = [0; 5];
    let mut out = holder.stdout.take().expect("it is piped");
    out.read_exact(&mut said).expect("it says when it holds");
    (holder, out)
}

#[test]
fn three_while_another_owl_is_at_work() {
    let repo = Repo::new().with_policy();
    let tree = repo.landed("agent");
    let (mut holder, _out) = held(&repo, &repo.common_dir());
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(3), "{run}");
    assert!(run.stderr().contains("[TMP]/main/.git"), "{run}");
    let json = repo.owl("apply --yes --format json");
    assert_eq!(
        (json.code(), json.json()["kind"].as_str()),
        (Some(3), Some("error"))
    );
    assert_eq!(repo.owl("plan").code(), Some(0));
    assert!(tree.exists() && repo.audit().is_empty());

    let mut command = repo.owl_command(&repo.main());
    let mut waiting = command
        .args(["apply", "--yes", "--wait"])
        .spawn()
        .expect("it starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(tree.exists() && waiting.try_wait().expect("it can be asked").is_none());
    drop(holder.stdin.take());
    holder.wait().expect("it ends");
    assert_eq!(waiting.wait().expect("it ends").code(), Some(0));
    assert!(!tree.exists());
}

/// The projects that nobody holds go on; the other one is named.
#[test]
fn three_for_a_project_that_is_left_out_while_the_others_go_on() {
    let repo = Repo::new();
    let tree = repo.landed("agent");
    let other = repo.root().join("other");
    repo.git(["clone", "-q", ".", "../other"]);
    let theirs = other.join(".claude/worktrees/theirs");
    let words = ["worktree", "add", "-q", "-b", "theirs"].map(std::ffi::OsStr::new);
    repo.git_in(&other, words.into_iter().chain([theirs.as_os_str()]));
    let text = format!("{POLICY}projects: [{{ path: ../main }}, {{ path: ../other }}]\n");
    write(&repo.root().join("owl.yaml"), text.as_bytes());
    let lock = other.join(".git");
    let (mut holder, _out) = held(&repo, &lock);
    let strict = repo.owl("apply --yes --strict --policy ../owl.yaml");
    assert_eq!(strict.code(), Some(3), "{strict}");
    let only = repo.owl("apply --yes --only other/theirs --policy ../owl.yaml");
    assert_eq!(only.code(), Some(3), "{only}");
    assert!(only.stderr().contains("[TMP]/other/.git"), "{only}");
    assert!(tree.exists() && repo.audit().is_empty());
    let run = repo.owl("apply --yes --format json --policy ../owl.yaml");
    assert_eq!(run.code(), Some(3), "{run}");
    assert_eq!(run.json()["left_out"], serde_json::json!(["other"]));
    let named = "project other is left out: another owl is at work in [TMP]/other/.git";
    assert!(run.stderr().contains(named), "{run}");
    assert!(!tree.exists() && theirs.exists(), "{run}");
    let quiet = repo.owl("apply --yes --quiet --policy ../owl.yaml");
    assert_eq!(quiet.code(), Some(3), "{quiet}");
    assert!(quiet.stderr().contains(named), "{quiet}");
    drop(holder.stdin.take());
    holder.wait().expect("it ends");
    let run = repo.owl("apply --yes --policy ../owl.yaml");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!theirs.exists(), "{run}");
}

#[test]
fn three_when_a_row_was_not_done() {
    let repo = Repo::new().with_policy();
    let tree = repo.landed("agent");
    let git = which(&repo);
    repo.script(
        &repo.root().join("bin/git"),
        &format!(
            "case \"$*\" in *'worktree remove'*) echo no >&2; exit 1;; esac\nexec {git} \"$@\""
        ),
    );
    let mut command = repo.owl_command(&repo.main());
    command
        .args(["apply", "--yes"])
        .env("PATH", repo.root().join("bin"));
    let run = repo.run(command);
    assert_eq!(run.code(), Some(3), "{run}");
    assert!(
        run.stdout().contains("Not done, and why:\n  ! failed"),
        "{run}"
    );
    assert!(tree.exists());
}

/// The real git.
pub(super) fn which(repo: &Repo) -> String {
    let output = repo.command("sh").args(["-c", "command -v git"]).output();
    let output = output.expect("sh is there").stdout;
    String::from_utf8_lossy(&output).trim().to_owned()
}

#[test]
fn a_closed_standard_output_ends_a_plan_quietly_and_never_stops_an_apply() {
    let repo = Repo::new().with_policy();
    let trees = ["one", "two", "three"].map(|name| repo.landed(name));
    for words in [
        &["plan"][..],
        &["plan", "--format", "json"],
        &["apply", "-n"],
        &["observe"],
    ] {
        let run = into_closed(&repo, words);
        assert_eq!(run, (Some(0), String::new()), "{words:?}");
    }
    assert_eq!(into_closed(&repo, &["--help"]).0, Some(0));
    assert_eq!(
        into_closed(&repo, &["apply", "--yes"]),
        (Some(0), String::new())
    );
    assert!(trees.iter().all(|tree| !tree.exists()));
    assert_eq!(repo.audit().len(), 6);
}

/// Runs with a standard output that nobody reads; exit code and standard error.
fn into_closed(repo: &Repo, words: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let mut command = repo.owl_command(&repo.main());
    let child = command
        .args(words)
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn a_full_disk_under_standard_output_is_an_error_for_a_plan_only() {
    let repo = Repo::new().with_policy();
    let tree = repo.landed("agent");
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("it is there")
    };
    let mut command = repo.owl_command(&repo.main());
    let plan = command
        .arg("plan")
        .stdout(full())
        .output()
        .expect("it runs");
    assert_eq!(plan.status.code(), Some(2));
    let mut command = repo.owl_command(&repo.main());
    let apply = command
        .args(["apply", "--yes"])
        .stdout(full())
        .output()
        .expect("it runs");
    assert_eq!(apply.status.code(), Some(0));
    assert!(!apply.stderr.is_empty() && !tree.exists());
}
