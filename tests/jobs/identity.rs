//! Nothing is taken for something else (issue 7, "nothing is acted on by mistaken identity").

use super::support::Repo;
use owl::ledger::{Difference, Host, RepositoryId};
use std::path::{Path, PathBuf};

fn api(repo: &Repo, parent: &str) -> PathBuf {
    let path = repo.root().join(parent).join("api");
    std::fs::create_dir_all(&path).expect("it can be made");
    repo.git_in(&path, ["init", "-q", "-b", "main"]);
    path
}

fn in_it(repo: &Repo, here: &Path, words: &str) -> String {
    let run = repo.owl_in(here, words.split_whitespace());
    assert_eq!(run.code(), Some(0), "{run}");
    run.stdout().trim_end().to_owned()
}

fn identity(path: &Path) -> RepositoryId {
    let host = Host::here().expect("this machine has a name");
    RepositoryId::of(&path.join(".git"), &host).expect("it is there")
}

#[test]
fn a1_8_two_repositories_of_one_name_are_two() {
    let repo = Repo::empty();
    let (one, two) = (api(&repo, "one"), api(&repo, "two"));
    assert_eq!(in_it(&repo, &one, "jobs add --branch fix"), "1");
    assert_eq!(in_it(&repo, &two, "jobs add --branch fix"), "2");
    let contents = repo.contents();
    let (first, second) = (
        contents.project_of(&identity(&one)),
        contents.project_of(&identity(&two)),
    );
    let (first, second) = (first.expect("known"), second.expect("known"));
    assert_eq!((first.name.as_str(), second.name.as_str()), ("api", "api"));
    let ids = |id| {
        contents
            .jobs_of(id)
            .map(|entry| entry.id)
            .collect::<Vec<_>>()
    };
    assert_eq!((ids(first.id), ids(second.id)), (vec![1], vec![2]));
    let by_place = in_it(&repo, &one, "jobs list --project . --format json");
    assert_eq!(by_place.matches("\"id\":").count(), 1, "{by_place}");
    let by_name = in_it(&repo, repo.root(), "jobs list --project api --format json");
    assert_eq!(by_name.matches("\"id\":").count(), 2, "{by_name}");
}

#[test]
fn a_repository_that_was_moved_is_told_and_adopted_only_by_hand() {
    let repo = Repo::empty();
    let old = api(&repo, "one");
    in_it(&repo, &old, "jobs add --branch fix");
    let refused = |here: &Path, words: &str| {
        let run = repo.owl_in(here, words.split_whitespace());
        assert_eq!(run.code(), Some(2), "{run}");
        run.stderr()
    };
    let other = api(&repo, "other");
    let still = refused(&other, "jobs adopt ../../one/api");
    assert!(still.contains("is still there"), "{still}");
    let new = repo.root().join("moved");
    std::fs::rename(&old, &new).expect("it can be moved");
    let contents = repo.contents();
    assert_eq!(contents.project_of(&identity(&new)), None);
    let almost: Vec<_> = contents
        .almost(&identity(&new))
        .into_iter()
        .map(|(_, how)| how)
        .collect();
    assert_eq!(almost, [Difference::Moved]);
    let listed = in_it(&repo, &new, "jobs list");
    assert!(listed.contains("is not there; was it moved?"), "{listed}");
    assert!(listed.contains("owl jobs adopt"), "{listed}");
    // The same branch there is not the old job's.
    assert_eq!(in_it(&repo, &new, "jobs add --branch fix"), "2");
    let taken = refused(&new, &format!("jobs adopt {}", old.display()));
    assert!(taken.contains("the branch fix is that of job 2"), "{taken}");
    in_it(&repo, &new, "jobs cancel 2");
    let known = repo
        .contents()
        .project_of(&identity(&new))
        .expect("known")
        .first_known;
    let said = in_it(&repo, &new, &format!("jobs adopt {}", old.display()));
    assert!(said.starts_with("1 jobs are of"), "{said}");
    let contents = repo.contents();
    let project = contents.project_of(&identity(&new)).expect("known");
    assert_eq!(contents.jobs_of(project.id).count(), 2);
    assert!(project.first_known > known, "it counts as known since now");
    assert_eq!(contents.projects.len(), 1);
    assert!(!in_it(&repo, &new, "jobs list").contains("warning"));
}

#[test]
fn another_directory_at_the_same_path_is_another_repository() {
    let repo = Repo::empty();
    let path = api(&repo, "one");
    in_it(&repo, &path, "jobs add --branch fix");
    let kept = repo.root().join("kept");
    std::fs::rename(&path, &kept).expect("it can be moved");
    let status = repo.command("cp").arg("-a").arg(&kept).arg(&path).status();
    assert!(status.expect("cp is there").success());
    let contents = repo.contents();
    assert_eq!(contents.project_of(&identity(&path)), None);
    let almost: Vec<_> = contents
        .almost(&identity(&path))
        .into_iter()
        .map(|(_, how)| how)
        .collect();
    assert_eq!(almost, [Difference::Replaced]);
    let listed = in_it(&repo, &path, "jobs list");
    assert!(
        listed.contains("another directory than the one"),
        "{listed}"
    );
    let run = repo.owl_in(&path, ["jobs", "cancel", "1"]);
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(run.stderr().contains("could not be recorded"), "{run}");
    let decided = repo.contents().entries[0].job.decided.clone();
    assert_eq!(
        decided.expect("decided").tip,
        None,
        "not the other one's commit"
    );
}

#[test]
fn a_ledger_of_another_host_knows_nothing_here() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    repo.sql("UPDATE projects SET host = 'another'");
    let here = identity(&repo.main());
    let contents = repo.contents();
    assert_eq!(contents.project_of(&here), None);
    let almost: Vec<_> = contents
        .almost(&here)
        .into_iter()
        .map(|(_, how)| how)
        .collect();
    assert_eq!(almost, [Difference::OtherHost]);
    assert!(
        repo.done("jobs list")
            .contains("recorded on another machine")
    );
    assert_eq!(repo.done("jobs add --branch fix"), "2");
    assert_eq!(repo.contents().projects.len(), 2);
    // A person may say that it is the same after all, once the branch is free.
    repo.done("jobs cancel 2");
    let said = repo.done("jobs adopt .");
    assert!(said.starts_with("1 jobs are of"), "{said}");
    assert_eq!(repo.contents().projects.len(), 1);
}

#[test]
fn a_host_is_known_by_its_id_and_else_by_its_name() {
    let temp = tempfile::TempDir::new().expect("it can be made");
    let host = || Host::below(temp.path()).expect("it can be read");
    let unnamed = host();
    assert!(unnamed.as_str().starts_with("name "), "{unnamed:?}");
    let id = temp.path().join("etc/machine-id");
    super::support::write(&id, b"uninitialized\n");
    assert_eq!(host(), unnamed);
    super::support::write(&id, b"0123456789abcdef0123456789abcdef\n");
    let one = host();
    super::support::write(&id, b"1123456789abcdef0123456789abcdef\n");
    assert!(host() != one && one != unnamed);
    assert!(
        !one.as_str().contains("0123456789abcdef"),
        "the id is confidential"
    );
    std::fs::remove_file(&id).expect("it is there");
    std::fs::create_dir(&id).expect("it can be made");
    Host::below(temp.path()).expect_err("it cannot be told");
}

#[test]
fn cron_with_another_home_finds_no_ledger_and_makes_none() {
    let repo = Repo::new();
    repo.done("jobs add --branch fix");
    let other = repo.root().join("other");
    std::fs::create_dir(&other).expect("it can be made");
    for variable in ["HOME", "XDG_DATA_HOME"] {
        let mut command = repo.owl_command(&repo.main());
        command.args(["jobs", "list"]).env(variable, &other);
        let run = repo.run(command);
        assert_eq!(run.code(), Some(2), "{run}");
        assert!(run.stderr().contains("there is no ledger at"), "{run}");
        assert!(run.stderr().contains("HOME"), "{run}");
    }
    let mut command = repo.owl_command(&repo.main());
    command.args(["jobs", "list"]).env_remove("HOME");
    let run = repo.run(command);
    assert_eq!(run.code(), Some(2), "{run}");
    assert_eq!(std::fs::read_dir(&other).expect("it is there").count(), 0);
    assert!(repo.done("jobs list").contains("fix"));
}
