//! Many processes at once, and processes that are killed.

use super::support::Repo;
use owl::job::State;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const PROCESSES: usize = 8;

#[test]
fn eight_processes_and_a_thousand_operations_lose_nothing_while_apply_runs() {
    let repo = Repo::new().with_policy();
    super::support::write(&repo.common_dir().join("info/exclude"), b"/.claude/\n");
    repo.done("jobs add --branch shared");
    let is_over = AtomicBool::new(false);
    let work = |worker: usize| {
        for nth in 0..20 {
            let id = repo.done(&format!("jobs add --branch w{worker}-{nth}"));
            for step in [
                "start ID",
                "finish ID --outcome interrupted",
                "start ID",
                "finish ID --outcome succeeded",
            ] {
                repo.done(&format!("jobs {}", step.replace("ID", &id)));
            }
            repo.done("jobs extend 1 --ttl 1");
        }
        for _ in 0..5 {
            repo.done("jobs extend 1 --ttl 1");
        }
    };
    let seen = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..PROCESSES)
            .map(|nth| scope.spawn(move || work(nth)))
            .collect();
        let reader = scope.spawn(|| {
            let mut seen = 0;
            while !is_over.load(Ordering::SeqCst) {
                let contents = repo.contents();
                assert!(contents.entries.len() >= seen, "what was there is there");
                seen = contents.entries.len();
            }
            seen
        });
        // Plans and accepts, again and again, in the same repository and the same ledger.
        let apply = scope.spawn(|| {
            let mut accepted = 0;
            while !is_over.load(Ordering::SeqCst) {
                let name = format!("landed{accepted}");
                let path = repo.landed(&name);
                let add = format!("jobs add --branch {name} --worktree {}", path.display());
                let id = repo.done(&add);
                repo.done(&format!("jobs start {id}"));
                repo.done(&format!("jobs finish {id} --outcome succeeded"));
                let run = repo.owl("apply --yes");
                assert_eq!(run.code(), Some(0), "{run}");
                let contents = repo.contents();
                let id = id.parse().expect("it is a number");
                let job = &contents.job(id).expect("it is there").job;
                assert_eq!(job.state, State::Done, "{run}");
                assert!(!path.exists(), "{run}");
                accepted += 1;
            }
            accepted
        });
        let ends: Vec<_> = workers
            .into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect();
        is_over.store(true, Ordering::SeqCst);
        for end in ends {
            end.expect("no operation failed");
        }
        let accepted = apply.join().expect("no run of apply failed");
        (reader.join().expect("no reading failed"), accepted)
    });
    let (seen, accepted) = seen;
    assert!(seen > 1 && accepted > 0);
    let contents = repo.contents();
    assert_eq!(contents.entries.len(), 1 + PROCESSES * 20 + accepted);
    assert_eq!(contents.counts()[&State::Done], accepted);
    assert_eq!(contents.counts()[&State::Review], PROCESSES * 20);
    let shared = &contents.job(1).expect("it is there").job;
    assert_eq!(shared.ttl, 3 + 8 * 25, "no update is lost");
    let mut reviewed = contents.entries.iter();
    let spent = reviewed
        .by_ref()
        .filter(|entry| entry.job.state == State::Review)
        .all(|entry| entry.job.ttl == 1 && entry.job.runs.len() == 2);
    assert!(spent);
    assert_eq!(repo.integrity(), "ok");
}

#[test]
fn of_many_that_make_the_ledger_or_take_a_job_at_once_one_wins() {
    let repo = Repo::new();
    let all = |words: &(dyn Fn(usize) -> String + Sync)| {
        std::thread::scope(|scope| {
            let run = |nth| repo.owl(&words(nth));
            let started: Vec<_> = (0..PROCESSES)
                .map(|nth| scope.spawn(move || run(nth)))
                .collect();
            started
                .into_iter()
                .map(|one| one.join().expect("it ran"))
                .collect::<Vec<_>>()
        })
    };
    // Nobody's job is lost in a ledger that another one replaced.
    for run in all(&|nth| format!("jobs add --branch b{nth}")) {
        assert_eq!(run.code(), Some(0), "{run}");
    }
    assert_eq!(repo.contents().entries.len(), PROCESSES);
    assert_eq!(repo.beside().len(), 1, "no draft is left");
    let (won, lost): (Vec<_>, Vec<_>) = all(&|_| "jobs start 1".to_owned())
        .into_iter()
        .partition(|run| run.code() == Some(0));
    assert_eq!(won.len(), 1);
    for run in lost {
        assert!(run.stderr().contains("it is active"), "{run}");
    }
    let same = all(&|_| "jobs add --branch same".to_owned());
    assert_eq!(same.iter().filter(|run| run.code() == Some(0)).count(), 1);
}

#[test]
fn killed_at_any_moment_it_is_sound_and_what_was_said_holds() {
    let repo = Repo::new();
    let mut said = Vec::new();
    for nth in 0..40_u64 {
        let mut command = repo.owl_command(&repo.main());
        command
            .args(["jobs", "add", "--branch", &format!("k{nth}")])
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros(nth * 1_700 % 60_000));
        child.kill().expect("it is ours");
        let output = child.wait_with_output().expect("it ended");
        if let Ok(id) = String::from_utf8_lossy(&output.stdout)
            .trim()
            .parse::<i64>()
        {
            said.push((id, format!("k{nth}")));
        }
    }
    repo.done("jobs add --branch last");
    let contents = repo.contents();
    for (id, branch) in said {
        let job = &contents.job(id).expect("its number was printed").job;
        assert_eq!(
            job.branch.as_ref().and_then(|name| name.as_str()),
            Some(&*branch)
        );
    }
    assert_eq!(repo.integrity(), "ok");
}
