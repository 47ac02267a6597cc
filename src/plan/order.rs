//! The order of the rows, and the rows that wait for others.

use super::{Reason, Row, Unfinished, Verdict};
use crate::assess::Code;
use crate::resource::Address;
use std::collections::{BTreeMap, BTreeSet};

/// Holds every container of which a nested worktree stays: guard 10 lets it go only after all of
/// them have been removed by their own rows.
pub(super) fn with_containers_settled(mut rows: Vec<Row>) -> Vec<Row> {
    loop {
        let going: BTreeSet<Address> = rows
            .iter()
            .filter(|row| row.verdict == Verdict::Remove)
            .map(|row| row.address.clone())
            .collect();
        let mut settled = true;
        for row in rows.iter_mut().filter(|row| row.verdict == Verdict::Remove) {
            if let Some(stays) = row.after.iter().find(|inner| !going.contains(inner)) {
                row.message = format!("worktree inside stays: {stays}");
                row.verdict = Verdict::Hold;
                row.reason = Reason::Guard(Code::NestedRepository);
                row.unfinished = Some(Unfinished::Uncommitted);
                row.since = row.active_at.flatten();
                row.steps.clear();
                row.evidence.clear();
                settled = false;
            }
        }
        if settled {
            return rows;
        }
    }
}

/// Sorts by verdict, then project and address, each nested worktree before its container.
pub(super) fn ordered(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| {
        (a.verdict, &a.project, &a.address).cmp(&(b.verdict, &b.project, &b.address))
    });
    let mut left: BTreeMap<Address, Row> = BTreeMap::new();
    let mut sequence = Vec::with_capacity(rows.len());
    for row in rows {
        sequence.push(row.address.clone());
        left.insert(row.address.clone(), row);
    }
    let mut out = Vec::with_capacity(sequence.len());
    for address in sequence {
        emit(&address, &mut left, &mut out);
    }
    out
}

/// Rows that act come before the rest, so only those of the same class need to be pulled forward.
fn emit(address: &Address, left: &mut BTreeMap<Address, Row>, out: &mut Vec<Row>) {
    let Some(row) = left.remove(address) else {
        return;
    };
    if row.verdict.acts() {
        for inner in &row.after {
            emit(inner, left, out);
        }
    }
    out.push(row);
}
