//! `incidents` A, one test each, named after its number; only those that a reader of the
//! repository can decide (a forge, a branch name, a fetch are other people's business).

use crate::yard::Yard;

/// The verdict and the reason of a branch, as in JSON.
fn row(yard: &Yard, branch: &str) -> (String, String) {
    let row = &yard.rows()[branch];
    (row.verdict.as_str().to_owned(), row.reason.to_string())
}

fn is(yard: &Yard, branch: &str, verdict: &str, reason: &str) {
    let expected = (verdict.to_owned(), reason.to_owned());
    assert_eq!(row(yard, branch), expected, "{branch}");
}

/// `feat` as the script makes it, beside `done`, which is squashed, and `open`, which is not.
fn yard(script: &str) -> Yard {
    let yard = Yard::new();
    yard.sh(&format!(
        "lines f; lines g; lines done; lines open; save start
         git checkout -q -b done; line done 5 x; line done 9 y; main
         git checkout -q -b open; line open 5 x; main
         git checkout -q -b feat; {script}
         main; squash done; lines last; save last"
    ));
    for branch in ["feat", "done", "open"] {
        yard.ask(branch);
    }
    is(&yard, "done", "prune", "gone");
    is(&yard, "open", "hold", "unpublished");
    yard
}

#[test]
fn incident_1_3_squash_merged() {
    let yard = yard("line f 5 x; line g 5 y; main; squash feat");
    is(&yard, "feat", "prune", "gone");
    assert_eq!(yard.answers()["feat"], "merge-adds-nothing");
}

#[test]
fn incident_2_base_edits_the_same_lines_later() {
    let yard = yard("line f 5 x; line f 6 y; main; squash feat; line f 5 later");
    is(&yard, "feat", "prune", "gone");
    assert_eq!(yard.answers()["feat"], "squash");
}

#[test]
fn incident_6_7_no_commits_yet() {
    let yard = yard("main");
    let tree = &crate::yard::trees(&yard.observe())["feat"];
    assert_eq!(tree.own_commits, owl::fact::Fact::Known(false));
    assert_eq!(yard.answers()["feat"], "ancestor", "trivially");
}

#[test]
fn incident_5_how_old_the_base_is_known_to_be_is_said() {
    let yard = yard("line f 5 x; main");
    yard.sh("git config remote.origin.url https://example.com/x
         git update-ref refs/remotes/origin/main main; touch -d '2026-01-05T00:00:00Z' .git/FETCH_HEAD");
    let observation = yard.observe();
    let base = observation.projects[0].base.known().unwrap().clone();
    let fetched = base.fetched_at.known().expect("FETCH_HEAD has a time");
    assert!(fetched.to_string().starts_with("2026-01-05"), "{fetched}");
    is(&yard, "feat", "hold", "unpublished");
}

#[test]
fn incident_9_new_work_under_a_name_that_landed_before() {
    let yard = yard(
        "line f 5 x; main; squash feat; git branch -q -D feat; git checkout -q -b feat; line f 9 new; main",
    );
    is(&yard, "feat", "hold", "unpublished");
}

#[test]
fn incident_10_rebased_before_it_landed() {
    let yard =
        yard("line f 5 x; line g 5 y; main; line f 15 z; git cherry-pick main..feat >/dev/null");
    is(&yard, "feat", "prune", "gone");
}

#[test]
fn incident_11_landed_in_another_branch_only() {
    let yard = yard("line f 5 x; git checkout -q -b staging main; squash feat");
    is(&yard, "feat", "hold", "unpublished");
}

#[test]
fn incident_13_the_local_base_is_behind() {
    let yard = yard("line f 5 x; line f 6 y; main");
    yard.sh("git config remote.origin.url https://example.com/x
         git checkout -q -b theirs; squash feat; line f 5 later
         git update-ref refs/remotes/origin/main theirs; main; git branch -q -D theirs");
    assert_eq!(yard.answers()["feat"], "squash");
    let tree = &crate::yard::trees(&yard.observe())["feat"];
    let base = tree.landed.known().unwrap().base.to_string();
    assert_eq!(base, "refs/remotes/origin/main");
    assert_eq!(yard.answers()["open"], "no");
}

#[test]
fn incident_14_15_pushed_and_gone_is_not_landed() {
    let yard = yard("line f 5 x; main");
    yard.sh("git config remote.origin.url https://example.com/x
         git config branch.feat.remote origin; git config branch.feat.merge refs/heads/feat");
    is(&yard, "feat", "hold", "unpublished");
}

#[test]
fn incident_17_18_19_no_upstream_and_no_remote() {
    let yard = yard("line f 5 x; main");
    let row = &yard.rows()["feat"];
    assert_eq!(row.reason.to_string(), "unpublished");
}

#[test]
fn incident_22_no_base() {
    let yard = Yard::new();
    yard.sh("git checkout -q -b feat; lines f; save f; git branch -m main trunk");
    yard.ask("feat");
    let answer = &yard.answers()["feat"];
    assert_eq!(answer, "unknown: no base branch can be told");
}

#[test]
fn incident_31_two_bases_to_choose_from() {
    let yard = yard("line f 5 x; main");
    yard.sh("git branch master");
    let answer = &yard.answers()["feat"];
    assert!(
        answer.starts_with("unknown: both main and master exist"),
        "{answer}"
    );
    yard.sh("git branch -q -D master");
    assert_eq!(yard.answers()["feat"], "no");
}

#[test]
fn incident_25_26_the_base_itself_is_checked_out() {
    let yard = yard("line f 5 x; main");
    yard.ask("main");
    assert_eq!(yard.answers()["main"], "no", "it does not vouch for itself");
    yard.sh("git config remote.origin.url https://example.com/x
         git update-ref refs/remotes/origin/main main");
    assert_eq!(
        yard.answers()["main"],
        "ancestor",
        "its remote-tracking ref does"
    );
}

#[test]
fn incident_27_nothing_as_a_whole() {
    let yard = yard("line f 5 x; git revert --no-edit HEAD >/dev/null");
    is(&yard, "feat", "hold", "conflicting-evidence");
    yard.sh("git checkout -q -b notes; save notes; main");
    yard.ask("notes");
    is(&yard, "notes", "hold", "conflicting-evidence");
}

#[test]
fn incident_29_landed_then_reverted() {
    let yard =
        yard("line f 5 x; line f 6 y; main; squash feat; git revert --no-edit HEAD >/dev/null");
    is(&yard, "feat", "hold", "conflicting-evidence");
    let row = &yard.rows()["feat"];
    assert_eq!(serde_json::to_value(row.unfinished).unwrap(), "AMBIGUOUS");
    let kinds: Vec<_> = row
        .evidence
        .iter()
        .map(|one| serde_json::to_value(one).unwrap()["kind"].clone())
        .collect();
    assert_eq!(kinds, ["squash", "doubt"], "what is in conflict");
    yard.sh("main; squash feat");
    is(&yard, "feat", "prune", "gone");
}

#[test]
fn incident_29_published_work_may_go_whatever_the_base_did() {
    let yard = yard("line f 5 x; main; squash feat; git revert --no-edit HEAD >/dev/null");
    is(&yard, "feat", "hold", "conflicting-evidence");
    yard.sh("git config remote.origin.url https://example.com/x
         git update-ref refs/remotes/origin/feat feat");
    is(&yard, "feat", "prune", "gone");
}

#[test]
fn incident_30_a_commit_after_the_squash() {
    let yard = yard("line f 5 x; main; squash feat; git checkout -q feat; line g 5 y");
    is(&yard, "feat", "hold", "unpublished");
    let row = &yard.rows()["feat"];
    assert_eq!(
        row.message,
        "gone, and its commits are neither landed nor published"
    );
}

#[test]
fn incident_33_replaced_history() {
    let yard = yard("line f 5 x; main");
    yard.sh("git replace --graft main feat main^");
    is(&yard, "feat", "hold", "unpublished");
    yard.sh("git rev-parse main main^ feat | paste -sd' ' - >.git/info/grafts");
    is(&yard, "feat", "hold", "unpublished");
}

#[test]
fn names_that_shadow_the_base() {
    let yard = yard("line f 5 x; main");
    yard.sh(
        "git tag main feat; git update-ref refs/heads/origin/main feat
         git update-ref refs/heads/$(git rev-parse refs/heads/main) feat",
    );
    is(&yard, "feat", "hold", "unpublished");
}

#[test]
fn unrelated_history_has_not_landed() {
    let yard = yard("line f 5 x; main");
    yard.sh("git checkout -q --orphan island; save island; line f 7 y; main");
    yard.ask("island");
    assert_eq!(yard.answers()["island"], "no");
}

#[test]
fn two_bases() {
    let yard = yard("line f 5 x; line f 6 y; main");
    // The remote squashed it, and took it back; the local base has the squash alone.
    yard.sh(
        "git config remote.origin.url https://example.com/x; main; squash feat
         git branch theirs; git checkout -q theirs; git revert --no-edit HEAD >/dev/null
         git update-ref refs/remotes/origin/main theirs; main",
    );
    assert_eq!(
        yard.answers()["feat"],
        "conflict taken-back",
        "the newer one decides"
    );
    // The local base has it again.
    yard.sh("git merge -q --ff-only theirs; squash feat; git branch -q -D theirs");
    assert_eq!(yard.answers()["feat"], "merge-adds-nothing");
}
