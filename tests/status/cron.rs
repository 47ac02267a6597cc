//! `examples/04-cron`: the very command of its crontab line, in the environment that cron gives.

use super::support::write;
use super::support::yard::Yard;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/04-cron");

/// The command of the one line that is no comment: what follows the five fields of time.
fn command() -> String {
    let crontab = std::fs::read_to_string(Path::new(EXAMPLE).join("crontab")).expect("it is there");
    let mut lines = crontab.lines().filter(|line| !line.starts_with('#'));
    let line = lines.next().expect("there is one");
    assert_eq!(lines.next(), None);
    let mut rest = line;
    for _ in 0..5 {
        rest = rest.trim_start().split_once(' ').expect("five fields").1;
    }
    rest.trim().to_owned()
}

/// Runs it as cron does, but for where it starts: `/`, which is nobody's repository.
fn as_cron(home: &Path) -> Output {
    Command::new("/bin/sh")
        .args(["-c", &command()])
        .env_clear()
        .env("HOME", home)
        .env("LOGNAME", "somebody")
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh")
        .current_dir("/")
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell")
}

/// What it prints, besides the line about processes that this user may not inspect.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let hidden = |line: &&str| !line.contains("counts as unused");
    text.lines().filter(hidden).collect::<Vec<_>>().join("\n")
}

/// The example's policy in a home with one repository below `src`; `pid-namespace: own` since the
/// tests may run in a container.
fn home() -> Yard {
    let yard = Yard::without_control();
    let policy = std::fs::read_to_string(Path::new(EXAMPLE).join("owl.yaml")).expect("it is there");
    write(
        &yard.home.join(".config/owl/owl.yaml"),
        format!("{policy}pid-namespace: own\n").as_bytes(),
    );
    for directory in [".cargo/bin", "src"] {
        std::fs::create_dir_all(yard.home.join(directory)).expect("it can be made");
    }
    let owl = Path::new(env!("CARGO_BIN_EXE_owl"));
    symlink(owl, yard.home.join(".cargo/bin/owl")).expect("it can be made");
    symlink(yard.repo.main(), yard.home.join("src/main")).expect("it can be made");
    yard
}

#[test]
fn it_prints_only_what_needs_a_person() {
    if !Path::new("/usr/bin/git").exists() && !Path::new("/bin/git").exists() {
        super::support::skipped(
            "cron: it_prints_only_what_needs_a_person",
            "no git in cron's PATH",
        );
        return;
    }
    assert!(
        command().ends_with("owl apply --yes --quiet"),
        "{}",
        command()
    );
    let yard = home();
    // Nothing there, nothing to do: no mail.
    yard.add("fresh");
    let calm = as_cron(&yard.home);
    assert_eq!(
        (said(&calm).as_str(), &*calm.stderr),
        ("", &b""[..]),
        "{calm:?}"
    );
    assert_eq!(calm.status.code(), Some(0), "{calm:?}");
    // Something to do, which all goes well: still no mail.
    let landed = yard.landed("landed");
    let calm = as_cron(&yard.home);
    assert_eq!(
        (said(&calm).as_str(), &*calm.stderr),
        ("", &b""[..]),
        "{calm:?}"
    );
    assert!(calm.status.success() && !landed.exists(), "{calm:?}");
    // Something that needs a person, beside something that goes.
    let landed = yard.landed("landed-too");
    let notes = yard.landed("take-notes");
    write(&notes.join("notes.md"), b"found out\n");
    yard.age("take-notes");
    let mail = as_cron(&yard.home);
    assert_eq!(mail.status.code(), Some(0), "{mail:?}");
    let text = said(&mail);
    assert!(
        text.contains("main/take-notes") && text.contains("notes.md"),
        "{text}"
    );
    assert!(
        !text.contains("landed-too") && !text.contains("fresh"),
        "{text}"
    );
    assert!(!landed.exists() && notes.join("notes.md").exists());
}

#[test]
fn the_readme_has_the_line_of_the_crontab() {
    let crontab = std::fs::read_to_string(Path::new(EXAMPLE).join("crontab")).expect("it is there");
    let line = crontab.lines().last().expect("there is one");
    for readme in ["examples/04-cron/README.md", "README.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(readme);
        let text = std::fs::read_to_string(path).expect("it is there");
        assert!(text.contains(line), "{readme}");
    }
}
