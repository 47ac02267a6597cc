//! The ceilings of `owl check` (`spec 3`: `check`, `spec 11`).

use super::addresses;
use super::desk::{Desk, POLICY};
use super::owl_binary::{Run, snap};
use super::support::write;
use owl::fact::Kleene;
use owl::job::State;
use owl::plan::{Plan, Unfinished};
use owl::policy::Ceilings;
use owl::report::{Check, ExitStatus};
use std::time::Duration;

/// Two that are UNCOMMITTED, one UNPUBLISHED, one WAITING, one BLOCKED; one that is to be removed,
/// and one at work.
fn desk() -> Desk {
    let desk = Desk::of_user("");
    desk.work("control");
    desk.add("control", State::Done);
    desk.untracked("notes");
    desk.untracked("more-notes");
    desk.since("waits", State::Review, 9 * 24);
    desk.since("blocked", State::Blocked, 15 * 24);
    desk.since("at-work", State::Active, 2);
    desk
}

fn with_check(desk: &Desk, check: &str) -> Run {
    desk.user_policy(&format!("{POLICY}check: {check}\n"));
    desk.owl("check")
}

fn quiet(run: &Run) {
    assert_eq!(run.code(), Some(0), "{run}");
    assert_eq!(
        (run.stdout().as_str(), run.stderr().as_str()),
        ("", ""),
        "{run}"
    );
}

#[test]
fn each_ceiling_is_quiet_at_its_edge_and_crossed_beyond_it() {
    let desk = desk();
    let plan = desk.yard.look();
    let held = plan.summary.hold;
    let taken: u64 = plan.items.iter().filter_map(|row| row.size_bytes?).sum();
    let all = ["blocked", "more-notes", "notes", "waits"];
    for (key, edge, below, offending) in [
        ("unfinished", "4".to_owned(), "3".to_owned(), &all[..]),
        ("uncommitted", "2".to_owned(), "1".to_owned(), &all[1..3]),
        ("waiting", "1".to_owned(), "0".to_owned(), &all[3..]),
        ("held", held.to_string(), (held - 1).to_string(), &all[..]),
        ("oldest", "3650d".to_owned(), "12d".to_owned(), &all[..3]),
        (
            "disk",
            format!("{taken}B"),
            format!("{}B", taken - 1),
            &[][..],
        ),
    ] {
        quiet(&with_check(&desk, &format!("{{ {key}: {edge} }}")));
        let run = with_check(&desk, &format!("{{ {key}: {below} }}"));
        assert_eq!(run.code(), Some(1), "{run}");
        let line = format!("{key}: ");
        assert!(run.stdout().starts_with(&line), "{run}");
        assert!(
            run.stdout()
                .lines()
                .next()
                .is_some_and(|line| line.contains(", at most ")),
            "{run}"
        );
        let document = desk.json("check");
        let mut told = addresses(&document);
        told.sort();
        if key == "disk" {
            // One byte over: the largest one is enough.
            assert_eq!(told.len(), 1, "{run}");
        } else {
            let expected: Vec<_> = offending
                .iter()
                .map(|name| format!("main/{name}"))
                .collect();
            assert_eq!(told, expected, "{key}: {run}");
        }
        assert_eq!(document["passed"], false);
        let ceiling = &document["ceilings"][0];
        assert_eq!(
            (&ceiling["ceiling"], &ceiling["crossed"]),
            (&key.into(), &true.into())
        );
        assert!(
            ceiling["found"].as_u64() > ceiling["limit"].as_u64(),
            "{ceiling}"
        );
    }
    // Nothing is UNPUBLISHED here, since each has a job; without one, it is.
    quiet(&with_check(&desk, "{ unpublished: 0 }"));
    desk.user_policy("apiVersion: owl/v1\nstores: [{ path: .claude/worktrees/* }]\npid-namespace: own\ncheck: { unpublished: 0 }\n");
    desk.work("own-commit");
    let run = desk.owl("check");
    assert_eq!(run.code(), Some(1), "{run}");
    assert!(run.stdout().contains("main/own-commit"), "{run}");
}

#[test]
fn what_offends_is_named_worst_first_with_age_and_command() {
    let desk = desk();
    let run = with_check(&desk, "{ unfinished: 3, uncommitted: 0, oldest: 30d }");
    assert_eq!(run.code(), Some(1), "{run}");
    let document = desk.json("check");
    // What counts towards all three, then towards one; of those, what has been so for longest.
    let expected = [
        "main/more-notes",
        "main/notes",
        "main/blocked",
        "main/waits",
    ];
    assert_eq!(addresses(&document), expected, "{run}");
    let printed = String::from_utf8_lossy(&run.output.stdout);
    for item in document["items"].as_array().expect("items") {
        let command = item["command"].as_str().expect("each has one");
        assert!(printed.contains(command), "{command}: {run}");
        assert!(item["since"].is_string(), "{item}");
    }
    // The ages of files from January differ from day to day.
    let text = run.stdout();
    let same = |line: &&str| !line.contains("notes") && !line.starts_with("oldest");
    snap(
        "status__check",
        &text.lines().filter(same).collect::<Vec<_>>().join("\n"),
    );
}

#[test]
fn a_flag_takes_the_place_of_one_ceiling() {
    let desk = desk();
    desk.user_policy(&format!(
        "{POLICY}check: {{ unfinished: 3, uncommitted: 2 }}\n"
    ));
    assert_eq!(desk.owl("check").code(), Some(1));
    quiet(&desk.owl("check --max-unfinished 4"));
    let run = desk.owl("check --max-unfinished 4 --max-uncommitted 0");
    assert_eq!(run.code(), Some(1), "{run}");
    assert!(
        run.stdout().starts_with("uncommitted: 2, at most 0\n"),
        "{run}"
    );
    desk.user_policy(POLICY);
    for words in [
        "check --max-unfinished 0",
        "check --max-uncommitted 0",
        "check --max-waiting 0",
        "check --max-held 0",
        "check --max-oldest 1d",
        "check --max-disk 1KiB",
    ] {
        assert_eq!(desk.owl(words).code(), Some(1), "{words}");
    }
    quiet(&desk.owl("check --max-unpublished 0"));
    for words in [
        "check --max-oldest 14",
        "check --max-disk 50GB",
        "check --max-held -1",
    ] {
        let run = desk.owl(words);
        assert_eq!((run.code(), run.stdout().as_str()), (Some(2), ""), "{run}");
    }
}

/// A check that checks nothing would be green for ever, and be taken for one that holds.
#[test]
fn a_check_of_nothing_is_a_mistake() {
    let desk = desk();
    for policy in [POLICY.to_owned(), format!("{POLICY}check: {{}}\n")] {
        desk.user_policy(&policy);
        let run = desk.owl("check");
        assert_eq!((run.code(), run.stdout().as_str()), (Some(2), ""), "{run}");
        assert!(run.stderr().contains("there is nothing to check"), "{run}");
        assert!(run.stderr().contains("--max-unfinished 10"), "{run}");
        assert_eq!(desk.json("check")["kind"], "error");
    }
    // The control.
    quiet(&desk.owl("check --max-unfinished 100"));
}

#[test]
fn what_cannot_be_read_never_passes() {
    let desk = desk();
    quiet(&with_check(&desk, "{ unfinished: 100 }"));
    write(&desk.ledger_path(), b"this is no ledger");
    let run = desk.owl("check");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(
        run.stdout().starts_with("not told: project main: "),
        "{run}"
    );
    let document = desk.json("check");
    assert_eq!(
        (&document["passed"], &document["complete"]),
        (&false.into(), &false.into())
    );
    // What is over a ceiling all the same is said as well, and 2 goes before 1.
    let run = desk.owl("check --max-unfinished 0");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(run.stdout().contains("\nunfinished: "), "{run}");
    let run = desk.owl("check --format github");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(
        run.stdout()
            .starts_with("::error title=owl check could not tell::project main: "),
        "{run}"
    );
}

fn first(plan: &mut Plan) -> &mut owl::plan::Row {
    let unfinished = |row: &&mut owl::plan::Row| row.unfinished == Some(Unfinished::Uncommitted);
    plan.items
        .iter_mut()
        .find(unfinished)
        .expect("there is one")
}

/// Promise 1: an age or a size that could not be told is never below a ceiling.
#[test]
fn an_unknown_age_or_size_is_not_below_a_ceiling() {
    let desk = desk();
    let age = |hours: u64| Ceilings {
        oldest: Some(Duration::from_secs(hours * 3600)),
        ..Ceilings::default()
    };
    let room = |bytes| Ceilings {
        disk: Some(bytes),
        ..Ceilings::default()
    };
    let whole = desk.yard.look();
    let exit = |plan: &Plan, ceilings: &Ceilings| {
        let check = Check::new(plan, ceilings);
        let is_unknown = matches!(check.ceilings[0].crossed, Kleene::Unknown(_));
        assert_eq!(is_unknown, !check.missing.is_empty(), "{:?}", check.missing);
        check.exit()
    };
    let years = 10 * 366 * 24;
    assert_eq!(exit(&whole, &age(years)), ExitStatus::Done);
    assert_eq!(exit(&whole, &room(1 << 40)), ExitStatus::Done);

    let mut plan = whole.clone();
    let row = first(&mut plan);
    (row.since, row.active_at, row.size_bytes) = (None, Some(None), Some(None));
    assert_eq!(exit(&plan, &age(years)), ExitStatus::Error);
    assert_eq!(exit(&plan, &room(1 << 40)), ExitStatus::Error);
    // What the others come to is over it already.
    assert_eq!(exit(&plan, &age(24)), ExitStatus::Findings);
    assert_eq!(exit(&plan, &room(1)), ExitStatus::Findings);
    // A time to come is none either.
    let mut plan = whole.clone();
    first(&mut plan).since = Some("2100-01-01T00:00:00Z".parse().expect("a time"));
    assert_eq!(exit(&plan, &age(years)), ExitStatus::Error);
    // What has no clock at all has no age to be over.
    let mut plan = whole.clone();
    let row = first(&mut plan);
    (row.since, row.active_at) = (None, None);
    assert_eq!(exit(&plan, &age(years)), ExitStatus::Done);
}

#[test]
fn workflow_commands_are_escaped_as_github_reads_them() {
    let desk = Desk::of_user("");
    desk.work("100%0A,x");
    desk.add("100%0A,x", State::Done);
    write(&desk.yard.path("100%0A,x").join("50%.md"), b"x");
    desk.yard.age("100%0A,x");
    desk.without_worktree(State::Review, 8 * 24);
    let run = desk.owl("check --max-unfinished 0 --format github");
    assert_eq!(run.code(), Some(1), "{run}");
    let text = run.stdout();
    assert!(
        text.starts_with("::error title=owl check::unfinished: 2, at most 0\n"),
        "{run}"
    );
    let line = text.lines().nth(1).expect("the item");
    let expected = "::error title=main/100%250A%2Cx::UNCOMMITTED for ";
    assert!(line.starts_with(expected), "{line}");
    assert!(
        line.contains("1 untracked: 50%25.md. To resolve it: git -C "),
        "{line}"
    );
    let job = text.lines().nth(2).expect("the job");
    assert!(
        job.starts_with("::error title=main/job%3A2::WAITING for 8 days: job 2 (review) "),
        "{job}"
    );
    assert_eq!(text.lines().count(), 3, "{run}");
    quiet(&desk.owl("check --max-unfinished 2 --format github"));
    // No other command has this form.
    let run = desk.owl("plan --format github");
    assert_eq!((run.code(), run.stdout().as_str()), (Some(2), ""), "{run}");
}
