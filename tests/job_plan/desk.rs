//! A yard whose worktrees belong to jobs of a real ledger.

use super::support::yard::{Yard, acting_rows, row, said};
use super::support::{Repo, write};
use jiff::{SignedDuration, Timestamp};
use owl::job::{Decided, Job, Run, State};
use owl::ledger::{Host, Ledger, NewJob, NewProject, RepositoryId};
use owl::observe::{Place, Recorded, record_worktree, settled};
use owl::plan::{Plan, Row, Step, Verdict};
use owl::resource::Address;
use std::path::{Path, PathBuf};

/// ADR-0015, in the yard's store. `pid-namespace: own` since the tests may run in a container.
pub(crate) const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
    owner: job
rules:
  - { name: done, when: { job: done }, then: accept }
  - { name: cancelled, when: { job: cancelled }, then: accept }
  - { name: gone, when: { job: gone }, then: accept }
pid-namespace: own
";

/// Before anything in the yard was made.
pub(crate) const EARLY: &str = "2026-01-01T00:00:00Z";

pub(crate) struct Desk {
    pub(crate) yard: Yard,
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

pub(crate) fn ago(hours: i64) -> Timestamp {
    super::support::yard::now() - SignedDuration::from_hours(hours)
}

impl Desk {
    /// With one worktree, `control`, of a job that is done: it is to be removed.
    pub(crate) fn new() -> Self {
        Self::under(POLICY)
    }

    pub(crate) fn under(policy: &str) -> Self {
        let desk = Self::without_control(policy);
        desk.work("control");
        desk.add("control", State::Done);
        desk
    }

    pub(crate) fn without_control(policy: &str) -> Self {
        Self {
            yard: Yard::without_control().under(policy),
        }
    }

    pub(crate) fn ledger_path(&self) -> PathBuf {
        self.yard.home.join(".local/share/owl/ledger.db")
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::open_or_create(&self.ledger_path()).expect("the ledger can be made")
    }

    /// A worktree with a commit of its own that is nowhere else, old.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        let path = self.yard.add(name);
        self.yard
            .repo
            .commit(&path, &format!("{name}.txt"), name.as_bytes());
        self.yard.age(name);
        path
    }

    /// The commit of a branch.
    pub(crate) fn tip(&self, branch: &str) -> String {
        let reference = format!("refs/heads/{branch}");
        self.yard.repo.git(["rev-parse", &reference])
    }

    pub(crate) fn project(&self) -> NewProject {
        project_of(&self.yard.repo.main(), time(EARLY))
    }

    /// A job of the worktree and branch of that name, decided at the tip where it is decided.
    pub(crate) fn job(&self, name: &str, state: State) -> Job {
        let main = self.yard.repo.main();
        let mut job = Job::new(name.into(), ago(30));
        let place = Place::of(&main).expect("a repository");
        let path = settled(&self.yard.path(name)).expect("it is there");
        let Recorded::Worktree(worktree) = record_worktree(&place, &path).expect("it is there")
        else {
            panic!("{name} is a worktree")
        };
        job.worktree = Some(worktree);
        if state.is_decided() {
            job.decided = Some(Decided {
                at: ago(20),
                tip: Some(self.tip(name)),
            });
        }
        if state == State::Exhausted {
            job.ttl = 0;
        }
        job.changed = ago(2);
        job.state = state;
        job
    }

    /// Records that job; its number.
    pub(crate) fn add(&self, name: &str, state: State) -> i64 {
        self.add_job(self.job(name, state))
    }

    pub(crate) fn add_job(&self, job: Job) -> i64 {
        let project = self.project();
        let mut ledger = self.ledger();
        ledger.add(&NewJob { project, job }).expect("it is free")
    }

    /// The plan, in which exactly these act.
    pub(crate) fn acting(&self, names: &[&str]) -> Plan {
        let plan = self.yard.look();
        let mut expected: Vec<Address> = names.iter().map(|name| self.address(name)).collect();
        let mut found: Vec<_> = acting_rows(&plan).map(|row| row.address.clone()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", said(&plan));
        plan
    }

    pub(crate) fn address(&self, name: &str) -> Address {
        match name.strip_prefix("job:") {
            Some(id) => Address::job("main", id),
            None => self.yard.address(name),
        }
    }

    /// The row of a worktree, or of `job:ID`.
    pub(crate) fn row(&self, plan: &Plan, name: &str) -> Row {
        row(plan, &self.address(name)).clone()
    }

    /// Requires verdict and reason of a row; the row.
    pub(crate) fn require(&self, plan: &Plan, name: &str, verdict: Verdict, reason: &str) -> Row {
        let row = self.row(plan, name);
        let found = (row.verdict, row.reason.to_string());
        assert_eq!(found, (verdict, reason.to_owned()), "{}", said(plan));
        row
    }

    pub(crate) fn sql(&self, statement: &str) {
        let connection = rusqlite::Connection::open(self.ledger_path()).expect("it is there");
        connection.execute_batch(statement).expect("a statement");
    }

    /// Writes a job list beside the main worktree; its path.
    pub(crate) fn list(&self, text: &str) -> PathBuf {
        let path = self.yard.repo.root().join("jobs.yaml");
        write(&path, text.as_bytes());
        path
    }
}

pub(crate) fn project_of(main: &Path, first_known: Timestamp) -> NewProject {
    let place = Place::of(main).expect("a repository");
    let host = Host::here().expect("a host");
    NewProject {
        identity: RepositoryId::of(&place.common_dir, &host).expect("it is there"),
        name: "main".to_owned(),
        first_known,
    }
}

/// A run in progress, begun then.
pub(crate) fn running(started: Timestamp) -> Run {
    Run {
        started,
        ended: None,
        outcome: None,
        reason: None,
        runner: None,
    }
}

/// The step that accepts a job at the commit of its row.
pub(crate) fn set_done(job: i64, row: &Row) -> Step {
    Step::SetJobState {
        job,
        from: State::Review,
        to: State::Done,
        tip: row.head.clone().flatten(),
    }
}

/// Another repository, of the same shape, called as the first.
pub(crate) fn twin() -> Yard {
    let repo = Repo::new();
    write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
    Yard::of(repo).under(POLICY)
}
