//! How a long or a narrow plan is listed, its order, and what a shell is offered.

use super::owl_binary::POLICY;
use super::support::{Repo, write};
use serde_json::Value;
use std::process::Stdio;

/// Three trees: a small finished one, a large held one, and one that a rule keeps.
fn project() -> Repo {
    let repo = Repo::new();
    let pinned = "  - name: pinned\n    when: { branch: keep-me }\n    then: keep\n";
    let policy = POLICY.replace("rules:\n", &format!("rules:\n{pinned}"));
    repo.commit(&repo.main(), "owl.yaml", policy.as_bytes());
    repo.landed("small");
    let large = repo.landed("large");
    write(&large.join("big.bin"), &vec![7; 300_000]);
    repo.landed("keep-me");
    repo
}

fn listed(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("  "));
    rows.filter_map(|line| {
        line.split_whitespace()
            .find(|word| word.starts_with("main/"))
    })
    .collect()
}

#[test]
fn rows_can_be_ordered_and_narrowed_to_a_rule() {
    let repo = project();
    let by = |words: &str| repo.owl(words).stdout();
    assert_eq!(listed(&by("plan")), ["main/small", "main/large"]);
    assert_eq!(
        listed(&by("plan --sort size")),
        ["main/large", "main/small"]
    );
    assert_eq!(
        listed(&by(
            "plan --all --sort address --rule finished --rule pinned"
        )),
        ["main/keep-me", "main/large", "main/small"]
    );
    assert_eq!(listed(&by("plan --rule pinned")), ["main/keep-me"]);
    let idle = by("plan --sort idle");
    assert!(
        idle.contains("IDLE") && idle.contains("less than a minute"),
        "{idle}"
    );

    let wrong = repo.owl("plan --rule pinend");
    assert_eq!(wrong.code(), Some(2), "{wrong}");
    assert!(wrong.stderr().contains("pinned, finished"), "{wrong}");
}

#[test]
fn lines_of_json_are_the_document_and_its_items() {
    let repo = project();
    for words in ["plan", "apply --yes"] {
        let lines = repo.owl(&format!("{words} --format jsonl"));
        let values: Vec<Value> = lines
            .stdout()
            .lines()
            .map(|line| serde_json::from_str(line).expect("each line is a document"))
            .collect();
        let whole = repo.owl("plan --format json").json();
        let (head, items) = values.split_first().expect("there is a first line");
        assert_eq!(head["format_version"], whole["format_version"], "{lines}");
        assert!(head.get("items").is_none(), "{lines}");
        let plans = words == "plan";
        assert_eq!(
            head["kind"],
            if plans { "plan" } else { "apply" },
            "{lines}"
        );
        let small = items.iter().find(|item| item["address"] == "main/small");
        let small = small.expect("it has a line");
        assert_eq!(small["outcome"].is_null(), plans, "{lines}");
        if plans {
            let addresses = |items: &[Value]| -> Vec<Value> {
                items.iter().map(|item| item["address"].clone()).collect()
            };
            let whole = whole["items"].as_array().expect("items");
            assert_eq!(addresses(items), addresses(whole));
        }
    }
    let refused = repo.owl("plan --format jsonl --policy no-such-file");
    let error: Value = serde_json::from_str(refused.stdout().trim()).expect("it is JSON");
    assert_eq!((refused.code(), &error["kind"]), (Some(2), &"error".into()));
}

#[test]
fn a_long_plan_says_its_sum_first() {
    let repo = Repo::new().with_policy();
    for nth in 0..41 {
        repo.landed(&format!("tree-{nth}"));
    }
    let plan = repo.owl("plan").stdout();
    let sums = plan
        .lines()
        .filter(|line| line.starts_with("Plan: 41 to remove"));
    assert_eq!(sums.count(), 2, "{plan}");
    let sum = plan.find("Plan: 41").expect("it is said");
    assert!(
        sum < plan.find("ACTION").expect("there is a table"),
        "{plan}"
    );
}

/// Runs `owl WORDS` on a terminal of `rows` lines, with a pager that marks what it is given.
fn on_a_terminal(repo: &Repo, words: &str, rows: u16) -> String {
    let owl = env!("CARGO_BIN_EXE_owl");
    let mut command = repo.command("script");
    let line = format!("stty rows {rows} cols 120; {owl} {words}");
    command
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .env("PAGER", "sed s/^/paged:/")
        .current_dir(repo.main())
        .stdin(Stdio::null());
    let output = command.output().expect("script (util-linux) is installed");
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}

#[test]
fn what_is_longer_than_the_screen_goes_through_the_pager() {
    let repo = project();
    for (words, rows, is_paged) in [
        ("plan", 5, true),
        ("plan", 60, false),
        ("plan --no-pager", 5, false),
        ("plan --format json", 5, true),
    ] {
        let screen = on_a_terminal(&repo, words, rows);
        assert!(screen.contains("main/small"), "{words} {rows}: {screen}");
        assert_eq!(
            screen.contains("paged:"),
            is_paged,
            "{words} {rows}: {screen}"
        );
    }
    // Nobody looks at a pipe.
    assert!(!repo.owl("plan").stdout().contains("paged:"));
}

/// What a shell is offered after these words.
fn offered(repo: &Repo, words: &[&str]) -> String {
    let mut command = repo.owl_command(&repo.main());
    command
        .env("COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_COMPLETE_SPACE", "true")
        .env("_CLAP_IFS", "\n")
        .args(["--", "owl"])
        .args(words);
    repo.run(command).stdout()
}

#[test]
fn a_shell_is_offered_addresses_rules_and_policies() {
    let repo = project();
    let addresses = offered(&repo, &["explain", ""]);
    for address in ["main/small", "main/large", "main/keep-me"] {
        assert!(addresses.contains(address), "{addresses}");
    }
    assert!(offered(&repo, &["apply", "--only", "main/sm"]).contains("main/small"));
    assert!(!offered(&repo, &["apply", "--only", "main/sm"]).contains("main/large"));
    assert!(offered(&repo, &["plan", "--rule", ""]).contains("pinned"));
    assert!(offered(&repo, &["policy", "show", ""]).contains("report-only"));
    // Where there is nothing to offer, nothing is said either.
    repo.commit(&repo.main(), "owl.yaml", b"apiVersion: owl/v9\n");
    let nothing = offered(&repo, &["explain", "main/"]);
    assert!(
        !nothing.contains("main/") && !nothing.contains("error"),
        "{nothing}"
    );
}
