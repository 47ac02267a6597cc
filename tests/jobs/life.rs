//! States, transitions and runs (A1.1 to A1.8).

use super::support::Repo;
use owl::job::{BranchFate, Disposal, Job, Outcome, State, Verb, next};
use owl::ledger::{Change, Ledger, LedgerError};

/// The table of `src/job/mod.rs`, cell by cell.
fn documented() -> Vec<Vec<String>> {
    let docs = include_str!("../../src/job/mod.rs");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("//! | "));
    rows.map(|row| {
        row.trim_end_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    })
    .collect()
}

#[test]
fn a1_4_the_documented_table_is_what_the_code_does() {
    let table = documented();
    let states: Vec<State> = table[0][1..].iter().map(|word| State::of(word)).collect();
    for known in State::KNOWN {
        assert!(states.contains(&known), "{known} has a column");
    }
    assert!(states.contains(&State::Other("unknown".into())));
    assert_eq!(table.len(), 1 + Verb::ALL.len(), "a row for each verb");
    for verb in Verb::ALL {
        let row = table.iter().find(|row| row[0] == verb.to_string());
        let row = row.unwrap_or_else(|| panic!("{verb} has a row"));
        for (state, cell) in states.iter().zip(&row[1..]) {
            let word = |left| match next(verb, state, left) {
                Ok(state) => state.to_string(),
                Err(_) => "-".to_owned(),
            };
            let (some, none) = (word(1), word(0));
            let code = if some == none {
                some
            } else {
                format!("{some}, or {none}")
            };
            assert_eq!(code, *cell, "{verb} from {state}");
        }
    }
}

#[test]
fn a1_1_a_job_has_runs_and_they_are_attempts_at_it() {
    let repo = Repo::new();
    assert_eq!(
        repo.done("jobs add --branch fix --base main --label ui --label slow"),
        "1"
    );
    assert_eq!(repo.done("jobs start 1"), "1 active");
    assert_eq!(
        repo.done("jobs finish 1 --outcome interrupted --reason power"),
        "1 pending"
    );
    assert_eq!(repo.done("jobs start 1"), "1 active");
    let contents = repo.contents();
    let job = &contents.job(1).expect("it is there").job;
    assert_eq!(job.runs.len(), 2);
    assert_eq!(job.runs[0].outcome, Some(Outcome::Interrupted));
    assert_eq!(job.runs[0].reason.as_deref(), Some("power"));
    assert_eq!(job.run_in_progress(), job.runs.last());
    assert_eq!(job.active_since(), job.runs[1].started);
    assert_eq!(repo.done("jobs finish 1 --outcome succeeded"), "1 review");
    let contents = repo.contents();
    let job = &contents.job(1).expect("it is there").job;
    assert_eq!((job.ttl, job.run_in_progress()), (1, None));
    assert_eq!(Some(job.waiting_since()), job.runs[1].ended);
}

#[test]
fn a1_2_there_are_seven_states_and_three_outcomes() {
    let known: Vec<String> = State::KNOWN.iter().map(ToString::to_string).collect();
    let expected = "pending active review blocked done cancelled exhausted";
    assert_eq!(known.join(" "), expected);
    let repo = Repo::new();
    for (outcome, state) in [
        ("succeeded", "review"),
        ("failed", "blocked"),
        ("interrupted", "pending"),
    ] {
        let id = repo.done(&format!("jobs add --branch {outcome}"));
        repo.done(&format!("jobs start {id}"));
        let other = repo.owl(&format!("jobs finish {id} --outcome done"));
        assert_eq!(other.code(), Some(2), "{other}");
        let said = repo.done(&format!("jobs finish {id} --outcome {outcome}"));
        assert_eq!(said, format!("{id} {state}"));
    }
}

#[test]
fn a1_3_an_unknown_state_is_counted_and_shown_and_never_acted_on() {
    let repo = Repo::new();
    for branch in ["a", "b", "c"] {
        repo.done(&format!("jobs add --branch {branch}"));
    }
    repo.sql("UPDATE jobs SET state = 'paused' WHERE id = 1");
    repo.sql("UPDATE jobs SET state = 'archived' WHERE id = 2");
    let counts: Vec<_> = repo.contents().counts().into_iter().collect();
    let other = |word: &str| State::Other(word.to_owned());
    assert_eq!(
        counts,
        [
            (State::Pending, 1),
            (other("archived"), 1),
            (other("paused"), 1)
        ]
    );
    assert!(repo.done("jobs list").contains("paused"));
    assert!(repo.done("jobs list --state paused").contains(" 1  paused"));
    for verb in [
        "start 1",
        "finish 1 --outcome failed",
        "extend 1",
        "block 1",
        "unblock 1",
        "cancel 1",
    ] {
        let run = repo.refused(&format!("jobs {verb}"));
        assert!(run.stderr().contains("it is paused"), "{run}");
    }
    assert_eq!(
        repo.contents().job(1).expect("it is there").job.state,
        other("paused")
    );
    // The control.
    assert_eq!(repo.done("jobs cancel 3"), "3 cancelled");
}

#[test]
fn a1_4_a_refusal_names_the_state_and_what_is_possible() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let run = repo.refused("jobs finish 1 --outcome succeeded");
    let said = "job 1: it is pending, and finish is not possible then; possible: start, extend, block, cancel";
    assert!(run.stderr().contains(said), "{run}");
    repo.done("jobs block 1 --reason waits");
    let run = repo.refused("jobs start 1");
    assert!(run.stderr().contains("it is blocked"), "{run}");
    assert!(repo.done("jobs show 1").contains("waits"));
    assert_eq!(repo.done("jobs unblock 1"), "1 pending");
    assert!(!repo.done("jobs show 1").contains("waits"));
}

#[test]
fn a1_5_blocked_and_exhausted_are_two_lists() {
    let repo = Repo::new();
    repo.done("jobs add --branch wrong");
    repo.done("jobs add --branch tired --ttl 1");
    for id in [1, 2] {
        repo.done(&format!("jobs start {id}"));
    }
    assert_eq!(
        repo.done("jobs finish 1 --outcome failed --reason tests"),
        "1 blocked"
    );
    assert_eq!(
        repo.done("jobs finish 2 --outcome interrupted"),
        "2 exhausted"
    );
    let blocked = repo.done("jobs list --state blocked");
    assert!(
        blocked.contains("wrong") && blocked.contains("tests"),
        "{blocked}"
    );
    assert!(!blocked.contains("tired"), "{blocked}");
    let exhausted = repo.done("jobs list --state exhausted");
    assert!(
        exhausted.contains("tired") && !exhausted.contains("wrong"),
        "{exhausted}"
    );
}

#[test]
fn a1_6_a_run_is_spent_whatever_its_outcome_and_extend_adds() {
    let repo = Repo::new();
    let left = |id: i64| repo.contents().job(id).expect("it is there").job.ttl;
    repo.done("jobs add --branch fix");
    assert_eq!(left(1), 3, "the default");
    for (outcome, state) in [
        ("interrupted", "pending"),
        ("interrupted", "pending"),
        ("interrupted", "exhausted"),
    ] {
        repo.done("jobs start 1");
        assert_eq!(
            repo.done(&format!("jobs finish 1 --outcome {outcome}")),
            format!("1 {state}")
        );
    }
    assert_eq!(left(1), 0);
    repo.refused("jobs start 1");
    for bad in ["--ttl 0", "--ttl -1", "--ttl 99999999999"] {
        repo.refused(&format!("jobs extend 1 {bad}"));
    }
    assert_eq!(left(1), 0);
    assert_eq!(repo.done("jobs extend 1 --ttl 2"), "1 pending");
    assert_eq!(repo.done("jobs extend 1 --ttl 1"), "1 pending");
    assert_eq!(left(1), 3);
    // The last run that fails or succeeds leaves work to look at; unblocked, there is no run left.
    repo.done("jobs add --branch last --ttl 1");
    repo.done("jobs start 2");
    assert_eq!(repo.done("jobs finish 2 --outcome failed"), "2 blocked");
    assert_eq!(left(2), 0);
    assert_eq!(repo.done("jobs unblock 2"), "2 exhausted");
    // A run that is cut off by `block` or `cancel` has ended, too.
    repo.done("jobs add --branch cut");
    repo.done("jobs start 3");
    assert_eq!(repo.done("jobs cancel 3 --reason unwanted"), "3 cancelled");
    let contents = repo.contents();
    let job = &contents.job(3).expect("it is there").job;
    assert_eq!(
        (job.ttl, job.runs[0].outcome),
        (2, Some(Outcome::Interrupted))
    );
}

#[test]
fn a1_7_the_tables_are_strict_and_a_source_names_a_job_once() {
    let repo = Repo::new();
    repo.done("jobs add --branch a --source queue --ref 7");
    let run = repo.refused("jobs add --branch b --source queue --ref 7");
    assert!(
        run.stderr().contains("queue 7 is there already, as job 1"),
        "{run}"
    );
    assert_eq!(repo.done("jobs add --branch b --source queue --ref 8"), "2");
    repo.refused("jobs add --branch c --source queue");
    let connection = rusqlite::Connection::open(repo.ledger()).expect("it is there");
    let loose = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%STRICT%'";
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    assert_eq!(count(loose), Ok(0));
    let tables = "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%STRICT%'";
    assert_eq!(count(tables), Ok(4));
    let mode: String = connection
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .expect("it has one");
    assert_eq!(mode, "wal");
    connection
        .execute("UPDATE jobs SET ttl = 'many'", [])
        .expect_err("the column holds numbers");
}

#[test]
fn a_decision_records_the_commit_of_the_branch() {
    let repo = Repo::new();
    repo.git(["branch", "fix"]);
    let tip = repo.git(["rev-parse", "fix"]);
    repo.done("jobs add --branch fix");
    repo.done("jobs add --branch not-there");
    repo.done("jobs cancel 1");
    repo.done("jobs cancel 2");
    let contents = repo.contents();
    let decided = |id| {
        contents
            .job(id)
            .and_then(|entry| entry.job.decided.clone())
            .expect("decided")
    };
    assert_eq!(decided(1).tip, Some(tip));
    assert_eq!(decided(2).tip, None);
}

#[test]
fn the_worktree_is_recorded_at_add_and_again_at_start() {
    let repo = Repo::new().with_policy();
    let early = ".claude/worktrees/early";
    repo.done(&format!("jobs add --branch early --worktree {early}"));
    let tree = |repo: &Repo| {
        repo.contents().entries[0]
            .job
            .worktree
            .clone()
            .expect("recorded")
    };
    assert_eq!(tree(&repo).identity, None);
    let path = repo.agent("early");
    repo.done("jobs start 1");
    let found = tree(&repo);
    assert_eq!(found.path.as_path(), path);
    let identity = found.identity.expect("it is there now");
    assert_eq!(identity.entry.as_str(), Some("early"));
    let inode =
        std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(&path).expect("it is there"));
    assert_eq!(identity.inode, inode);
    repo.done("jobs finish 1 --outcome interrupted");
    // Something else at its place.
    std::fs::rename(&path, repo.root().join("away")).expect("it can be moved");
    std::fs::create_dir(&path).expect("it can be made");
    let run = repo.refused("jobs start 1");
    assert!(run.stderr().contains("no linked worktree"), "{run}");
}

#[test]
fn a4_16_a_change_from_another_state_is_lost_and_told_who_won() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let mut ledger = Ledger::open(&repo.ledger()).expect("it is there");
    let now = super::support::yard::now();
    repo.done("jobs start 1");
    repo.done("jobs finish 1 --outcome succeeded");
    let tip = Some("a".repeat(40));
    let accept = Change {
        tip,
        ..Change::new(Verb::Accept)
    };
    let lost = ledger.change(1, Some(&State::Active), &accept, now);
    let Err(LedgerError::Overtaken {
        found: State::Review,
        ..
    }) = lost
    else {
        panic!("{lost:?}");
    };
    let won = ledger
        .change(1, Some(&State::Review), &accept, now)
        .expect("it is in review");
    assert_eq!((won.before, won.after), (State::Review, State::Done));
    // The decision stands, with its tip and time; only the disposal is finished.
    let again = ledger
        .change(1, None, &Change::new(Verb::Drop), now)
        .expect("it is possible");
    assert_eq!(again.after, State::Done);
    ledger
        .set_decided_tip(1, &State::Done, &"b".repeat(40))
        .expect("it is done");
    ledger
        .dispose(1, &State::Review, BranchFate::NotAsked)
        .expect_err("it is not in review");
    ledger
        .dispose(1, &State::Done, BranchFate::NotAsked)
        .expect("it is done");
    let decided = |ledger: &mut Ledger| -> Job {
        ledger.contents().expect("it can be read").entries[0]
            .job
            .clone()
    };
    let job = decided(&mut ledger);
    assert_eq!(job.decided.expect("decided").tip, Some("a".repeat(40)));
    assert!(job.branch.is_some() && job.worktree.is_none());
    // Of a job that was not dropped, the name of a branch that a rule has deleted stays.
    ledger
        .dispose(1, &State::Done, BranchFate::Gone)
        .expect("it is done");
    assert!(decided(&mut ledger).branch.is_some());
    let extend = ledger.change(1, None, &Change::new(Verb::Extend), now);
    assert!(matches!(extend, Err(LedgerError::NoRun(1))), "{extend:?}");
    let none = ledger.change(7, None, &Change::new(Verb::Drop), now);
    assert!(matches!(none, Err(LedgerError::NoSuchJob(7))), "{none:?}");
}

/// A decision that is carried out is taken in the state that it was made in, and exactly it is taken
/// back.
#[test]
fn a4_16_a_decision_is_taken_and_taken_back_by_compare_and_set() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    repo.done("jobs start 1");
    repo.done("jobs finish 1 --outcome succeeded");
    let mut ledger = Ledger::open(&repo.ledger()).expect("it is there");
    let now = super::support::yard::now();
    let job = |ledger: &mut Ledger| -> Job {
        let contents = ledger.contents().expect("it can be read");
        contents.job(1).expect("it is there").job.clone()
    };
    let before = job(&mut ledger);
    let disposal = |from: State| Disposal {
        from,
        since: before.changed,
        to: State::Done,
        at: now,
        tip: None,
        drops: false,
    };
    // From blocked an accept is possible, but it is not blocked.
    let lost = ledger.decide(1, &disposal(State::Blocked));
    assert!(
        matches!(lost, Err(LedgerError::Overtaken { .. })),
        "{lost:?}"
    );
    assert_eq!(job(&mut ledger), before);
    ledger
        .decide(1, &disposal(State::Review))
        .expect("it is in review");
    assert_eq!(job(&mut ledger).state, State::Done);
    let another = Disposal {
        at: now + jiff::SignedDuration::from_nanos(1),
        ..disposal(State::Review)
    };
    assert_eq!(
        ledger.undecide(1, &another).ok(),
        Some(false),
        "not that one"
    );
    assert_eq!(job(&mut ledger).state, State::Done);
    assert_eq!(
        ledger.undecide(1, &disposal(State::Review)).ok(),
        Some(true)
    );
    assert_eq!(job(&mut ledger), before, "as it was");
}
