//! A3.1 to A3.5, A3.8, A3.9, for accept.

use super::support::write;
use super::{Desk, POLICY, State};
use std::fs;

#[test]
fn a3_1_a3_7_accept_removes_the_worktree_and_keeps_the_branch() {
    let desk = Desk::new();
    let id = desk.review("work");
    let tip = desk.tip("work");
    let other = desk.review("other");
    let before = desk.contents().job(other).cloned();
    assert_eq!(
        desk.done(&format!("jobs accept {id}")),
        "1 done; branch work stays"
    );
    assert!(!desk.place("work").exists());
    assert!(!desk.is_listed(&desk.place("work")));
    assert_eq!(desk.tip("work"), tip, "exactly as it was");
    let contents = desk.contents();
    let job = &contents.job(id).expect("it is there").job;
    assert_eq!(job.state, State::Done);
    assert_eq!(job.worktree, None, "A3.7");
    assert_eq!(job.branch, Some("work".into()));
    let decided = job.decided.as_ref().expect("it was decided");
    assert_eq!(decided.tip, tip, "spec 8: the tip of the decision");
    assert_eq!(contents.job(other).cloned(), before, "nobody else's");
    desk.require_untouched(other, "other", &State::Review, desk.tip("other").as_deref());
    let audit = desk.repo.audit();
    assert_eq!(audit.len(), 2, "{audit:?}");
    assert!(audit[0].contains("set-job-state"), "{audit:?}");
    let again = desk.done(&format!("jobs accept {id}"));
    assert_eq!(
        again, "1 done; branch work stays",
        "running twice changes nothing more"
    );
    assert_eq!(desk.repo.audit().len(), 2);
}

#[test]
fn a3_2_only_what_waits_for_a_decision_is_decided_about() {
    let desk = Desk::new();
    let control = desk.review("control");
    for (name, steps) in [("pending", &[][..]), ("active", &["start"][..])] {
        let path = desk.repo.agent(name);
        desk.repo.commit(&path, "x", b"x");
        let id = desk.added(name);
        for step in steps {
            desk.done(&format!("jobs {step} {id}"));
        }
        for verb in ["accept", "drop"] {
            let said = desk.refused(&format!("jobs {verb} {id}"));
            assert!(said.contains(&format!("it is {name}")), "{said}");
            assert!(said.contains("possible: "), "{said}");
            assert!(said.contains("cancel"), "{said}");
        }
        let tip = desk.tip(name);
        desk.require_untouched(id, name, &State::of(name), tip.as_deref());
    }
    let said = desk.refused("jobs accept 99");
    assert!(said.contains("99"), "{said}");
    desk.done(&format!("jobs accept {control}"));
    assert!(!desk.place("control").exists());
}

/// `spec 8`: blocked and exhausted jobs can be decided about, too.
#[test]
fn what_is_blocked_or_exhausted_is_decided_about() {
    let desk = Desk::new();
    let path = desk.repo.agent("blocked");
    desk.repo.commit(&path, "x", b"x");
    let blocked = desk.job("blocked", "failed");
    assert_eq!(desk.state(blocked), State::Blocked);
    desk.done(&format!("jobs accept {blocked}"));
    assert_eq!(desk.state(blocked), State::Done);
    let path = desk.repo.agent("exhausted");
    desk.repo.commit(&path, "x", b"x");
    let words = "jobs add --branch exhausted --worktree .claude/worktrees/exhausted --ttl 1";
    let id: i64 = desk.done(words).parse().expect("a number");
    desk.done(&format!("jobs start {id}"));
    desk.done(&format!("jobs finish {id} --outcome interrupted"));
    assert_eq!(desk.state(id), State::Exhausted);
    desk.done(&format!("jobs drop {id}"));
    assert_eq!(desk.state(id), State::Cancelled);
    assert_eq!(desk.tip("exhausted"), None);
}

#[test]
fn a3_3_what_is_not_committed_is_not_lost() {
    let desk = Desk::new();
    let control = desk.review("control");
    for (name, file, verb) in [
        ("new", "notes.md", "accept"),
        ("changed", "changed.txt", "drop"),
    ] {
        let id = desk.review(name);
        let file = desk.place(name).join(file);
        write(&file, b"only here");
        let tip = desk.tip(name);
        let said = desk.refused(&format!("jobs {verb} {id}"));
        assert!(said.contains("stays review"), "{said}");
        assert!(said.contains("git -C"), "{said}");
        desk.require_untouched(id, name, &State::Review, tip.as_deref());
        assert_eq!(fs::read(&file).expect("it is there"), b"only here");
    }
    desk.done(&format!("jobs accept {control}"));
    assert!(!desk.place("control").exists());
}

/// A keep of the policy holds against a person's order, too (E2); so does a worktree in no store.
#[test]
fn the_policy_is_not_passed_over() {
    let desk = Desk::new();
    let control = desk.review("control");
    let kept = desk.review("release");
    let said = desk.refused(&format!("jobs accept {kept}"));
    assert!(said.contains("kept by rule release"), "{said}");
    desk.require_untouched(
        kept,
        "release",
        &State::Review,
        desk.tip("release").as_deref(),
    );
    // The store that it lies in is declared no more.
    let id = desk.review("work");
    let other = POLICY.replace(".claude/worktrees/*", ".claude/others/*");
    desk.repo
        .commit(&desk.repo.main(), "owl.yaml", other.as_bytes());
    let said = desk.refused(&format!("jobs accept {id}"));
    assert!(said.contains("store"), "{said}");
    desk.require_untouched(id, "work", &State::Review, desk.tip("work").as_deref());
    desk.repo
        .commit(&desk.repo.main(), "owl.yaml", POLICY.as_bytes());
    desk.done(&format!("jobs accept {control}"));
    assert!(!desk.place("control").exists());
}

#[test]
fn a3_4_a3_5_a_worktree_that_is_gone_does_not_stand_in_the_way() {
    let desk = Desk::new();
    let id = desk.review("gone");
    let tip = desk.tip("gone");
    // Somebody's own worktree, whose directory is missing as well.
    let own = desk.repo.root().join("own");
    let path = own.to_string_lossy().into_owned();
    desk.repo.git(["worktree", "add", "-q", "-b", "own", &path]);
    for place in [desk.place("gone"), own.clone()] {
        fs::remove_dir_all(place).expect("it is there");
    }
    desk.done(&format!("jobs accept {id}"));
    assert_eq!(desk.state(id), State::Done);
    assert_eq!(desk.tip("gone"), tip);
    assert!(!desk.is_listed(&desk.place("gone")));
    assert!(desk.is_listed(&own), "A3.5: only the job's own entry");
}

#[test]
fn a3_4_a_worktree_that_lost_its_link_does_not_stand_in_the_way() {
    let desk = Desk::new();
    let id = desk.review("torn");
    let tip = desk.tip("torn");
    fs::remove_file(desk.place("torn").join(".git")).expect("it is there");
    write(&desk.place("torn").join("idea"), b"only here");
    desk.done(&format!("jobs accept {id}"));
    assert_eq!(desk.state(id), State::Done);
    assert_eq!(desk.tip("torn"), tip);
    let idea = fs::read(desk.place("torn").join("idea"));
    assert_eq!(
        idea.expect("it is there"),
        b"only here",
        "what is in it stays"
    );
}

#[test]
fn a_job_without_a_worktree_is_decided_about() {
    let desk = Desk::new();
    desk.repo.git(["branch", "bare"]);
    let id: i64 = desk
        .done("jobs add --branch bare")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs start {id}"));
    desk.done(&format!("jobs finish {id} --outcome succeeded"));
    let tip = desk.tip("bare");
    desk.done(&format!("jobs accept {id}"));
    assert_eq!(desk.state(id), State::Done);
    assert_eq!(desk.tip("bare"), tip);
    let contents = desk.contents();
    let decided = contents.job(id).and_then(|entry| entry.job.decided.clone());
    assert_eq!(decided.and_then(|one| one.tip), tip);
    // Nothing at all is left of the branch: the decision still ends.
    let id: i64 = desk
        .done("jobs add --branch never")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs start {id}"));
    desk.done(&format!("jobs finish {id} --outcome succeeded"));
    desk.done(&format!("jobs drop {id}"));
    assert_eq!(desk.state(id), State::Cancelled);
}

/// A3.8: a policy that cannot be read holds a decision up, too: `spec 14` overrides upstream.
#[test]
fn a3_8_without_a_policy_nothing_is_decided() {
    let desk = Desk::new();
    let id = desk.review("work");
    let policy = desk.repo.main().join("owl.yaml");
    desk.repo.commit(
        &desk.repo.main(),
        "owl.yaml",
        b"apiVersion: owl/v1\nstores: 7\n",
    );
    assert!(policy.is_file());
    let said = desk.refused(&format!("jobs accept {id}"));
    assert!(said.contains("owl.yaml"), "{said}");
    desk.require_untouched(id, "work", &State::Review, desk.tip("work").as_deref());
    desk.done(&format!("jobs accept {id} --policy default"));
    assert_eq!(desk.state(id), State::Done);
}

/// A3.9: neither pushes nor fetches.
#[test]
fn a3_9_no_remote_is_spoken_to() {
    let desk = Desk::new();
    let id = desk.review("work");
    let other = desk.review("other");
    desk.repo
        .git(["remote", "add", "origin", "/nowhere/at/all.git"]);
    desk.done(&format!("jobs accept {id}"));
    desk.done(&format!("jobs drop {other}"));
    assert_eq!(desk.state(id), State::Done);
    assert_eq!(desk.state(other), State::Cancelled);
}

#[test]
fn a_decision_is_said_as_json() {
    let desk = Desk::new();
    let id = desk.review("work");
    let run = desk.owl(&format!("jobs accept {id} --format json"));
    assert_eq!(run.code(), Some(0), "{run}");
    let json = run.json();
    assert_eq!(json["job"]["state"], "done", "{json:#}");
}
