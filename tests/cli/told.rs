//! What cannot be told is said, and is no permission (`spec 1`, promise 1; `spec 3`, `spec 4`).

use super::owl_binary::POLICY;
use super::support::{Repo, write};
use std::os::unix::fs::symlink;

/// With two possible bases the policy of one of them is not passed over for a laxer one.
#[test]
fn a_base_that_cannot_be_told_hides_no_policy() {
    let repo = Repo::new();
    repo.git(["branch", "master"]);
    let run = repo.owl("plan");
    assert!(
        run.stdout().starts_with("policy: built-in default"),
        "{run}"
    );
    repo.commit(&repo.main(), "owl.yaml", POLICY.as_bytes());
    let run = repo.owl("plan");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stderr().contains("which policy counts"), "{run}");
    assert!(run.stderr().contains("refs/heads/main:owl.yaml"), "{run}");
    // The control: once it can be told.
    repo.git(["branch", "-q", "-D", "master"]);
    let run = repo.owl("plan");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("refs/heads/main:owl.yaml"), "{run}");
}

/// Below a glob, what only looks like a repository is told.
#[test]
fn a_project_that_cannot_be_read_is_not_passed_over() {
    let repo = Repo::new();
    let source = repo.root().join("src");
    repo.git_in(repo.root(), ["clone", "-q", "main", "src/good"]);
    std::fs::create_dir_all(source.join("bad/.git")).expect("it is free");
    std::fs::create_dir_all(source.join("plain")).expect("it is free");
    let policy = repo.root().join("policy.yaml");
    let text = format!("{POLICY}projects: [{{ path: {}/* }}]\n", source.display());
    write(&policy, text.as_bytes());
    let words = format!("plan --all --policy {}", policy.display());
    let run = repo.owl(&words);
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("good/@main"), "{run}");
    assert!(run.stdout().contains("src/bad is left out"), "{run}");
    assert!(!run.stdout().contains("plain"), "{run}");
    assert_eq!(repo.owl(&format!("{words} --strict")).code(), Some(2));
}

/// A store that cannot be reached says so, and takes no row of another store with it.
#[test]
fn a_store_that_cannot_be_reached_leaves_the_rows_of_the_others() {
    let repo = Repo::new();
    let here = repo.add("here");
    let link = repo.root().join("loop");
    symlink(&link, &link).expect("it is free");
    let policy = repo.root().join("policy.yaml");
    let text = POLICY.replace(
        "stores:\n",
        &format!(
            "stores:\n  - path: {}/*\n  - path: {}/*\n",
            link.display(),
            here.parent().expect("it has one").display()
        ),
    );
    write(&policy, text.as_bytes());
    let words = format!("plan --all --policy {}", policy.display());
    let run = repo.owl(&words);
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stdout().contains("main/here"), "{run}");
    assert!(run.stdout().contains("@main"), "{run}");
    assert!(
        run.stdout()
            .contains("loop/* ([TMP]/policy.yaml:3) cannot be told"),
        "{run}"
    );
    assert!(
        !run.stdout()
            .contains("loop/* ([TMP]/policy.yaml:3) holds nothing"),
        "{run}"
    );
    assert_eq!(repo.owl(&format!("{words} --strict")).code(), Some(2));
}

/// A recorded observation is planned from only under what it was made under.
#[test]
fn an_observation_under_another_expendable_is_refused() {
    let repo = Repo::new();
    let policy = repo.root().join("policy.yaml");
    write(
        &policy,
        format!("{POLICY}expendable: [notes.txt]\n").as_bytes(),
    );
    let seen = repo.owl(&format!("observe --policy {}", policy.display()));
    let recorded = repo.root().join("seen.json");
    write(&recorded, &seen.output.stdout);
    let words = format!(
        "plan --policy {} --observation {}",
        policy.display(),
        recorded.display()
    );
    assert_eq!(repo.owl(&words).code(), Some(0));
    for other in [
        POLICY.to_owned(),
        format!("{POLICY}expendable: [notes.txt]\nsubmodules: remove-published\n"),
    ] {
        write(&policy, other.as_bytes());
        let run = repo.owl(&words);
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(run.stderr().contains("was made under another"), "{run}");
    }
}

/// A plan that apply would refuse is not offered to it; that there are changes is told.
#[test]
fn a_plan_over_its_limit_is_not_applyable() {
    let repo = Repo::new();
    for name in ["one", "two"] {
        repo.agent(name);
    }
    write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
    let policy = repo.root().join("policy.yaml");
    write(
        &policy,
        format!("{POLICY}limits: {{ max-removals: 1 }}\n").as_bytes(),
    );
    let words = format!("plan --policy {}", policy.display());
    let run = repo.owl(&format!("{words} --format json"));
    assert_eq!(run.json()["summary"]["remove"], 2, "{run}");
    assert_eq!(run.json()["applyable"], false, "{run}");
    let run = repo.owl(&format!("{words} --exit-code"));
    assert_eq!(run.code(), Some(1), "{run}");
    assert!(!run.stdout().contains("To apply"), "{run}");
}
