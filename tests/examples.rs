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
        let shown = shown.trim_end();
        // A transcript says how a run ends that finds something.
        let (shown, code) = match shown.strip_suffix("\n[exit 1]") {
            Some(shown) => (shown, 1),
            None => (shown, 0),
        };
        assert_eq!(run.code(), Some(code), "{run}");
        // It was taken below /tmp/x.
        let shown = shown.replace("/tmp/x/", &format!("{}/", repo.root().display()));
        let shown = normal(shown.trim_end().as_bytes(), repo.root());
        assert_eq!(run.stdout().trim_end(), shown, "{run}");
    }
}

/// The examples that are no transcript, and what runs them.
const OTHER_TESTS: [(&str, &str); 3] = [
    ("03-jobs", "tests/disposal/example.rs"),
    ("04-cron", "tests/status/cron.rs"),
    ("05-ci", "tests/status/ci.rs"),
];

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
        // Those without a transcript are a command of their own, and a test of its own runs it.
        if let Some((_, test)) = OTHER_TESTS.iter().find(|(name, _)| example.ends_with(name)) {
            let test = read(&root().join(test));
            let name = example.file_name().expect("a name").to_string_lossy();
            assert!(test.contains(&format!("examples/{name}")), "{name}");
            continue;
        }
        let repo = Repo::empty();
        let project = if example.join("setup.sh").exists() {
            build(&repo, &example)
        } else {
            example.clone()
        };
        replay(&repo, &project, &read(&example.join("expected.txt")));
    }
}

/// The policies of the cookbook.
fn recipes() -> Vec<PathBuf> {
    let below = root().join("examples/02-policy-cookbook");
    let mut found: Vec<PathBuf> = fs::read_dir(below)
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "yaml"))
        .collect();
    found.sort();
    found
}

#[test]
fn every_recipe_of_the_cookbook_passes_its_own_tests() {
    let recipes = recipes();
    assert!(recipes.len() >= 10);
    let readme = read(&root().join("examples/02-policy-cookbook/README.md"));
    let repo = Repo::empty();
    for recipe in &recipes {
        let name = recipe.file_name().expect("a name").to_string_lossy();
        assert!(
            readme.contains(&format!("({name})")),
            "{name} is in the table"
        );
        for words in ["lint", "test"] {
            let words = ["policy".as_ref(), words.as_ref(), recipe.as_os_str()];
            let run = repo.owl_in(repo.root(), words);
            assert_eq!(run.code(), Some(0), "{run}");
        }
    }
}

/// Each test of a recipe can fail: with another verdict expected, it does.
#[test]
fn a_recipe_that_expects_something_else_fails() {
    let repo = Repo::empty();
    for recipe in recipes() {
        let text = read(&recipe);
        let (before, tests) = text.split_once("\ntests:\n").expect("it has tests");
        let count = tests.matches("  - name: ").count();
        let mut turned = String::new();
        for line in tests.lines() {
            let words = [
                ("remove", "hold"),
                ("hold", "keep"),
                ("keep", "remove"),
                ("prune", "keep"),
            ];
            let line = match line.trim_start().strip_prefix("expect: ") {
                Some(expected) => {
                    let (from, to) = words
                        .into_iter()
                        .find(|(from, _)| expected.contains(from))
                        .expect("a verdict");
                    line.replacen(from, to, 1)
                }
                None => line.to_owned(),
            };
            turned.push_str(&line);
            turned.push('\n');
        }
        let path = repo.root().join("turned.yaml");
        fs::write(&path, format!("{before}\ntests:\n{turned}")).expect("it can be written");
        let words = ["policy".as_ref(), "test".as_ref(), path.as_os_str()];
        let run = repo.owl_in(repo.root(), words);
        assert_eq!(run.code(), Some(1), "{run}");
        let sum = format!(": 0 passed, {count} failed");
        assert!(run.stdout().contains(&sum), "{}: {run}", recipe.display());
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
    assert_eq!(
        blocks.len(),
        4,
        "the first plan, a policy and its tests, the life of a job, what waits"
    );
    let policy = readme
        .split("```yaml\n")
        .skip(1)
        .find_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .expect("the policy");
    for block in blocks {
        let repo = Repo::empty();
        if block.contains("policy.yaml") {
            // This one tests the policy that stands above it.
            fs::write(repo.root().join("policy.yaml"), policy).expect("it can be written");
            replay(&repo, repo.root(), block);
        } else {
            let project = build(&repo, &root().join("examples/01-first-plan"));
            replay(&repo, &project, block);
        }
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
