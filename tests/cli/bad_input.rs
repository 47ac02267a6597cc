//! Whatever is wrong, it is said, nothing is touched, and a reader of JSON gets JSON.

use super::owl_binary::{POLICY, Run, snap};
use super::support::{Repo, write};
use std::fmt::Write as _;
use std::path::Path;

/// A policy file that is none, by name.
fn make(repo: &Repo, name: &str) {
    let path = repo.root().join(name);
    let text: &[u8] = match name {
        "empty" => b"",
        "not-utf8" => b"apiVersion: owl/v1\n# \xff\n",
        "unknown-key" => b"apiVersion: owl/v1\nstoers: []\n",
        "duplicate-key" => b"apiVersion: owl/v1\nstores: []\nstores: []\n",
        "wrong-type" => b"apiVersion: owl/v1\nstores: 7\n",
        "bad-glob" => b"apiVersion: owl/v1\nstores: [{ path: 'a/[' }]\n",
        "alias-bomb" => {
            let mut bomb =
                "apiVersion: owl/v1\nx-a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
            for (from, to) in ["ab", "bc", "cd", "de", "ef"].map(|it| it.split_at(1)) {
                let many = vec![format!("*{from}"); 10].join(", ");
                writeln!(bomb, "x-{to}: &{to} [{many}]").expect("a string takes it");
            }
            return write(&path, bomb.as_bytes());
        }
        "huge" => return write(&path, &vec![b'#'; 3 << 20]),
        "directory" => return std::fs::create_dir(&path).expect("it can be made"),
        "fifo" => {
            let status = repo.command("mkfifo").arg(&path).status();
            return assert!(status.expect("mkfifo is there").success());
        }
        "device" => return std::os::unix::fs::symlink("/dev/zero", &path).expect("it can be made"),
        "dangling" => return std::os::unix::fs::symlink("nowhere", &path).expect("it can be made"),
        "missing" => return,
        _ => panic!("{name}"),
    };
    write(&path, text);
}

fn refused_in_both_forms(repo: &Repo, here: &Path, words: &[&str]) -> Run {
    let json = repo.owl_in(here, words.iter().chain(&["--format", "json"]));
    assert_eq!(json.code(), Some(2), "{json}");
    let document = json.json();
    assert_eq!(document["items"], serde_json::json!([]), "{json}");
    assert_eq!(document["kind"], "error");
    let human = repo.owl_in(here, words);
    assert_eq!(human.code(), Some(2), "{human}");
    assert_eq!(human.stdout(), "", "{human}");
    assert_eq!(human.stderr(), json.stderr());
    human
}

#[test]
fn a_policy_that_is_none() {
    let repo = Repo::new().with_policy();
    let tree = repo.landed("agent");
    let mut said = String::new();
    for name in [
        "empty",
        "not-utf8",
        "unknown-key",
        "duplicate-key",
        "wrong-type",
        "bad-glob",
        "alias-bomb",
        "huge",
        "directory",
        "fifo",
        "device",
        "dangling",
        "missing",
    ] {
        make(&repo, name);
        let policy = format!("../{name}");
        let run = refused_in_both_forms(&repo, &repo.main(), &["plan", "--policy", &policy]);
        writeln!(said, "{run}").expect("memory takes it");
        refused_in_both_forms(
            &repo,
            &repo.main(),
            &["apply", "--yes", "--policy", &policy],
        );
        let check = repo.owl_in(&repo.main(), ["policy", "check", &policy]);
        assert_eq!(check.code(), Some(2), "{check}");
    }
    snap("cli__no-policy", &said);
    assert!(tree.exists());
    assert!(repo.audit().is_empty());
}

#[test]
fn a_wrong_use() {
    let repo = Repo::new().with_policy();
    let mut said = String::new();
    for words in [
        "plann",
        "plan --no-such",
        "apply --yes --dry-run",
        "plan --format yaml",
    ] {
        let run = repo.owl(words);
        assert_eq!(run.code(), Some(2), "{run}");
        writeln!(said, "{run}").expect("memory takes it");
    }
    let json = repo.owl("plan --format json --no-such");
    assert_eq!(
        (json.code(), json.json()["items"].clone()),
        (Some(2), serde_json::json!([]))
    );
    let json = repo.owl("demo --format json");
    assert_eq!(
        (json.code(), json.json()["items"].clone()),
        (Some(2), serde_json::json!([]))
    );
    snap("cli__usage", &said);
}

#[test]
fn no_terminal_and_no_yes() {
    let repo = Repo::new().with_policy();
    let tree = repo.landed("agent");
    let run = refused_in_both_forms(&repo, &repo.main(), &["apply"]);
    assert!(run.stderr().contains("--yes"), "{run}");
    assert!(tree.exists());
}

#[test]
fn over_a_limit_and_no_terminal() {
    let repo = Repo::new();
    let limited = format!("{POLICY}limits: {{ max-removals: 1 }}\n");
    repo.commit(&repo.main(), "owl.yaml", limited.as_bytes());
    let trees = ["one", "two"].map(|name| repo.landed(name));
    let run = refused_in_both_forms(&repo, &repo.main(), &["apply", "--yes"]);
    snap("cli__over-limits", &format!("{}\n{run}", repo.owl("plan")));
    assert!(trees.iter().all(|tree| tree.exists()));
}

#[test]
fn no_repository_and_no_git() {
    let repo = Repo::new().with_policy();
    let outside = repo.root().join("outside");
    std::fs::create_dir(&outside).expect("it can be made");
    let mut said = String::new();
    for words in [&["plan"][..], &["apply", "--yes"], &["observe"]] {
        writeln!(said, "{}", refused_in_both_forms(&repo, &outside, words))
            .expect("memory takes it");
    }
    repo.script(&repo.root().join("old/git"), "echo git version 2.35.1");
    for path in ["old", "outside"] {
        let mut command = repo.owl_command(&repo.main());
        command
            .args(["apply", "--yes"])
            .env("PATH", repo.root().join(path));
        let run = repo.run(command);
        assert_eq!(run.code(), Some(2), "{run}");
        writeln!(said, "{run}").expect("memory takes it");
    }
    snap("cli__no-git", &said);
}

#[test]
fn two_projects_of_one_name() {
    let repo = Repo::new();
    let twin = repo.root().join("other/main");
    std::fs::create_dir_all(&twin).expect("it can be made");
    repo.git_in(&twin, ["init", "-q"]);
    write(
        &repo.root().join("owl.yaml"),
        b"apiVersion: owl/v1\nprojects: [{ path: ../main }, { path: ../other/main }]\nstores: []\n",
    );
    let run = refused_in_both_forms(&repo, &repo.main(), &["plan", "--policy", "../owl.yaml"]);
    snap("cli__same-name", &run.to_string());
}

#[test]
fn a_base_that_does_not_exist_lets_nothing_go() {
    let repo = Repo::new();
    let tree = repo.landed("agent");
    let text = format!("{POLICY}projects: [{{ path: ., base: no-such }}]\n");
    write(&repo.root().join("owl.yaml"), text.as_bytes());
    let plan = repo.owl("plan --policy ../owl.yaml");
    let apply = repo.owl("apply --yes --policy ../owl.yaml");
    snap("cli__no-base", &format!("{plan}\n{apply}"));
    assert!(tree.exists());
}
