//! Job lists: import and export.

use super::support::{Repo, write};
use owl::job::{Decided, Identity, Job, Outcome, Run, Runner, State, Worktree, parse_list};
use owl::ledger::{Host, Ledger, NewJob, NewProject, RepositoryId};
use owl::resource::BytePath;
use proptest::prelude::*;

fn project(host: &str, path: &[u8], inode: u64, now: jiff::Timestamp) -> NewProject {
    NewProject {
        identity: RepositoryId {
            host: Host::named(host),
            common_dir: BytePath::from_bytes(path),
            device: u64::MAX,
            inode,
        },
        name: "a p\u{202e}p".to_owned(),
        first_known: now,
    }
}

/// One of everything that a ledger can hold.
fn all_sorts(now: jiff::Timestamp) -> Vec<NewJob> {
    let of = |inode, job| NewJob {
        project: project("here", b"/x/\xff/.git", inode, now),
        job,
    };
    let plain = |name: &[u8]| Job::new(BytePath::from_bytes(name), now);
    let run = Run {
        started: now,
        ended: Some(now),
        outcome: Some(Outcome::Failed),
        reason: Some("line\nline \u{7f}\u{85}\u{2028}\u{feff} \u{1f989} \"'\\ # : - ".to_owned()),
        runner: Some(Runner {
            pid: 7,
            started: u64::MAX,
            boot: "123".to_owned(),
            pid_namespace: 1,
        }),
    };
    let open = Run {
        ended: None,
        outcome: None,
        reason: None,
        runner: None,
        ..run.clone()
    };
    vec![
        of(1, plain(b"plain")),
        of(
            2,
            Job {
                base: Some(BytePath::from_bytes(b"1e3")),
                state: State::Active,
                ttl: u32::MAX,
                reason: Some("true".to_owned()),
                labels: ["~", "null", "1", "\u{1f989}"].map(str::to_owned).into(),
                origin: Some(owl::job::Origin {
                    source: "0x1f".to_owned(),
                    reference: "42".to_owned(),
                }),
                worktree: Some(Worktree {
                    path: BytePath::from_bytes(b"/y/\xfe/tree"),
                    identity: Some(Identity {
                        device: 0,
                        inode: u64::MAX,
                        entry: BytePath::from_bytes(b"tree\xfe"),
                    }),
                }),
                runs: vec![run.clone(), open],
                ..plain(b"\xc3\x28")
            },
        ),
        of(
            1,
            Job {
                branch: None,
                state: State::Cancelled,
                ttl: 0,
                decided: Some(Decided {
                    at: now,
                    tip: Some("0123456789".repeat(4)),
                }),
                runs: vec![run],
                ..plain(b"x")
            },
        ),
        of(
            1,
            Job {
                state: State::Other("paused-2".to_owned()),
                ttl: 0,
                ..plain(b"later")
            },
        ),
        of(
            1,
            Job {
                state: State::Exhausted,
                ttl: 0,
                ..plain(b"true")
            },
        ),
    ]
}

#[test]
fn export_and_import_into_a_fresh_ledger_give_the_same_bytes() {
    let repo = Repo::new();
    repo.done("jobs add --branch real");
    let now = super::support::yard::now();
    let mut ledger = Ledger::open(&repo.ledger()).expect("it is there");
    ledger
        .import(&[project("idle", b"/idle/.git", 9, now)], &all_sorts(now))
        .expect("it is sound");
    drop(ledger);
    let first = repo.owl("jobs export").output.stdout;
    write(&repo.main().join("jobs.json"), &first);
    std::fs::rename(repo.ledger(), repo.root().join("old.db")).expect("it can be moved");
    assert_eq!(repo.done("jobs import jobs.json"), "1\n2\n3\n4\n5\n6");
    assert_eq!(
        String::from_utf8(repo.owl("jobs export").output.stdout),
        String::from_utf8(first.clone())
    );
    // And once more from standard input.
    std::fs::remove_file(repo.ledger()).expect("it is there");
    let mut command = repo.owl_command(&repo.main());
    let list = std::fs::File::open(repo.main().join("jobs.json")).expect("it is there");
    command.args(["jobs", "import", "-"]).stdin(list);
    let run = repo.run(command);
    assert_eq!(run.code(), Some(0), "{run}");
    assert_eq!(repo.owl("jobs export").output.stdout, first);
    // A second time it is there already.
    let run = repo.refused("jobs import jobs.json");
    assert!(
        run.stderr().contains("it is there already, as job 1"),
        "{run}"
    );
    assert_eq!(repo.owl("jobs export").output.stdout, first);
}

#[test]
fn another_tools_list_in_json_and_in_yaml() {
    let repo = Repo::new().with_policy();
    let tree = repo.agent("seen");
    let json = r#"{"jobs": [
	{"branch": "one", "reason": "\ud83e\udd89 \u00e9 \/", "source": "q", "ref": "1"},
	{"branch": "seen", "worktree": ".claude/worktrees/seen", "state": "review",
	 "runs": [{"started": "2026-01-01T00:00:00+01:00", "ended": "2026-01-01T01:00:00Z", "outcome": "succeeded"}]}]}"#;
    write(&repo.main().join("q.json"), json.as_bytes());
    assert_eq!(repo.done("jobs import q.json"), "1\n2");
    let yaml = "# from the queue\njobs:\n- branch: two\n  labels: [ui]\n  state: someday\n";
    write(&repo.main().join("q.yaml"), yaml.as_bytes());
    assert_eq!(repo.done("jobs import q.yaml"), "3");
    let contents = repo.contents();
    let job = |id| &contents.job(id).expect("it is there").job;
    assert_eq!(job(1).reason.as_deref(), Some("\u{1f989} \u{e9} /"));
    assert_eq!((job(1).state.clone(), job(1).ttl), (State::Pending, 3));
    let worktree = job(2).worktree.as_ref().expect("it has one");
    assert_eq!(worktree.path.as_path(), tree);
    assert!(worktree.identity.is_some());
    assert_eq!(job(2).created, job(2).runs[0].started);
    assert_eq!(Some(job(2).changed), job(2).runs[0].ended);
    assert_eq!(job(3).state, State::Other("someday".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_survives_a_list(reason in "\\PC{1,20}|[\\x00-\\x{2fff}]{1,8}", bytes in proptest::collection::vec(1_u8.., 1..12)) {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let job = Job {
            reason: Some(reason),
            worktree: Some(Worktree { path: BytePath::from_bytes(&bytes), identity: None }),
            ..Job::new(BytePath::from_bytes(b"b"), now)
        };
        let listed = owl::job::ListedProject {
            path: BytePath::from_bytes(&bytes),
            name: "n".into(), host: "h".into(), device: 1, inode: 2, first_known: now,
        };
        let text = owl::job::write_list(&[listed], &[(0, &job)]);
        let back = parse_list("list", text.as_bytes(), now);
        let back = back.unwrap_or_else(|found| panic!("{}\n{text}", found[0]));
        prop_assert_eq!(&back.jobs[0].job, &job);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(jobs: |- |\\{|\\}|branch: |a|\\[|\\]|,|\n|  |\"|\\\\u[d0-9a-f]{4}|runs: |1){0,30}") {
        drop(parse_list("list", text.as_bytes(), jiff::Timestamp::UNIX_EPOCH));
    }
}
