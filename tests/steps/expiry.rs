//! Rescue refs past their time (`spec 3`: `ttl.rescue`).

use super::support::yard::{Yard, now, require_fate, row, said};
use super::{DROP, rescues};
use owl::apply::Fate;
use owl::plan::{ResourceKind, Verdict};
use owl::resource::Address;

fn made(yard: &Yard, name: &str) {
    let full = format!("refs/owl/rescue/{name}");
    yard.repo.git(["update-ref", &full, "refs/owl-test/old"]);
    // Of a packed ref there is no file whose time would count.
    yard.repo.git(["pack-refs", "--all"]);
}

/// A yard whose newest commit is of today, and an old one for rescue refs to name.
fn yard(policy: &str) -> Yard {
    let yard = Yard::new().under(policy);
    yard.repo.git(["update-ref", "refs/owl-test/old", "main"]);
    commit_now(&yard);
    yard
}

fn commit_now(yard: &Yard) {
    let mut git = yard.repo.command("git");
    git.args(["commit", "-q", "--allow-empty", "-m", "of today"])
        .env("GIT_COMMITTER_DATE", format!("{} +0000", now().as_second()))
        .current_dir(yard.repo.main());
    let status = git.status().expect("git runs");
    assert!(status.success());
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
    let yard = yard(DROP);
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
    let yard = yard(DROP);
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
    yard.repo.git(["pack-refs", "--all"]);
    let plan = yard.look();
    assert!(plan.row(&address(&wrong)).is_none(), "{}", said(&plan));
    require_fate(&yard.apply(), &address(&control), Fate::Pruned);
    assert!(rescues(&yard).iter().any(|(name, _)| *name == full));
}

#[test]
fn one_that_moves_or_goes_meanwhile_is_left() {
    let yard = yard(DROP);
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
    commit_now(&yard);
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
    let old = |text: &str| yard(&format!("{text}ttl: {{ rescue: 2d }}\n"));
    let yard = old(DROP);
    made(&yard, &name);
    assert_eq!(row(&yard.look(), &address(&name)).verdict, Verdict::Prune);
    let keep = DROP
        .replace("then: drop", "then: keep")
        .replace("then: accept", "then: keep");
    let yard = old(&keep);
    made(&yard, &name);
    assert_eq!(row(&yard.look(), &address(&name)).verdict, Verdict::Keep);
}

/// No clock decides alone: neither the one that named the ref, nor the one of this run.
#[test]
fn what_only_a_clock_says_expires_nothing() {
    let long_ago = stamp(2000);
    let name = |nth: u32| format!("x{nth}/{long_ago}");
    // A run whose clock is far ahead: no commit is that young.
    let yard = Yard::new().under(DROP);
    yard.repo.git(["update-ref", "refs/owl-test/old", "main"]);
    let full = format!("x0/{}", stamp(31));
    made(&yard, &full);
    let kept = yard.look();
    let kept = row(&kept, &address(&full));
    assert_eq!(
        (kept.verdict, kept.reason.to_string()),
        (Verdict::Keep, "unknown-expiry".to_owned())
    );
    require_fate(&yard.apply(), &yard.address("control"), Fate::Removed);
    commit_now(&yard);
    require_fate(&yard.apply(), &address(&full), Fate::Pruned);
    // A ref that was named by a clock far behind: its commit, its file, and its reflog know better.
    let yard = self::yard(DROP);
    made(&yard, &name(0));
    yard.repo.git([
        "update-ref",
        &format!("refs/owl/rescue/{}", name(1)),
        "main",
    ]);
    yard.repo.git(["pack-refs", "--all"]);
    let loose = format!("refs/owl/rescue/{}", name(2));
    yard.repo.git(["update-ref", &loose, "refs/owl-test/old"]);
    let done = yard.apply();
    require_fate(&done, &address(&name(0)), Fate::Pruned);
    let left: Vec<String> = rescues(&yard).into_iter().map(|(name, _)| name).collect();
    for nth in [1, 2] {
        let full = format!("refs/owl/rescue/{}", name(nth));
        assert!(left.contains(&full), "{full}: {left:?}");
    }
}

/// A drop under a clock that is behind would write refs that look old tomorrow.
#[test]
fn under_a_clock_that_is_behind_nothing_is_dropped() {
    let yard = Yard::new().under(DROP);
    let path = yard.add("late");
    yard.repo.commit(&path, "late.txt", b"x");
    yard.age("late");
    let ahead = yard.repo.git_in(
        &yard.repo.main(),
        ["commit-tree", "-m", "of tomorrow", "main^{tree}"],
    );
    yard.repo
        .git(["update-ref", "refs/remotes/x/ahead", &ahead]);
    let mut git = yard.repo.command("git");
    git.args(["commit-tree", "-m", "ahead", "main^{tree}"])
        .env(
            "GIT_COMMITTER_DATE",
            format!("{} +0000", now().as_second() + 3 * 86_400),
        )
        .current_dir(yard.repo.main());
    let made = git.output().expect("git runs").stdout;
    let made = String::from_utf8(made).expect("it is text");
    yard.repo
        .git(["update-ref", "refs/remotes/x/ahead", made.trim()]);
    let done = yard.apply();
    let kept = super::support::yard::outcome(&done, &yard.address("late"));
    assert_eq!(kept.fate, Fate::Kept);
    assert!(kept.message.contains("set the clock"), "{}", kept.message);
    assert!(path.exists() && rescues(&yard).is_empty());
    yard.repo.git(["update-ref", "-d", "refs/remotes/x/ahead"]);
    require_fate(&yard.apply(), &yard.address("late"), Fate::Removed);
}

/// What somebody else put there, and how many expire, stops nothing.
#[test]
fn expiries_do_not_count_and_only_commits_expire() {
    let yard = yard(
        &format!("{DROP}limits: {{ max-removals: 1, max-gone: 100% }}\n").replacen(
            "limits: { max-gone: 100% }\n",
            "",
            1,
        ),
    );
    let tree = yard.repo.git(["rev-parse", "main^{tree}"]);
    let all: Vec<String> = (40..44).map(|nth| format!("x/{}", stamp(nth))).collect();
    for name in &all {
        made(&yard, name);
    }
    let strange = format!("x/{}", stamp(50));
    let foreign = format!("refs/owl/rescue/{strange}");
    yard.repo.git(["update-ref", &foreign, &tree]);
    yard.repo.git(["pack-refs", "--all"]);
    let plan = yard.look();
    assert_eq!(plan.brakes, [], "{}", said(&plan));
    assert!(plan.row(&address(&strange)).is_none());
    let done = yard.apply();
    require_fate(&done, &yard.address("control"), Fate::Removed);
    for name in &all {
        require_fate(&done, &address(name), Fate::Pruned);
    }
    assert!(rescues(&yard).contains(&(foreign, tree)));
}
