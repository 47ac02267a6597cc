//! What the last run did, from the audit log (`spec 11`, C6, C2: every tree that it kept is named).

use super::desk::Desk;
use super::owl_binary::Run;
use super::support::write;
use owl::apply::Event;
use owl::job::State;
use std::path::PathBuf;

impl Desk {
    /// The log of the user's state home.
    fn log(&self) -> PathBuf {
        self.yard.home.join(".local/state/owl/audit.jsonl")
    }
}

fn line(time: &str, pid: u32, event: &str, address: &str, outcome: &str) -> String {
    let outcome = match outcome {
        "" => String::new(),
        text => format!(r#","outcome":{text}"#),
    };
    format!(
        "{{\"time\":\"{time}\",\"event\":\"{event}\",\"pid\":{pid},\"policy\":\"x\",\
         \"address\":\"{address}\",\"path\":\"/p\",\"verdict\":\"remove\",\
         \"reason\":\"done\"{outcome}}}\n"
    )
}

#[test]
fn a_tree_that_the_last_run_kept_is_named_with_its_reason() {
    let desk = Desk::of_user("");
    for name in ["control", "moves"] {
        desk.work(name);
        desk.add(name, State::Done);
    }
    let approved = desk.yard.approved(&["control", "moves"]);
    let late = desk.yard.path("moves").join("late.md");
    let moves = desk.yard.address("moves");
    let audit = desk.yard.audit();
    desk.yard
        .carry_out_with(&approved, &audit, &mut |event| match event {
            Event::Attempt(row) if row.address == moves => write(&late, b"saved just now"),
            Event::Attempt(_) | Event::Recovered(_) | Event::Settled(_, _) => {}
        });
    assert!(late.exists() && !desk.yard.path("control").exists());
    let mut command = desk.yard.repo.owl_command(&desk.yard.repo.main());
    // The library writes its log below the root.
    command
        .arg("status")
        .env("XDG_STATE_HOME", desk.yard.repo.root().join("state"));
    let run = desk.yard.repo.run(command);
    assert_eq!(run.code(), Some(0), "{run}");
    let text = run.stdout();
    assert!(text.contains("Last run: less than a minute ago ("), "{run}");
    assert!(text.contains("): 1 kept, 1 removed.\n"), "{run}");
    let kept = text
        .lines()
        .find(|line| line.starts_with("  ! kept  main/moves: "));
    assert!(kept.is_some_and(|line| line.contains("late.md")), "{run}");
}

fn told(run: &Run) -> String {
    let text = run.stdout();
    let from = text
        .lines()
        .skip_while(|line| !line.starts_with("Last run: "));
    from.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_log_that_is_missing_broken_or_unreadable_is_told_apart() {
    let desk = Desk::of_user("");
    let run = desk.owl("status");
    assert_eq!(run.code(), Some(0), "{run}");
    assert!(
        told(&run).starts_with("Last run: none has changed anything yet (no "),
        "{run}"
    );
    assert_eq!(desk.json("status")["audit"]["found"], false);

    let text = [
        line("2026-11-29T02:00:00Z", 7, "attempt", "a/old", ""),
        line(
            "2026-11-29T02:00:01Z",
            7,
            "outcome",
            "a/old",
            r#"{"fate":"removed"}"#,
        ),
        "no line at all\n".to_owned(),
        line("2026-11-29T03:00:00Z", 7, "attempt", "a/new", ""),
        line(
            "2026-11-29T03:00:01Z",
            7,
            "outcome",
            "a/new",
            r#"{"fate":"kept","message":"a \u001b[2Jfile"}"#,
        ),
        line("2026-11-29T03:00:02Z", 7, "attempt", "a/open", ""),
        r#"{"time":"2026-11-29T03:00:05Z","event":"outc"#.to_owned(),
    ];
    write(&desk.log(), text.concat().as_bytes());
    let run = desk.owl("status");
    assert_eq!(run.code(), Some(0), "{run}");
    let said = told(&run);
    for text in [
        ": 1 kept, 1 without an outcome.\n",
        "\n  ! kept  a/new: a \\u{1b}[2Jfile\n",
        "\n  ! begun  a/open: the run was cut short, or is at work still\n",
        "\nwarning: 2 lines of [TMP]/home/.local/state/owl/audit.jsonl could not be read",
    ] {
        assert!(said.contains(text), "{text:?}: {run}");
    }
    assert!(
        !said.contains("a/old") && !said.contains("removed"),
        "{run}"
    );
    let document = desk.json("status");
    assert_eq!(document["audit"]["unreadable_lines"], 2);
    assert_eq!(document["last_run"]["open"], serde_json::json!(["a/open"]));

    // One that was just set aside is still the last one.
    let rotated = desk.log().with_file_name("audit.1.jsonl");
    std::fs::rename(desk.log(), &rotated).expect("it moves");
    assert!(told(&desk.owl("status")).contains("a/new"));

    // What cannot be read is not "no run".
    std::fs::create_dir(desk.log()).expect("the place is free");
    let run = desk.owl("status");
    assert_eq!(run.code(), Some(2), "{run}");
    assert!(told(&run).contains("is a directory, not a file"), "{run}");
    assert_eq!(
        desk.json("status")["audit"]["found"],
        serde_json::Value::Null
    );
}
