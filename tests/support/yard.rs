//! A repository with a store of worktrees, and the way through the library: observe, plan,
//! approve, apply.

use super::aging::age;
use super::{Repo, write};
use owl::apply::{Audit, Done, Event, Fate, Hands, Lock, Outcome};
use owl::git::{Git, GitEnv, Limits};
use owl::observe::{Focus, Observation, Scope, World, observe};
use owl::plan::{Approval, Approved, Plan, Row, Verdict};
use owl::policy::{Origin, Policy};
use owl::resource::Address;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The policy of most tests. `pid-namespace: own` since the tests may run in a container.
pub const POLICY: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - name: finished
    when:
      any: [{ landed: true }, { published: true }]
      idle-over: 1h
    then: accept
ttl:
  grace: 1h
pid-namespace: own
";

/// A repository whose `.claude/worktrees/*` is a store.
pub struct Yard {
    pub repo: Repo,
    /// The policy's text.
    pub policy: String,
    /// `PATH` of the git that owl runs, where that is not the tests' own.
    pub git_path: Option<OsString>,
    /// Where owl looks for processes.
    pub proc_root: PathBuf,
    /// The home directory that `~` means.
    pub home: PathBuf,
}

impl Yard {
    /// Makes it, with `.claude/` ignored, and one worktree `control` that is to be removed.
    pub fn new() -> Self {
        let yard = Self::without_control();
        yard.landed("control");
        yard
    }

    /// Makes it without the control.
    pub fn without_control() -> Self {
        let repo = Repo::new();
        write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
        Self::of(repo)
    }

    /// The yard of a repository.
    pub fn of(repo: Repo) -> Self {
        let home = repo.root().join("home");
        Self {
            repo,
            policy: POLICY.to_owned(),
            git_path: None,
            proc_root: PathBuf::from("/proc"),
            home,
        }
    }

    /// The same under another policy.
    #[must_use]
    pub fn under(mut self, policy: &str) -> Self {
        policy.clone_into(&mut self.policy);
        self
    }

    /// The place of a worktree in the store.
    pub fn path(&self, name: &str) -> PathBuf {
        self.repo.main().join(".claude/worktrees").join(name)
    }

    /// Its administrative entry.
    pub fn entry(&self, name: &str) -> PathBuf {
        self.repo.common_dir().join("worktrees").join(name)
    }

    /// Its address.
    #[expect(
        clippy::unused_self,
        reason = "it reads as one of the yard's questions"
    )]
    pub fn address(&self, name: &str) -> Address {
        Address::entry("main", name.as_bytes())
    }

    /// Adds a worktree in the store, on a new branch of its name.
    pub fn add(&self, name: &str) -> PathBuf {
        self.add_at(name, &self.path(name))
    }

    /// Adds a worktree at a path, on a new branch of its name.
    pub fn add_at(&self, name: &str, path: &Path) -> PathBuf {
        let words = ["worktree", "add", "-q", "-b", name, "--"].map(OsStr::new);
        self.repo.git(words.into_iter().chain([path.as_os_str()]));
        path.to_owned()
    }

    /// Adds a worktree with a commit of its own that is merged, and makes it old: every guard
    /// passes, and the rule lets it go.
    pub fn landed(&self, name: &str) -> PathBuf {
        let path = self.add(name);
        self.land(name, &path);
        path
    }

    /// Commits in a worktree, merges its branch, and makes it old.
    pub fn land(&self, name: &str, path: &Path) {
        self.repo
            .commit(path, &format!("{name}.txt"), name.as_bytes());
        self.merge(name);
        self.age_at(name, path);
    }

    /// Merges a branch into the base, by a merge commit.
    pub fn merge(&self, branch: &str) {
        self.repo
            .git(["merge", "-q", "--no-ff", "-m", "merge", branch]);
    }

    /// Makes a worktree and its entry old.
    pub fn age(&self, name: &str) {
        self.age_at(name, &self.path(name));
    }

    fn age_at(&self, name: &str, path: &Path) {
        let entry = self.entry(name);
        if std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
            age(path);
            // The stat data in the index is made to match, as after any `git status`.
            drop(self.repo.try_git(path, ["update-index", "-q", "--refresh"]));
        }
        if entry.is_dir() {
            age(&entry);
        }
    }

    /// Adds a bare `origin` with everything pushed, and fetches it.
    pub fn origin(&self) -> PathBuf {
        let origin = self.repo.root().join("origin.git");
        self.repo.git_in(
            self.repo.root(),
            ["init", "-q", "--bare", "-b", "main", "origin.git"],
        );
        let words = ["remote", "add", "origin"].map(OsStr::new);
        self.repo.git(words.into_iter().chain([origin.as_os_str()]));
        self.repo.git(["push", "-q", "origin", "main"]);
        self.repo.git(["remote", "set-head", "origin", "main"]);
        origin
    }

    /// Parses the policy.
    pub fn parsed(&self) -> Policy {
        Policy::parse("owl.yaml", self.policy.as_bytes(), Origin::User)
            .unwrap_or_else(|found| panic!("the policy is valid: {found:?}"))
    }

    /// owl's own git.
    pub fn git(&self) -> Git {
        let mut vars = self.repo.vars();
        if let Some(path) = &self.git_path {
            vars.retain(|(name, _)| name != "PATH");
            vars.push(("PATH".into(), path.clone()));
        }
        Git::new(GitEnv::from_vars(vars), Limits::default()).expect("git is installed")
    }

    /// Observes everything, now.
    pub fn observe(&self) -> Observation {
        let (git, policy) = (self.git(), self.parsed());
        let world = self.world(&git);
        observe(&world, &policy, &self.scope(&policy), &Focus::Everything)
    }

    /// Observes other repositories, now.
    pub fn observe_in(&self, policy: &Policy, scope: &Scope) -> Observation {
        let git = self.git();
        observe(&self.world(&git), policy, scope, &Focus::Everything)
    }

    /// The plan of what is there, now.
    pub fn look(&self) -> Plan {
        Plan::new(&self.parsed(), &self.observe())
    }

    /// The plan, which must remove or prune exactly the named worktrees, approved.
    pub fn approved(&self, acting: &[&str]) -> Approved {
        let plan = self.look();
        let mut expected: Vec<_> = acting.iter().map(|name| self.address(name)).collect();
        let mut found: Vec<_> = acting_rows(&plan).map(|row| row.address.clone()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", said(&plan));
        plan.approve(&Approval::Yes, &[])
            .expect("it is within limits")
    }

    /// Carries an approved plan out.
    pub fn carry_out(&self, approved: &Approved) -> Vec<Done> {
        self.carry_out_with(approved, &self.audit(), &mut |_| {})
    }

    /// Carries an approved plan out; `watch` is told of every row before and after.
    pub fn carry_out_with(
        &self,
        approved: &Approved,
        audit: &Audit,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Vec<Done> {
        let (git, policy) = (self.git(), self.parsed());
        let scope = self.scope(&policy);
        let locks: Vec<Lock> = scope
            .places
            .iter()
            .map(|place| Lock::take(&place.place.common_dir, true).expect("nobody holds it"))
            .collect();
        let mut hands = Hands {
            world: self.world(&git),
            clock: &now,
            policy: &policy,
            scope: &scope,
            audit,
            interrupted: &|| false,
        };
        owl::apply::apply(approved, &locks, &mut hands, watch)
    }

    /// The one worktree that stands in owl's own folder.
    pub fn standing_aside(&self) -> PathBuf {
        let aside = self.repo.common_dir().join("owl/aside");
        let standing: Vec<PathBuf> = std::fs::read_dir(&aside)
            .expect("owl has taken something")
            .map(|entry| entry.expect("it can be read").path())
            .collect();
        assert_eq!(standing.len(), 1, "{standing:?}");
        standing[0].clone()
    }

    /// Plans and carries out everything.
    pub fn apply(&self) -> Vec<Done> {
        let approved = self.look().approve(&Approval::Yes, &[]);
        self.carry_out(&approved.expect("it is within limits"))
    }

    /// The audit log in the home directory of the test.
    pub fn audit(&self) -> Audit {
        Audit::open(
            &self.repo.root().join("state"),
            &self.parsed().source.sha256,
        )
        .expect("it can be opened")
    }

    /// The repositories in scope.
    pub fn scope(&self, policy: &Policy) -> Scope {
        Scope::of(policy, &self.repo.main(), Some(&self.home)).expect("it is a repository")
    }

    fn world<'a>(&self, git: &'a Git) -> World<'a> {
        World {
            git,
            now: now(),
            home: Some(self.home.clone()),
            ledger: Some(self.home.join(".local/share/owl/ledger.db")),
            here: self.repo.main(),
            proc_root: self.proc_root.clone(),
            own_pid: std::process::id(),
            progress: &|_| {},
        }
    }
}

/// The clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests stand where the command line does"
)]
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// The row of a worktree.
pub fn row<'a>(plan: &'a Plan, address: &Address) -> &'a Row {
    plan.row(address)
        .unwrap_or_else(|| panic!("no row {address}: {}", said(plan)))
}

/// Rows that remove or prune.
pub fn acting_rows(plan: &Plan) -> impl Iterator<Item = &Row> {
    plan.items
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::Remove | Verdict::Prune))
}

/// The plan in short, for a failed test.
pub fn said(plan: &Plan) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for row in &plan.items {
        let (address, verdict) = (&row.address, row.verdict.as_str());
        writeln!(text, "{address} {verdict} {}: {}", row.reason, row.message).expect("a string");
    }
    for warning in &plan.warnings {
        writeln!(text, "warning: {warning}").expect("a string");
    }
    text
}

/// The outcome of a row.
pub fn outcome<'a>(done: &'a [Done], address: &Address) -> &'a Outcome {
    let found = done.iter().find(|one| one.address == *address);
    &found
        .unwrap_or_else(|| panic!("{address} in {done:?}"))
        .outcome
}

/// Requires the fate of a row.
pub fn require_fate(done: &[Done], address: &Address, fate: Fate) {
    let found = outcome(done, address);
    assert_eq!(found.fate, fate, "{address}: {}", found.message);
}
