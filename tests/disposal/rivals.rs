//! A3.6: whatever is done at once, one decision stands, and the branch agrees with it.

use super::{Desk, State};

#[test]
fn a3_6_accept_and_drop_at_once_leave_one_decision() {
    let mut won = [0, 0];
    for round in 0..6 {
        let desk = Desk::new();
        let id = desk.review("work");
        let tip = desk.tip("work");
        let verbs = [format!("jobs accept {id}"), format!("jobs drop {id}")];
        let runs = std::thread::scope(|scope| {
            let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
            let (desk, verbs) = (&desk, &verbs);
            let started = order.map(|nth| (nth, scope.spawn(move || desk.owl(&verbs[nth]))));
            let mut runs = started.map(|(nth, one)| (nth, one.join().expect("it ran")));
            runs.sort_by_key(|(nth, _)| *nth);
            runs.map(|(_, run)| run)
        });
        let codes = [runs[0].code(), runs[1].code()];
        let (winner, loser) = match codes {
            [Some(0), Some(2)] => (0, 1),
            [Some(2), Some(0)] => (1, 0),
            other => panic!("{other:?}\n{}\n{}", runs[0], runs[1]),
        };
        won[winner] += 1;
        let state = desk.state(id);
        let word = runs[loser].stderr();
        assert!(word.contains(&format!("job {id} is {state}")), "{word}");
        assert!(!desk.place("work").exists());
        if winner == 0 {
            assert_eq!(state, State::Done);
            assert_eq!(desk.tip("work"), tip);
            assert!(desk.rescued().is_empty());
        } else {
            assert_eq!(state, State::Cancelled);
            assert_eq!(desk.tip("work"), None);
            assert_eq!(desk.rescued(), [tip.expect("it was there")]);
        }
        assert!(!desk.repo.common_dir().join("owl").exists(), "no trace");
    }
    eprintln!("accept won {}, drop won {}", won[0], won[1]);
}

#[test]
fn a3_6_two_accepts_at_once_are_one() {
    let desk = Desk::new();
    let id = desk.review("work");
    let words = format!("jobs accept {id}");
    let runs = std::thread::scope(|scope| {
        let started = [0, 1].map(|_| scope.spawn(|| desk.owl(&words)));
        started.map(|one| one.join().expect("it ran"))
    });
    for run in &runs {
        assert_eq!(run.code(), Some(0), "{run}");
    }
    assert_eq!(desk.state(id), State::Done);
    let outcomes = desk
        .repo
        .audit()
        .into_iter()
        .filter(|line| line.contains("\"outcome\""));
    let removed = outcomes.filter(|line| line.contains("\"removed\"")).count();
    assert_eq!(removed, 1);
}

/// `owl apply` accepts what has landed while a person drops it: one of the two stands.
#[test]
fn a3_6_the_implicit_accept_takes_the_same_lock() {
    for _ in 0..4 {
        let desk = Desk::new();
        let id = desk.review("work");
        desk.repo
            .git(["merge", "-q", "--no-ff", "--no-edit", "work"]);
        let drop = format!("jobs drop {id}");
        let (applied, dropped) = std::thread::scope(|scope| {
            let apply = scope.spawn(|| desk.owl("apply --yes --wait"));
            let drop = scope.spawn(|| desk.owl(&drop));
            (apply.join().expect("it ran"), drop.join().expect("it ran"))
        });
        assert!(matches!(applied.code(), Some(0 | 3)), "{applied}");
        match desk.state(id) {
            State::Done => {
                assert_eq!(dropped.code(), Some(2), "{dropped}");
                assert!(desk.tip("work").is_some());
            }
            State::Cancelled => {
                assert_eq!(dropped.code(), Some(0), "{dropped}");
                assert_eq!(desk.tip("work"), None);
            }
            other @ (State::Pending
            | State::Active
            | State::Review
            | State::Blocked
            | State::Exhausted
            | State::Other(_)) => panic!("{other}\n{applied}\n{dropped}"),
        }
        assert!(!desk.place("work").exists(), "{applied}\n{dropped}");
    }
}

/// Somebody removes the worktree at any moment of an accept: it is decided, or the run says that it
/// is not.
#[test]
fn an_accept_that_decided_nothing_says_so() {
    let mut refused = 0;
    for nth in 1..16 {
        let desk = Desk::new();
        let id = desk.review("work");
        let git = desk.repo.root().join("bin/git");
        desk.repo.script(
            &git,
            &format!(
                "#!/bin/sh\necho x >> \"$HOME/count\"\n\
                 if [ $(wc -l < \"$HOME/count\") -eq {nth} ]; then /bin/rm -rf {0}; \
                 PATH=$REAL git -C {1} worktree prune; fi\nPATH=$REAL exec git \"$@\"\n",
                desk.place("work").display(),
                desk.repo.main().display()
            ),
        );
        let mut owl = desk.repo.owl_command(&desk.repo.main());
        let real = owl
            .get_envs()
            .find(|(name, _)| *name == "PATH")
            .and_then(|(_, value)| value)
            .expect("it is set")
            .to_owned();
        let mut search = git.parent().expect("it has one").as_os_str().to_owned();
        search.push(":");
        search.push(&real);
        owl.args(["jobs", "accept", &id.to_string()])
            .env("PATH", search)
            .env("REAL", real);
        let run = desk.repo.run(owl);
        let is_done = desk.state(id) == State::Done;
        assert_eq!(run.code() == Some(0), is_done, "{nth}: {run}");
        refused += usize::from(!is_done);
        desk.done(&format!("jobs accept {id}"));
        assert_eq!(desk.state(id), State::Done);
    }
    assert!(refused > 0, "it was never in between");
}
