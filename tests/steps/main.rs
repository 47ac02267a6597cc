//! Rows of several steps: drop, rescue refs and their expiry, expendable files, dead locks; saved
//! plans and `owl restore` (`spec 3`, `spec 6`, `spec 7`; A3.1).

#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod dead_lock;
mod drop;
mod expendable;
mod expiry;
mod kill;
mod never;
mod pending;
mod policy;
mod restore;
mod saved;
#[path = "../engine/scene.rs"]
#[expect(
    dead_code,
    clippy::print_stderr,
    reason = "the engine's own tests use the rest, and skipped tests are told"
)]
mod scene;

use support::yard::Yard;

/// Everything in the store is dropped; nothing holds but owl's guards.
const DROP: &str = "\
apiVersion: owl/v1
stores:
  - path: .claude/worktrees/*
rules:
  - name: fine
    when: { branch: \"fine*\", idle-over: 1h }
    then: accept
  - name: declined
    when: { idle-over: 1h }
    then: drop
pid-namespace: own
limits: { max-gone: 100% }
";

/// The rescue refs of a yard, with the commits that they name.
fn rescues(yard: &Yard) -> Vec<(String, String)> {
    let listed = yard.repo.git([
        "for-each-ref",
        "--format=%(refname) %(objectname)",
        "refs/owl/rescue",
    ]);
    let pairs = listed.lines().filter_map(|line| line.split_once(' '));
    pairs
        .map(|(name, commit)| (name.to_owned(), commit.to_owned()))
        .collect()
}

/// Whether a branch is there.
fn has_branch(yard: &Yard, name: &str) -> bool {
    let full = format!("refs/heads/{name}");
    let said = yard
        .repo
        .try_git(&yard.repo.main(), ["show-ref", "--verify", "-q", &full]);
    said.status.success()
}
