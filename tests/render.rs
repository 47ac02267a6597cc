//! What a plan and a report look like, at every width and whatever the names are.

use jiff::Timestamp;
use owl::apply::{Done, Fate, Outcome};
use owl::assess::{Code, Evidence, Finding};
use owl::plan::{
    BaseNote, Brake, Plan, PolicyNote, Reason, ResourceKind, Row, RuleRef, Step, Summary,
    Unfinished, Verdict,
};
use owl::render::{Look, Sort, human_attention, human_outcome, human_plan, human_report};
use owl::report::Report;
use owl::resource::{Address, BytePath};
use std::io::{self, Write};

fn snap(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("render__{name}"), text));
}

/// What a stream without colour shows.
fn plain(draw: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    draw(&mut bytes).expect("memory takes everything");
    let text = String::from_utf8(bytes).expect("it is text");
    anstream::adapter::strip_str(&text).to_string()
}

fn row(id: &str, verdict: Verdict, reason: Reason, message: &str) -> Row {
    Row {
        address: Address::entry("app", id.as_bytes()),
        kind: ResourceKind::Worktree,
        project: "app".into(),
        path: format!("/src/app/.claude/worktrees/{id}"),
        path_bytes: None,
        git_path: None,
        branch: Some(Some(id.into())),
        head: Some(Some("3f2a91c0".into())),
        verdict,
        reason,
        message: message.into(),
        job: None,
        unfinished: None,
        since: None,
        rule: None,
        steps: Vec::new(),
        guards: vec![Finding::pass(Code::ProcessInside)],
        evidence: Vec::new(),
        size_bytes: Some(Some(310 << 20)),
        active_at: Some(None),
        identity: None,
        status: None,
        after: Vec::new(),
    }
}

fn rows(name: &str, file: &str) -> Vec<Row> {
    let rule = Some(RuleRef {
        name: name.into(),
        file: file.into(),
        line: 21,
    });
    let base = BytePath::from("refs/remotes/origin/main");
    let landed = "landed (ancestor of refs/remotes/origin/main)";
    let removed = Row {
        rule: rule.clone(),
        steps: vec![Step::RemoveWorktree],
        evidence: vec![Evidence::Ancestor {
            base,
            base_commit: "3f2a91c1".into(),
            commit: "3f2a91c0".into(),
        }],
        size_bytes: Some(Some(1_288_490_188)),
        ..row(
            "fix-login",
            Verdict::Remove,
            Reason::Landed("ancestor"),
            landed,
        )
    };
    let pruned = Row {
        kind: ResourceKind::Entry,
        steps: vec![Step::PruneEntry],
        size_bytes: None,
        ..row(
            "old-spike",
            Verdict::Prune,
            Reason::Gone,
            "its directory is gone",
        )
    };
    let files = "214 untracked files: notes.md, out.csv, a/very/long/path/to/a/file.txt, and more";
    let held = Row {
        rule: rule.clone(),
        unfinished: Some(Unfinished::Uncommitted),
        ..row(
            "experiment",
            Verdict::Hold,
            Reason::Guard(Code::Untracked),
            files,
        )
    };
    let unknown = Row {
        unfinished: Some(Unfinished::Ambiguous),
        size_bytes: Some(None),
        ..row(
            "agent-7-of-a-swarm-with-a-name-that-goes-on-and-on-and-never-ends",
            Verdict::Hold,
            Reason::UnknownGuard(Code::ProcessInside),
            "unknown: /proc not readable",
        )
    };
    let fresh = Reason::Guard(Code::Fresh);
    let kept = row("just-made", Verdict::Keep, fresh, "made 12 minutes ago");
    vec![removed, pruned, held, unknown, kept]
}

fn plan(items: Vec<Row>) -> Plan {
    let at = |text: &str| text.parse::<Timestamp>().expect("it is a time");
    Plan {
        format_version: "1.0",
        kind: "plan",
        owl_version: "0.1.0",
        observed_at: at("2026-11-30T02:00:00Z"),
        policy: PolicyNote {
            source: "owl.yaml".into(),
            extends: Vec::new(),
            sha256: "3f2a91c0b1d2".repeat(6)[..64].into(),
            rules: 4,
            stores: vec![".claude/worktrees/*".into()],
        },
        complete: true,
        applyable: items.iter().any(|row| row.verdict.acts()),
        summary: Summary::of(&items),
        projects: vec![BaseNote {
            name: "app".into(),
            path: "/src/app".into(),
            base: Some(Some("main".into())),
            remote: Some("refs/remotes/origin/main".into()),
            fetched_at: Some(at("2026-11-18T01:00:00Z")),
            problem: None,
        }],
        hidden_processes: Some(31),
        brakes: Vec::new(),
        hints: Vec::new(),
        warnings: Vec::new(),
        unmatched: Vec::new(),
        items,
    }
}

fn look(width: u16, all: bool) -> Look {
    Look {
        width,
        all,
        rules: Vec::new(),
        sort: Sort::Verdict,
        next: Some("owl apply".into()),
    }
}

#[test]
fn a_plan_at_every_width() {
    let plan = plan(rows("finished", "owl.yaml"));
    for (width, all) in [
        (60, true),
        (80, true),
        (100, true),
        (120, true),
        (200, false),
    ] {
        let text = plain(|to| human_plan(&plan, &look(width, all), to));
        snap(&format!("plan-{width}"), &text);
        let table = text.lines().skip(2).take_while(|line| !line.is_empty());
        for line in table {
            assert!(
                line.chars().count() <= usize::from(width),
                "{width}: {line:?}"
            );
        }
    }
}

#[test]
fn no_column_is_ever_cut_away() {
    let long = "a-rule-whose-name-is-a-whole-sentence-about-what-it-is-for";
    for width in [1, 40, 60, 80, 100, 140, 200, u16::MAX] {
        let plan = plan(rows(long, "/home/someone/.config/owl/owl.yaml"));
        let text = plain(|to| human_plan(&plan, &look(width, true), to));
        // Wrapped text is scattered over lines, but the start of each cell is on the first one.
        let line = text.lines().find(|line| line.starts_with("  - remove"));
        let cells: Vec<_> = line.expect("it is there").split_whitespace().collect();
        let columns = if width < 110 { 5 } else { 6 };
        assert!(cells.len() > columns, "{width}: {cells:?}");
        assert!(cells[2].starts_with("app/"), "{width}: {cells:?}");
    }
}

#[test]
fn hostile_names_are_shown_and_never_obeyed() {
    let evil = "evil\u{1b}[2J\nPlan: nothing\u{202e}";
    let mut plan = plan(rows(evil, evil));
    plan.items
        .push(row(evil, Verdict::Hold, Reason::Unpublished, "held"));
    plan.policy.source = evil.into();
    plan.projects[0].name = evil.into();
    plan.projects[0].remote = Some(format!("refs/remotes/{evil}"));
    for row in &mut plan.items {
        row.project = evil.into();
    }
    plan.projects.push(plan.projects[0].clone());
    let text = plain(|to| human_plan(&plan, &look(100, true), to));
    let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!text.contains(bad), "{text}");
    assert!(!text.contains("\nPlan: nothing\\"), "{text}");
    snap("hostile", &text);
}

#[test]
fn what_a_plan_rests_on_is_said_beside_it() {
    let mut plan = plan(rows("finished", "owl.yaml"));
    plan.complete = false;
    plan.hidden_processes = None;
    plan.projects[0].fetched_at = None;
    plan.brakes = vec![Brake::MaxGone {
        project: "app".into(),
        gone: 6,
        entries: 8,
    }];
    plan.warnings = vec![
        "rule never (owl.yaml:30) matched nothing".into(),
        "warning: rule b can never decide\n  --> owl.yaml:8:5".into(),
    ];
    let text = plain(|to| human_plan(&plan, &look(120, false), to));
    snap("rests-on", &text);
    // Nothing is said of a fetch or of processes that no verdict rests on.
    plan.items.retain(|row| row.verdict == Verdict::Keep);
    plan.items[0].guards.clear();
    let text = plain(|to| human_plan(&plan, &look(120, false), to));
    assert!(
        !text.contains("fetched") && !text.contains("Processes"),
        "{text}"
    );
}

fn outcome(fate: Fate, message: &str) -> Outcome {
    Outcome {
        reason: None,
        manner: (fate == Fate::Removed).then_some(owl::journal::Manner::Moved),
        fate,
        message: message.into(),
        counts: None,
        steps: Vec::new(),
    }
}

#[test]
fn a_report_names_everything_that_was_left() {
    let plan = plan(rows("finished", "owl.yaml"));
    let done = |id: &str, fate, message: &str| Done {
        address: Address::entry("app", id.as_bytes()),
        outcome: outcome(fate, message),
    };
    let fates = vec![
        done("fix-login", Fate::Removed, ""),
        done("old-spike", Fate::Kept, "its directory is there again"),
        done(
            "other",
            Fate::PartiallyRemoved,
            "3 of 9 files and directories are left: EIO",
        ),
        done("third", Fate::NotAttempted, "interrupted before its turn"),
    ];
    let mut text = String::new();
    for one in &fates {
        text += &plain(|to| human_outcome(&one.address, &one.outcome, to));
    }
    let report = Report {
        plan: &plan,
        recovered: Vec::new(),
        done: fates.clone(),
        left_out: Vec::new(),
    };
    text += &plain(|to| human_report(&report, to));
    snap("report", &text);
    snap(
        "attention",
        &plain(|to| human_attention(&plan, &fates, 100, to)),
    );
}

#[test]
fn attention_is_nothing_where_nobody_is_needed() {
    let mut calm = plan(rows("finished", "owl.yaml"));
    calm.items.retain(|row| row.unfinished.is_none());
    assert_eq!(plain(|to| human_attention(&calm, &[], 100, to)), "");
}

#[test]
fn colour_is_on_the_symbol_and_the_action_alone() {
    let plan = plan(rows("finished", "owl.yaml"));
    let mut bytes = Vec::new();
    human_plan(&plan, &look(200, false), &mut bytes).expect("memory takes everything");
    let text = String::from_utf8(bytes).expect("it is text");
    assert!(
        text.contains("\u{1b}[32m  - remove \u{1b}[0m app/fix-login"),
        "{text:?}"
    );
}
