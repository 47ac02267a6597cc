//! Rescue refs past their time (`spec 3`: `ttl.rescue`).

use super::support::yard::{Yard, now, require_fate, row, said};
use super::{DROP, rescues};
use owl::apply::Fate;
use owl::plan::{ResourceKind, Verdict};
use owl::resource::Address;

fn made(yard: &Yard, name: &str) {
    yard.repo
        .git(["update-ref", &format!("refs/owl/rescue/{name}"), "main"]);
}

fn stamp(days_ago: i64) -> String {
    let at = jiff::Timestamp::from_second(now().as_second() - days_ago * 86_400)
        .expect("the scene is as it was built");
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn address(name: &str) -> Address {
    Address::rescue("main", name.as_bytes())
}

#[test]
fn only_what_is_past_its_time_expires() {
    let yard = Yard::new().under(DROP);
    let (old, edge) = (format!("a/b/{}", stamp(31)), format!("old/{}-2", stamp(31)));
    let (young, future) = (
        format!("young/{}", stamp(29)),
        format!("late/{}", stamp(-2)),
    );
    for name in [
        &*old,
        &edge,
        &young,
        &future,
        "strange",
        "old/20201399T000000Z",
    ] {
        made(&yard, name);
    }
    let plan = yard.look();
    for name in [&old, &edge] {
        let row = row(&plan, &address(name));
        assert_eq!(
            (row.verdict, row.kind),
            (Verdict::Prune, ResourceKind::RescueRef)
        );
        assert_eq!(row.reason.to_string(), "expired");
    }
    let held = row(&plan, &address(&future));
    assert_eq!(
        (held.verdict, held.reason.to_string()),
        (Verdict::Hold, "unknown-expiry".to_owned())
    );
    for name in [&*young, "strange", "old/20201399T000000Z"] {
        assert!(
            plan.row(&address(name)).is_none(),
            "{name}: {}",
            said(&plan)
        );
    }
    let done = yard.apply();
    require_fate(&done, &address(&old), Fate::Pruned);
    require_fate(&done, &address(&edge), Fate::Pruned);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    let left: Vec<String> = rescues(&yard).into_iter().map(|(name, _)| name).collect();
    assert_eq!(left.len(), 5, "four, and the control's own: {left:?}");
    assert!(
        !left
            .iter()
            .any(|name| name.ends_with(&old) || name.ends_with(&edge))
    );
    assert!(yard.apply().is_empty());
}

/// The clock was wrong when it was written: what it rescues is younger than its name says.
#[test]
fn one_that_is_older_than_its_commit_has_not_expired() {
    let yard = Yard::new().under(DROP);
    let (control, wrong) = (
        format!("control/{}", stamp(40)),
        format!("wrong/{}", stamp(40)),
    );
    made(&yard, &control);
    let recent = format!("{} +0000", now().as_second() - 86_400);
    let mut commit = yard.repo.command("git");
    commit
        .args(["commit-tree", "-m", "x", "main^{tree}"])
        .env("GIT_COMMITTER_DATE", recent)
        .current_dir(yard.repo.main());
    let commit = commit.output().expect("git runs").stdout;
    let commit = String::from_utf8(commit).expect("an id");
    let full = format!("refs/owl/rescue/{wrong}");
    yard.repo.git(["update-ref", &full, commit.trim()]);
    let plan = yard.look();
    assert!(plan.row(&address(&wrong)).is_none(), "{}", said(&plan));
    require_fate(&yard.apply(), &address(&control), Fate::Pruned);
    assert!(rescues(&yard).iter().any(|(name, _)| *name == full));
}

#[test]
fn one_that_moves_or_goes_meanwhile_is_left() {
    let yard = Yard::new().under(DROP);
    let (moves, goes, stays) = (stamp(40), stamp(41), stamp(42));
    for name in [&moves, &goes, &stays] {
        made(&yard, &format!("x/{name}"));
    }
    let approved = yard
        .look()
        .approve(&owl::plan::Approval::Yes, &[])
        .expect("the scene is as it was built");
    let other = yard.repo.commit(&yard.repo.main(), "other.txt", b"x");
    yard.repo
        .git(["update-ref", &format!("refs/owl/rescue/x/{moves}"), &other]);
    yard.repo
        .git(["update-ref", "-d", &format!("refs/owl/rescue/x/{goes}")]);
    let done = yard.carry_out(&approved);
    require_fate(&done, &address(&format!("x/{moves}")), Fate::Kept);
    require_fate(&done, &address(&format!("x/{goes}")), Fate::AlreadyGone);
    require_fate(&done, &address(&format!("x/{stays}")), Fate::Pruned);
    let full = format!("refs/owl/rescue/x/{moves}");
    assert!(rescues(&yard).contains(&(full, other)));
}

#[test]
fn the_time_is_the_policys_and_a_policy_that_removes_nothing_expires_nothing() {
    let name = format!("x/{}", stamp(3));
    let yard = Yard::new().under(&format!("{DROP}ttl: {{ rescue: 2d }}\n"));
    made(&yard, &name);
    assert_eq!(row(&yard.look(), &address(&name)).verdict, Verdict::Prune);
    let keep = DROP
        .replace("then: drop", "then: keep")
        .replace("then: accept", "then: keep");
    let yard = Yard::new().under(&format!("{keep}ttl: {{ rescue: 2d }}\n"));
    made(&yard, &name);
    assert_eq!(row(&yard.look(), &address(&name)).verdict, Verdict::Keep);
}
