//! Unfinished work (A4.11, A4.12, A4.19): each kind from its threshold on, by its clock.

use super::desk::{Desk, ago, running};
use owl::job::{Outcome, Run, Runner, State};
use owl::plan::{Unfinished, Verdict};
use std::path::Path;

#[test]
fn a4_11_waiting_counts_from_the_end_of_the_latest_run() {
    let desk = Desk::new();
    let ended = |hours| {
        vec![Run {
            ended: Some(ago(hours)),
            outcome: Some(Outcome::Succeeded),
            ..running(ago(hours + 100))
        }]
    };
    for (name, runs, created) in [
        ("long", ended(9 * 24), ago(1)),
        ("short", ended(6 * 24), ago(2000)),
        ("never-run", Vec::new(), ago(8 * 24)),
    ] {
        desk.work(name);
        let mut job = desk.job(name, State::Review);
        job.runs = runs;
        job.created = created;
        desk.add_job(job);
    }
    let plan = desk.acting(&["control"]);
    for (name, said) in [("long", "9 days"), ("never-run", "8 days")] {
        let row = desk.require(&plan, name, Verdict::Hold, "in-use");
        assert_eq!(row.unfinished, Some(Unfinished::Waiting));
        assert!(row.message.contains(said), "{}", row.message);
        assert!(row.since.is_some());
    }
    let row = desk.require(&plan, "short", Verdict::Keep, "in-use");
    assert_eq!((row.unfinished, row.since), (None, None));
    let policy = desk.yard.parsed();
    let seen = desk.yard.observe();
    let told = plan.explain(&policy, &seen, &desk.address("long"));
    let remedy = told.and_then(|told| told.remedy).expect("there is a way");
    assert!(remedy.starts_with("owl jobs accept "), "{remedy}");
}

#[test]
fn a4_12_abandoned_counts_from_the_start_and_a_live_process_vetoes() {
    let desk = Desk::new();
    let own = owl::observe::runner(Path::new("/proc"), std::process::id());
    let own = own.expect("it can be told").expect("this process runs");
    let dead = Runner {
        started: own.started + 1,
        ..own.clone()
    };
    let elsewhere = Runner {
        pid_namespace: own.pid_namespace + 1,
        ..own.clone()
    };
    for (name, runner, hours) in [
        ("alive", Some(own), 20),
        ("dead", Some(dead.clone()), 20),
        ("unnamed", None, 20),
        ("elsewhere", Some(elsewhere), 20),
        ("recent", Some(dead), 11),
    ] {
        desk.work(name);
        let mut job = desk.job(name, State::Active);
        job.runs = vec![Run {
            runner,
            ..running(ago(hours))
        }];
        desk.add_job(job);
    }
    let plan = desk.acting(&["control"]);
    for name in ["dead", "unnamed"] {
        let row = desk.require(&plan, name, Verdict::Hold, "in-use");
        assert_eq!(row.unfinished, Some(Unfinished::Abandoned), "{name}");
        assert!(row.message.contains("20 hours"), "{}", row.message);
    }
    let row = desk.require(&plan, "elsewhere", Verdict::Hold, "in-use");
    assert_eq!(row.unfinished, Some(Unfinished::Ambiguous));
    for name in ["alive", "recent"] {
        let row = desk.require(&plan, name, Verdict::Keep, "in-use");
        assert_eq!(row.unfinished, None, "{name}");
    }
    assert!(desk.row(&plan, "alive").message.contains("process"));
}

#[test]
fn a4_19_blocked_and_exhausted_have_clocks_of_their_own() {
    let desk = Desk::new();
    for (name, state, days) in [
        ("blocked", State::Blocked, 15),
        ("blocked-lately", State::Blocked, 13),
        ("exhausted", State::Exhausted, 15),
        ("exhausted-lately", State::Exhausted, 13),
    ] {
        desk.work(name);
        let mut job = desk.job(name, state);
        job.changed = ago(days * 24);
        desk.add_job(job);
    }
    let mut far = owl::job::Job::new("far".into(), ago(1));
    far.state = State::Blocked;
    far.changed = ago(20 * 24);
    let far = desk.add_job(far);
    let plan = desk.acting(&["control"]);
    for (name, kind) in [
        ("blocked", Unfinished::Blocked),
        ("exhausted", Unfinished::Exhausted),
    ] {
        let row = desk.require(&plan, name, Verdict::Hold, "in-use");
        assert_eq!(row.unfinished, Some(kind));
        desk.require(&plan, &format!("{name}-lately"), Verdict::Keep, "in-use");
    }
    let row = desk.require(&plan, &format!("job:{far}"), Verdict::Hold, "blocked");
    assert_eq!(row.unfinished, Some(Unfinished::Blocked));
    // The thresholds are the policy's.
    let policy = format!("{}ttl: {{ blocked: 30d, exhausted: 1d }}\n", super::POLICY);
    let desk = Desk {
        yard: desk.yard.under(&policy),
    };
    let plan = desk.acting(&["control"]);
    desk.require(&plan, "blocked", Verdict::Keep, "in-use");
    desk.require(&plan, "exhausted-lately", Verdict::Hold, "in-use");
}
