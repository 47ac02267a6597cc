//! What differs between a row as it was planned and the same row now (`spec 6`, `spec 7`).
//!
//! Used right before a row is touched, and for each row of a saved plan. Invariant: a row that has
//! nothing in this list rests on the same facts, and does the same.

use super::Row;
use crate::assess::Evidence;
use crate::resource::{Address, BytePath};

/// Everything that moved, as sentences, the most telling one first; nothing if nothing that
/// matters did. A base that merely moved on is nothing, as long as it vouches in the same way.
pub fn moved(planned: &Row, fresh: &Row) -> Vec<String> {
    let mut moved = Vec::new();
    let mut note = |differs: bool, what: &str| {
        if differs {
            moved.push(what.to_owned());
        }
    };
    if fresh.verdict != planned.verdict {
        let verdict = fresh.verdict.as_str();
        note(true, &format!("it is {verdict} now: {}", fresh.message));
    }
    note(fresh.kind != planned.kind, "it is of another kind now");
    let has_moved = fresh.identity != planned.identity
        || fresh.path != planned.path
        || fresh.path_bytes != planned.path_bytes
        || fresh.project != planned.project;
    note(has_moved, "another directory stands in its place now");
    let has_moved = fresh.git_path != planned.git_path;
    note(has_moved, "git has another path for it now");
    let has_moved = fresh.head != planned.head || fresh.branch != planned.branch;
    note(has_moved, "HEAD has moved");
    note(
        fresh.status != planned.status,
        "what is untracked or ignored in it has changed",
    );
    if fresh.verdict == planned.verdict {
        note(fresh.steps != planned.steps, "its steps are others now");
        // The policy is the same, by its digest; its file may be named in another way.
        let rule = |row: &Row| row.rule.as_ref().map(|rule| (rule.name.clone(), rule.line));
        note(rule(fresh) != rule(planned), "another rule decides now");
        let has_moved = fresh.reason != planned.reason
            || !fresh
                .evidence
                .iter()
                .map(timeless)
                .eq(planned.evidence.iter().map(timeless));
        note(has_moved, "its verdict rests on other evidence now");
        // Those that were inside go before it, in the same run.
        let is_new = |inner: &Address| !planned.after.contains(inner);
        note(
            fresh.after.iter().any(is_new),
            "other worktrees lie inside it now",
        );
    }
    moved
}

/// Evidence without the commit that the vouching ref pointed at.
fn timeless(evidence: &Evidence) -> Evidence {
    let mut evidence = evidence.clone();
    match &mut evidence {
        Evidence::Ancestor { base_commit, .. }
        | Evidence::SameTree { base_commit, .. }
        | Evidence::MergeAddsNothing { base_commit, .. }
        | Evidence::PatchIds { base_commit, .. }
        | Evidence::Squash { base_commit, .. }
        | Evidence::Doubt { base_commit, .. } => base_commit.clear(),
        Evidence::Published {
            reference,
            reference_commit,
            ..
        } => {
            // Any remote-tracking ref that has it is as good.
            *reference = BytePath::from("");
            reference_commit.clear();
        }
        Evidence::Found { .. }
        | Evidence::Time { .. }
        | Evidence::Process { .. }
        | Evidence::Note { .. } => {}
    }
    evidence
}
