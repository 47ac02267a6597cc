//! Whole runs: twice, nested, narrowed, limited, locked, written down.

use crate::changed::delete;
use crate::support::snapshot::Snapshot;
use crate::support::write;
use crate::support::yard::{POLICY, Yard, acting_rows, outcome, require_fate, said};
use owl::apply::{Event, Fate, Lock, LockError};
use owl::plan::{Approval, Refusal};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// `spec 1`, promise 3.
#[test]
fn a_second_apply_changes_nothing() {
    let yard = Yard::new();
    yard.landed("gone");
    delete(&yard.path("gone"));
    let path = yard.landed("dirty");
    write(&path.join("idea.md"), b"x");
    let approved = yard.look().approve(&Approval::Yes, &[]).unwrap();
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    require_fate(&done, &yard.address("gone"), Fate::Pruned);
    assert!(!yard.entry("control").exists() && !yard.entry("gone").exists());
    let main = yard.repo.main();
    let before = Snapshot::of(&[&main]);
    // The plan of then, once more: what it names is gone, and nothing else is touched.
    let again = yard.carry_out(&approved);
    let fates: Vec<_> = again.iter().map(|one| one.outcome.fate).collect();
    assert_eq!(fates, [Fate::AlreadyGone, Fate::AlreadyGone], "{again:?}");
    let plan = yard.look();
    assert_eq!(acting_rows(&plan).count(), 0, "{}", said(&plan));
    assert!(!plan.applyable);
    assert!(yard.apply().is_empty());
    before.require_same("a second apply", &[&main]);
    for branch in ["control", "gone", "dirty"] {
        yard.repo
            .git(["rev-parse", "--verify", &format!("refs/heads/{branch}")]);
    }
}

/// A plan leaves no trace in the repository.
#[test]
fn a_plan_changes_nothing() {
    let yard = Yard::new();
    let main = yard.repo.main();
    let before = Snapshot::of(&[&main]);
    let first = serde_json::to_string(&yard.look().items).unwrap();
    let second = serde_json::to_string(&yard.look().items).unwrap();
    assert_eq!(
        first.replace(char::is_numeric, ""),
        second.replace(char::is_numeric, "")
    );
    before.require_same("a plan", &[&main]);
}

fn nested() -> Yard {
    let stores = "stores:\n  - path: .claude/worktrees/*/.claude/worktrees/*\n";
    let yard = Yard::new().under(&POLICY.replace("stores:\n", stores));
    let inner = yard.landed("outer").join(".claude/worktrees/inner");
    yard.add_at("inner", &inner);
    yard.land("inner", &inner);
    yard.age("outer");
    yard
}

/// `spec 6`: nested before container.
#[test]
fn nested_and_container_go_in_one_run() {
    let yard = nested();
    let approved = yard.approved(&["control", "inner", "outer"]);
    let order: Vec<_> = approved.rows().map(|row| row.address.clone()).collect();
    let at = |name| order.iter().position(|one| *one == yard.address(name));
    assert!(at("inner") < at("outer"), "{order:?}");
    let done = yard.carry_out(&approved);
    for name in ["control", "inner", "outer"] {
        require_fate(&done, &yard.address(name), Fate::Removed);
    }
    assert!(!yard.path("outer").exists());
    assert!(!yard.entry("inner").exists() && !yard.entry("outer").exists());
}

#[test]
fn a_container_stays_when_the_nested_one_moves_meanwhile() {
    let yard = nested();
    let approved = yard.approved(&["control", "inner", "outer"]);
    let inner = yard.path("outer").join(".claude/worktrees/inner");
    write(&inner.join("idea.md"), b"x");
    let outer = yard.path("outer");
    let before = Snapshot::of(&[&outer]);
    let done = yard.carry_out(&approved);
    require_fate(&done, &yard.address("inner"), Fate::Kept);
    require_fate(&done, &yard.address("outer"), Fate::Kept);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    before.require_same("the container", &[&outer]);
}

#[test]
fn only_narrows_and_never_widens() {
    let yard = nested();
    // The container alone: it waits for the nested one, which was not chosen.
    let only = [yard.address("outer")];
    let approved = yard.look().approve(&Approval::Yes, &only).unwrap();
    let outer = yard.path("outer");
    let before = Snapshot::of(&[&outer]);
    let done = yard.carry_out(&approved);
    assert_eq!(done.len(), 1);
    require_fate(&done, &only[0], Fate::Kept);
    before.require_same("the container", &[&outer]);
    assert!(yard.path("control").exists());
    // The nested one alone.
    let only = [yard.address("inner")];
    let approved = yard.look().approve(&Approval::Yes, &only).unwrap();
    let done = yard.carry_out(&approved);
    assert_eq!(done.len(), 1);
    require_fate(&done, &only[0], Fate::Removed);
    assert!(yard.path("control").exists() && outer.exists());
    // A row that does not act, and one that is not there.
    let main = owl::resource::Address::main("main");
    let approved = yard.look().approve(&Approval::Yes, &[main]).unwrap();
    assert!(yard.carry_out(&approved).is_empty());
    let nobody = yard.address("nobody");
    let refused = yard
        .look()
        .approve(&Approval::Yes, std::slice::from_ref(&nobody));
    assert_eq!(refused.unwrap_err(), Refusal::NoSuchRow(nobody));
}

// Brakes, locks, the audit log

/// Incident 74: a count chooses no tree; over it nothing is done.
#[test]
fn limits_refuse_the_whole_plan() {
    let yard = Yard::new();
    yard.landed("second");
    let limits = "limits:\n  max-removals: 1\n";
    let yard = yard.under(&format!("{POLICY}{limits}"));
    let plan = yard.look();
    let refused = plan.clone().approve(&Approval::Yes, &[]);
    assert!(
        matches!(refused, Err(Refusal::OverLimits(_))),
        "{refused:?}"
    );
    let wrong = plan.clone().approve(&Approval::Typed(1), &[]);
    assert!(
        matches!(wrong, Err(Refusal::WrongNumber { .. })),
        "{wrong:?}"
    );
    // Narrowed, it is over its limit nonetheless: the limit is about the world.
    let only = [yard.address("second")];
    let refused = plan.clone().approve(&Approval::Yes, &only);
    assert!(
        matches!(refused, Err(Refusal::OverLimits(_))),
        "{refused:?}"
    );
    let approved = plan
        .approve(&Approval::Typed(2), &[])
        .expect("it was typed");
    assert_eq!(yard.carry_out(&approved).len(), 2);
}

/// An unmounted disk looks like many directories that are gone at once.
#[test]
fn max_gone_refuses_the_whole_plan() {
    for (gone, refused) in [(4, false), (5, true)] {
        let yard = Yard::without_control();
        for nth in 0..gone {
            let name = format!("agent-{nth}");
            yard.landed(&name);
            delete(&yard.path(&name));
        }
        let answer = yard.look().approve(&Approval::Yes, &[]);
        assert_eq!(answer.is_err(), refused, "{gone}: {answer:?}");
    }
}

#[test]
fn one_owl_at_a_time_in_a_repository() {
    let yard = Yard::new();
    let dir = yard.repo.common_dir();
    let before = Snapshot::of(&[&dir]);
    let lock = Lock::take(&dir, false).expect("nobody holds it");
    let second = Lock::take(&dir, false);
    assert!(matches!(second, Err(LockError::Taken(_))), "{second:?}");
    let mut command = yard.repo.command("flock");
    let other = command
        .args(["--nonblock".as_ref(), dir.as_os_str(), "true".as_ref()])
        .status();
    if other.as_ref().is_ok() {
        assert!(!other.unwrap().success(), "another process got it, too");
    }
    drop(lock);
    // A child that another test started meanwhile has inherited the handle until it ends.
    drop(Lock::take(&dir, true).expect("it was let go"));
    before.require_same("the lock leaves nothing behind", &[&dir]);
}

/// C6, `spec 7.3`: an attempt line before, an outcome line after.
#[test]
fn the_audit_log_has_attempt_and_outcome() {
    let yard = Yard::new();
    yard.landed("moved");
    let approved = yard.approved(&["control", "moved"]);
    write(&yard.path("moved").join("idea.md"), b"x");
    let audit = yard.audit();
    let mut attempts = 0;
    let done = yard.carry_out_with(&approved, &audit, &mut |event| {
        let Event::Attempt(_) = event else { return };
        attempts += 1;
    });
    assert_eq!((done.len(), attempts), (2, 2));
    let text = fs::read_to_string(audit.path()).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    let found: Vec<_> = lines
        .iter()
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            let fate = line["outcome"]["fate"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            (text("event"), text("address"), fate)
        })
        .collect();
    let line = |event: &str, address: &str, fate: &str| {
        (event.to_owned(), address.to_owned(), fate.to_owned())
    };
    // Deletions run side by side, so that only the lines of one row have an order.
    for (address, fate) in [("main/control", "removed"), ("main/moved", "kept")] {
        let own: Vec<_> = found.iter().filter(|line| line.1 == address).collect();
        let expected = [line("attempt", address, ""), line("outcome", address, fate)];
        assert_eq!(own, expected.iter().collect::<Vec<_>>());
    }
    assert_eq!(found.len(), 4);
    assert!(
        lines
            .iter()
            .all(|line| line["policy"] == yard.parsed().source.sha256.as_str())
    );
    let mode = fs::metadata(audit.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_audit_log_that_cannot_be_written_stops_the_row() {
    let yard = Yard::new();
    let approved = yard.approved(&["control"]);
    let audit = yard.audit();
    fs::create_dir(audit.path()).unwrap();
    let kept = yard.repo.main();
    let before = Snapshot::of(&[&kept]);
    let done = yard.carry_out_with(&approved, &audit, &mut |_| {});
    require_fate(&done, &yard.address("control"), Fate::Failed);
    let said = &outcome(&done, &yard.address("control")).message;
    assert!(said.contains("audit log"), "{said}");
    before.require_same("the repository", &[&kept]);
}
