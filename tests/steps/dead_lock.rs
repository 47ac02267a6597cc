//! `dead-locks`: only a lock whose process is proven dead is ever lifted (guard 4, `spec 9`).

use super::support::snapshot::Snapshot;
use super::support::yard::{Yard, require_fate, row, said};
use super::support::{aging::age, write};
use owl::apply::Fate;
use owl::plan::{Step, Verdict};

const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - name: finished
    when: { landed: true, idle-over: 1h }
    then: accept
dead-locks: lift
pid-namespace: own
";

fn lock(yard: &Yard, name: &str, reason: &str) {
    write(&yard.entry(name).join("locked"), reason.as_bytes());
    yard.age(name);
}

/// The id of a process that is no more.
fn dead_pid(yard: &Yard) -> u32 {
    let mut child = yard
        .repo
        .command("true")
        .spawn()
        .expect("the scene is as it was built");
    let pid = child.id();
    child.wait().expect("the scene is as it was built");
    pid
}

/// Field 22 of the test's own `/proc/PID/stat`.
fn own_start() -> u64 {
    let line = std::fs::read_to_string("/proc/self/stat").expect("the scene is as it was built");
    let rest = &line[line.rfind(')').expect("the scene is as it was built") + 2..];
    rest.split(' ')
        .nth(19)
        .expect("the scene is as it was built")
        .parse()
        .expect("the scene is as it was built")
}

#[test]
fn what_is_proven_dead_is_lifted_and_nothing_else() {
    let yard = Yard::new().under(POLICY);
    let (gone, own, start) = (dead_pid(&yard), std::process::id(), own_start());
    let cases = [
        (
            "gone",
            format!("claude session fix (pid {gone} start 5)"),
            true,
        ),
        ("bare", format!("claude agent agent-1 (pid {gone})\n"), true),
        (
            "reused",
            format!("claude agent agent-2 (pid {own} start {})", start + 1),
            true,
        ),
        (
            "alive",
            format!("claude agent agent-3 (pid {own} start {start})"),
            false,
        ),
        ("maybe", format!("claude agent agent-4 (pid {own})"), false),
        ("person", "do not touch".to_owned(), false),
        ("other", format!("my tool (pid {gone} start 5)"), false),
        (
            "more",
            format!("claude agent a (pid {gone} start 5), and mine"),
            false,
        ),
        ("empty", String::new(), false),
    ];
    for (name, reason, _) in &cases {
        yard.landed(name);
        lock(&yard, name, reason);
    }
    let plan = yard.look();
    let mut kept = Vec::new();
    for (name, reason, is_lifted) in &cases {
        let row = row(&plan, &yard.address(name));
        if *is_lifted {
            assert_eq!(row.verdict, Verdict::Remove, "{name}: {}", said(&plan));
            let lifted = matches!(&row.steps[0], Step::LiftLock { reason: r } if r.as_bytes() == reason.trim_end().as_bytes());
            assert!(lifted, "{name}: {:?}", row.steps);
        } else {
            assert_eq!(row.reason.to_string(), "locked", "{name}: {}", said(&plan));
            kept.extend([yard.path(name), yard.entry(name)]);
        }
    }
    let paths: Vec<&std::path::Path> = kept.iter().map(|path| &**path).collect();
    let before = Snapshot::of(&paths);
    let done = yard.apply();
    before.require_same("locks that hold", &paths);
    for (name, _, is_lifted) in &cases {
        if *is_lifted {
            require_fate(&done, &yard.address(name), Fate::Removed);
            assert!(!yard.path(name).exists() && !yard.entry(name).exists());
        }
    }
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert_eq!(done.len(), 4);
}

#[test]
fn by_default_a_dead_lock_holds_and_says_what_lifts_it() {
    let yard = Yard::new().under(&POLICY.replace("dead-locks: lift\n", ""));
    yard.landed("dead");
    let gone = dead_pid(&yard);
    lock(
        &yard,
        "dead",
        &format!("claude session fix (pid {gone} start 5)"),
    );
    let plan = yard.look();
    let found = row(&plan, &yard.address("dead"));
    assert_eq!(found.verdict, Verdict::Hold);
    let words = format!("there is no process {gone}: `dead-locks: lift` lifts it");
    assert!(found.message.contains(&words), "{}", found.message);
    let done = yard.apply();
    assert!(yard.path("dead").exists() && yard.entry("dead").join("locked").exists());
    require_fate(&done, &yard.address("control"), Fate::Removed);
}

/// A number of a container names another process out here, or none: that proves nothing.
#[test]
fn a_number_that_a_container_has_is_no_proof() {
    let yard = Yard::new().under(POLICY);
    let mut container = yard.repo.command("unshare");
    // The shell counts itself 1 in there, and its child 2.
    container
        .args(["--pid", "--fork", "sh", "-c", "sleep 60 & echo $!; wait"])
        .stdout(std::process::Stdio::piped());
    let mut child = container
        .spawn()
        .expect("unshare (util-linux) is installed");
    let mut inner = String::new();
    let out = child.stdout.as_mut().expect("it is piped");
    let read = std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut inner);
    read.expect("it can be read");
    if inner.is_empty() {
        drop(child.wait());
        return super::support::skipped(
            "steps::dead_lock::a_number_that_a_container_has_is_no_proof",
            "no process namespace can be made",
        );
    }
    // Nothing out here has the number, or another process started at another time.
    let reason = format!("claude agent a (pid {} start 1)", inner.trim());
    yard.landed("inside");
    lock(&yard, "inside", &reason);
    let gone = dead_pid(&yard);
    yard.landed("dead");
    lock(
        &yard,
        "dead",
        &format!("claude agent b (pid {gone} start 1)"),
    );
    let paths = [yard.path("inside"), yard.entry("inside")];
    let paths: Vec<&std::path::Path> = paths.iter().map(|path| &**path).collect();
    let before = Snapshot::of(&paths);
    let done = yard.apply();
    before.require_same("a container's lock", &paths);
    require_fate(&done, &yard.address("dead"), Fate::Removed);
    let held = row(&yard.look(), &yard.address("inside"))
        .reason
        .to_string();
    assert_eq!(held, "locked");
    // `unshare` passes no signal on; its child ends with the namespace.
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let init = std::fs::read_to_string(children).expect("it runs");
    for pid in init.split_whitespace() {
        drop(yard.repo.command("kill").args(["-KILL", pid]).status());
    }
    drop(child.wait());
    let done = yard.apply();
    require_fate(&done, &yard.address("inside"), Fate::Removed);
}

/// The probe fails: no process table is no proof.
#[test]
fn without_a_process_table_no_lock_is_dead() {
    let mut yard = Yard::new().under(POLICY);
    yard.landed("dead");
    let gone = dead_pid(&yard);
    lock(
        &yard,
        "dead",
        &format!("claude session fix (pid {gone} start 5)"),
    );
    yard.proc_root = yard.repo.root().join("no-proc");
    let plan = yard.look();
    assert_eq!(
        row(&plan, &yard.address("dead")).reason.to_string(),
        "locked",
        "{}",
        said(&plan)
    );
}

/// A row that is given back has its lock again, byte for byte and of the same time; a lock that is
/// another one by then is not lifted.
#[test]
fn what_is_put_back_is_locked_as_before() {
    let mut yard = Yard::new().under(POLICY);
    let gone = dead_pid(&yard);
    for name in ["back", "anew"] {
        yard.landed(name);
        lock(
            &yard,
            name,
            &format!("claude session {name} (pid {gone} start 5)\n"),
        );
    }
    let approved = yard.approved(&["anew", "back", "control"]);
    write(&yard.entry("anew").join("locked"), b"mine now\n");
    age(&yard.entry("anew"));
    let real = yard
        .repo
        .command("sh")
        .args(["-c", "command -v git"])
        .output()
        .expect("the scene is as it was built");
    let real = String::from_utf8(real.stdout).expect("the scene is as it was built");
    let real = real.trim();
    let bin = yard.repo.root().join("bin");
    let refuse = "for last; do :; done; if [ -e \"$last/back.txt\" ] && [ ! -e \"$last/control.txt\" ]; then exit 1; fi";
    let refuse = refuse.replace(" && [ ! -e \"$last/control.txt\" ]", "");
    yard.repo.script(
        &bin.join("git"),
        &format!("case \"$*\" in *'worktree remove'*aside*) {refuse};; esac\nexec {real} \"$@\""),
    );
    let mut path = bin.into_os_string();
    path.push(":");
    #[expect(
        clippy::disallowed_methods,
        reason = "git is found where the tests' is"
    )]
    path.push(std::env::var_os("PATH").expect("the scene is as it was built"));
    yard.git_path = Some(path);
    let locks = [
        yard.entry("back").join("locked"),
        yard.entry("anew").join("locked"),
    ];
    let bytes = || {
        locks.each_ref().map(|lock| {
            (
                std::fs::read(lock).expect("the scene is as it was built"),
                std::fs::metadata(lock)
                    .expect("the scene is as it was built")
                    .modified()
                    .expect("the scene is as it was built"),
            )
        })
    };
    let before = bytes();
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("back"), Fate::Failed);
    require_fate(&done, &yard.address("anew"), Fate::Kept);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert_eq!(bytes(), before);
    assert!(yard.path("back").exists() && yard.path("anew").exists());
}
