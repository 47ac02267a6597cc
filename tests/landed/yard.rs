//! A repository with a branch per question, built by shell scripts.

use crate::support::{Repo, write};
use owl::fact::Fact;
use owl::git::{Git, GitEnv, Limits};
use owl::observe::{Doubt, Focus, Observation, Scope, Tree, World, observe};
use owl::plan::{Plan, Row};
use owl::policy::{Origin, Policy};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

const POLICY: &str = "\
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

/// What every script starts with. Every git call is a minute later than the one before, so that
/// no two commits are the same by accident.
const PRELUDE: &str = r#"
set -eu
T=1767323045
git() { T=$((T+60)); GIT_AUTHOR_DATE="$T +0000" GIT_COMMITTER_DATE="$T +0000" command git "$@"; }
# save MESSAGE: commits everything
save() { git add -A; git commit -q --allow-empty -m "$*"; }
# lines FILE: twenty lines
lines() { mkdir -p "$(dirname "$1")"; i=1; while [ $i -le 20 ]; do echo "$1 $i"; i=$((i+1)); done >"$1"; }
# line FILE N TEXT: replaces a line, and commits
line() { sed -i "$2s/.*/$3/" "$1"; save "$1 $2 $3"; }
# squash BRANCH: as a forge does
squash() { git merge -q --squash "$1" >/dev/null; save "squash $1"; }
main() { git checkout -q main; }
"#;

/// A repository, and the administrative entries that ask.
pub struct Yard {
    pub repo: Repo,
}

impl Yard {
    /// Makes the repository, with a remote that is elsewhere.
    pub fn new() -> Self {
        let repo = Repo::new();
        write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
        Self { repo }
    }

    /// Runs a script in the main worktree.
    pub fn sh(&self, script: &str) -> String {
        self.sh_in(&self.repo.main(), script)
    }

    /// Runs a script in a directory.
    pub fn sh_in(&self, directory: &Path, script: &str) -> String {
        let output = self
            .repo
            .command("sh")
            .current_dir(directory)
            .args(["-c", &format!("{PRELUDE}\n{script}")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    /// Adds an entry on a branch.
    pub fn ask(&self, branch: &str) {
        entry(
            &self.repo.main(),
            branch,
            &format!("ref: refs/heads/{branch}\n"),
        );
    }

    /// Observes, thirty days from now.
    pub fn observe(&self) -> Observation {
        observe_in(&self.repo.main(), self.repo.vars(), POLICY)
    }

    /// What is told of each branch.
    pub fn answers(&self) -> BTreeMap<String, String> {
        answers(&self.observe())
    }

    /// The planned row of each branch.
    pub fn rows(&self) -> BTreeMap<String, Row> {
        let observation = self.observe();
        let policy = Policy::parse("owl.yaml", POLICY.as_bytes(), Origin::User).unwrap();
        let plan = Plan::new(&policy, &observation);
        plan.items
            .iter()
            .filter_map(|row| Some((row.branch.clone()??, row.clone())))
            .collect()
    }
}

/// Writes an administrative entry whose directory is gone.
pub fn entry(main: &Path, name: &str, head: &str) {
    let name = name.replace('/', "-");
    let entry = main.join(".git/worktrees").join(&name);
    let place = main.join(".claude/worktrees").join(&name).join(".git");
    write(&entry.join("HEAD"), head.as_bytes());
    write(&entry.join("commondir"), b"../..\n");
    write(
        &entry.join("gitdir"),
        format!("{}\n", place.display()).as_bytes(),
    );
}

/// Observes a repository.
pub fn observe_in(main: &Path, vars: Vec<(OsString, OsString)>, policy: &str) -> Observation {
    let policy = Policy::parse("owl.yaml", policy.as_bytes(), Origin::User).unwrap();
    let git = Git::new(GitEnv::from_vars(vars), Limits::default()).unwrap();
    let world = World {
        git: &git,
        now: jiff::Timestamp::now() + jiff::SignedDuration::from_hours(30 * 24),
        home: None,
        ledger: None,
        here: main.to_owned(),
        proc_root: "/proc".into(),
        own_pid: std::process::id(),
        progress: &|_| {},
    };
    let scope = Scope::of(&policy, main, None).unwrap();
    let observation = observe(&world, &policy, &scope, &Focus::Everything);
    assert_eq!(observation.projects[0].problem, None);
    observation
}

/// The policy of the tests.
pub fn policy() -> &'static str {
    POLICY
}

/// Every tree with a HEAD on a branch, by the branch.
pub fn trees(observation: &Observation) -> BTreeMap<String, Tree> {
    let trees = observation
        .projects
        .iter()
        .flat_map(|project| &project.trees);
    trees
        .filter_map(|tree| {
            let branch = String::from_utf8(tree.branch()?.to_vec()).unwrap();
            Some((branch, tree.clone()))
        })
        .collect()
}

/// `squash`, `no`, `no 1/2`, `conflict taken-back`, or `unknown: ...`, by branch.
pub fn answers(observation: &Observation) -> BTreeMap<String, String> {
    let trees = trees(observation);
    trees
        .into_iter()
        .map(|(branch, tree)| (branch, answer(&tree)))
        .collect()
}

/// What is told of one tree.
pub fn answer(tree: &Tree) -> String {
    match (&tree.landed, &tree.conflict, &tree.partial) {
        (Fact::Known(landed), Fact::Absent, _) => {
            let moved = if landed.moved.is_empty() {
                ""
            } else {
                " moved"
            };
            format!("{}{moved}", owl::assess::Evidence::code_of(landed.how))
        }
        (Fact::Absent, Fact::Known(conflict), _) => match conflict.doubt {
            Doubt::NetEmpty => "conflict net-empty".to_owned(),
            Doubt::OwnMerge { .. } => "conflict own-merge".to_owned(),
            Doubt::TakenBack { .. } => "conflict taken-back".to_owned(),
        },
        (Fact::Absent, Fact::Absent, Fact::Absent) => "no".to_owned(),
        (Fact::Absent, Fact::Absent, Fact::Known(partial)) => {
            format!("no {}/{}", partial.twins, partial.of)
        }
        (Fact::Unknown(why), _, _) => format!("unknown: {why}"),
        other => panic!("these go not together: {other:?}"),
    }
}
