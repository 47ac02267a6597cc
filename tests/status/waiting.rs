//! What waits for a person (`spec 11`, A4.11, A4.12, A4.17, A4.19, A1.3, A5).

use super::addresses;
use super::desk::Desk;
use super::owl_binary::snap;
use super::support::snapshot::Snapshot;
use super::support::write;
use owl::job::State;
use std::fmt::Write as _;

/// One of each kind that a job or a worktree can be, and one that is to be removed.
fn desk() -> Desk {
    let desk = Desk::of_user("");
    desk.work("control");
    desk.add("control", State::Done);
    desk.since("waits", State::Review, 9 * 24);
    desk.since("lately", State::Review, 24);
    desk.since("abandoned", State::Active, 20);
    desk.since("at-work", State::Active, 2);
    desk.since("blocked", State::Blocked, 15 * 24);
    desk.since("exhausted", State::Exhausted, 16 * 24);
    desk.since("paused", State::Other("paused".to_owned()), 5);
    desk.untracked("notes");
    desk.without_worktree(State::Review, 8 * 24);
    desk.without_worktree(State::Pending, 1);
    desk
}

#[test]
fn a4_19_each_kind_is_told_with_its_age_and_its_command() {
    let desk = desk();
    let run = desk.owl("status");
    assert_eq!(run.code(), Some(0), "{run}");
    let document = desk.json("status");
    let items = document["items"].as_array().expect("items");
    let path = desk.yard.path("notes");
    let status = format!("git -C {} status --untracked-files=all", path.display());
    for (address, kind, command) in [
        ("main/waits", "WAITING", "owl jobs accept "),
        ("main/abandoned", "ABANDONED", "owl jobs finish "),
        ("main/blocked", "BLOCKED", "owl jobs unblock "),
        ("main/exhausted", "EXHAUSTED", "owl jobs extend "),
        ("main/notes", "UNCOMMITTED", &*status),
        ("main/paused", "AMBIGUOUS", ""),
        ("main/job:10", "WAITING", "owl jobs accept 10"),
    ] {
        let item = items.iter().find(|item| item["address"] == address);
        let item = item.unwrap_or_else(|| panic!("{address}: {run}"));
        assert_eq!(item["unfinished"], kind, "{address}");
        let told = item["command"].as_str().expect("each has one");
        assert!(told.starts_with(command) && !told.is_empty(), "{told}");
        // A state that is not known has no clock (A4.19: since is optional).
        let has_since = item.get("since").is_some();
        assert_eq!(has_since, kind != "AMBIGUOUS", "{item}");
        let text = String::from_utf8_lossy(&run.output.stdout);
        assert!(text.contains(told) && text.contains(kind), "{run}");
    }
    assert_eq!(items.len(), 7, "{run}");
    // A4.11: below the threshold it is counted, and no more.
    assert_eq!(document["undecided_jobs"], 1);
    assert!(
        run.stdout().contains("1 job also waits for a decision"),
        "{run}"
    );
    assert!(!run.stdout().contains("main/lately"), "{run}");
    assert!(!run.stdout().contains("main/at-work"), "{run}");
    // What has waited for longest comes first: the files here are from January.
    let told = addresses(&document);
    let position = |address: &str| told.iter().position(|one| one == address);
    assert!(position("main/notes") < position("main/exhausted"), "{run}");
    assert!(position("main/exhausted") < position("main/waits"), "{run}");
    assert!(position("main/waits") < position("main/job:10"), "{run}");
    assert!(
        position("main/job:10") < position("main/abandoned"),
        "{run}"
    );
}

#[test]
fn a1_3_states_stand_in_the_order_of_a_life_and_unknown_ones_last() {
    let desk = desk();
    desk.since("also", State::Other("archived".to_owned()), 5);
    let document = desk.json("status");
    let counts: Vec<_> = document["jobs"]["by_state"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            format!(
                "{} {}",
                one["count"],
                one["state"].as_str().expect("a word")
            )
        })
        .collect();
    let expected = [
        "1 pending",
        "2 active",
        "3 review",
        "1 blocked",
        "2 done",
        "1 exhausted",
        "1 archived",
        "1 paused",
    ];
    assert_eq!(counts, expected);
    let run = desk.owl("status");
    let line = format!("Jobs: {}.", expected.join(", "));
    assert!(run.stdout().contains(&line), "{run}");
}

#[test]
fn a4_17_it_reads_the_present_and_changes_nothing_at_all() {
    let desk = desk();
    let root = desk.yard.repo.root().to_owned();
    // The first run of the binary makes the tests' own TMPDIR.
    desk.owl("--version");
    let before = Snapshot::of(&[&root]);
    for words in [
        "status",
        "status --quiet",
        "status --format json",
        "check --max-unfinished 0",
        "check --max-disk 1B --format github",
        "gc -n",
    ] {
        desk.owl(words);
        before.require_same(words, &[&root]);
    }
    // The present: what is seen to is not told any more, whatever a run has done since.
    let path = desk.yard.path("notes");
    std::fs::rename(path.join("notes.md"), root.join("notes.md")).expect("it moves");
    let told = addresses(&desk.json("status"));
    assert!(!told.contains(&"main/notes".to_owned()), "{told:?}");
    // The control: a run that may change something does, and status tells of both.
    let document = desk.json("status");
    assert!(document["disk"]["reclaimable_bytes"].as_u64() > Some(0));
    assert_eq!(document["last_run"], serde_json::Value::Null);
    assert_eq!(desk.owl("apply --yes").code(), Some(0));
    assert!(!desk.yard.path("control").exists());
    let document = desk.json("status");
    assert_eq!(document["disk"]["reclaimable_bytes"], 0);
    assert_eq!(document["last_run"]["outcomes"]["removed"], 2);
}

#[test]
fn disk_is_what_the_worktrees_take() {
    let desk = Desk::of_user("");
    let empty = desk.owl("status");
    assert!(
        empty
            .stdout()
            .contains("Disk: there is no worktree in the stores.")
    );
    desk.work("control");
    desk.add("control", State::Done);
    let path = desk.untracked("notes");
    write(&path.join("large.bin"), &vec![7; 300 << 10]);
    let document = desk.json("status");
    let number = |key: &str| document["disk"][key].as_u64().expect("a number");
    assert_eq!((number("worktrees"), number("unknown")), (2, 0));
    assert!(number("held_bytes") >= 300 << 10);
    assert!(number("reclaimable_bytes") > 0);
    assert_eq!(
        number("total_bytes"),
        number("held_bytes") + number("reclaimable_bytes")
    );
}

#[test]
fn what_is_empty_reads_well() {
    let desk = Desk::of_user("");
    let run = desk.owl("status");
    assert_eq!((run.code(), run.stderr().as_str()), (Some(0), ""), "{run}");
    snap("status__empty", &run.to_string());
    let quiet = desk.owl("status --quiet");
    assert_eq!(
        (quiet.code(), quiet.stdout().as_str()),
        (Some(0), ""),
        "{quiet}"
    );
    // The control: one thing that waits is said, and nothing else.
    desk.untracked("notes");
    let quiet = desk.owl("status --quiet");
    assert_eq!(quiet.code(), Some(0), "{quiet}");
    assert!(
        quiet.stdout().starts_with("1 thing waits for you:\n"),
        "{quiet}"
    );
    assert!(!quiet.stdout().contains("Jobs:"), "{quiet}");
}

#[test]
fn a_table_fits_from_60_to_200_columns() {
    let desk = desk();
    let mut story = String::new();
    for columns in [60, 80, 120, 200] {
        let mut command = desk.yard.repo.owl_command(&desk.yard.repo.main());
        command.arg("status").env("COLUMNS", columns.to_string());
        let run = desk.yard.repo.run(command);
        let text = run.stdout();
        let table = text.lines().skip_while(|line| !line.starts_with("  KIND"));
        for line in table.take_while(|line| line.starts_with("  ")) {
            let is_command = line.starts_with("      ") && !line.starts_with("       ");
            assert!(
                is_command || line.chars().count() <= columns,
                "{columns}: {line}"
            );
        }
        if columns == 60 || columns == 120 {
            // The worktrees' files are from January, so that their ages differ from day to day.
            let days = |line: &str| !line.contains("main/notes");
            let shown: Vec<_> = text.lines().skip(1).filter(|line| days(line)).collect();
            writeln!(story, "## {columns}\n{}", shown.join("\n")).expect("memory takes it");
        }
    }
    snap("status__widths", &story);
}

#[test]
fn what_cannot_be_read_is_said_and_ends_with_2() {
    let desk = desk();
    assert_eq!(desk.owl("status").code(), Some(0));
    write(&desk.ledger_path(), b"this is no ledger");
    let run = desk.owl("status");
    assert_eq!(run.code(), Some(2), "{run}");
    for text in [
        "Jobs: they could not be read.",
        "Not everything could be read",
        "warning: project main: ",
    ] {
        assert!(run.stdout().contains(text), "{text}: {run}");
    }
    assert!(!run.stdout().contains("Nothing waits for you."), "{run}");
    let document = desk.json("status");
    assert_eq!(document["complete"], false);
    assert_eq!(document["jobs"]["complete"], false);
    let quiet = desk.owl("status --quiet");
    assert_eq!(quiet.code(), Some(2));
    assert!(
        quiet.stdout().contains("warning: project main: "),
        "{quiet}"
    );
}

#[test]
fn hostile_names_never_reach_the_terminal() {
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::of_user("");
    let store = desk.yard.repo.main().join(".claude/worktrees");
    let names: [&[u8]; 3] = [
        b"esc\x1b[2J",
        "rtl\u{202e}gpj".as_bytes(),
        b"line\nNothing waits for you.\xff",
    ];
    for (index, name) in names.into_iter().enumerate() {
        let path = store.join(std::ffi::OsStr::from_bytes(name));
        desk.yard.add_at(&format!("b{index}"), &path);
        write(&path.join("x\x1b[2J\n::error::.txt"), b"untracked\n");
    }
    for words in [
        "status",
        "check --max-unfinished 0",
        "check --max-unfinished 0 --format github",
    ] {
        let run = desk.owl(words);
        let raw = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        let text = String::from_utf8(run.output.stdout.clone()).expect("it is text");
        assert!(text.contains("esc") && !text.contains(raw), "{run}");
        let forged = |line: &str| line.starts_with("Nothing") || line.starts_with("::error::");
        assert!(!text.lines().any(forged), "{run}");
    }
}
