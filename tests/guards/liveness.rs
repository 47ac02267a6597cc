//! Guards 4, 7, and 14: who is at work.

use crate::case::Case;
use crate::support::aging::{LONG_AGO, touch};
use crate::support::write;
use crate::support::yard::{now, row};
use owl::assess::Code;
use owl::plan::Verdict;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Stdio};

// Guard 4

/// Incident 81: what a lock says of a process is no proof that it is dead.
#[test]
fn guard_4_a_lock_holds_with_and_without_a_reason() {
    for reason in [
        "",
        "claude agent agent-1 (pid 99999999 start 1)",
        "two\nlines",
    ] {
        let case = Case::new();
        let words = ["worktree", "lock", "--reason", reason, "--"].map(OsStr::new);
        case.yard
            .repo
            .git(words.into_iter().chain([case.path.as_os_str()]));
        case.age().held_by(Code::Locked);
    }
}

// Guard 7

#[test]
fn guard_7_every_sign_of_life_keeps_it_fresh() {
    type Sign = (&'static str, fn(&Case));
    let recent = || now().as_second() - 60;
    assert!(recent() > LONG_AGO);
    let signs: [Sign; 5] = [
        ("it was made", |case| {
            touch(&case.entry.join("commondir"), now().as_second() - 60);
        }),
        ("HEAD moved", |case| {
            touch(&case.entry.join("HEAD"), now().as_second() - 60);
        }),
        ("a file was saved", |case| {
            touch(&case.path.join("README.md"), now().as_second() - 60);
        }),
        ("its entry changed", |case| {
            touch(&case.entry, now().as_second() - 60);
        }),
        ("the reflog says so", |case| {
            use std::io::Write;
            let head = case.yard.repo.git_in(&case.path, ["rev-parse", "HEAD"]);
            let seconds = now().as_second() - 60;
            let line = format!("{head} {head} A <a@b> {seconds} +0000\treset: moving to HEAD\n");
            let log = case.entry.join("logs/HEAD");
            let mut file = std::fs::OpenOptions::new().append(true).open(&log).unwrap();
            file.write_all(line.as_bytes()).unwrap();
        }),
    ];
    for (name, sign) in signs {
        let case = Case::new();
        sign(&case);
        let plan = case.yard.look();
        assert_eq!(row(&plan, &case.address).verdict, Verdict::Keep, "{name}");
        case.held_by(Code::Fresh);
    }
}

/// `spec 4.2`: what git itself touches is no sign of work.
/// Incident 75.
#[test]
fn guard_7_what_git_touches_by_itself_does_not_keep_it() {
    let case = Case::new();
    touch(&case.entry.join("index"), now().as_second());
    touch(&case.entry.join("logs/HEAD"), now().as_second());
    touch(&case.path, now().as_second());
    touch(&case.path.join(".git"), now().as_second());
    drop(case.yard.approved(&["control", "held"]));
}

/// Incident 79.
#[test]
fn guard_7_a_time_in_the_future_is_unknown() {
    for file in ["commondir", "HEAD"] {
        let case = Case::new();
        touch(&case.entry.join(file), now().as_second() + 7200);
        case.unknown(Code::Fresh);
    }
}

// Guard 14

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().expect("it is ours");
        self.0.wait().expect("it is ours");
    }
}

fn running(case: &Case, cwd: &Path, stdin: Stdio) -> Running {
    let mut command = case.yard.repo.command("sleep");
    command.arg("600").current_dir(cwd).stdin(stdin);
    Running(command.spawn().expect("sleep is installed"))
}

/// Incident 67.
#[test]
fn guard_14_a_process_inside_holds() {
    let case = Case::new();
    let root = case.yard.repo.root().to_owned();
    let sleeper = running(&case, &case.path, Stdio::null());
    let plan = case.yard.look();
    assert_eq!(row(&plan, &case.address).verdict, Verdict::Keep);
    case.held_by(Code::ProcessInside);
    drop(sleeper);

    let case = Case::new();
    let open = std::fs::File::open(case.entry.join("HEAD")).unwrap();
    let reader = running(&case, &root, Stdio::from(open));
    case.held_by(Code::ProcessInside);
    drop(reader);
}

/// C5: a survey that does not see owl itself proves nothing.
#[test]
fn guard_14_without_proc_nothing_is_removed() {
    let mut case = Case::new();
    case.yard.proc_root = case.yard.repo.root().join("home");
    case.nothing_at_all("unknown-process-inside");
}

/// In a namespace of its own owl does not see everybody, unless the policy says that it does.
#[test]
fn guard_14_a_process_namespace_of_its_own_must_be_declared() {
    let mut case = Case::new();
    case.yard.policy = case.yard.policy.replace("pid-namespace: own\n", "");
    let link = std::fs::read_link("/proc/self/ns/pid").unwrap();
    if link == Path::new("pid:[4026531836]") {
        case.yard.approved(&["control", "held"]);
        return;
    }
    case.nothing_at_all("unknown-process-inside");
}

/// No process has the image open: the kernel has, for whatever is mounted from it.
#[test]
fn guard_14_a_file_behind_a_loop_device_holds() {
    let mut case = Case::new();
    let root = case.yard.repo.root().to_owned();
    std::os::unix::fs::symlink("/proc", root.join("proc")).unwrap();
    let image = case.path.join("target/disk.img");
    let file = root.join("sys/block/loop7/loop/backing_file");
    write(&file, format!("{}\n", image.display()).as_bytes());
    case.yard.proc_root = root.join("proc");
    case.held_by(Code::ProcessInside);
}
