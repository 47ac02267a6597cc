//! Whether more is unfinished than a ceiling allows (`owl check`, `spec 11`).
//!
//! Input: the plan, and the ceilings. Output: a [`Check`]. Invariants: pure; what could not be told
//! never stays below a ceiling: it is named as missing, unless the rest is over the ceiling already.

use super::ExitStatus;
use super::item::{Item, Since, oldest_first};
use super::status::{Disk, takes_room};
use crate::fact::Kleene;
use crate::plan::{Plan, Row, Unfinished, Verdict};
use crate::policy::Ceilings;
use crate::resource::{Address, escape};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

/// What `owl check` has to say.
#[derive(Debug)]
pub struct Check<'a> {
    /// The plan that it was told from.
    pub plan: &'a Plan,
    /// Every ceiling, in the order of the reference.
    pub ceilings: Vec<Ceiling>,
    /// Every row that counts towards a ceiling that is crossed, the worst first: what counts
    /// towards most of them, then what has been so for longest, then the largest.
    pub items: Vec<Item>,
    /// What could not be told, as sentences.
    pub missing: Vec<String>,
}

/// One ceiling, and what there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Ceiling {
    /// Its key in the policy.
    pub key: &'static str,
    /// The most that there may be.
    pub limit: Amount,
    /// What there is, as far as it is known.
    pub found: Amount,
    /// Whether there is more than that.
    pub crossed: Kleene,
}

/// How much of something there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// Rows.
    Count(usize),
    /// An age.
    Age(Duration),
    /// Bytes on disk.
    Bytes(u64),
}

/// The rows that count towards a ceiling.
struct Counted<'a> {
    ceiling: Ceiling,
    rows: Vec<&'a Row>,
}

impl<'a> Check<'a> {
    /// Compares what there is with the ceilings.
    pub fn new(plan: &'a Plan, ceilings: &Ceilings) -> Self {
        let counted = counted(plan, ceilings);
        let mut missing: Vec<String> = plan
            .projects
            .iter()
            .filter_map(|project| {
                let name = escape(project.name.as_bytes());
                Some(format!("project {name}: {}", project.problem.as_ref()?))
            })
            .collect();
        for one in &counted {
            if let Kleene::Unknown(why) = &one.ceiling.crossed {
                missing.extend(why.iter().map(|why| format!("{}: {why}", one.ceiling.key)));
            }
        }
        Self {
            plan,
            items: worst_first(plan, &counted),
            ceilings: counted.into_iter().map(|one| one.ceiling).collect(),
            missing,
        }
    }

    /// The ceilings that are crossed.
    pub fn crossed(&self) -> impl Iterator<Item = &Ceiling> {
        let crossed = |one: &&Ceiling| one.crossed == Kleene::True;
        self.ceilings.iter().filter(crossed)
    }

    /// How the run ends: 2 where something could not be told, else 1 over a ceiling.
    pub fn exit(&self) -> ExitStatus {
        if !self.missing.is_empty() || !self.plan.complete {
            ExitStatus::Error
        } else if self.crossed().next().is_some() {
            ExitStatus::Findings
        } else {
            ExitStatus::Done
        }
    }
}

fn counted<'a>(plan: &'a Plan, ceilings: &Ceilings) -> Vec<Counted<'a>> {
    let of_kind = |kind: Unfinished| move |row: &Row| row.unfinished == Some(kind);
    let mut all = Vec::new();
    let mut count = |key, limit: Option<usize>, counts: &dyn Fn(&Row) -> bool| {
        let Some(limit) = limit else { return };
        let rows: Vec<&Row> = plan.items.iter().filter(|row| counts(row)).collect();
        all.push(Counted {
            ceiling: Ceiling {
                key,
                limit: Amount::Count(limit),
                found: Amount::Count(rows.len()),
                crossed: (rows.len() > limit).into(),
            },
            rows,
        });
    };
    let kinds = [
        Unfinished::Uncommitted,
        Unfinished::Unpublished,
        Unfinished::Waiting,
    ];
    let [uncommitted, unpublished, waiting] = kinds.map(of_kind);
    count("unfinished", ceilings.unfinished, &|row| {
        row.unfinished.is_some()
    });
    count("uncommitted", ceilings.uncommitted, &uncommitted);
    count("unpublished", ceilings.unpublished, &unpublished);
    count("waiting", ceilings.waiting, &waiting);
    count("held", ceilings.held, &|row| row.verdict == Verdict::Hold);
    all.extend(ceilings.oldest.map(|limit| oldest(plan, limit)));
    all.extend(ceilings.disk.map(|limit| disk(plan, limit)));
    all
}

/// Unfinished work that has been so for longer than it may.
fn oldest(plan: &Plan, limit: Duration) -> Counted<'_> {
    let mut found = Duration::ZERO;
    let mut rows = Vec::new();
    let mut unknown = Vec::new();
    for row in plan.items.iter().filter(|row| row.unfinished.is_some()) {
        match Since::of(row, plan.observed_at) {
            since @ Since::Known(_) => {
                let age = since.age(plan.observed_at).unwrap_or_default();
                found = found.max(age);
                if age > limit {
                    rows.push(row);
                }
            }
            Since::Unknown => unknown.push(format!(
                "since when {} is so could not be told",
                row.address
            )),
            Since::NoClock => {}
        }
    }
    Counted {
        ceiling: Ceiling {
            key: "oldest",
            limit: Amount::Age(limit),
            found: Amount::Age(found),
            crossed: answer(!rows.is_empty(), unknown),
        },
        rows,
    }
}

/// The largest worktrees, as many of them as are over the ceiling.
fn disk(plan: &Plan, limit: u64) -> Counted<'_> {
    let found = Disk::of(plan);
    let mut rows: Vec<&Row> = plan.items.iter().filter(|row| takes_room(row)).collect();
    let size = |row: &Row| row.size_bytes.flatten();
    let unknown = rows.iter().filter(|row| size(row).is_none());
    let unknown = unknown.map(|row| format!("the size of {} could not be told", row.address));
    let crossed = answer(found.total_bytes > limit, unknown.collect());
    rows.sort_by_key(|row| (Reverse(size(row)), &row.address));
    let mut left = found.total_bytes;
    rows.retain(|row| {
        let is_over = left > limit;
        left = left.saturating_sub(size(row).unwrap_or_default());
        is_over
    });
    Counted {
        ceiling: Ceiling {
            key: "disk",
            limit: Amount::Bytes(limit),
            found: Amount::Bytes(found.total_bytes),
            crossed,
        },
        rows,
    }
}

fn answer(is_over: bool, unknown: Vec<String>) -> Kleene {
    match (is_over, unknown.is_empty()) {
        (true, _) => Kleene::True,
        (false, true) => Kleene::False,
        (false, false) => Kleene::Unknown(unknown),
    }
}

fn worst_first(plan: &Plan, counted: &[Counted<'_>]) -> Vec<Item> {
    let crossed = counted
        .iter()
        .filter(|one| one.ceiling.crossed == Kleene::True);
    let mut rows: BTreeMap<&Address, (usize, &Row)> = BTreeMap::new();
    for row in crossed.flat_map(|one| &one.rows) {
        rows.entry(&row.address).or_insert((0, row)).0 += 1;
    }
    let mut items: Vec<Item> = rows.values().map(|(_, row)| Item::of(row, plan)).collect();
    oldest_first(&mut items, plan.observed_at);
    let towards = |item: &Item| rows.get(&item.address).map(|(number, _)| *number);
    items.sort_by_key(|item| Reverse(towards(item)));
    items
}
