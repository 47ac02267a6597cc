//! `incidents` D and E, as far as they are about where and when owl is run.

use super::owl_binary::POLICY;
use super::support::{Repo, write};

fn items(repo: &Repo, here: &std::path::Path, zone: &str) -> serde_json::Value {
    let mut command = repo.owl_command(here);
    command.args(["plan", "--all", "--format", "json"]);
    command.args([
        "--policy".as_ref(),
        repo.root().join("owl.yaml").as_os_str(),
    ]);
    command.env("TZ", zone);
    let run = repo.run(command);
    assert_eq!(run.code(), Some(0), "{run}");
    run.json()["items"].clone()
}

/// A time is a point in time: the zone of whoever looks changes no age.
#[test]
fn incident_78_the_zone_changes_nothing() {
    let repo = Repo::new();
    repo.landed("agent");
    let policy = POLICY.replace("grace: 0s", "grace: 3h");
    write(&repo.root().join("owl.yaml"), policy.as_bytes());
    let verdicts = |zone: &str| {
        let items = items(&repo, &repo.main(), zone);
        let agent = items.as_array().expect("a list").iter();
        let mut agent = agent.filter(|item| item["address"] == "main/agent");
        let agent = agent.next().expect("a row").clone();
        (agent["verdict"].clone(), agent["reason"].clone())
    };
    let here = verdicts("UTC");
    assert_eq!(here, ("keep".into(), "fresh".into()));
    for zone in ["Pacific/Kiritimati", "<-12>12", "<+14>-14"] {
        assert_eq!(verdicts(zone), here, "{zone}");
    }
}

/// Whoever stands in a tree loses the ground when it goes: owl's own directory counts, too.
#[test]
fn incident_85_the_tree_that_owl_stands_in() {
    let repo = Repo::new().with_policy();
    let (own, other) = (repo.landed("own"), repo.landed("other"));
    let run = repo.owl_in(&own, ["apply", "--yes", "--format", "json"]);
    assert_eq!(run.code(), Some(0), "{run}");
    let document = run.json();
    let mut rows = document["items"].as_array().expect("a list").iter();
    let row = rows.find(|item| item["address"] == "main/own");
    assert_eq!(row.expect("a row")["reason"], "process-inside");
    assert!(own.join("README.md").exists() && !other.exists());
}

/// The same plan from the main worktree, from a directory below it, and from a linked one.
#[test]
fn incident_103_the_same_from_wherever_it_is_run() {
    let repo = Repo::new();
    write(&repo.root().join("owl.yaml"), POLICY.as_bytes());
    repo.landed("agent");
    let elsewhere = repo.add("elsewhere");
    let below = repo.main().join("src");
    std::fs::create_dir(&below).expect("it can be made");
    let from_main = items(&repo, &repo.main(), "UTC");
    for here in [&elsewhere, &below] {
        assert_eq!(items(&repo, here, "UTC"), from_main, "{}", here.display());
    }
}
