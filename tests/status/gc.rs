//! `owl gc` is `apply` with the built-in policy `coding-owl`, and nothing else (`spec 8`, A4).

use super::desk::Desk;
use super::support::snapshot::Snapshot;
use super::support::{Repo, write};
use owl::job::State;
use owl::policy::Policy;

const STORE: &str = ".owl/worktrees";

/// A desk whose worktrees stand in `coding-owl`'s store. The user's own policy would let go all.
fn desk() -> Desk {
    let desk = Desk::without_control(super::desk::POLICY);
    desk.user_policy(
        "apiVersion: owl/v1\nstores: [{ path: .owl/worktrees/* }, { path: .claude/worktrees/* }]\n\
         rules: [{ name: all, when: { all: [] }, then: accept }]\n\
         ttl: { grace: 0s }\nlimits: { max-removals: 0 }\n",
    );
    desk
}

impl Desk {
    /// A worktree in the store of `coding-owl`, old, whose job is in a state.
    fn owned(&self, name: &str, state: State) -> std::path::PathBuf {
        let path = self.yard.repo.main().join(STORE).join(name);
        self.yard.add_at(name, &path);
        self.yard
            .repo
            .commit(&path, &format!("{name}.txt"), name.as_bytes());
        super::support::aging::age(&path);
        super::support::aging::age(&self.yard.entry(name));
        drop(
            self.yard
                .repo
                .try_git(&path, ["update-index", "-q", "--refresh"]),
        );
        let main = self.yard.repo.main();
        let place = owl::observe::Place::of(&main).expect("a repository");
        let recorded = owl::observe::record_worktree(&place, &path).expect("it is there");
        let owl::observe::Recorded::Worktree(worktree) = recorded else {
            panic!("{name} is a worktree")
        };
        let mut job = owl::job::Job::new(name.into(), super::ago(30));
        job.worktree = Some(worktree);
        job.decided = state.is_decided().then(|| owl::job::Decided {
            at: super::ago(20),
            tip: Some(self.tip(name)),
        });
        job.changed = super::ago(2);
        job.state = state;
        self.add_job(job);
        path
    }
}

/// Whether the tests run where `coding-owl` may let something go: it does not say `pid-namespace:
/// own`, and a container is no host.
fn may_go(desk: &Desk) -> bool {
    let plan = desk.owl("plan --policy coding-owl");
    !plan.stdout().contains("namespace")
}

#[test]
fn a4_1_and_a4_2_only_what_is_decided_goes_and_no_other_policy_has_a_say() {
    let desk = desk();
    let done = desk.owned("finished", State::Done);
    let waits = desk.owned("waits", State::Review);
    // In the user's store, and not in coding-owl's.
    let other = desk.yard.landed("landed");
    if !may_go(&desk) {
        super::support::skipped(
            "a4_1_and_a4_2_only_what_is_decided_goes",
            "no host's namespace",
        );
        return;
    }
    let shown = desk.owl("gc -n");
    assert_eq!(shown.code(), Some(0), "{shown}");
    assert!(shown.stdout().contains("To apply: owl gc\n"), "{shown}");
    assert!(done.exists());
    let refused = desk.owl("gc");
    assert_eq!(refused.code(), Some(2), "{refused}");
    assert!(refused.stderr().contains("`owl gc --yes`"), "{refused}");
    assert!(done.exists());
    let run = desk.owl("gc --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(
        run.stdout().starts_with("policy: built-in coding-owl ("),
        "{run}"
    );
    assert!(!done.exists() && waits.exists() && other.exists(), "{run}");
    desk.tip("finished");
    // Running it twice changes nothing more.
    let again = desk.owl("gc --yes");
    assert_eq!(again.code(), Some(0), "{again}");
    assert!(
        again
            .stdout()
            .starts_with("Nothing to do under built-in coding-owl"),
        "{again}"
    );
    assert_eq!(again.stdout().lines().count(), 1, "{again}");
}

#[test]
fn the_policy_of_gc_cannot_be_another_one() {
    let desk = desk();
    let tree = desk.yard.landed("landed");
    for words in ["gc --policy default --yes", "gc --yes --policy ./owl.yaml"] {
        let run = desk.owl(words);
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(
            run.stderr().contains("owl gc has a policy of its own"),
            "{run}"
        );
    }
    let mut command = desk.yard.repo.owl_command(&desk.yard.repo.main());
    command
        .args(["gc", "--yes"])
        .env("OWL_POLICY", "/no/such/file");
    let run = desk.yard.repo.run(command);
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(tree.exists());
    // The control: under the user's policy it would go, but for the brake.
    let plan = desk.owl("plan");
    assert!(plan.stdout().contains("remove  main/landed"), "{plan}");
}

#[test]
fn a4_13_nothing_to_do_is_one_line_without_store_and_ledger() {
    let repo = Repo::new();
    repo.owl("--version");
    let before = Snapshot::of(&[repo.root()]);
    let run = repo.owl("gc");
    assert_eq!((run.code(), run.stderr().as_str()), (Some(0), ""), "{run}");
    assert_eq!(run.stdout().lines().count(), 1, "{run}");
    for text in [
        "Nothing to do under built-in coding-owl (",
        "there is no ledger of jobs at [TMP]/home/.local/share/owl/ledger.db",
    ] {
        assert!(run.stdout().contains(text), "{run}");
    }
    let quiet = repo.owl("gc --yes --quiet");
    assert_eq!(
        (quiet.code(), quiet.stdout().as_str()),
        (Some(0), ""),
        "{quiet}"
    );
    before.require_same("gc", &[repo.root()]);

    // With a worktree there, a missing ledger is never "no job has it".
    let path = repo.main().join(STORE).join("x");
    let words = ["worktree", "add", "-q", "-b", "x"].map(std::ffi::OsStr::new);
    repo.git(words.into_iter().chain([path.as_os_str()]));
    let run = repo.owl("gc --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(
        run.stdout().contains(": 1 held; ") && path.exists(),
        "{run}"
    );
    assert_eq!(run.stdout().lines().count(), 1, "{run}");

    // A ledger that is none stops it.
    write(
        &repo.root().join("home/.local/share/owl/ledger.db"),
        b"no ledger",
    );
    let run = repo.owl("gc --yes");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(path.exists());
}

#[test]
fn the_policy_of_gc_is_there() {
    let policy = Policy::builtin("coding-owl").expect("it is embedded");
    assert!(
        policy
            .stores
            .iter()
            .any(|store| store.path == ".owl/worktrees/*")
    );
}
