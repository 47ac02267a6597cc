//! `owl restore`: what a drop deleted comes back, at exactly its commit.

use super::support::Repo;
use std::path::Path;

const POLICY: &[u8] = b"\
apiVersion: owl/v1
stores: [{ path: .claude/worktrees/* }]
rules: [{ name: declined, when: { branch: \"d*\" }, then: drop }]
ttl: { grace: 0s }
pid-namespace: own
";

fn dropped() -> (Repo, String, String) {
    let repo = Repo::new();
    repo.commit(&repo.main(), "owl.yaml", POLICY);
    let path = repo.main().join(".claude/worktrees/one");
    let words = ["worktree", "add", "-q", "-b", "d/one"].map(std::ffi::OsStr::new);
    repo.git(words.into_iter().chain([path.as_os_str()]));
    let tip = repo.commit(&path, "one.txt", b"one");
    let other = repo.agent("d2");
    let second = repo.commit(&other, "two.txt", b"two");
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("- removed"), "{run}");
    assert!(
        !repo
            .try_git(
                &repo.main(),
                ["rev-parse", "-q", "--verify", "refs/heads/d/one"]
            )
            .status
            .success()
    );
    (repo, tip, second)
}

#[test]
fn a_dropped_branch_comes_back_at_its_commit() {
    let (repo, tip, second) = dropped();
    let list = repo.owl("restore");
    assert_eq!(list.code(), Some(0), "{list}");
    for words in [
        "d/one/20",
        "d2/20",
        &tip[..12],
        "one.txt",
        "expires in",
        "owl restore NAME",
    ] {
        let raw = String::from_utf8_lossy(&list.output.stdout);
        assert!(raw.contains(words), "{words}: {raw}");
    }
    let json = repo.owl("restore --format json").json();
    let items = json["items"]
        .as_array()
        .expect("the scene is as it was built");
    assert_eq!(items.len(), 2, "{json:#}");
    assert_eq!(items[0]["commit"], tip.as_str());
    assert_eq!(items[0]["subject"], "one.txt");
    let run = repo.owl("restore d/one");
    assert_eq!(run.code(), Some(0), "{run}");
    assert_eq!(repo.git(["rev-parse", "refs/heads/d/one"]), tip);
    // Again: there already. The rescue ref stays.
    let run = repo.owl("restore d/one");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("is there already"), "{run}");
    assert_eq!(
        repo.owl("restore --format json").json()["items"]
            .as_array()
            .expect("the scene is as it was built")
            .len(),
        2
    );
    // By address, under another name.
    let address = items[1]["address"]
        .as_str()
        .expect("the scene is as it was built");
    let run = repo.owl(&format!("restore {address} --as kept/two --format json"));
    assert_eq!(run.json()["commit"], second.as_str(), "{run}");
    assert_eq!(run.json()["made"], true);
    assert_eq!(repo.git(["rev-parse", "refs/heads/kept/two"]), second);
    // The restored branch has no worktree: there is nothing to do.
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().starts_with("Nothing to do"), "{run}");
    assert!(
        repo.audit()
            .iter()
            .any(|line| line.contains("\"event\":\"restore\""))
    );
}

#[test]
fn nothing_is_ever_overwritten() {
    let (repo, tip, _) = dropped();
    repo.git(["branch", "d/one", "main"]);
    let main = repo.git(["rev-parse", "main"]);
    let run = repo.owl("restore d/one");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(
        run.stderr().contains("choose another name with --as"),
        "{run}"
    );
    assert_eq!(repo.git(["rev-parse", "refs/heads/d/one"]), main);
    for (words, said) in [
        ("restore no-such", "there is no rescue ref no-such"),
        ("restore d/one --as=-x", "cannot be the name of a branch"),
        ("restore d/one --as=HEAD", "cannot be the name of a branch"),
        ("restore d/one --as=a..b", "failed"),
        ("restore d/one --as=a*b", "cannot be the name of a branch"),
        ("restore d/one --as=d", "failed"),
    ] {
        let run = repo.owl(words);
        assert_eq!(run.code(), Some(2), "{run}");
        let is_told = run.stderr().contains(said) || said == "failed";
        assert!(is_told && run.stderr().starts_with("error:"), "{run}");
    }
    let branches = repo.git(["for-each-ref", "--format=%(refname)", "refs/heads"]);
    assert_eq!(branches, "refs/heads/d/one\nrefs/heads/main");
    assert!(repo.owl("restore d/one --as=back").code() == Some(0));
    assert_eq!(repo.git(["rev-parse", "back"]), tip);
}

fn add(repo: &Repo, words: &[&str], path: &Path) {
    let words = ["worktree", "add", "-q"].iter().chain(words);
    let words = words.map(std::ffi::OsStr::new).chain([path.as_os_str()]);
    repo.git(words.collect::<Vec<_>>());
}

/// A branch is what it was, whatever else was pinned under its name in the same moment; of several
/// drops the latest counts.
#[test]
fn a_branch_comes_back_at_its_own_commit_and_the_latest() {
    let repo = Repo::new();
    let policy = POLICY.to_vec();
    let policy = String::from_utf8(policy).expect("it is text");
    let policy = policy.replace(
        "branch: \"d*\"",
        "any: [{ branch: \"d*\" }, { detached: true }]",
    );
    repo.commit(&repo.main(), "owl.yaml", policy.as_bytes());
    let store = repo.main().join(".claude/worktrees");
    add(&repo, &["--detach"], &store.join("dw"));
    repo.commit(&store.join("dw"), "det.txt", b"detached");
    add(&repo, &["-b", "dw"], &store.join("da"));
    let mut last = repo.commit(&store.join("da"), "work.txt", b"work");
    assert_eq!(repo.owl("apply --yes").code(), Some(0));
    for round in 0..4 {
        let run = repo.owl("restore dw");
        assert_eq!(run.code(), Some(0), "{run}");
        assert_eq!(repo.git(["rev-parse", "refs/heads/dw"]), last, "{round}");
        add(&repo, &[], &store.join("dw"));
        last = repo.commit(&store.join("dw"), "work.txt", format!("{round}").as_bytes());
        assert_eq!(repo.owl("apply --yes").code(), Some(0));
    }
    // Without a branch of the name the commit that was detached is meant.
    add(&repo, &["--detach"], &store.join("loose"));
    let loose = repo.commit(&store.join("loose"), "loose.txt", b"loose");
    assert_eq!(repo.owl("apply --yes").code(), Some(0));
    assert_eq!(repo.owl("restore loose").code(), Some(0));
    assert_eq!(repo.git(["rev-parse", "refs/heads/loose"]), loose);
}

/// `restore --as` replaces nothing, not even a symbolic ref to nowhere.
#[test]
fn a_symbolic_branch_to_nowhere_is_not_replaced() {
    let (repo, tip, _) = dropped();
    repo.git(["symbolic-ref", "refs/heads/alias", "refs/heads/nowhere"]);
    let run = repo.owl("restore d/one --as alias");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("is a symbolic ref"), "{run}");
    assert_eq!(
        repo.git(["symbolic-ref", "refs/heads/alias"]),
        "refs/heads/nowhere"
    );
    assert_eq!(
        repo.owl("restore d/one --as other").code(),
        Some(0),
        "the control"
    );
    assert_eq!(repo.git(["rev-parse", "refs/heads/other"]), tip);
}
