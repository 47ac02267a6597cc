//! `examples/03-jobs`: the wrapper script around any command, and the morning after.

use super::support::Repo;
use super::{Desk, State};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/03-jobs");

/// The script as it is, with owl on the `PATH`.
fn with_job(repo: &Repo, words: &[&str]) -> Command {
    let owl = PathBuf::from(env!("CARGO_BIN_EXE_owl"));
    let vars = repo.vars();
    let path = vars.iter().find(|(name, _)| name == "PATH");
    let path = path.map(|(_, value)| value.to_string_lossy().into_owned());
    let bin = owl.parent().expect("it lies in a directory").display();
    let path = format!("{bin}:{}", path.expect("there is a PATH"));
    let mut command = repo.command(Path::new(EXAMPLE).join("with-job.sh"));
    command
        .args(words)
        .env("PATH", path)
        .current_dir(repo.main())
        .stdin(Stdio::null());
    command
}

fn run(repo: &Repo, words: &[&str]) -> Option<i32> {
    with_job(repo, words)
        .status()
        .expect("it can be run")
        .code()
}

const COMMIT: &str = "echo work > work.txt && git add work.txt && git commit -q -m work";

#[test]
fn a_job_around_any_command_and_the_morning_after() {
    let repo = Repo::new();
    std::fs::write(repo.common_dir().join("info/exclude"), "/.owl/\n").expect("it can be written");
    let desk = Desk { repo };
    let repo = &desk.repo;
    assert_eq!(run(repo, &["fix/login", "sh", "-c", COMMIT]), Some(0));
    assert_eq!(run(repo, &["spike", "sh", "-c", COMMIT]), Some(0));
    assert_eq!(run(repo, &["merged", "sh", "-c", COMMIT]), Some(0));
    assert_eq!(run(repo, &["broken", "sh", "-c", "exit 7"]), Some(7));
    let mut long = with_job(repo, &["long", "sleep", "60"])
        .spawn()
        .expect("it runs");
    while !matches!(desk.contents().job(5), Some(job) if job.job.state == State::Active) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let states = |desk: &Desk| (1..=5).map(|id| desk.state(id)).collect::<Vec<_>>();
    assert_eq!(states(&desk)[3..], [State::Blocked, State::Active]);
    // A worktree of a job that is under way stays, whatever is collected.
    let gc = desk.owl("gc --yes");
    assert_eq!(gc.code(), Some(0), "{gc}");
    let place = |name: &str| repo.main().join(".owl/worktrees").join(name);
    assert!(place("long").is_dir() && place("fix-login").is_dir());
    let pid = long.id().to_string();
    let killed = repo.command("kill").args(["-TERM", &pid]).status();
    assert!(killed.expect("kill is there").success());
    // The shell sees to it when its command has ended.
    let kill = repo.command("pkill").args(["-P", &pid]).status();
    assert!(kill.expect("pkill is there").success());
    assert_eq!(long.wait().expect("it ends").code(), Some(143));
    let review = State::Review;
    let expected = [
        review.clone(),
        review.clone(),
        review,
        State::Blocked,
        State::Pending,
    ];
    assert_eq!(states(&desk), expected);

    let waiting = desk.owl("status");
    assert_eq!(waiting.code(), Some(0), "{waiting}");
    assert!(
        waiting.stdout().contains("3 jobs wait for a decision"),
        "{waiting}"
    );
    desk.done("jobs accept 1");
    desk.done("jobs drop 2");
    repo.git(["merge", "-q", "--no-edit", "merged"]);
    let gc = desk.owl("gc --yes");
    assert_eq!(gc.code(), Some(0), "{gc}");
    let done = [State::Done, State::Cancelled, State::Done];
    assert_eq!(states(&desk)[..3], done);
    for name in ["fix-login", "spike", "merged"] {
        assert!(!place(name).exists(), "{name}");
    }
    assert!(desk.tip("fix/login").is_some() && desk.tip("spike").is_none());
    desk.done("restore spike");
    assert!(desk.tip("spike").is_some());
    for name in ["broken", "long"] {
        assert!(place(name).is_dir(), "{name}");
    }
}
