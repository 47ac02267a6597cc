//! Generated policies, as texts from parts.

use super::worlds::STORES;
use owl::policy::{Origin, Policy};
use proptest::prelude::*;
use std::fmt::Write;

const CONDITIONS: [&str; 18] = [
    "{ landed: true }",
    "{ published: true }",
    "{ own-commits: false }",
    "{ clean: true }",
    "{ idle-over: 1h }",
    "{ age-over: 1d }",
    "{ detached: true }",
    "{ locked: false }",
    "{ branch: agent }",
    "{ branch: [\"release/*\", \"keep/*\"] }",
    "{ project: app }",
    "{ path: \"*-1\" }",
    "{ size-over: 1B }",
    "{ not: { size-over: 2B } }",
    "{ not: { landed: true } }",
    "{ not: { clean: false } }",
    "{ any: [{ landed: true }, { published: true }] }",
    "{ all: [{ clean: true }, { idle-over: 1d }] }",
];

fn rule() -> impl Strategy<Value = (String, &'static str)> {
    let condition = (0..CONDITIONS.len()).prop_map(|nth| CONDITIONS[nth]);
    let conditions = prop::collection::vec(condition, 1..4);
    let joined = prop_oneof![2 => Just("any"), 1 => Just("all")];
    let then = prop_oneof![4 => Just("accept"), 2 => Just("drop"), 1 => Just("keep")];
    (conditions, joined, then).prop_map(|(conditions, joined, then)| {
        (format!("{{ {joined}: [{}] }}", conditions.join(", ")), then)
    })
}

/// Policies of one to four rules.
pub(crate) fn policies() -> impl Strategy<Value = Policy> {
    let rules = prop::collection::vec(rule(), 1..5);
    let grace = prop_oneof![Just("0s"), Just("1h"), Just("2d")];
    let rest = (grace, any::<bool>(), prop::bool::weighted(0.2));
    (rules, rest).prop_map(|(rules, (grace, own, strict))| {
        let mut text = "apiVersion: owl/v1\nstores:\n".to_owned();
        for store in STORES {
            writeln!(text, "  - path: \"{store}\"").expect("a string");
        }
        text.push_str("rules:\n");
        for (nth, (when, then)) in rules.iter().enumerate() {
            write!(
                text,
                "  - name: rule-{nth}\n    when: {when}\n    then: {then}\n"
            )
            .expect("a string");
        }
        writeln!(text, "ttl:\n  grace: {grace}").expect("a string");
        if own {
            text.push_str("pid-namespace: own\n");
        }
        if own != strict {
            text.push_str("dead-locks: lift\nrescue: [\"/var/*/*\"]\n");
        }
        if strict {
            text.push_str("processes: strict\n");
        }
        Policy::parse("owl.yaml", text.as_bytes(), Origin::User)
            .unwrap_or_else(|found| panic!("{found:?} in\n{text}"))
    })
}
