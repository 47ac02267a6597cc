//! The examples and the README show what owl really says.

#[path = "support/owl.rs"]
mod owl_binary;
mod support;

use owl_binary::normal;
use std::fs;
use std::path::{Path, PathBuf};
use support::Repo;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Builds an example in a temporary directory; the project that owl is to stand in.
fn build(repo: &Repo, example: &Path) -> PathBuf {
    let status = repo
        .command("sh")
        .arg(example.join("setup.sh"))
        .current_dir(repo.root())
        .status();
    assert!(
        status.expect("sh is there").success(),
        "{}",
        example.display()
    );
    repo.root().join("app")
}

/// What a transcript shows after each `$ owl ...`, run in order; both sides normalised.
fn replay(repo: &Repo, project: &Path, transcript: &str) {
    let mut runs = transcript.split("$ owl ");
    assert_eq!(runs.next(), Some(""), "a transcript begins with a command");
    for run in runs {
        let (words, shown) = run.split_once('\n').unwrap_or((run, ""));
        let mut command = repo.owl_command(project);
        command.args(words.split_whitespace()).env("COLUMNS", "100");
        let run = repo.run(command);
        assert_eq!(run.code(), Some(0), "{run}");
        let shown = normal(shown.trim_end().as_bytes(), repo.root());
        assert_eq!(run.stdout().trim_end(), shown, "{run}");
    }
}

#[test]
fn every_example_is_as_it_says() {
    let mut examples: Vec<PathBuf> = fs::read_dir(root().join("examples"))
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    examples.sort();
    assert!(!examples.is_empty());
    for example in examples {
        assert!(read(&example.join("README.md")).starts_with("# "));
        let repo = Repo::empty();
        let project = build(&repo, &example);
        replay(&repo, &project, &read(&example.join("expected.txt")));
    }
}

#[test]
fn the_readme_shows_a_real_transcript() {
    let readme = read(&root().join("README.md"));
    let blocks: Vec<&str> = readme
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .filter(|block| block.starts_with("$ owl "))
        .collect();
    assert_eq!(blocks.len(), 2, "the first plan, and the life of a job");
    for block in blocks {
        let repo = Repo::empty();
        let project = build(&repo, &root().join("examples/01-first-plan"));
        replay(&repo, &project, block);
    }
}

#[test]
fn the_readme_names_its_two_commands_and_every_exit_code() {
    let readme = read(&root().join("README.md"));
    for text in [
        "cargo run --release -- demo",
        "cargo test",
        "| 0 |",
        "| 1 |",
        "| 2 |",
        "| 3 |",
        "| 130, 143 |",
    ] {
        assert!(readme.contains(text), "{text}");
    }
}
