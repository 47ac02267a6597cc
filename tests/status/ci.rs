//! `examples/05-ci`: the command of the workflow's step, as a runner runs it.

use super::support::write;
use super::support::yard::Yard;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/05-ci");

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(EXAMPLE).join(name)).expect("it is there")
}

/// The `run` of the one step.
fn command() -> String {
    let workflow = read(".github/workflows/owl.yaml");
    let workflow: Value = serde_yaml::from_str(&workflow).expect("it is YAML");
    let steps = workflow["jobs"]["check"]["steps"]
        .as_array()
        .expect("steps");
    assert_eq!(steps.len(), 1);
    steps[0]["run"].as_str().expect("a command").to_owned()
}

/// Runs it as a runner of GitHub does (`shell: sh`), standing in the project.
fn as_runner(yard: &Yard) -> Output {
    let owl = Path::new(env!("CARGO_BIN_EXE_owl"))
        .parent()
        .expect("a directory");
    let mut path = owl.as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").expect("PATH is set"));
    let step = yard.repo.root().join("step.sh");
    write(&step, command().as_bytes());
    Command::new("sh")
        .arg("-e")
        .arg(step)
        .env_clear()
        .env("HOME", &yard.home)
        .env("PATH", path)
        .env("CI", "true")
        .env("GITHUB_ACTIONS", "true")
        .current_dir(yard.repo.main())
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell")
}

#[test]
fn the_step_is_quiet_until_a_ceiling_is_crossed() {
    let yard = Yard::without_control();
    // As committed on the base branch, where a runner finds it.
    yard.repo
        .commit(&yard.repo.main(), "owl.yaml", read("owl.yaml").as_bytes());
    let calm = as_runner(&yard);
    assert_eq!(calm.status.code(), Some(0), "{calm:?}");
    assert_eq!(
        (&*calm.stdout, &*calm.stderr),
        (&b""[..], &b""[..]),
        "{calm:?}"
    );
    let tree = yard.landed("take-notes");
    let calm = as_runner(&yard);
    assert_eq!(
        (calm.status.code(), &*calm.stdout),
        (Some(0), &b""[..]),
        "{calm:?}"
    );
    write(&tree.join("notes.md"), b"found out\n");
    yard.age("take-notes");
    let failed = as_runner(&yard);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    let text = String::from_utf8(failed.stdout).expect("it is text");
    let lines: Vec<_> = text.lines().collect();
    let expected = [
        "::error title=owl check::uncommitted: 1, at most 0",
        "::error title=owl check::oldest: ",
        "::error title=main/take-notes::UNCOMMITTED for ",
    ];
    assert_eq!(lines.len(), expected.len(), "{text}");
    for (line, expected) in lines.into_iter().zip(expected) {
        assert!(line.starts_with(expected), "{text}");
    }
}
