//! What a test of a policy says of a job means what a real ledger would say (`spec 3`, `tests`).

use super::desk::{Desk, POLICY};
use super::support::yard::said;
use owl::job::State;
use owl::plan::Verdict;
use owl::policy::{Origin, Policy};
use owl::trial::{misses, sketch};

/// Requires the row of a worktree in a real plan, and the same of a sketched one.
fn both(desk: &Desk, tree: &str, name: &str, verdict: Verdict, reason: &str) {
    let plan = desk.yard.look();
    let row = desk.require(&plan, name, verdict, reason);
    let rule = row.rule.map_or("none".to_owned(), |rule| rule.name);
    // What a hold leaves open: the tree is one that the real one is like, but for its name.
    let expected = format!(
        "{{ verdict: {}, reason: {reason}, rule: {rule} }}",
        verdict.as_str()
    );
    let sketched = |expected: &str| {
        let text =
            format!("{POLICY}tests: [{{ name: x, tree: {{ {tree} }}, expect: {expected} }}]\n");
        let policy = Policy::parse("owl.yaml", text.as_bytes(), Origin::User)
            .unwrap_or_else(|found| panic!("{}", found[0]));
        let owl::policy::Given::Tree(of) = &policy.tests[0].given else {
            panic!("it is a tree")
        };
        let seen = sketch(&policy, of).expect("it has a store");
        misses(&policy, &policy.tests[0], &seen)
    };
    let found = sketched(&expected);
    let differences: Vec<_> = found.iter().flat_map(|miss| &miss.differences).collect();
    assert!(
        found.is_empty(),
        "{tree}: {expected}: {differences:?}: {}",
        said(&plan)
    );
    let other = if verdict == Verdict::Ignore {
        "hold"
    } else {
        "ignore"
    };
    assert_eq!(sketched(other).len(), 1, "the control of {tree}");
}

#[test]
fn a_sketched_job_is_as_a_real_one() {
    let desk = Desk::new();
    for state in State::KNOWN {
        let name = format!("is-{state}");
        desk.work(&name);
        desk.add(&name, state.clone());
        let (verdict, reason) = match &state {
            State::Done => (Verdict::Remove, "done"),
            State::Cancelled => (Verdict::Remove, "cancelled"),
            State::Pending
            | State::Active
            | State::Review
            | State::Blocked
            | State::Exhausted
            | State::Other(_) => (Verdict::Keep, "in-use"),
        };
        both(&desk, &format!("job: {state}"), &name, verdict, reason);
    }
    desk.yard.merge("is-review");
    let landed = "job: review, landed: ancestor";
    both(&desk, landed, "is-review", Verdict::Remove, "ancestor");
    desk.work("nobody");
    both(&desk, "job: gone", "nobody", Verdict::Remove, "gone");
    desk.sql("UPDATE projects SET first_known = '2026-06-01T00:00:00Z'");
    both(&desk, "job: none", "nobody", Verdict::Hold, "claim-missing");
    let unknown = "unknown-claim-missing";
    let done = "job: done, detached: true";
    let detached = desk.yard.path("is-done");
    desk.yard
        .repo
        .git_in(&detached, ["checkout", "-q", "--detach"]);
    desk.yard.age("is-done");
    both(&desk, done, "is-done", Verdict::Hold, "unknown-rule");
    desk.sql("PRAGMA user_version = 99");
    both(&desk, "job: unknown", "nobody", Verdict::Hold, unknown);
}

#[test]
fn where_a_test_names_no_job_there_is_no_ledger() {
    let mut desk = Desk::new();
    desk.work("nobody");
    desk.yard.home = "/nonexistent".into();
    let reason = "unknown-claim-missing";
    both(&desk, "", "nobody", Verdict::Hold, reason);
}
