//! `extends`: this file over what it extends, and every place named where it stands.

use super::owl_binary::snap;
use super::support::{Repo, write};
use owl::policy::{Origin, Policy};

fn parse(text: &str) -> Policy {
    let text = format!("apiVersion: owl/v1\n{text}");
    Policy::parse("owl.yaml", text.as_bytes(), Origin::User)
        .unwrap_or_else(|found| panic!("{}", found[0]))
}

#[test]
fn its_rules_come_first_and_each_names_the_text_that_it_stands_in() {
    let policy =
        parse("extends: default\nrules:\n  - { name: mine, when: { clean: true }, then: keep }\n");
    let places: Vec<_> = policy
        .rules
        .iter()
        .map(|rule| (rule.name.as_str(), rule.file.as_str()))
        .collect();
    let expected = [
        ("mine", "owl.yaml"),
        ("landed", "built-in default"),
        ("published", "built-in default"),
    ];
    assert_eq!(places, expected);
    assert_eq!(policy.source.extends, ["default"]);
    let default = Policy::builtin("default").expect("it is embedded");
    assert_eq!(policy.stores, default.stores);
    assert_eq!(policy.rules[1..], default.rules[..]);
}

#[test]
fn a_rule_of_an_equal_name_takes_the_place_of_the_inherited_one() {
    let policy = parse(
        "extends: default\nrules:\n  - { name: landed, when: { landed: true, idle-over: 3d }, then: accept }\n",
    );
    let names: Vec<_> = policy.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["landed", "published"]);
    assert_eq!(policy.rules[0].file, "owl.yaml");
}

#[test]
fn a_store_of_an_equal_path_stands_once_and_lists_are_joined() {
    let policy = parse(
        "extends: [default, report-only]\nstores: [{ path: .claude/worktrees/* }, { path: mine/* }]\nrebuildable: [dist/, dist]\n",
    );
    let default = Policy::builtin("default").expect("it is embedded");
    assert_eq!(policy.stores.len(), default.stores.len() + 1);
    assert_eq!(policy.stores[0].path, ".claude/worktrees/*");
    assert_eq!(policy.stores[1].path, "mine/*");
    assert_eq!(policy.lists.rebuildable.texts(), ["dist"]);
}

#[test]
fn the_digest_covers_what_is_extended() {
    let with = |name: &str| parse(&format!("extends: {name}\n")).source.sha256;
    assert_ne!(with("default"), with("report-only"));
    let alone = parse("stores: []\n");
    assert!(alone.source.extends.is_empty());
}

#[test]
fn a_plan_names_where_an_inherited_rule_stands_and_warns_of_none() {
    let repo = Repo::new();
    let text = "apiVersion: owl/v1\nextends: default\nttl: { grace: 0s }\nrules:\n  - name: landed\n    when: { landed: true }\n    then: accept\n";
    repo.commit(&repo.main(), "owl.yaml", text.as_bytes());
    let tree = repo.landed("fix-login");
    let notes = repo.landed("take-notes");
    write(&notes.join("notes.md"), b"x");
    let plan = repo.owl("plan");
    snap("language__extends", &plan.to_string());
    assert!(!plan.stdout().contains("warning"), "{plan}");
    let run = repo.owl("apply --yes");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(!tree.exists() && notes.exists());
}
