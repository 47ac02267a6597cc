//! A ledger that cannot be used is an error, and never "no jobs"; and it is left as it is.

use super::support::{Repo, is_root, skipped, write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const COMMANDS: [&str; 7] = [
    "list",
    "show 1",
    "export",
    "start 1",
    "cancel 1",
    "add --branch new",
    "import list.yaml",
];

/// Every command refuses, with that sentence, and nothing changes.
fn all_refuse(repo: &Repo, said: &str) {
    write(&repo.main().join("list.yaml"), b"jobs: [{ branch: new }]\n");
    let before = repo.beside();
    for command in COMMANDS {
        let run = repo.refused(&format!("jobs {command}"));
        assert!(run.stderr().contains(said), "{command}: {run}");
        assert!(repo.beside() == before, "{command} changed something");
    }
}

fn with_jobs() -> Repo {
    let repo = Repo::new();
    for nth in 0..40 {
        let list = format!(
            "jobs: [{{ branch: b{nth}, reason: {} }}]\n",
            "x".repeat(900)
        );
        write(&repo.main().join("list.yaml"), list.as_bytes());
        repo.done("jobs import list.yaml");
    }
    repo
}

#[test]
fn what_is_damaged_or_something_else() {
    let repo = with_jobs();
    let sound = std::fs::read(repo.ledger()).expect("it is there");
    let mut holed = sound.clone();
    let middle = sound.len() / 2 / 4096 * 4096;
    holed[middle..middle + 4096].fill(0);
    let mut text = sound.clone();
    text[..16].copy_from_slice(b"not SQLite at al");
    for (bytes, said) in [
        (&b""[..], "no ledger of owl's"),
        (b"hello\n", "is damaged"),
        (&sound[..sound.len() / 2], "is damaged"),
        (&sound[..middle], "is damaged"),
        (&sound[..100], "is damaged"),
        (&holed, "is damaged"),
        (&text, "is damaged"),
    ] {
        std::fs::write(repo.ledger(), bytes).expect("it can be written");
        all_refuse(&repo, said);
    }
    std::fs::write(repo.ledger(), &sound).expect("it can be written");
    assert!(repo.done("jobs list").contains("b39"));
}

#[test]
fn what_no_owl_writes_is_damage_too() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    repo.sql("UPDATE jobs SET created = 'yesterday'");
    for command in ["list", "show 1", "export", "cancel 1"] {
        let run = repo.refused(&format!("jobs {command}"));
        assert!(run.stderr().contains("is damaged"), "{run}");
    }
    repo.sql("UPDATE jobs SET created = changed");
    repo.done("jobs list");
}

#[test]
fn a_newer_one_and_another_programs() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    repo.sql("PRAGMA user_version = 99");
    all_refuse(&repo, "has schema 99");
    repo.sql("PRAGMA user_version = 2; PRAGMA application_id = 7");
    all_refuse(&repo, "no ledger of owl's");
    repo.sql("PRAGMA application_id = 1870097484");
    assert!(repo.done("jobs list").contains("fix"));
}

#[test]
fn what_is_no_file() {
    let repo = Repo::new();
    let directory = repo.ledger().parent().expect("it has one").to_owned();
    std::fs::create_dir_all(repo.ledger()).expect("it can be made");
    all_refuse(&repo, "not a regular file");
    std::fs::remove_dir(repo.ledger()).expect("it is empty");
    let status = repo.command("mkfifo").arg(repo.ledger()).status();
    assert!(status.expect("mkfifo is there").success());
    all_refuse(&repo, "not a regular file");
    std::fs::remove_file(repo.ledger()).expect("it is there");
    symlink("nowhere", repo.ledger()).expect("it can be made");
    all_refuse(&repo, "could not be used");
    std::fs::remove_file(repo.ledger()).expect("it is there");
    // A log without its ledger: there was one.
    write(&directory.join("ledger.db-wal"), b"something");
    all_refuse(&repo, "somebody has moved or removed");
    std::fs::remove_file(directory.join("ledger.db-wal")).expect("it is there");
    assert_eq!(repo.done("jobs add --branch fix"), "1");
}

#[test]
fn what_this_user_may_not_read_and_what_it_may_not_write() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let mode = |path: &Path, mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, mode).expect("it is ours");
    };
    let ledger = repo.ledger();
    let above = ledger.parent().expect("it has one").to_owned();
    if !is_root() {
        return skipped("jobs unreadable", "only root becomes another user");
    }
    let found = repo.command("setpriv").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        return skipped("jobs unreadable", "there is no setpriv");
    }
    let mut path = above.as_path();
    while path.starts_with(repo.root()) {
        mode(path, 0o755);
        path = path.parent().expect("it has one");
    }
    let binary = repo.root().join("owl-copy");
    std::fs::copy(env!("CARGO_BIN_EXE_owl"), &binary).expect("it can be copied");
    let as_nobody = |words: &str| {
        let mut command = repo.command("setpriv");
        command
            .args([
                "--reuid",
                "65534",
                "--regid",
                "65534",
                "--clear-groups",
                "--",
            ])
            .arg(&binary)
            .args(words.split_whitespace())
            .current_dir(repo.root());
        repo.run(command)
    };
    mode(&ledger, 0o600);
    let before = repo.beside();
    for words in ["jobs list", "jobs show 1", "jobs export", "jobs start 1"] {
        let run = as_nobody(words);
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(run.stderr().contains("could not be used"), "{run}");
    }
    mode(&above, 0o700);
    let run = as_nobody("jobs list");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("could not be used"), "{run}");
    // In a directory that may not be written, what may be read is read.
    mode(&above, 0o755);
    mode(&ledger, 0o644);
    let run = as_nobody("jobs list");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("fix"), "{run}");
    let run = as_nobody("jobs start 1");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(repo.beside() == before, "nothing was made or changed");
}
