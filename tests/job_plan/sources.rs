//! Other sources of jobs, and those that fail (`spec 3`, `jobs`; A4.18).

use super::desk::{Desk, POLICY};
use super::support::yard::said;
use owl::plan::Verdict;
use owl::policy::{Origin, Policy};

#[test]
fn a4_18_a_ledger_that_cannot_be_read_holds() {
    let jobless = POLICY.replace("owner: job", "owner: none");
    let jobless = jobless.replace("{ job: done }", "{ age-over: 1d }");
    let jobless = jobless.replace("{ job: cancelled }", "{ age-over: 2d }");
    let jobless = jobless.replace("{ job: gone }", "{ age-over: 3d }");
    for break_it in ["PRAGMA user_version = 99", "PRAGMA application_id = 7"] {
        for policy in [POLICY, &jobless] {
            let desk = Desk::under(policy);
            desk.acting(&["control"]);
            desk.sql(break_it);
            let plan = desk.acting(&[]);
            assert!(!plan.complete, "{}", said(&plan));
            let row = desk.row(&plan, "control");
            assert_eq!(row.verdict, Verdict::Hold);
            assert!(
                row.reason.to_string().starts_with("unknown-"),
                "{}",
                said(&plan)
            );
        }
    }
    let desk = Desk::new();
    let bytes = std::fs::read(desk.ledger_path()).expect("it is there");
    std::fs::write(desk.ledger_path(), &bytes[..bytes.len() / 2]).expect("it is mine");
    assert!(!desk.acting(&[]).complete);
    std::fs::write(desk.ledger_path(), &bytes).expect("it is mine");
    assert!(desk.acting(&["control"]).complete);
}

#[test]
fn a_list_holds_what_it_names_and_permits_what_it_proves() {
    let mut desk = Desk::new();
    for name in ["busy", "stray", "finished", "free", "moved"] {
        desk.work(name);
    }
    let main = desk.yard.repo.main();
    let main = main.to_str().expect("text");
    let list = format!(
        "jobs:
- {{ project: {main}, branch: busy, state: review, worktree: .claude/worktrees/busy, source: q, ref: '1' }}
- {{ branch: stray, state: active }}
- {{ project: {main}, branch: finished, state: done, worktree: .claude/worktrees/finished,
    decided: {{ at: 2026-05-01T00:00:00Z, tip: {} }} }}
- {{ project: {main}, branch: moved, state: done, worktree: .claude/worktrees/moved,
    decided: {{ at: 2026-05-01T00:00:00Z, tip: {} }} }}
",
        desk.tip("finished"),
        desk.tip("busy"),
    );
    let path = desk.list(&list);
    let path = path.to_str().expect("text");
    desk.yard.merge("busy");
    for source in [
        format!("{{ file: {path} }}"),
        format!("{{ command: [cat, {path}] }}"),
    ] {
        let policy = format!("{POLICY}jobs: [ledger, {source}]\n");
        desk.yard.policy = policy;
        let plan = desk.acting(&["control", "finished", "free"]);
        // Its state is not owl's to change, landed or not.
        desk.require(&plan, "busy", Verdict::Keep, "in-use");
        desk.require(&plan, "stray", Verdict::Hold, "claim-missing");
        desk.require(&plan, "moved", Verdict::Hold, "unknown-rule");
    }
}

#[test]
fn a_source_that_fails_holds_everything() {
    let mut desk = Desk::new();
    desk.work("nobody");
    desk.acting(&["control", "nobody"]);
    let good = desk.list("jobs: []\n");
    let good = good.to_str().expect("text");
    let bad = desk.yard.repo.root().join("bad.yaml");
    std::fs::write(&bad, "jobs: [{ brnach: x }]\n").expect("it can be written");
    let bad = bad.to_str().expect("text");
    for (source, works) in [
        (format!("{{ file: {good} }}"), true),
        (format!("{{ command: [cat, {good}] }}"), true),
        ("{ file: /nonexistent/jobs.yaml }".to_owned(), false),
        (format!("{{ file: {bad} }}"), false),
        ("{ file: / }".to_owned(), false),
        ("{ command: [\"false\"] }".to_owned(), false),
        ("{ command: [owl-no-such-program] }".to_owned(), false),
        ("{ command: [echo, \"nonsense: [\"] }".to_owned(), false),
        // No shell: this is one word.
        ("{ command: [\"echo jobs:\"] }".to_owned(), false),
    ] {
        let policy = format!("{POLICY}jobs: [ledger, {source}]\n");
        desk.yard.policy = policy;
        let plan = if works {
            desk.acting(&["control", "nobody"])
        } else {
            desk.acting(&[])
        };
        assert_eq!(plan.complete, works, "{source}: {}", said(&plan));
    }
}

#[test]
fn where_no_ledger_is_named_none_is_missed() {
    let mut desk = Desk::new();
    desk.work("listed");
    let main = desk.yard.repo.main();
    let main = main.to_str().expect("text");
    let tip = desk.tip("listed");
    let list = desk.list(&format!(
        "jobs: [{{ project: {main}, branch: listed, state: done, worktree: .claude/worktrees/listed,
  decided: {{ at: 2026-05-01T00:00:00Z, tip: {tip} }} }}]\n"
    ));
    let list = list.to_str().expect("text");
    desk.yard.home = "/nonexistent".into();
    let policy = format!("{POLICY}jobs: [{{ file: {list} }}]\n");
    desk.yard.policy.clone_from(&policy);
    desk.acting(&["listed"]);
    desk.yard.policy = policy.replace("jobs: [", "jobs: [ledger, ");
    desk.acting(&[]);
}

#[test]
fn what_is_no_source_is_an_error() {
    for (jobs, origin, said) in [
        (
            "[{ file: a }]",
            Origin::Repository,
            "cannot name `jobs: file|command`",
        ),
        (
            "[{ command: [a] }]",
            Origin::Repository,
            "cannot name `jobs: file|command`",
        ),
        ("[{ command: a b }]", Origin::User, "must be a list"),
        ("[{ command: [] }]", Origin::User, "no words"),
        ("[{ command: [./a] }]", Origin::User, "relative path"),
        ("[{ fiel: a }]", Origin::User, "did you mean `file`?"),
        ("[ledgers]", Origin::User, "no source of jobs"),
        ("[{}]", Origin::User, "needs the key"),
        ("[ledger, ledger]", Origin::User, "names `ledger` twice"),
        ("[]", Origin::User, "names no source of jobs"),
    ] {
        let text = format!("{POLICY}jobs: {jobs}\n");
        let found = Policy::parse("owl.yaml", text.as_bytes(), origin).expect_err(jobs);
        let text: String = found.iter().map(ToString::to_string).collect();
        assert!(text.contains(said), "{jobs}: {text}");
    }
    let text = POLICY.replace("job: done", "job: [done, finished]");
    Policy::parse("owl.yaml", text.as_bytes(), Origin::User).expect_err("no such state");
    let text = format!("{POLICY}jobs: [ledger]\n");
    Policy::parse("owl.yaml", text.as_bytes(), Origin::Repository).expect("it may");
}

/// What a command leaves in the background ends with it: it would hold what it has inherited.
#[test]
fn a_command_leaves_nobody_behind() {
    let mut desk = Desk::new();
    let list = desk.list("jobs: []\n");
    let pid = desk.yard.repo.root().join("pid");
    let script = desk.yard.repo.root().join("export");
    desk.yard.repo.script(
        &script,
        &format!(
            "#!/bin/sh\nsleep 600 >/dev/null 2>&1 &\necho $! > {}\ncat {}\n",
            pid.display(),
            list.display()
        ),
    );
    let command = format!("{{ command: [{}] }}", script.display());
    desk.yard.policy = format!("{POLICY}jobs: [ledger, {command}]\n");
    desk.acting(&["control"]);
    let pid = std::fs::read_to_string(pid).expect("it ran");
    let stat = format!("/proc/{}/stat", pid.trim());
    let is_gone = || match std::fs::read_to_string(&stat) {
        Ok(stat) => stat.contains(") Z"),
        Err(_) => true,
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !is_gone() && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(is_gone(), "{stat}");
}
