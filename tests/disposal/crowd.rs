//! Many people decide at once, about many jobs, while `owl apply` runs.

use super::{Desk, State};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn whatever_is_decided_at_once_each_decision_stands() {
    let desk = Desk::new();
    let names: Vec<String> = (0..12).map(|nth| format!("job{nth}")).collect();
    let ids: Vec<i64> = names.iter().map(|name| desk.review(name)).collect();
    let tips: Vec<_> = names.iter().map(|name| desk.tip(name)).collect();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let people: Vec<_> = (0..4)
            .map(|person| {
                let (desk, ids) = (&desk, &ids);
                scope.spawn(move || {
                    for nth in (person..ids.len()).step_by(4) {
                        let verb = if nth % 2 == 0 { "accept" } else { "drop" };
                        desk.done(&format!("jobs {verb} {}", ids[nth]));
                    }
                })
            })
            .collect();
        let apply = scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                let run = desk.owl("apply --yes --wait");
                assert_eq!(run.code(), Some(0), "{run}");
            }
        });
        for one in people {
            one.join().expect("nobody is told of a lock");
        }
        is_over.store(true, Ordering::SeqCst);
        apply.join().expect("no run of apply failed");
    });
    for (nth, name) in names.iter().enumerate() {
        assert!(!desk.place(name).exists(), "{name}");
        if nth % 2 == 0 {
            assert_eq!(desk.state(ids[nth]), State::Done);
            assert_eq!(desk.tip(name), tips[nth]);
        } else {
            assert_eq!(desk.state(ids[nth]), State::Cancelled);
            assert_eq!(desk.tip(name), None);
            let tip = tips[nth].clone().expect("it was there");
            assert!(desk.rescued().contains(&tip), "{name}");
        }
    }
}
