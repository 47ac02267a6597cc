//! `owl jobs accept`, `owl jobs drop`, and the implicit accept of `owl apply` (A3, A4.6 to A4.9,
//! A4.16), through the binary, on real repositories.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests build the world, and take their own files away"
)]

#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod accept;
mod crowd;
mod discard;
mod drop;
mod example;
mod identity;
mod implicit;
mod kill;
mod rivals;

use owl::job::State;
use owl::ledger::{Contents, Reading};
use owl_binary::Run;
use std::path::{Path, PathBuf};
use support::{Repo, write};

/// Rules ask for nothing: only a person, or landing, lets anything go.
const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - { name: release, when: { branch: release }, then: keep }
  - { name: landed, when: { landed: true, idle-over: 1w }, then: accept }
pid-namespace: own
";

/// A repository whose jobs have worktrees in a store.
struct Desk {
    repo: Repo,
}

impl Desk {
    fn new() -> Self {
        Self::under(POLICY)
    }

    fn under(policy: &str) -> Self {
        let repo = Repo::new();
        write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
        repo.commit(&repo.main(), "owl.yaml", policy.as_bytes());
        Self { repo }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.repo.main().join(".claude/worktrees").join(name)
    }

    /// A worktree with a commit of its own, of a job in review; the job's number.
    fn review(&self, name: &str) -> i64 {
        let path = self.repo.agent(name);
        self.repo.commit(&path, &format!("{name}.txt"), b"work\n");
        self.job(name, "succeeded")
    }

    /// A job with the worktree and branch of that name, whose one run has ended so.
    fn job(&self, name: &str, outcome: &str) -> i64 {
        let id = self.added(name);
        self.done(&format!("jobs start {id}"));
        self.done(&format!("jobs finish {id} --outcome {outcome}"));
        id
    }

    fn added(&self, name: &str) -> i64 {
        let words = format!("jobs add --branch {name} --worktree .claude/worktrees/{name}");
        self.done(&words).parse().expect("it is a number")
    }

    fn owl(&self, words: &str) -> Run {
        self.repo.owl(words)
    }

    fn done(&self, words: &str) -> String {
        let run = self.owl(words);
        assert_eq!(run.code(), Some(0), "{run}");
        run.stdout().trim_end().to_owned()
    }

    /// Runs the binary, which must refuse; what it said.
    fn refused(&self, words: &str) -> String {
        let run = self.owl(words);
        assert_eq!(run.code(), Some(2), "{run}");
        assert_eq!(run.stdout(), "", "{run}");
        run.stderr()
    }

    fn ledger(&self) -> PathBuf {
        self.repo.root().join("home/.local/share/owl/ledger.db")
    }

    fn contents(&self) -> Contents {
        match owl::ledger::read(&self.ledger()).expect("it can be read") {
            Reading::There(contents) => contents,
            Reading::Missing => panic!("it is there"),
        }
    }

    fn state(&self, id: i64) -> State {
        self.contents()
            .job(id)
            .expect("it is there")
            .job
            .state
            .clone()
    }

    /// The commit of a branch, if there is one.
    fn tip(&self, branch: &str) -> Option<String> {
        let reference = format!("refs/heads/{branch}");
        let words = ["rev-parse", "-q", "--verify", &reference];
        let said = self.repo.try_git(&self.repo.main(), words);
        let text = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        said.status.success().then_some(text)
    }

    /// The commits that rescue refs name.
    fn rescued(&self) -> Vec<String> {
        let words = ["for-each-ref", "--format=%(objectname)", "refs/owl/rescue/"];
        let text = self.repo.git(words);
        text.lines().map(str::to_owned).collect()
    }

    fn is_listed(&self, path: &Path) -> bool {
        let text = self.repo.git(["worktree", "list", "--porcelain"]);
        text.lines()
            .any(|line| line == format!("worktree {}", path.display()))
    }

    /// Requires that a job, its worktree, and its branch are as they were.
    fn require_untouched(&self, id: i64, name: &str, state: &State, tip: Option<&str>) {
        assert_eq!(self.state(id), *state);
        assert!(self.place(name).is_dir(), "{name}");
        assert!(self.is_listed(&self.place(name)), "{name}");
        assert_eq!(self.tip(name).as_deref(), tip, "{name}");
        let contents = self.contents();
        let job = &contents.job(id).expect("it is there").job;
        assert!(job.worktree.is_some() && job.branch.is_some());
        if !state.is_decided() {
            assert_eq!(job.decided, None);
        }
    }
}
