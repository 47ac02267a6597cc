//! Where stores start from, and where a policy is read from: bare layouts, absolute and `~` stores,
//! globs of projects, the base branch (`spec 3`).

use super::support::{Repo, write};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const RULES: &str =
    "rules: [{ name: finished, when: { landed: true }, then: accept }]\nttl: { grace: 0s }\n";

fn text(stores: &str) -> String {
    format!("apiVersion: owl/v1\nstores: [{stores}]\n{RULES}")
}

/// Adds a worktree of the repository that `at` lies in.
fn add(repo: &Repo, at: &Path, path: &Path) -> PathBuf {
    let branch = path.file_name().expect("a name");
    let words = ["worktree", "add", "-q", "-b"].map(OsStr::new);
    repo.git_in(
        at,
        words
            .into_iter()
            .chain([branch, path.as_os_str(), OsStr::new("main")]),
    );
    path.to_owned()
}

/// A bare repository in `app/NAME`, with a policy on its base branch, and a `.git` file or none.
fn bare(name: &str, dot_git: bool) -> (Repo, PathBuf) {
    let repo = Repo::new();
    repo.commit(
        &repo.main(),
        "owl.yaml",
        text("{ path: trees/* }").as_bytes(),
    );
    let app = repo.root().join("app");
    std::fs::create_dir(&app).expect("it is new");
    repo.git_in(&app, ["clone", "-q", "--bare", "../main", name]);
    repo.git_in(&app.join(name), ["remote", "remove", "origin"]);
    if dot_git {
        write(&app.join(".git"), format!("gitdir: ./{name}\n").as_bytes());
    }
    (repo, app)
}

#[test]
fn in_a_bare_layout_a_store_starts_from_what_holds_the_repository() {
    for (name, dot_git) in [("repo.git", false), (".bare", true)] {
        let (repo, app) = bare(name, dot_git);
        let inside = add(&repo, &app.join(name), &app.join("trees/fix-login"));
        let main = app.join("trees/main");
        repo.git_in(
            &app.join(name),
            ["worktree", "add", "-q", "../trees/main", "main"],
        );
        // A leaf of a store that started elsewhere would be one of these.
        let beside = add(&repo, &app.join(name), &app.join("elsewhere"));
        let below = add(&repo, &app.join(name), &app.join("trees/deep/er"));
        let run = repo.owl_in(&main, ["apply", "--yes"]);
        assert_eq!(run.code(), Some(0), "{run}");
        assert!(
            run.stdout().starts_with("policy: refs/heads/main:owl.yaml"),
            "{run}"
        );
        assert!(!inside.exists(), "{name}: {run}");
        assert!(beside.exists() && below.exists(), "{name}: {run}");
        assert!(app.join(name).join("HEAD").exists());
    }
}

#[test]
fn absolute_stores_and_stores_below_the_home() {
    let repo = Repo::new();
    let home = repo.root().join("home");
    let absolute = repo.root().join("trees");
    let stores = format!(
        "{{ path: ~/agents/*/* }}, {{ path: \"{}/*\" }}",
        absolute.display()
    );
    write(&home.join(".config/owl/owl.yaml"), text(&stores).as_bytes());
    let gone = [
        add(&repo, &repo.main(), &home.join("agents/x/one")),
        add(&repo, &repo.main(), &absolute.join("two")),
    ];
    let stays = [
        add(&repo, &repo.main(), &home.join("agents/shallow")),
        add(&repo, &repo.main(), &absolute.join("deep/er")),
        add(&repo, &repo.main(), &repo.main().join("agents/x/relative")),
    ];
    // A worktree of another repository in the same store is none of this one's business.
    let other = repo.root().join("other");
    repo.git_in(repo.root(), ["clone", "-q", "main", "other"]);
    let foreign = add(&repo, &other, &absolute.join("foreign"));
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(gone.iter().all(|path| !path.exists()), "{run}");
    assert!(
        stays.iter().chain([&foreign]).all(|path| path.exists()),
        "{run}"
    );
}

#[test]
fn a_glob_of_projects_takes_every_repository_and_nothing_else() {
    let repo = Repo::new();
    let src = repo.root().join("home/src");
    std::fs::create_dir_all(src.join("notes")).expect("it is new");
    write(&src.join("file"), b"x");
    for name in ["api", "web", "left-out"] {
        repo.git_in(&src, ["clone", "-q", "../../main", name]);
    }
    let policy = format!(
        "{}projects: [{{ path: \"~/src/[aw]*\" }}, {{ path: ~/src/web, name: site }}]\n",
        text("{ path: .claude/worktrees/* }")
    );
    write(
        &repo.root().join("home/.config/owl/owl.yaml"),
        policy.as_bytes(),
    );
    let tree = |project: &str| {
        add(
            &repo,
            &src.join(project),
            &src.join(project).join(".claude/worktrees/t"),
        )
    };
    let (api, web, out) = (tree("api"), tree("web"), tree("left-out"));
    // From anywhere, since the policy names the repositories.
    let run = repo.owl_in(repo.root(), ["plan", "--format", "json"]);
    let json = run.json();
    let names: Vec<_> = json["projects"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(names, ["api", "site"], "{run}");
    let run = repo.owl_in(repo.root(), ["apply", "--yes"]);
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!api.exists() && !web.exists() && out.exists(), "{run}");
}
