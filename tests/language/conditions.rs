//! Every condition and action that is built: in the reference, in the schema, in the cookbook, and
//! on a real repository. One that is missing anywhere fails here.

use super::owl_binary::Run;
use super::support::aging::age;
use super::support::{Repo, write};
use owl::policy::{Condition, Origin, Policy, Topic, topics};
use std::collections::BTreeSet;
use std::path::Path;

/// For each condition: what it asks, and of two worktrees the one that it holds for. `yes` and
/// `no` have landed, so that the rule goes on to decide; what they differ in is made by `differ`.
const ON_A_REPOSITORY: &[(&str, &str)] = &[
    (
        "project",
        "{ all: [{ project: main }, { branch: \"yes*\" }] }",
    ),
    ("store", "{ store: .claude/worktrees/* }"),
    ("path", "{ path: \"**/yes\" }"),
    ("branch", "{ branch: \"ye*\" }"),
    ("job", "{ job: review }"),
    ("job", "{ job: [blocked, review] }"),
    ("job", "{ job: done }"),
    ("job", "{ job: none }"),
    ("job", "{ job: gone }"),
    ("label", "{ label: \"night*\" }"),
    ("job-age-over", "{ job-age-over: 4w }"),
    ("landed", "{ landed: true }"),
    ("published", "{ published: true }"),
    ("own-commits", "{ own-commits: true }"),
    ("detached", "{ detached: true }"),
    ("locked", "{ locked: true }"),
    ("clean", "{ clean: true }"),
    ("idle-over", "{ idle-over: 1h }"),
    ("age-over", "{ age-over: 1h }"),
    ("size-over", "{ size-over: 1MiB }"),
    ("any", "{ any: [{ branch: nobody }, { path: \"**/yes\" }] }"),
    ("all", "{ all: [{ branch: yes }, { landed: true }] }"),
    ("not", "{ not: { branch: no } }"),
];

/// Makes the two differ in what the condition asks for.
fn differ(repo: &Repo, condition: &str, when: &str) {
    if when == "{ job: gone }" {
        // The ledger must have known the repository before the worktrees are made.
        jobs(repo, &["add --branch other"]);
    }
    let yes = repo.agent("yes");
    let place = match condition {
        "store" => "other/no",
        _ => ".claude/worktrees/no",
    };
    let no = repo.main().join(place);
    let words = ["worktree", "add", "-q", "-b", "no"].map(std::ffi::OsStr::new);
    repo.git(words.into_iter().chain([no.as_os_str()]));
    let in_entry = |name: &str| repo.common_dir().join("worktrees").join(name);
    let old = |name: &str, tree: &Path| {
        age(tree);
        age(&in_entry(name));
    };
    match condition {
        "landed" => {
            repo.commit(&no, "work.txt", b"work\n");
        }
        "published" => {
            repo.git_in(repo.root(), ["init", "-q", "--bare", "origin.git"]);
            repo.git(["remote", "add", "origin", "../origin.git"]);
            repo.commit(&yes, "yes.txt", b"yes\n");
            repo.commit(&no, "no.txt", b"no\n");
            repo.git(["push", "-q", "origin", "yes"]);
        }
        "own-commits" => {
            repo.commit(&yes, "work.txt", b"work\n");
            repo.git(["merge", "-q", "--no-ff", "--no-edit", "yes"]);
        }
        "detached" => {
            repo.git_in(&yes, ["checkout", "-q", "--detach"]);
        }
        "locked" => {
            repo.git(["worktree", "lock", ".claude/worktrees/yes"]);
        }
        "clean" => write(&no.join("notes.md"), b"untracked"),
        "idle-over" | "age-over" => old("yes", &yes),
        "size-over" => {
            let bytes = vec![b'x'; 2 << 20];
            repo.commit(&yes, "big.bin", &bytes);
            repo.git(["merge", "-q", "--no-ff", "--no-edit", "yes"]);
        }
        "job" | "label" | "job-age-over" => record(repo, when),
        _ => {}
    }
}

/// Runs `owl jobs`, so that the ledger is one that the binary made.
fn jobs(repo: &Repo, commands: &[&str]) {
    for words in commands {
        let run = repo.owl(&format!("jobs {words}"));
        assert_eq!(run.code(), Some(0), "{run}");
    }
}

/// Gives the two jobs that differ in what the condition asks for.
fn record(repo: &Repo, when: &str) {
    let tip = repo.git(["rev-parse", "refs/heads/yes"]);
    let of = |name: &str| format!("branch: {name}, worktree: .claude/worktrees/{name}");
    let import = |one: &str, other: &str| {
        let (yes, no) = (of("yes"), of("no"));
        let list = format!("jobs: [{{ {yes}, {one} }}, {{ {no}, {other} }}]\n");
        write(&repo.root().join("jobs.yaml"), list.as_bytes());
        jobs(repo, &["import ../jobs.yaml"]);
    };
    let add_no = "add --branch no --worktree .claude/worktrees/no --label day";
    let add_yes = "add --branch yes --worktree .claude/worktrees/yes --label nightly";
    match when {
        "{ job: review }" | "{ job: [blocked, review] }" => {
            let succeeded = "finish 1 --outcome succeeded";
            jobs(repo, &[add_yes, add_no, "start 1", succeeded]);
        }
        "{ job: none }" | "{ job: gone }" => jobs(repo, &[add_no]),
        "{ label: \"night*\" }" => jobs(repo, &[add_yes, add_no]),
        "{ job: done }" => import(
            &format!("state: done, decided: {{ at: 2026-01-01T00:00:00Z, tip: {tip} }}"),
            "state: pending",
        ),
        "{ job-age-over: 4w }" => {
            import("created: 2026-01-01T00:00:00Z", "state: pending");
        }
        other => panic!("{other} is not tested here"),
    }
}

fn explained(repo: &Repo, name: &str) -> serde_json::Value {
    repo.owl(&format!(
        "explain main/{name} --format json --policy ../owl.yaml"
    ))
    .json()
}

fn policy(when: &str, then: &str) -> String {
    format!(
        "apiVersion: owl/v1\nstores: [{{ path: .claude/worktrees/* }}, {{ path: other/* }}]\nrules:\n  - name: asked\n    when: {when}\n    then: {then}\nttl: {{ grace: 0s }}\n"
    )
}

fn built() -> Vec<Topic> {
    topics().into_iter().filter(|topic| topic.built).collect()
}

/// The conditions that this version acts on.
fn conditions() -> BTreeSet<String> {
    let topics = built();
    let names = topics
        .iter()
        .filter_map(|topic| topic.path.strip_prefix("rules.when."));
    names.map(str::to_owned).collect()
}

/// The actions that this version carries out.
fn actions() -> BTreeSet<&'static str> {
    let topics = built();
    let then = topics
        .iter()
        .find(|topic| topic.path == "rules.then")
        .expect("it is there");
    let words = then.words.iter().filter(|(_, _, built)| *built);
    words.map(|(word, ..)| *word).collect()
}

#[test]
fn each_is_asked_of_a_real_repository() {
    let asked: BTreeSet<String> = ON_A_REPOSITORY
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    assert_eq!(asked, conditions());
    for (condition, when) in ON_A_REPOSITORY {
        let repo = Repo::new();
        differ(&repo, condition, when);
        write(
            &repo.root().join("owl.yaml"),
            policy(when, "keep").as_bytes(),
        );
        let holds = |name: &str| explained(&repo, name)["rules"][0]["holds"].clone();
        assert_eq!(holds("yes"), true, "{when}");
        assert_eq!(holds("no"), false, "{when}");
        let kept = explained(&repo, "yes");
        assert_eq!(kept["row"]["verdict"], "keep", "{condition}: {kept:#}");
        assert_eq!(kept["row"]["rule"]["name"], "asked", "{condition}");
    }
}

#[test]
fn each_action_does_what_it_says_on_a_real_repository() {
    for action in actions() {
        let repo = Repo::new();
        let tree = repo.landed("fix-login");
        write(
            &repo.root().join("owl.yaml"),
            policy("{ landed: true }", action).as_bytes(),
        );
        let run = repo.owl("apply --yes --policy ../owl.yaml");
        assert_eq!(run.code(), Some(0), "{run}");
        let branch = repo.git(["branch", "--list", "fix-login"]);
        let (stays, branch_stays) = match action {
            "keep" => (true, true),
            "accept" => (false, true),
            "drop" => (false, false),
            other => panic!("what {other} does is not tested here"),
        };
        assert_eq!(tree.exists(), stays, "{action}: {run}");
        assert_eq!(!branch.is_empty(), branch_stays, "{action}: {run}");
    }
}

#[test]
fn each_is_in_the_reference() {
    let repo = Repo::empty();
    let told = repo.owl_in(repo.root(), ["policy", "explain"]).stdout();
    for topic in topics() {
        assert!(
            told.contains(&format!("{}\n", topic.path)),
            "{}",
            topic.path
        );
        assert!(
            !topic.doc.is_empty() && topic.doc.ends_with('.'),
            "{}",
            topic.path
        );
        assert!(told.contains(&topic.example_line()), "{}", topic.path);
    }
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("it is there");
    let listed = readme.split_once("Conditions: `").expect("they are listed");
    let (listed, _) = listed.1.split_once('`').expect("the list ends");
    let listed: BTreeSet<String> = listed.split_whitespace().map(str::to_owned).collect();
    assert_eq!(listed, conditions());
    for name in conditions() {
        let run: Run = repo.owl_in(repo.root(), ["policy", "explain", name.as_str()]);
        assert_eq!(run.code(), Some(0), "{run}");
        assert!(
            run.stdout().contains(&format!("rules.when.{name}\n")),
            "{run}"
        );
    }
    for name in actions() {
        let run = repo.owl_in(repo.root(), ["policy", "explain", name]);
        assert!(run.stdout().contains(&format!("      {name}: ")), "{run}");
    }
}

#[test]
fn each_is_in_the_schema() {
    let schema = owl::policy::schema();
    let known = &schema["$defs"]["condition"]["properties"];
    let known: BTreeSet<String> = known
        .as_object()
        .expect("a mapping")
        .keys()
        .cloned()
        .collect();
    assert_eq!(known, conditions());
    let then = &schema["properties"]["rules"]["items"]["properties"]["then"]["enum"];
    let then: BTreeSet<_> = then
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it.as_str())
        .collect();
    assert_eq!(then, actions());
}

#[test]
fn each_is_in_the_cookbook() {
    fn gather(condition: &Condition, found: &mut BTreeSet<String>) {
        found.insert(condition.key().to_owned());
        condition
            .parts()
            .iter()
            .for_each(|part| gather(part, found));
    }
    let (mut found, mut done) = (BTreeSet::new(), BTreeSet::new());
    let below = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/02-policy-cookbook");
    for entry in std::fs::read_dir(below).expect("it is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|it| it != "yaml") {
            continue;
        }
        let text = std::fs::read(&path).expect("it can be read");
        let policy = Policy::parse("owl.yaml", &text, Origin::User).expect("it is valid");
        for rule in policy.rules.iter().filter(|rule| rule.file == "owl.yaml") {
            done.insert(rule.then.as_str());
            // Two keys of one mapping are a conjunction that nobody has written down.
            if let Condition::All(parts) = &rule.when {
                for part in parts {
                    gather(part, &mut found);
                }
            } else {
                gather(&rule.when, &mut found);
            }
        }
        let text = String::from_utf8(text).expect("text");
        if text.contains("{ all: [") {
            found.insert("all".to_owned());
        }
    }
    assert_eq!(found, conditions());
    assert_eq!(done, actions());
}

/// An example that is refused, or a key that is told to be built and is not, would be a lie.
#[test]
fn each_example_of_the_reference_is_read_as_it_says() {
    for topic in topics() {
        let (around, key) = match topic.path.rsplit_once('.') {
            Some((around, key)) => (around, key),
            None => ("", topic.path.as_str()),
        };
        let line = topic.example_line();
        let with = |needed: &str| {
            let others = needed
                .split(", ")
                .filter(|one| !one.starts_with(&format!("{key}:")));
            let parts: Vec<_> = others
                .filter(|one| !one.is_empty())
                .chain([line.as_str()])
                .collect();
            parts.join(", ")
        };
        let store = "stores: [{ path: .claude/worktrees/* }]\n";
        let rule = "rules: [{ name: finished, when: { landed: true }, then: accept }]\n";
        let text = match around {
            "" if key == "apiVersion" => String::new(),
            "" if key == "stores" => format!("{line}\n{rule}"),
            "" if key == "rules" => format!("{store}{line}\n"),
            "" => format!("{store}{rule}{line}\n"),
            "projects" => format!("projects: [{{ {} }}]\n", with("path: a")),
            "stores" => format!("stores: [{{ {} }}]\n", with("path: a/*")),
            "rules" => format!(
                "{store}rules: [{{ {} }}]\n",
                with("name: x, when: {}, then: keep").replace("when: {}", "when: { landed: true }")
            ),
            "rules.when" => {
                format!("{store}rules: [{{ name: x, when: {{ {line} }}, then: keep }}]\n")
            }
            "tests" if key == "observation" => {
                format!("{store}{rule}tests: [{{ name: x, {line}, expect: {{ a/b: keep }} }}]\n")
            }
            "tests" => format!(
                "{store}{rule}tests: [{{ {} }}]\n",
                with("name: x, tree: {}, expect: keep")
            ),
            // Labels and age are of a job.
            "tests.tree" if ["labels", "job-age"].contains(&key) => format!(
                "{store}{rule}tests: [{{ name: x, tree: {{ job: done, {line} }}, expect: keep }}]\n"
            ),
            "tests.tree" => {
                format!("{store}{rule}tests: [{{ name: x, tree: {{ {line} }}, expect: keep }}]\n")
            }
            "tests.expect" => {
                format!("{store}{rule}tests: [{{ name: x, tree: {{}}, expect: {{ {line} }} }}]\n")
            }
            "jobs" => format!("{store}{rule}jobs: [{{ {line} }}]\n"),
            section if section.contains('.') => panic!("{section} is not tested here"),
            section => format!("{store}{rule}{section}: {{ {line} }}\n"),
        };
        let text = format!("apiVersion: owl/v1\n{text}");
        // `path: ~/src/*` is one name for a glob only with a name.
        let read = Policy::parse("owl.yaml", text.as_bytes(), Origin::User);
        match read {
            Ok(_) => assert!(topic.built, "{}: {text}", topic.path),
            Err(found) => {
                let codes: BTreeSet<_> = found.iter().map(|one| one.code.as_str()).collect();
                assert!(!topic.built, "{}: {}\n{text}", topic.path, found[0]);
                assert_eq!(
                    codes,
                    BTreeSet::from(["not-supported"]),
                    "{}: {text}",
                    topic.path
                );
            }
        }
    }
}
