//! The keys of the policy that bring steps, and what is refused in them.

use owl::policy::{DeadLocks, Origin, Policy};

fn parse(more: &str) -> Result<Policy, String> {
    let text = format!("apiVersion: owl/v1\nstores: [{{ path: \"wt/*\" }}]\n{more}\n");
    Policy::parse("owl.yaml", text.as_bytes(), Origin::User)
        .map_err(|found| found.iter().map(ToString::to_string).collect())
}

#[test]
fn expendable_covers_files_and_what_is_below_a_directory() {
    let policy = parse("expendable: [a/b, \"*.log\", \"**/x/*.tmp\", \".cache\"]")
        .expect("the scene is as it was built");
    let covers = |path: &str| policy.expendable.covers(path.as_bytes());
    for path in [
        "a/b",
        "a/b/c/d",
        "x.log",
        ".cache/deep/er",
        "x/1.tmp",
        "q/x/1.tmp",
        "x.log/inner",
    ] {
        assert!(covers(path), "{path}");
    }
    for path in ["a", "a/bc", "d/x.log", "ab", "cache", "x/1.tmpx", ""] {
        assert!(!covers(path), "{path}");
    }
    let nothing = parse("expendable: []\nrescue: []\ndead-locks: report")
        .expect("the scene is as it was built");
    assert!(nothing.expendable.is_empty() && nothing.rescue.is_none());
    assert_eq!(nothing.dead_locks, DeadLocks::Report);
    assert_eq!(nothing.ttl.rescue.as_secs(), 30 * 86_400);
}

#[test]
fn a_pattern_that_names_everything_or_no_place_is_refused() {
    for (more, words) in [
        ("expendable: [\"*\"]", "covers everything"),
        ("expendable: [\"**\"]", "covers everything"),
        ("expendable: [\"**/*\"]", "covers everything"),
        ("expendable: [/etc/x]", "is not relative to the worktree"),
        ("expendable: [~/x]", "is not relative to the worktree"),
        ("expendable: [../x]", "has a part that names no file"),
        ("expendable: [a/]", "has a part that names no file"),
        ("expendable: [\"[\"]", "is not a pattern"),
        ("dead-locks: always", "is not a value of `dead-locks`"),
        ("ttl: { rescue: soon }", "is not a duration"),
        ("rescue: [\"[\"]", "is not a pattern"),
    ] {
        let found = parse(more).expect_err(more);
        assert!(
            found.contains(words) && found.contains("owl.yaml:3"),
            "{more}: {found}"
        );
    }
}
