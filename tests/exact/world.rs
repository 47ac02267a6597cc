//! A main worktree with a store of linked ones, owl's pipeline on it, and nothing of the user's.

use owl::apply::{self, Audit, Fate, Hands, Lock};
use owl::git::{Git, GitEnv, Limits};
use owl::observe::{Focus, Observation, Scope, observe};
use owl::plan::{Approval, Plan, Row, Verdict};
use owl::policy::{Origin, Policy};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// How long after the real time owl is made to look, so that nothing here is fresh.
const LATER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

const POLICY: &str = "apiVersion: owl/v1
stores: [{ path: .claude/worktrees/*, owner: none }]
rules:
  - { name: finished, when: { landed: true, idle-over: 1h }, then: accept }
limits: { max-removals: 200, max-gone: 100% }
pid-namespace: own
";

/// A repository in a temporary directory.
pub(crate) struct World {
    _temp: TempDir,
    root: PathBuf,
}

impl World {
    /// A main worktree on `main` with a few files, everything committed.
    pub(crate) fn new() -> Self {
        let temp = TempDir::new().expect("a temporary directory");
        let root = temp.path().canonicalize().expect("it is there");
        fs::create_dir(root.join("home")).expect("a home");
        let world = Self { _temp: temp, root };
        world.git_at(&world.root, &["init", "-q", "-b", "main", "main"]);
        let ignored = "/.claude/\ntarget\nnode_modules\n__pycache__/\n*.pyc\n.env\n*.log\ndata/\nbuild/\n.cache/\n.venv/\n.DS_Store\n.terraform/\npackages/*/node_modules\n.hypothesis/\nvendor/\n";
        world.put(".gitignore", ignored);
        world.put("README.md", "one\n");
        world.put("src/app.py", "print(1)\n");
        world.put("Cargo.toml", "[package]\n");
        world.put(
            "Cargo.lock",
            "[[package]]\nname = \"app\"\n\n[[package]]\nname = \"ssl\"\nsource = \"registry+x\"\n",
        );
        world.put("package.json", "{}\n");
        world.put("CMakeLists.txt", "project(x)\n");
        world.put("main.tf", "");
        world.commit("start");
        world
    }

    pub(crate) fn main(&self) -> PathBuf {
        self.root.join("main")
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn tree(&self, name: &str) -> PathBuf {
        self.main().join(".claude/worktrees").join(name)
    }

    pub(crate) fn entry(&self, name: &str) -> PathBuf {
        self.main().join(".git/worktrees").join(name)
    }

    /// Adds a landed worktree on a branch of its own.
    pub(crate) fn add(&self, name: &str) -> PathBuf {
        let tree = self.tree(name);
        let path = tree.to_str().expect("UTF-8");
        self.git(&["worktree", "add", "-q", "-b", name, path, "main"]);
        tree
    }

    /// Writes a file of the main worktree.
    pub(crate) fn put(&self, path: &str, text: &str) {
        put(&self.main().join(path), text);
    }

    /// Commits everything in the main worktree.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    pub(crate) fn git(&self, words: &[&str]) -> String {
        self.git_at(&self.main(), words)
    }

    pub(crate) fn git_at(&self, at: &Path, words: &[&str]) -> String {
        let output = self.command("git").args(words).current_dir(at).output();
        let output = output.expect("git runs");
        assert!(output.status.success(), "git {words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the tests build the world")]
        let mut command = Command::new(program);
        command.env_clear().envs(self.vars()).envs([
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@example.com"),
            ("GIT_COMMITTER_NAME", "C"),
            ("GIT_COMMITTER_EMAIL", "c@example.com"),
            ("GIT_ALLOW_PROTOCOL", "file"),
        ]);
        command
    }

    fn vars(&self) -> Vec<(OsString, OsString)> {
        #[expect(
            clippy::disallowed_methods,
            reason = "git is found where the tests' is"
        )]
        let path = std::env::var_os("PATH").expect("PATH");
        vec![
            ("PATH".into(), path),
            ("HOME".into(), self.root.join("home").into()),
            ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ]
    }

    fn later() -> jiff::Timestamp {
        #[expect(clippy::disallowed_methods, reason = "the tests are the clock")]
        let now = jiff::Timestamp::now();
        now + LATER
    }

    fn policy(text: &str) -> Policy {
        Policy::parse("owl.yaml", text.as_bytes(), Origin::User).expect("a good policy")
    }

    fn with<T>(
        &self,
        policy: &str,
        work: impl FnOnce(owl::observe::World<'_>, &Policy, &Scope) -> T,
    ) -> T {
        let policy = Self::policy(policy);
        let git = Git::new(GitEnv::from_vars(self.vars()), Limits::default()).expect("git");
        let scope = Scope::of(&policy, &self.main(), None).expect("a scope");
        let world = owl::observe::World {
            git: &git,
            now: Self::later(),
            home: Some(self.root.join("home")),
            ledger: None,
            here: self.main(),
            proc_root: "/proc".into(),
            own_pid: std::process::id(),
            progress: &|_| {},
        };
        work(world, &policy, &scope)
    }

    pub(crate) fn observe(&self) -> Observation {
        self.with(POLICY, |world, policy, scope| {
            observe(&world, policy, scope, &Focus::Everything)
        })
    }

    pub(crate) fn plan(&self) -> Plan {
        self.plan_with(POLICY)
    }

    pub(crate) fn plan_with(&self, policy: &str) -> Plan {
        self.plan_of(policy, &Focus::Everything)
    }

    pub(crate) fn plan_focused(&self, focus: &Focus) -> Plan {
        self.plan_of(POLICY, focus)
    }

    fn plan_of(&self, policy: &str, focus: &Focus) -> Plan {
        self.with(policy, |world, policy, scope| {
            Plan::new(policy, &observe(&world, policy, scope, focus))
        })
    }

    /// Deletes a worktree's directory behind git's back.
    pub(crate) fn vanish(&self, name: &str) {
        #[expect(clippy::disallowed_methods, reason = "the tests build the world")]
        fs::remove_dir_all(self.tree(name)).expect("it was there");
    }

    /// The row of a worktree.
    pub(crate) fn row(plan: &Plan, name: &str) -> Row {
        let ends = format!("/{name}");
        plan.items
            .iter()
            .find(|row| row.address.as_str().ends_with(&ends))
            .unwrap_or_else(|| panic!("no row for {name}: {:?}", plan.items))
            .clone()
    }

    /// What apply makes of each worktree that the plan removes or prunes; `between` happens after
    /// the plan.
    pub(crate) fn apply(&self, between: impl FnOnce()) -> Vec<(String, Fate, String)> {
        self.with(POLICY, |world, policy, scope| {
            let seen = observe(&world, policy, scope, &Focus::Everything);
            let plan = Plan::new(policy, &seen);
            let approved = plan.approve(&Approval::Yes, &[]).expect("it is approved");
            between();
            let audit = Audit::open(&self.root.join("state"), &policy.source.sha256);
            let audit = audit.expect("an audit log");
            let lock = Lock::take(&self.main().join(".git"), false).expect("a lock");
            let clock = Self::later;
            let mut hands = Hands {
                world,
                clock: &clock,
                policy,
                scope,
                audit: &audit,
                interrupted: &|| false,
            };
            apply::apply(&approved, &[lock], &mut hands, &mut |_| {})
                .into_iter()
                .map(|done| {
                    let outcome = done.outcome;
                    (
                        done.address.as_str().to_owned(),
                        outcome.fate,
                        outcome.message,
                    )
                })
                .collect()
        })
    }

    /// Plans and applies: each of `held` must be held with its code and stay, and each of `gone`
    /// must go.
    pub(crate) fn settle(&self, held: &[(&str, &str)], gone: &[&str]) {
        let plan = self.plan();
        for (name, code) in held {
            let row = Self::row(&plan, name);
            let reason = row.reason.to_string();
            assert_eq!(row.verdict, Verdict::Hold, "{name}: {}", row.message);
            assert_eq!(reason, *code, "{name}: {}", row.message);
        }
        for name in gone {
            let row = Self::row(&plan, name);
            assert_eq!(row.verdict, Verdict::Remove, "{name}: {}", row.message);
        }
        let done = self.apply(|| {});
        for (name, _) in held {
            assert!(self.tree(name).join(".git").exists(), "{name} is gone");
        }
        for name in gone {
            assert!(!self.tree(name).exists(), "{name} was kept: {done:?}");
        }
    }
}

/// Writes a file and the directories on the way.
pub(crate) fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    fs::write(path, text).expect("a file");
}

/// Whether the tests run as the user that may read everything.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Deletes a file of the test's own.
#[expect(clippy::disallowed_methods, reason = "the tests make states")]
pub(crate) fn erase(path: impl AsRef<Path>) {
    fs::remove_file(path).expect("it is there");
}
