//! Where the policy comes from, step by step (`spec 3`).

use super::owl_binary::{POLICY, Run};
use super::support::{Repo, write};

/// The policy that the first line names.
fn named(run: &Run) -> String {
    let out = run.stdout();
    let name = out
        .strip_prefix("policy: ")
        .and_then(|rest| rest.split(" (").next());
    name.unwrap_or_else(|| panic!("{run}")).to_owned()
}

#[test]
fn each_place_goes_before_the_next() {
    let repo = Repo::new();
    assert_eq!(named(&repo.owl("plan")), "built-in default");

    // A file that is not committed is nobody's policy, in whichever worktree it lies.
    let tree = repo.agent("agent");
    for place in [repo.main(), tree.clone()] {
        write(&place.join("owl.yaml"), b"apiVersion: owl/v1\nstores: []\n");
    }
    assert_eq!(named(&repo.owl("plan")), "built-in default");
    assert_eq!(named(&repo.owl_in(&tree, ["plan"])), "built-in default");
    // Nor is one that is committed on another branch than the base.
    repo.commit(&tree, "owl.yaml", POLICY.as_bytes());
    assert_eq!(named(&repo.owl_in(&tree, ["plan"])), "built-in default");

    std::fs::rename(repo.main().join("owl.yaml"), repo.root().join("aside")).expect("it moves");
    repo.commit(&repo.main(), ".config/owl.yaml", POLICY.as_bytes());
    assert_eq!(named(&repo.owl("plan")), "refs/heads/main:.config/owl.yaml");
    repo.commit(&repo.main(), "owl.yaml", POLICY.as_bytes());
    assert_eq!(named(&repo.owl("plan")), "refs/heads/main:owl.yaml");
    // The committed one counts, whatever the file says now.
    write(&repo.main().join("owl.yaml"), b"broken: [");
    assert_eq!(
        named(&repo.owl_in(&tree, ["plan"])),
        "refs/heads/main:owl.yaml"
    );

    write(
        &repo.root().join("home/.config/owl/owl.yaml"),
        POLICY.as_bytes(),
    );
    assert_eq!(named(&repo.owl("plan")), "[TMP]/home/.config/owl/owl.yaml");
    let in_xdg = |directory: &str| {
        let mut command = repo.owl_command(&repo.main());
        command.arg("plan").env("XDG_CONFIG_HOME", directory);
        named(&repo.run(command))
    };
    // A relative one is no directory (XDG base directories).
    assert_eq!(in_xdg("relative"), "[TMP]/home/.config/owl/owl.yaml");
    let other = repo.root().join("xdg");
    write(&other.join("owl/owl.yaml"), POLICY.as_bytes());
    assert_eq!(in_xdg(&other.to_string_lossy()), "[TMP]/xdg/owl/owl.yaml");

    let variable = repo.root().join("variable.yaml");
    write(&variable, POLICY.as_bytes());
    let mut command = repo.owl_command(&repo.main());
    command.arg("plan").env("OWL_POLICY", &variable);
    assert_eq!(named(&repo.run(command)), "[TMP]/variable.yaml");
    let flag = repo.root().join("flag.yaml");
    write(&flag, POLICY.as_bytes());
    let mut command = repo.owl_command(&repo.main());
    command
        .args(["plan", "--policy", "../flag.yaml"])
        .env("OWL_POLICY", &variable);
    assert_eq!(named(&repo.run(command)), "../flag.yaml");
}

#[test]
fn a_broken_one_is_an_error_and_no_reason_to_go_on() {
    let repo = Repo::new();
    let tree = repo.landed("agent");
    repo.commit(&repo.main(), "owl.yaml", b"apiVersion: owl/v1\nrulez: []\n");
    assert_eq!(repo.owl("apply --yes").code(), Some(2));
    // A policy of a repository governs that repository only.
    repo.commit(
        &repo.main(),
        "owl.yaml",
        b"apiVersion: owl/v1\nstores: [{ path: /tmp/* }]\n",
    );
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(2));
    assert!(run.stderr().contains("repository"), "{run}");

    let place = repo.root().join("home/.config/owl/owl.yaml");
    write(&place, b"apiVersion: owl/v1\nrulez: []\n");
    repo.commit(&repo.main(), "owl.yaml", POLICY.as_bytes());
    assert_eq!(repo.owl("apply --yes").code(), Some(2));
    std::fs::rename(&place, repo.root().join("broken.yaml")).expect("it moves");
    std::os::unix::fs::symlink("nowhere", &place).expect("it can be made");
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(2), "a dangling link is there: {run}");
    let mut command = repo.owl_command(&repo.main());
    command
        .args(["apply", "--yes"])
        .env("OWL_POLICY", "no-such.yaml");
    let run = repo.run(command);
    assert_eq!(run.code(), Some(2));
    assert!(run.stderr().contains("$OWL_POLICY names it"), "{run}");
    assert!(tree.exists());
}
