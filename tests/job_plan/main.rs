//! Jobs in observation, assessment and plan (`spec 8`, A4), on real repositories with a real ledger.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests build the world, and take their own files away"
)]

#[path = "../support/mod.rs"]
mod support;

mod collected;
mod desk;
mod identity;
mod sketched;
mod sources;
mod unfinished;

use desk::{Desk, POLICY, ago, set_done};
use owl::job::{Decided, State};
use owl::observe::Observation;
use owl::plan::{Plan, Step, Unfinished, Verdict};
use owl::policy::{Origin, Policy};
use support::write;
use support::yard::said;

#[test]
fn a4_1_the_worktree_of_a_finished_job_goes() {
    let desk = Desk::new();
    desk.work("dropped");
    desk.add("dropped", State::Cancelled);
    let plan = desk.acting(&["control", "dropped"]);
    for (name, reason) in [("control", "done"), ("dropped", "cancelled")] {
        let row = desk.require(&plan, name, Verdict::Remove, reason);
        assert_eq!(row.steps, [Step::RemoveWorktree]);
        assert!(row.message.contains(reason), "{}", row.message);
        let job = row.job.flatten().expect("it is known");
        assert_eq!(job.state.as_str(), reason);
    }
    let done = desk.yard.apply();
    assert_eq!(done.len(), 2);
    assert!(!desk.yard.path("dropped").exists());
    desk.tip("dropped");
    desk.acting(&[]);
}

#[test]
fn a4_2_the_worktree_of_a_job_that_is_not_finished_stays() {
    let desk = Desk::new();
    let paused = State::Other("paused".to_owned());
    for state in [
        State::Pending,
        State::Active,
        State::Review,
        State::Blocked,
        State::Exhausted,
    ] {
        let name = format!("is-{state}");
        desk.work(&name);
        desk.add(&name, state);
    }
    desk.work("is-paused");
    desk.add("is-paused", paused);
    let plan = desk.acting(&["control"]);
    for name in ["pending", "active", "review", "blocked", "exhausted"] {
        desk.require(&plan, &format!("is-{name}"), Verdict::Keep, "in-use");
    }
    let row = desk.require(&plan, "is-paused", Verdict::Hold, "in-use");
    assert_eq!(row.unfinished, Some(Unfinished::Ambiguous));
    assert!(row.message.contains("does not know"), "{}", row.message);
    // The same under a rule that asks for no job at all.
    let desk = Desk::under(
        &POLICY
            .replace("owner: job", "owner: none")
            .replace("{ job: gone }", "{ age-over: 1h }"),
    );
    desk.work("busy");
    desk.add("busy", State::Pending);
    desk.work("free");
    let plan = desk.acting(&["control", "free"]);
    desk.require(&plan, "busy", Verdict::Keep, "in-use");
}

#[test]
fn a4_3_a_worktree_of_no_job_goes_if_the_ledger_would_know() {
    let desk = Desk::new();
    desk.work("nobody");
    let plan = desk.acting(&["control", "nobody"]);
    let row = desk.require(&plan, "nobody", Verdict::Remove, "gone");
    assert_eq!(row.steps, [Step::RemoveWorktree]);
    // Younger knowledge proves nothing about it; the control does not rest on it.
    desk.sql("UPDATE projects SET first_known = '2026-06-01T00:00:00Z'");
    let plan = desk.acting(&["control"]);
    let row = desk.require(&plan, "nobody", Verdict::Hold, "claim-missing");
    assert_eq!(row.unfinished, Some(Unfinished::Ambiguous));
}

#[test]
fn a4_4_a_directory_that_is_no_worktree_is_held() {
    let desk = Desk::new();
    write(&desk.yard.path("plain").join("file"), b"x");
    let plan = desk.acting(&["control"]);
    let row = plan.items.iter().find(|row| row.path.ends_with("plain"));
    assert_eq!(row.expect("it has a row").verdict, Verdict::Hold);
}

#[test]
fn a4_5_a_dirty_worktree_of_a_finished_job_is_held() {
    let desk = Desk::new();
    let path = desk.work("dirty");
    desk.add("dirty", State::Done);
    write(&path.join("notes.md"), b"mine");
    let plan = desk.acting(&["control"]);
    let row = desk.require(&plan, "dirty", Verdict::Hold, "untracked");
    assert_eq!(row.unfinished, Some(Unfinished::Uncommitted));
    assert!(row.path.ends_with("/dirty") && row.since.is_some());
}

#[test]
fn a4_6_to_a4_9_a_job_in_review_is_accepted_once_its_branch_has_landed() {
    let desk = Desk::new();
    let mut ids = Vec::new();
    for name in ["merged", "unmerged", "empty", "stuck", "elsewhere"] {
        if name == "empty" {
            desk.yard.add(name);
            desk.yard.age(name);
        } else {
            desk.work(name);
        }
        let state = if name == "stuck" {
            State::Blocked
        } else {
            State::Review
        };
        let mut job = desk.job(name, state);
        job.base = (name == "elsewhere").then(|| "release".into());
        ids.push(desk.add_job(job));
    }
    for name in ["merged", "stuck", "elsewhere"] {
        desk.yard.merge(name);
    }
    // Fresh does not hold it, and nothing else is let off.
    write(&desk.yard.path("merged").join(".git-is-not-this"), b"");
    std::fs::remove_file(desk.yard.path("merged").join(".git-is-not-this")).expect("it is there");
    let plan = desk.acting(&["control", "merged", "empty"]);
    let row = desk.require(&plan, "merged", Verdict::Remove, "ancestor");
    assert_eq!(row.steps, [set_done(ids[0], &row), Step::RemoveWorktree]);
    assert!(
        row.message.contains("in main") || row.message.contains("of main"),
        "{}",
        row.message
    );
    let row = desk.row(&plan, "empty");
    assert_eq!(row.steps, [set_done(ids[2], &row), Step::RemoveWorktree]);
    for name in ["unmerged", "stuck", "elsewhere"] {
        desk.require(&plan, name, Verdict::Keep, "in-use");
    }
    // A keep wins, a report acts on nothing, and dirt holds.
    let keep = "  - { name: pin, when: { branch: merged }, then: keep }\npid";
    let desk = Desk {
        yard: desk.yard.under(&POLICY.replace("pid", keep)),
    };
    let plan = desk.acting(&["control", "empty"]);
    desk.require(&plan, "merged", Verdict::Keep, "kept-by-rule");
    let desk = Desk {
        yard: desk.yard.under(POLICY),
    };
    write(&desk.yard.path("merged").join("new.txt"), b"x");
    let plan = desk.acting(&["control", "empty"]);
    desk.require(&plan, "merged", Verdict::Hold, "untracked");
    let report = POLICY.split("rules:").next().expect("a part");
    let desk = Desk {
        yard: desk.yard.under(&format!("{report}pid-namespace: own\n")),
    };
    desk.acting(&[]);
}

#[test]
fn a4_13_nothing_to_do() {
    let desk = Desk::without_control(POLICY);
    let plan = desk.acting(&[]);
    assert!(plan.complete, "{}", said(&plan));
    assert_eq!(plan.summary.hold, 0, "{}", said(&plan));
}

#[test]
fn a4_14_a_worktree_named_after_a_job_that_has_not_recorded_it() {
    let desk = Desk::new();
    let id = desk.add_job(owl::job::Job::new("work".into(), ago(5)));
    let path = desk.work(&id.to_string());
    let plan = desk.acting(&["control"]);
    let row = desk.require(&plan, &id.to_string(), Verdict::Hold, "claim-missing");
    assert!(row.message.contains("number"), "{}", row.message);
    let job = desk.require(&plan, &format!("job:{id}"), Verdict::Keep, "pending");
    assert!(
        job.message.contains("may be its worktree"),
        "{}",
        job.message
    );
    // Another name, and nothing is like a job any more.
    drop(path);
    desk.sql(&format!("DELETE FROM jobs WHERE id = {id}"));
    desk.acting(&["control", &id.to_string()]);
}

#[test]
fn a_decision_permits_nothing_but_what_it_was_about() {
    let desk = Desk::new();
    let moved = desk.work("moved");
    desk.add("moved", State::Done);
    desk.yard.repo.commit(&moved, "later.txt", b"x");
    desk.yard.age("moved");
    let other = desk.work("other");
    desk.add("other", State::Done);
    desk.yard
        .repo
        .git_in(&other, ["checkout", "-q", "--detach"]);
    desk.yard.age("other");
    desk.work("untold");
    let mut job = desk.job("untold", State::Cancelled);
    job.decided = Some(Decided {
        at: ago(3),
        tip: None,
    });
    desk.add_job(job);
    let plan = desk.acting(&["control"]);
    for (name, said) in [
        ("moved", "and its branch is at"),
        ("other", "not on the branch"),
        ("untold", "without a commit"),
    ] {
        let row = desk.require(&plan, name, Verdict::Hold, "unknown-rule");
        assert!(row.message.contains(said), "{}", row.message);
        assert_eq!(row.unfinished, Some(Unfinished::Ambiguous));
    }
}

#[test]
fn two_jobs_of_one_worktree_and_one_job_of_two() {
    let desk = Desk::new();
    desk.work("shared");
    desk.add("shared", State::Review);
    desk.yard.merge("shared");
    let mut second = desk.job("shared", State::Review);
    second.branch = Some("second".into());
    desk.add_job(second);
    let plan = desk.acting(&["control"]);
    let row = desk.require(&plan, "shared", Verdict::Hold, "claim-ambiguous");
    assert_eq!(row.unfinished, Some(Unfinished::Ambiguous));
    assert_eq!(row.job, Some(None));

    let desk = Desk::new();
    let first = desk.work("first");
    desk.add("first", State::Review);
    desk.yard.merge("first");
    desk.acting(&["control", "first"]);
    // The branch is checked out twice: which one has the work?
    let second = desk.yard.path("again");
    let words = ["worktree", "add", "-q", "-f"].map(std::ffi::OsStr::new);
    let words = words
        .into_iter()
        .chain([second.as_os_str(), "first".as_ref()]);
    desk.yard.repo.git(words);
    desk.yard.age("again");
    let plan = desk.acting(&["control"]);
    desk.require(&plan, "first", Verdict::Hold, "claim-ambiguous");
    let row = desk.row(&plan, "again");
    assert_eq!(row.verdict, Verdict::Hold, "{}", row.message);
    assert!(first.exists());
}

#[test]
fn a_job_without_a_worktree_has_a_row_of_its_own() {
    let desk = Desk::new();
    let id = |branch: &str, state| {
        let mut job = owl::job::Job::new(branch.into(), ago(5));
        job.state = state;
        desk.add_job(job)
    };
    desk.work("landed");
    desk.yard.merge("landed");
    desk.work("open");
    for name in ["landed", "open"] {
        desk.yard.repo.git([
            "worktree",
            "remove",
            "--force",
            desk.yard.path(name).to_str().expect("text"),
        ]);
    }
    let (landed, open, lost) = (
        id("landed", State::Review),
        id("open", State::Review),
        id("lost", State::Review),
    );
    let strange = id("strange", State::Other("paused".to_owned()));
    let plan = desk.acting(&["control", &format!("job:{landed}")]);
    let name = format!("job:{landed}");
    let row = desk.require(&plan, &name, Verdict::Prune, "review");
    assert_eq!(row.steps, [set_done(landed, &row)]);
    for id in [open, lost] {
        desk.require(&plan, &format!("job:{id}"), Verdict::Keep, "review");
    }
    let name = format!("job:{strange}");
    desk.require(&plan, &name, Verdict::Hold, "unknown-job-state");
}

#[test]
fn conditions_on_jobs() {
    let rules = "rules:
  - { name: pinned, when: { label: keep }, then: keep }
  - { name: old, when: { job: [done, cancelled], job-age-over: 1d }, then: accept }
  - { name: none, when: { job: none, age-over: 1d }, then: accept }
pid";
    let before = POLICY.split("rules:").next().expect("a part");
    let policy = format!("{before}{rules}-namespace: own\n").replace("    owner: job\n", "");
    let desk = Desk::under(&policy);
    for name in ["pinned", "young", "free"] {
        desk.work(name);
    }
    let mut job = desk.job("pinned", State::Done);
    job.labels.insert("keep".to_owned());
    desk.add_job(job);
    let mut job = desk.job("young", State::Done);
    job.created = ago(2);
    desk.add_job(job);
    let plan = desk.acting(&["control", "free"]);
    desk.require(&plan, "pinned", Verdict::Keep, "kept-by-rule");
    assert_ne!(desk.row(&plan, "young").verdict, Verdict::Remove);
    // Without a ledger neither can be told.
    std::fs::remove_file(desk.ledger_path()).expect("it is there");
    desk.acting(&[]);
}

#[test]
fn a_decision_outweighs_youth_and_nothing_else() {
    let desk = Desk::new();
    let path = desk.yard.add("young");
    desk.yard.repo.commit(&path, "a", b"a");
    let mut job = desk.job("young", State::Done);
    // Decided a moment ago, as the worktree is older than any decision about it.
    job.changed = support::yard::now();
    desk.add_job(job);
    let fresh = desk.yard.add("fresh");
    desk.yard.repo.commit(&fresh, "a", b"a");
    let plan = desk.acting(&["control", "young"]);
    // `gone` has no decision: grace counts.
    desk.require(&plan, "fresh", Verdict::Keep, "fresh");
}

#[test]
fn an_observation_is_enough_to_plan_from() {
    let desk = Desk::new();
    desk.work("merged");
    desk.add("merged", State::Review);
    desk.yard.merge("merged");
    let seen = desk.yard.observe();
    let text = serde_json::to_string(&seen).expect("it can be written");
    let read: Observation = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(read, seen);
    let policy = desk.yard.parsed();
    assert_eq!(Plan::new(&policy, &read), Plan::new(&policy, &seen));
    // Under a policy with a source that it did not ask, nothing can be told.
    let more = format!("{POLICY}jobs: [ledger, {{ file: /jobs.yaml }}]\n");
    let policy = Policy::parse("owl.yaml", more.as_bytes(), Origin::User).expect("it is valid");
    let plan = Plan::new(&policy, &read);
    assert!(!plan.applyable, "{}", said(&plan));
}

#[test]
fn the_built_in_policy_is_adr_0015() {
    let desk = Desk::without_control(POLICY);
    let policy = Policy::builtin("coding-owl").expect("it is there");
    let text = owl::policy::BUILTINS
        .iter()
        .find(|one| one.name == "coding-owl");
    let text = format!("{}pid-namespace: own\n", text.expect("it is there").text);
    assert_eq!(policy.rules.len(), 3);
    let desk = Desk {
        yard: desk.yard.under(&text),
    };
    write(
        &desk.yard.repo.common_dir().join("info/exclude"),
        b"/.owl/\n",
    );
    let mut paths = Vec::new();
    for (name, at) in [
        (
            "control",
            desk.yard.repo.main().join(".owl/worktrees/control"),
        ),
        (
            "7000",
            desk.yard.home.join(".local/share/owl/worktrees/7000"),
        ),
        ("outside", desk.yard.path("outside")),
    ] {
        let path = desk.yard.add_at(name, &at);
        desk.yard.repo.commit(&path, "a", name.as_bytes());
        support::aging::age(&path);
        support::aging::age(&desk.yard.entry(name));
        drop(
            desk.yard
                .repo
                .try_git(&path, ["update-index", "-q", "--refresh"]),
        );
        support::aging::age(&desk.yard.entry(name));
        paths.push(path);
    }
    // The ledger has known the repository all along, and has no job of theirs.
    let other = owl::job::Job::new("other".into(), ago(1));
    desk.add_job(other);
    let plan = desk.acting(&["control", "7000"]);
    assert_eq!(desk.row(&plan, "outside").verdict, Verdict::Ignore);
}
