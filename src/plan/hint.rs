//! What one line of `rebuildable` would free (`spec 5.4`, `spec 6`).
//!
//! Input: the rows, and what was found out about each tree. Output: hints, the one that frees most
//! first. Invariants: a hint counts only trees that a rule lets go and that nothing but ignored
//! content holds, all of it under the one path; no hint ever names what by its name is a key, or
//! has secrets, or what the policy calls precious.

use super::{Reason, Row, Verdict};
use crate::assess::{Assessment, Code, Decision};
use crate::resource::escape;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;

/// The most hints that a plan has.
const MOST: usize = 3;

/// A line of `rebuildable`, and what it would free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// The glob; escaped.
    pub path: String,
    /// How many worktrees nothing else holds.
    pub worktrees: usize,
    /// Their bytes on disk, as far as they are known.
    pub bytes: u64,
}

/// The best hints.
pub(super) fn hints(rows: &[Row], assessments: &[Assessment<'_>]) -> Vec<Hint> {
    let of: BTreeMap<_, _> = assessments
        .iter()
        .map(|one| (&one.subject.tree.address, one))
        .collect();
    let mut found: BTreeMap<String, Hint> = BTreeMap::new();
    for row in rows {
        let is_held =
            row.verdict == Verdict::Hold && row.reason == Reason::Guard(Code::IgnoredData);
        let Some(assessment) = of.get(&row.address).filter(|_| is_held) else {
            continue;
        };
        let Some(path) = line(assessment) else {
            continue;
        };
        let hint = found.entry(path.clone()).or_insert(Hint {
            path,
            worktrees: 0,
            bytes: 0,
        });
        hint.worktrees += 1;
        hint.bytes += row.size_bytes.flatten().unwrap_or(0);
    }
    let mut hints: Vec<_> = found.into_values().collect();
    hints.sort_by(|a, b| (b.bytes, b.worktrees, &a.path).cmp(&(a.bytes, a.worktrees, &b.path)));
    hints.truncate(MOST);
    hints
}

/// The one line that would let the tree go, if there is one.
fn line(assessment: &Assessment<'_>) -> Option<String> {
    let alone = assessment
        .findings
        .iter()
        .all(|finding| finding.passes() || finding.guard == Code::IgnoredData);
    if !alone || !matches!(assessment.decision, Decision::Accept(_)) {
        return None;
    }
    let sorted = assessment.subject.tree.sorted.known()?;
    let told: u64 = sorted.holding.iter().map(|one| one.amount.files).sum();
    if told != sorted.data.files || sorted.secrets.files + sorted.precious.files > 0 {
        return None;
    }
    let mut paths = sorted.holding.iter().map(|one| one.path.as_path());
    let first = paths.next()?;
    let name = first.file_name()?;
    // A glob would mean something else.
    let plain = |bytes: &[u8]| !bytes.iter().any(|byte| b"*?[]{}\\!~".contains(byte));
    if !plain(first.as_os_str().as_bytes()) {
        return None;
    }
    if sorted.holding.len() == 1 {
        return Some(escape(first.as_os_str().as_bytes()));
    }
    let same = paths.all(|path| path.file_name() == Some(name));
    same.then(|| format!("**/{}", escape(name.as_bytes())))
}
