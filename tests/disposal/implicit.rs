//! A job in review that has landed is accepted by `owl apply` (A4.6 to A4.9, A4.16).

use super::{Desk, State};

#[test]
fn a4_6_a4_7_it_is_accepted_in_the_run_that_removes_its_worktree() {
    let desk = Desk::new();
    let landed = desk.review("landed");
    let open = desk.review("open");
    let tip = desk.tip("landed");
    desk.repo
        .git(["merge", "-q", "--no-ff", "--no-edit", "landed"]);
    let run = desk.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("removed  main/landed"), "{run}");
    assert_eq!(desk.state(landed), State::Done);
    assert!(!desk.place("landed").exists());
    assert_eq!(desk.tip("landed"), tip, "the branch stays");
    let contents = desk.contents();
    let job = &contents.job(landed).expect("it is there").job;
    assert_eq!(job.worktree, None, "A4.1");
    assert_eq!(job.decided.as_ref().and_then(|one| one.tip.clone()), tip);
    // A4.7.
    desk.require_untouched(open, "open", &State::Review, desk.tip("open").as_deref());
    let again = desk.owl("apply --yes");
    assert!(again.stdout().contains("Nothing to do"), "{again}");
}

/// A4.8: a branch without a commit of its own counts as merged, in review.
#[test]
fn a4_8_a_branch_without_a_commit_is_accepted() {
    let desk = Desk::new();
    desk.repo.agent("empty");
    let id = desk.job("empty", "succeeded");
    desk.done("apply --yes");
    assert_eq!(desk.state(id), State::Done);
    assert!(!desk.place("empty").exists());
}

#[test]
fn a4_9_only_what_is_in_review_is_accepted() {
    let desk = Desk::new();
    let control = desk.review("control");
    let path = desk.repo.agent("blocked");
    desk.repo.commit(&path, "blocked.txt", b"x");
    let id = desk.job("blocked", "failed");
    for name in ["control", "blocked"] {
        desk.repo.git(["merge", "-q", "--no-ff", "--no-edit", name]);
    }
    desk.done("apply --yes");
    assert_eq!(desk.state(control), State::Done);
    desk.require_untouched(
        id,
        "blocked",
        &State::Blocked,
        desk.tip("blocked").as_deref(),
    );
}

/// Rows for jobs without a worktree: the state alone.
#[test]
fn a_landed_job_without_a_worktree_is_accepted() {
    let desk = Desk::new();
    desk.repo.git(["branch", "bare"]);
    let id: i64 = desk
        .done("jobs add --branch bare")
        .parse()
        .expect("a number");
    desk.done(&format!("jobs start {id}"));
    desk.done(&format!("jobs finish {id} --outcome succeeded"));
    let run = desk.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(
        run.stdout().contains(&format!("decided  main/job:{id}")),
        "{run}"
    );
    assert_eq!(desk.state(id), State::Done);
    assert!(desk.tip("bare").is_some());
}

/// A4.16: somebody else's decision wins, even between the last look and the deed.
#[test]
fn a4_16_somebody_elses_decision_wins() {
    let desk = Desk::new();
    let control = desk.review("control");
    let id = desk.review("work");
    for name in ["control", "work"] {
        desk.repo.git(["merge", "-q", "--no-ff", "--no-edit", name]);
    }
    let plan = desk.repo.root().join("plan.json");
    let words = format!("plan --out {}", plan.display());
    desk.owl(&words);
    desk.done(&format!("jobs block {id} --reason wrong"));
    let run = desk.owl(&format!("apply --yes {}", plan.display()));
    assert_eq!(run.code(), Some(3), "{run}");
    assert_eq!(desk.state(control), State::Done);
    desk.require_untouched(id, "work", &State::Blocked, desk.tip("work").as_deref());
}
