//! D: wrong answers to "is anyone in it, and how old is it?".

use crate::case::Case;
use crate::support::aging::touch;
use crate::support::write;
use crate::support::yard::{now, row, said};
use owl::assess::Code;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A process and its whole session, ended with the test.
struct Session(Child);

impl Drop for Session {
    fn drop(&mut self) {
        let group = rustix::process::Pid::from_child(&self.0);
        let signal = rustix::process::Signal::KILL;
        rustix::process::kill_process_group(group, signal).expect("it leads its own");
        self.0.wait().expect("it is ours");
    }
}

/// A shell of another session, with nothing of the terminal's.
#[test]
fn incident_70_a_process_of_another_session() {
    let case = Case::new();
    let mut command = case.yard.repo.command("setsid");
    command.args(["sleep", "600"]).current_dir(&case.path);
    let session = Session(command.stdin(Stdio::null()).spawn().unwrap());
    let deadline = Instant::now() + Duration::from_secs(10);
    let comm = format!("/proc/{}/comm", session.0.id());
    while std::fs::read_to_string(&comm).unwrap() != "sleep\n" && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    case.held_by(Code::ProcessInside);
    drop(session);
}

/// A directory's time says nothing of what is saved further down.
#[test]
fn incident_77_an_edit_far_below_the_root() {
    let case = Case::new();
    let repo = &case.yard.repo;
    repo.commit(&case.path, "src/deep/down/lib.rs", b"x");
    case.yard.merge("held");
    case.age();
    drop(case.yard.approved(&["control", "held"]));
    let file = case.path.join("src/deep/down/lib.rs");
    touch(&file, now().as_second() - 60);
    let words = ["update-index", "-q", "--refresh"];
    drop(case.yard.repo.try_git(&case.path, words));
    case.held_by(Code::Fresh);
}

/// A rebase is running: its process and its state each hold the tree.
#[test]
fn incident_83_a_rebase_that_is_running() {
    let case = Case::new();
    let mut command = case.yard.repo.command("setsid");
    command.args(["git", "rebase", "-q", "--exec", "sleep 600", "HEAD~1"]);
    command.current_dir(&case.path).stdin(Stdio::null());
    let session = Session(command.spawn().unwrap());
    let deadline = Instant::now() + Duration::from_secs(20);
    while !case.entry.join("rebase-merge/git-rebase-todo").exists() && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(300));
    let plan = case.yard.look();
    let found = row(&plan, &case.address);
    let holds = |code| {
        found
            .guards
            .iter()
            .any(|one| one.guard == code && !one.passes())
    };
    assert!(holds(Code::OperationInProgress), "{}", said(&plan));
    assert!(holds(Code::ProcessInside), "{}", said(&plan));
    let done = case.yard.apply();
    assert!(case.path.join("README.md").exists(), "{done:?}");
    assert!(!case.yard.path("control").exists(), "{done:?}");
    drop(session);
}

/// What was used a moment ago stays, however old its tree is, and whatever else is in the store.
#[test]
fn incident_71_the_oldest_by_creation_may_be_the_newest_by_use() {
    let case = Case::new();
    for nth in 0..6 {
        case.yard.landed(&format!("younger{nth}"));
    }
    write(&case.path.join("README.md"), b"one\n");
    touch(&case.path.join("README.md"), now().as_second() - 60);
    let words = ["update-index", "-q", "--refresh"];
    drop(case.yard.repo.try_git(&case.path, words));
    let plan = case.yard.look();
    assert!(!row(&plan, &case.address).verdict.acts(), "{}", said(&plan));
    drop(case.yard.apply());
    assert!(case.path.exists());
    for nth in 0..6 {
        assert!(!case.yard.path(&format!("younger{nth}")).exists());
    }
}
