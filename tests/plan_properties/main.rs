//! What holds of every plan, over generated policies and observations (`spec 1`, `spec 6`).

mod policies;
mod worlds;

use owl::assess::Answer;
use owl::observe::{Kind, Observation};
use owl::plan::{Plan, Reason, ResourceKind, Row, Verdict};
use owl::policy::Policy;
use owl::resource::Address;
use policies::policies;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::collections::BTreeSet;
use worlds::{Field, To, change, observations, sorted};

type Holds = Result<(), TestCaseError>;

/// Runs a property over many worlds; the cases in which something is removed are counted.
fn over_worlds(property: impl Fn(&Policy, &Observation, &Plan) -> Holds) -> (u32, u32) {
    let config = Config {
        cases: 256,
        failure_persistence: None,
        ..Config::default()
    };
    let (cases, removals) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new(config).run(&(policies(), observations()), |(policy, seen)| {
        let plan = Plan::new(&policy, &seen);
        cases.set(cases.get() + 1);
        let removes = plan.items.iter().any(|row| row.verdict == Verdict::Remove);
        removals.set(removals.get() + u32::from(removes));
        property(&policy, &seen, &plan)
    });
    if let Err(why) = result {
        panic!("{why}");
    }
    (removals.get(), cases.get())
}

fn acting(plan: &Plan) -> impl Iterator<Item = &Row> {
    plan.items
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::Remove | Verdict::Prune))
}

/// Where the tree of a row is in the observation.
fn place(seen: &Observation, address: &Address) -> (usize, usize) {
    for (at, project) in seen.projects.iter().enumerate() {
        if let Some(nth) = project
            .trees
            .iter()
            .position(|tree| tree.address == *address)
        {
            return (at, nth);
        }
    }
    panic!("{address} is in the observation");
}

fn acts(policy: &Policy, seen: &Observation, address: &Address) -> bool {
    let plan = Plan::new(policy, seen);
    plan.row(address).is_some_and(|row| row.verdict.acts())
}

/// Whether it is only the branch of a drop that stops a row. Of an entry whose directory is gone the
/// prune needs no rule (`spec 5`): one that cannot be told costs it the deletion of the branch, and
/// nothing else rests on it.
fn is_stopped_by_its_branch(policy: &Policy, seen: &Observation, address: &Address) -> bool {
    let plan = Plan::new(policy, seen);
    plan.row(address).is_some_and(|row| {
        row.kind == ResourceKind::Entry
            && matches!(row.reason, Reason::UnknownBranch | Reason::BranchStays)
    })
}

/// Promise 1. With one fact made unknown, a row acts only if it acts whatever that fact is: then
/// it did not rest on it.
#[test]
fn no_planned_removal_rests_on_an_unknown() {
    over_worlds(|policy, seen, plan| {
        for row in acting(plan) {
            let (at, nth) = place(seen, &row.address);
            for field in Field::ALL {
                let with = |to| {
                    let mut other = seen.clone();
                    change(&mut other, at, nth, field, to);
                    acts(policy, &other, &row.address)
                };
                if !with(To::Unknown) {
                    continue;
                }
                prop_assert!(
                    row.verdict == Verdict::Prune || !field.is_a_guards(),
                    "{} is removed, though {field:?} is unknown",
                    row.address
                );
                for to in To::DEFINITE {
                    let mut other = seen.clone();
                    change(&mut other, at, nth, field, to);
                    prop_assert!(
                        with(to) || is_stopped_by_its_branch(policy, &other, &row.address),
                        "{} acts with {field:?} unknown, but not with {to:?}",
                        row.address
                    );
                }
            }
        }
        Ok(())
    });
}

#[test]
fn whatever_acts_has_passed_every_guard_and_names_a_rule() {
    over_worlds(|_, seen, plan| {
        for row in acting(plan) {
            let held = row.guards.iter().find(|one| one.result != Answer::Pass);
            prop_assert!(held.is_none(), "{}: {held:?}", row.address);
            let (at, nth) = place(seen, &row.address);
            let tree = &seen.projects[at].trees[nth];
            prop_assert!(tree.store.is_some() && tree.id.is_some());
            if row.verdict == Verdict::Remove {
                prop_assert!(row.rule.is_some() && tree.kind == Kind::Worktree);
            } else {
                prop_assert_eq!(tree.kind, Kind::Entry);
            }
            prop_assert!(!row.steps.is_empty());
        }
        for row in plan.items.iter().filter(|row| !row.verdict.acts()) {
            prop_assert!(row.steps.is_empty(), "{}", row.address);
        }
        Ok(())
    });
}

#[test]
fn equal_inputs_give_equal_bytes() {
    over_worlds(|policy, seen, plan| {
        let bytes = serde_json::to_vec(plan).unwrap();
        prop_assert_eq!(
            &bytes,
            &serde_json::to_vec(&Plan::new(policy, seen)).unwrap()
        );
        // The order in which projects and trees were come upon does not matter.
        let mut other = seen.clone();
        other.projects.reverse();
        for project in &mut other.projects {
            project.trees.reverse();
        }
        let other = Plan::new(policy, &sorted(other));
        prop_assert_eq!(&bytes, &serde_json::to_vec(&other).unwrap());
        Ok(())
    });
}

#[test]
fn every_tree_has_exactly_one_row() {
    over_worlds(|_, seen, plan| {
        let trees = seen.projects.iter().flat_map(|project| &project.trees);
        let mut expected: Vec<_> = trees.map(|tree| tree.address.clone()).collect();
        let mut found: Vec<_> = plan.items.iter().map(|row| row.address.clone()).collect();
        expected.sort();
        found.sort();
        prop_assert_eq!(expected, found);
        let count = plan.summary.remove
            + plan.summary.prune
            + plan.summary.hold
            + plan.summary.keep
            + plan.summary.ignore;
        prop_assert_eq!(count, plan.items.len());
        Ok(())
    });
}

/// Promise 3: what a plan would change is all that there is to change.
#[test]
fn planning_after_applying_is_empty() {
    over_worlds(|policy, seen, plan| {
        let gone: BTreeSet<Address> = acting(plan).map(|row| row.address.clone()).collect();
        let mut after = seen.clone();
        for project in &mut after.projects {
            project.trees.retain(|tree| !gone.contains(&tree.address));
            for tree in &mut project.trees {
                tree.contains.retain(|inner| !gone.contains(inner));
            }
        }
        let again = Plan::new(policy, &after);
        let left: Vec<_> = acting(&again).map(|row| row.address.clone()).collect();
        prop_assert!(left.is_empty(), "{left:?}");
        Ok(())
    });
}

#[test]
fn nested_comes_before_its_container_and_holds_it() {
    over_worlds(|_, seen, plan| {
        let order: Vec<_> = acting(plan).map(|row| &row.address).collect();
        for (at, row) in acting(plan).enumerate() {
            let (project, nth) = place(seen, &row.address);
            for inner in &seen.projects[project].trees[nth].contains {
                let before = order.iter().position(|address| *address == inner);
                prop_assert!(
                    before.is_some_and(|before| before < at),
                    "{} is removed, and {inner} inside is not removed before",
                    row.address
                );
            }
        }
        Ok(())
    });
}

#[test]
fn an_observation_survives_json() {
    over_worlds(|policy, seen, plan| {
        let text = serde_json::to_string(seen).unwrap();
        let back: Observation = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(seen, &back);
        prop_assert_eq!(plan, &Plan::new(policy, &back));
        Ok(())
    });
}

/// The properties mean something: the worlds are neither all clean nor all dirty.
#[test]
fn three_in_ten_cases_remove_something() {
    let prunes = Cell::new(0_u32);
    let containers = Cell::new(0_u32);
    let (removals, cases) = over_worlds(|_, _, plan| {
        let has = |verdict| plan.items.iter().any(|row| row.verdict == verdict);
        prunes.set(prunes.get() + u32::from(has(Verdict::Prune)));
        let contains = acting(plan).any(|row| !row.after.is_empty());
        containers.set(containers.get() + u32::from(contains));
        Ok(())
    });
    assert!(removals * 10 >= cases * 3, "{removals} of {cases}");
    assert!(removals < cases, "{removals} of {cases}");
    assert!(
        prunes.get() * 10 >= cases,
        "{} prunes of {cases}",
        prunes.get()
    );
    assert!(
        containers.get() * 100 >= cases,
        "{} containers of {cases}",
        containers.get()
    );
}
