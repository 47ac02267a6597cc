//! Mistaken identity: nothing is planned on the account of a job that is another's (`spec 8`).

use super::desk::{Desk, EARLY, POLICY, ago, project_of, time, twin};
use super::support::yard::{Yard, acting_rows, said};
use owl::job::State;
use owl::ledger::{Host, Ledger, NewJob};
use owl::plan::Verdict;

/// The ledger of one desk in the home of another yard.
fn hand_over(desk: &Desk, to: &Yard) {
    let place = to.home.join(".local/share/owl");
    std::fs::create_dir_all(&place).expect("it can be made");
    let copied = std::fs::copy(desk.ledger_path(), place.join("ledger.db"));
    copied.expect("it is there");
}

#[test]
fn two_repositories_of_one_name() {
    let desk = Desk::new();
    desk.acting(&["control"]);
    let other = twin();
    let path = other.add("control");
    other.repo.commit(&path, "control.txt", b"control");
    other.age("control");
    hand_over(&desk, &other);
    let plan = other.look();
    assert_eq!(acting_rows(&plan).count(), 0, "{}", said(&plan));
    // A job of its own, in the same ledger, lets it go.
    let other = Desk { yard: other };
    other.add("control", State::Done);
    other.acting(&["control"]);
}

#[test]
fn a_reused_branch_name() {
    let desk = Desk::new();
    desk.work("fix");
    desk.add("fix", State::Cancelled);
    desk.acting(&["control", "fix"]);
    // The same name again, at the same commit and place: another directory and entry.
    let path = desk.yard.path("fix");
    let text = path.to_str().expect("text");
    desk.yard.repo.git(["worktree", "remove", "--force", text]);
    desk.yard.repo.git(["worktree", "add", "-q", text, "fix"]);
    std::fs::write(path.join("x"), b"").expect("it is there");
    std::fs::remove_file(path.join("x")).expect("it is there");
    desk.yard.age("fix");
    // The inode may be the old one; the ledger is told another, as if it were not.
    desk.sql(
        "UPDATE jobs SET worktree_inode = worktree_inode + 1000003 WHERE branch = CAST('fix' AS BLOB)",
    );
    let plan = desk.acting(&["control"]);
    desk.require(&plan, "fix", Verdict::Hold, "claim-missing");
    // And elsewhere.
    desk.yard.repo.git(["worktree", "remove", "--force", text]);
    desk.yard.repo.git([
        "worktree",
        "add",
        "-q",
        desk.yard.path("later").to_str().expect("text"),
        "fix",
    ]);
    desk.yard.age("later");
    let plan = desk.acting(&["control"]);
    desk.require(&plan, "later", Verdict::Hold, "claim-missing");
}

#[test]
fn a_repository_that_was_moved() {
    let desk = Desk::new();
    desk.work("open");
    desk.add("open", State::Pending);
    desk.acting(&["control"]);
    let moved = desk.yard.repo.root().join("elsewhere");
    std::fs::rename(desk.yard.repo.main(), &moved).expect("it can be moved");
    let words = ["worktree", "repair"].map(String::from).into_iter();
    let trees = ["control", "open"].map(|name| {
        let path = moved.join(".claude/worktrees").join(name);
        path.to_string_lossy().into_owned()
    });
    desk.yard.repo.git_in(&moved, words.chain(trees));
    let policy = desk.yard.parsed();
    let scope = owl::observe::Scope::of(&policy, &moved, None).expect("a repository");
    let seen = desk.yard.observe_in(&policy, &scope);
    let plan = owl::plan::Plan::new(&policy, &seen);
    assert_eq!(acting_rows(&plan).count(), 0, "{}", said(&plan));
    let told = plan
        .warnings
        .iter()
        .any(|one| one.contains("owl jobs adopt"));
    assert!(told, "{}", said(&plan));
}

#[test]
fn a_ledger_of_another_host() {
    let desk = Desk::new();
    desk.acting(&["control"]);
    desk.sql("UPDATE projects SET host = 'another'");
    let plan = desk.acting(&[]);
    desk.require(&plan, "control", Verdict::Hold, "claim-missing");
    let mut project = project_of(&desk.yard.repo.main(), time(EARLY));
    project.identity.host = Host::named("another");
    let job = owl::job::Job::new("open".into(), ago(1));
    let mut ledger: Ledger = desk.ledger();
    ledger.add(&NewJob { project, job }).expect("it is free");
    let plan = desk.acting(&[]);
    let told = plan
        .warnings
        .iter()
        .any(|one| one.contains("owl jobs adopt"));
    assert!(told, "{}", said(&plan));
    desk.sql(&format!(
        "UPDATE projects SET host = '{}'",
        Host::here().expect("a host").as_str()
    ));
    desk.acting(&["control"]);
}

#[test]
fn cron_with_another_home() {
    let mut desk = Desk::new();
    desk.work("nobody");
    desk.acting(&["control", "nobody"]);
    let home = std::mem::replace(&mut desk.yard.home, "/nonexistent".into());
    let plan = desk.acting(&[]);
    let row = desk.require(&plan, "control", Verdict::Hold, "unknown-claim-missing");
    assert!(row.message.contains("no ledger"), "{}", row.message);
    assert!(
        plan.complete,
        "a missing ledger is an answer: {}",
        said(&plan)
    );
    // A policy that asks for no job does not miss it.
    let jobless = POLICY
        .split("rules:")
        .next()
        .expect("a part")
        .replace("    owner: job\n", "");
    let jobless = format!(
        "{jobless}rules: [{{ name: old, when: {{ age-over: 1d }}, then: accept }}]\npid-namespace: own\n"
    );
    let mut desk = Desk {
        yard: desk.yard.under(&jobless),
    };
    desk.acting(&["control", "nobody"]);
    desk.yard.home = home;
    desk.acting(&["control", "nobody"]);
}
