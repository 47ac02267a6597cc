//! From an assessment to a row: the one place where a verdict is chosen.
//!
//! Invariant: `remove` and `prune` are reached only where every guard that applies passes, and a
//! rule (for a prune: the policy and a vouching fact) says so.

use super::overdue::overdue;
use super::steps::{Plus, plus, steps};
use super::{Reason, Row, RowJob, RuleRef, Unfinished, Verdict};
use crate::assess::{
    Answer, Assessment, Code, Decision, Evidence, Finding, Subject, TreeJobs, doubt, first_held,
    named, phrase, rests_on_a_decision, rests_on_gone, short_ref, why_not_ordered,
};
use crate::fact::Fact;
use crate::observe::{Kind, Partial, Tree};
use crate::policy::Action;
use crate::resource::escape;

/// A verdict on its way into a row.
struct Judged {
    verdict: Verdict,
    reason: Reason,
    message: String,
    evidence: Vec<Evidence>,
}

impl Judged {
    fn new(verdict: Verdict, reason: Reason, message: impl Into<String>) -> Self {
        Self {
            verdict,
            reason,
            message: message.into(),
            evidence: Vec::new(),
        }
    }

    /// With what happens besides.
    fn plus(mut self, plus: &Plus) -> Self {
        for what in plus {
            self.message.push_str("; ");
            self.message.push_str(what);
        }
        self
    }
}

/// The row of one assessed tree.
pub(super) fn row(assessment: &Assessment<'_>) -> Row {
    let tree = assessment.subject.tree;
    let jobs = TreeJobs::of(&assessment.subject);
    let mut judged = judge(assessment);
    let late = late(&mut judged, assessment, &jobs);
    let policy = assessment.subject.policy;
    let rule = assessment.decision.rule().map(|index| {
        let rule = &policy.rules[index];
        RuleRef {
            name: rule.name.clone(),
            file: rule.file.clone(),
            line: rule.line,
        }
    });
    let steps = steps(assessment, judged.verdict);
    let unfinished = match &late {
        Some((kind, _)) => Some(*kind),
        None => unfinished(&judged, assessment),
    };
    let since = match late {
        Some((_, since)) => since,
        None => unfinished.and_then(|_| tree.active.known().copied()),
    };
    Row {
        address: tree.address.clone(),
        kind: tree.kind.into(),
        project: assessment.subject.project.name.clone(),
        path: tree.path.as_path().to_string_lossy().into_owned(),
        path_bytes: tree.path.as_str().is_none().then(|| tree.path.clone()),
        git_path: tree.git_path.clone(),
        branch: branch(tree),
        head: head(tree),
        job: row_job(&judged, &jobs),
        unfinished,
        since,
        verdict: judged.verdict,
        reason: judged.reason,
        message: judged.message,
        rule: rule.filter(|_| judged.verdict != Verdict::Ignore),
        steps,
        guards: assessment.findings.clone(),
        evidence: judged.evidence,
        size_bytes: (tree.kind != Kind::Entry).then(|| tree.size.known().copied()),
        active_at: (tree.kind == Kind::Worktree).then(|| tree.active.known().copied()),
        identity: tree.identity.known().copied(),
        status: tree.status.known().cloned(),
        after: tree.contains.clone(),
    }
}

#[expect(
    clippy::option_option,
    reason = "absent, unknown and known are three things"
)]
fn row_job(judged: &Judged, jobs: &TreeJobs<'_>) -> Option<Option<RowJob>> {
    if judged.verdict == Verdict::Ignore {
        return None;
    }
    if jobs.unknown.is_some() || jobs.conflict.is_some() {
        return Some(None);
    }
    jobs.sole().map(|job| Some(RowJob::of(job)))
}

/// Work of a job that has stood still for too long: what would be kept, since somebody is at work,
/// is a person's to see to then.
fn late(
    judged: &mut Judged,
    assessment: &Assessment<'_>,
    jobs: &TreeJobs<'_>,
) -> Option<(Unfinished, Option<jiff::Timestamp>)> {
    if judged.reason != Reason::Guard(Code::InUse) {
        return None;
    }
    let subject = &assessment.subject;
    let sign = subject.tree.active.known().copied();
    let job = jobs.sole()?;
    let late = overdue(job, sign, &subject.policy.ttl, subject.now)?;
    judged.verdict = Verdict::Hold;
    judged.message = late.message;
    Some((late.kind, late.since))
}

fn judge(assessment: &Assessment<'_>) -> Judged {
    let held = first_held(&assessment.findings);
    if let Some(finding) = held.filter(|finding| finding.guard <= Code::OtherRepository) {
        return Judged::new(Verdict::Ignore, Reason::Guard(finding.guard), said(finding));
    }
    let is_open = |finding: &&Finding| (Code::ApplyRunning..=Code::Aside).contains(&finding.guard);
    if let Some(finding) = held.filter(is_open) {
        return from_guard(finding);
    }
    if let Decision::Keep(index) = assessment.decision {
        let name = escape(assessment.subject.policy.rules[index].name.as_bytes());
        return Judged::new(Verdict::Keep, Reason::Kept, format!("kept by rule {name}"));
    }
    if let Some(why) = why_not_ordered(&assessment.subject) {
        return Judged::new(Verdict::Hold, Reason::NoRule, why);
    }
    if let Some(finding) = held {
        return from_guard(finding);
    }
    match assessment.subject.tree.kind {
        Kind::Entry => judge_entry(assessment),
        Kind::Worktree => judge_worktree(assessment),
        // Guard 3 holds every directory that no entry claims; nothing may fall through to a rule.
        Kind::Directory => {
            let code = Code::Unregistered;
            Judged::new(
                Verdict::Hold,
                Reason::UnknownGuard(code),
                "unknown: not a worktree",
            )
        }
    }
}

fn said(finding: &Finding) -> String {
    finding
        .message
        .clone()
        .unwrap_or_else(|| finding.guard.to_string())
}

fn from_guard(finding: &Finding) -> Judged {
    let (verdict, reason) = match (finding.result, finding.guard) {
        (Answer::Unknown, code) => (Verdict::Hold, Reason::UnknownGuard(code)),
        (_, code @ (Code::InUse | Code::Fresh | Code::ProcessInside)) => {
            (Verdict::Keep, Reason::Guard(code))
        }
        (_, code) => (Verdict::Hold, Reason::Guard(code)),
    };
    Judged {
        verdict,
        reason,
        message: said(finding),
        evidence: finding.evidence.clone(),
    }
}

fn judge_worktree(assessment: &Assessment<'_>) -> Judged {
    let tree = assessment.subject.tree;
    match &assessment.decision {
        Decision::Accept(_)
        | Decision::Implicit(_)
        | Decision::Ordered(Action::Accept | Action::Keep) => {
            on_account_of_a_job(assessment, accepted(tree)).plus(&plus(assessment))
        }
        Decision::Drop(index) => {
            let rule = &assessment.subject.policy.rules[*index].name;
            let who = format!("rule {}", escape(rule.as_bytes()));
            let judged = on_account_of_a_job(assessment, accepted(tree));
            dropped(assessment, &who, judged)
        }
        Decision::Ordered(Action::Drop) => {
            let judged = on_account_of_a_job(assessment, accepted(tree));
            dropped(assessment, "the order", judged)
        }
        Decision::Missing(index, facts) => missing(assessment, *index, facts),
        Decision::Keep(_) | Decision::NoRule => no_rule(tree),
    }
}

fn missing(assessment: &Assessment<'_>, index: usize, facts: &[String]) -> Judged {
    let name = escape(assessment.subject.policy.rules[index].name.as_bytes());
    let message = format!(
        "unknown: rule {name} could not be decided: {}",
        facts.join("; ")
    );
    Judged::new(Verdict::Hold, Reason::UnknownRule, message)
}

/// `spec 7.6`: what may not be deleted is not half dropped, but held.
fn dropped(assessment: &Assessment<'_>, who: &str, judged: Judged) -> Judged {
    let subject = &assessment.subject;
    let hold = |reason, message| Judged::new(Verdict::Hold, reason, message);
    let stays = match &subject.tree.drop {
        Fact::Known(dropping) => &dropping.stays,
        Fact::Absent => {
            return hold(
                Reason::UnknownBranch,
                "unknown: it was not looked at".to_owned(),
            );
        }
        Fact::Unknown(why) => return hold(Reason::UnknownBranch, format!("unknown: {why}")),
    };
    match stays {
        Fact::Absent => judged.plus(&plus(assessment)),
        Fact::Known(why) => {
            let why = why.join("; ");
            let message = format!("{who} drops it, but its branch stays: {why}");
            hold(Reason::BranchStays, message)
        }
        Fact::Unknown(why) => hold(
            Reason::UnknownBranch,
            format!("unknown: whether its branch may be deleted: {why}"),
        ),
    }
}

/// A removal that would not be but for a job: its state is the reason (`spec 12`).
fn on_account_of_a_job(assessment: &Assessment<'_>, mut judged: Judged) -> Judged {
    let Assessment {
        subject, decision, ..
    } = assessment;
    let jobs = TreeJobs::of(subject);
    let sole = jobs.sole();
    if let (Decision::Ordered(then), Some(job)) = (decision, sole) {
        judged.reason = Reason::of_state(&job.state);
        judged.message = match then {
            Action::Drop => format!("{} is dropped", named(job)),
            Action::Accept | Action::Keep => format!("{} is accepted", named(job)),
        };
    } else if let (Decision::Implicit(_), Some(job)) = (decision, sole) {
        judged.message = format!("{} has {}: accepted", named(job), judged.message);
        if subject.tree.landed.known().is_none() {
            judged.reason = Reason::of_state(&job.state);
            judged.message = format!("{} has no commit of its own: accepted", named(job));
        }
    } else if let (true, Some(job)) = (rests_on_a_decision(subject, decision), sole) {
        judged.reason = Reason::of_state(&job.state);
        judged.message = named(job);
        judged.evidence.insert(0, decided(subject, job));
    } else if rests_on_gone(subject, decision) {
        judged.reason = Reason::Job("gone");
        "its job is gone: the ledger knows none".clone_into(&mut judged.message);
        let since = subject
            .project
            .jobs
            .ledger
            .known()
            .and_then(|known| known.since);
        let at = since.map(|at| Evidence::Time {
            what: "the ledger knows this repository since".to_owned(),
            at,
        });
        judged.evidence.splice(0..0, at);
    }
    judged
}

/// A person's decision about the job of an entry whose directory is gone (A3.4).
fn of_its_job(assessment: &Assessment<'_>, mut judged: Judged) -> Judged {
    if let Some(job) = TreeJobs::of(&assessment.subject).sole() {
        judged.message = format!("{}; {} is decided", judged.message, named(job));
    }
    judged
}

fn decided(subject: &Subject<'_>, job: &crate::observe::ObservedJob) -> Evidence {
    let commit = subject.tree.commit().unwrap_or_default();
    Evidence::Note {
        text: format!("{} was decided at commit {commit}", named(job)),
    }
}

fn accepted(tree: &Tree) -> Judged {
    let mut judged = Judged::new(Verdict::Remove, Reason::Rule, "a rule lets it go");
    let commit = tree.commit().unwrap_or_default();
    if let Fact::Known(published) = &tree.published {
        let reference = published.reference.clone();
        judged.reason = Reason::Published;
        judged.message = format!("published in {}", short_ref(&reference));
        judged.evidence.push(Evidence::Published {
            reference,
            reference_commit: published.commit.clone(),
            commit: commit.to_owned(),
        });
    }
    if let Fact::Known(landed) = &tree.landed {
        judged.reason = Reason::Landed(Evidence::code_of(landed.how));
        judged.message = format!("landed ({})", phrase(landed));
        judged.evidence.insert(0, Evidence::landed(tree, landed));
    }
    judged
}

/// No rule lets it go: finished work is kept, work in doubt or found nowhere else is held.
fn no_rule(tree: &Tree) -> Judged {
    let kept = || Judged::new(Verdict::Keep, Reason::NoRule, "no rule lets it go");
    if tree.landed.known().is_some() {
        return kept();
    }
    if let Some(judged) = in_conflict(tree) {
        return judged;
    }
    let some = match &tree.unvouched {
        Fact::Known(0) | Fact::Absent => return kept(),
        Fact::Known(1) => "1 commit".to_owned(),
        Fact::Known(many) => format!("{many} commits"),
        Fact::Unknown(why) => {
            return Judged::new(
                Verdict::Hold,
                Reason::UnknownCommits,
                format!("unknown: {why}"),
            );
        }
    };
    let mut judged = Judged::new(
        Verdict::Hold,
        Reason::Unpublished,
        format!("{some} neither landed nor published"),
    );
    if let Fact::Known(partial) = &tree.partial {
        let Partial { twins, of, base } = partial;
        let text = format!("{twins} of {of} commits have the same patch in {base}");
        judged.message = format!("{}; {text}", judged.message);
        judged.evidence.push(Evidence::Note { text });
    }
    judged
}

/// Evidence in conflict holds what nothing else vouches for. It is no guard: a rule that does not
/// ask for landed work, or a remote that has the commits, lets the tree go as before, and the
/// branch stays (`spec 4.1`, `spec 5`).
fn in_conflict(tree: &Tree) -> Option<Judged> {
    let conflict = tree.conflict.known()?;
    if tree.published.known().is_some() {
        return None;
    }
    let mut judged = Judged::new(Verdict::Hold, Reason::ConflictingEvidence, doubt(conflict));
    judged.evidence = Evidence::conflict(tree, conflict);
    Some(judged)
}

/// `spec 5`, Prune: the guards have passed; now the policy, the store, and what vouches for HEAD.
fn judge_entry(assessment: &Assessment<'_>) -> Judged {
    let subject = &assessment.subject;
    let tree = subject.tree;
    if let Decision::Missing(index, facts) = &assessment.decision
        && subject.policy.rules[*index].then == Action::Keep
    {
        return missing(assessment, *index, facts);
    }
    if !subject.policy.acts() {
        return Judged::new(Verdict::Keep, Reason::NoRule, "the policy removes nothing");
    }
    if tree.identity != Fact::Absent {
        let message = "unknown: whether the directory is gone could not be told";
        return Judged::new(
            Verdict::Hold,
            Reason::UnknownGuard(Code::PathSwapped),
            message,
        );
    }
    let store = subject
        .project
        .stores
        .iter()
        .find(|one| Some(&one.declared) == tree.store.as_ref());
    if let Some(store) = store.filter(|store| store.absolute)
        && !matches!(store.leaves, Fact::Known(1..))
    {
        let message = "nothing is left in its store: the disk may be away";
        return Judged::new(Verdict::Hold, Reason::StoreAway, message);
    }
    let vouched = tree.landed.known().is_some()
        || tree.published.known().is_some()
        || tree.own_commits == Fact::Known(false);
    let gone = Judged::new(Verdict::Prune, Reason::Gone, "its directory is gone");
    match &assessment.decision {
        Decision::Drop(index) if vouched => {
            let rule = &subject.policy.rules[*index].name;
            return dropped(
                assessment,
                &format!("rule {}", escape(rule.as_bytes())),
                gone,
            );
        }
        Decision::Ordered(Action::Drop) => {
            return dropped(assessment, "the order", of_its_job(assessment, gone));
        }
        // The branch stays, and so do its commits.
        Decision::Ordered(Action::Accept | Action::Keep) => {
            return of_its_job(assessment, gone).plus(&plus(assessment));
        }
        Decision::Implicit(_) if vouched => {
            let mut gone = gone;
            gone.message.push_str("; its job has landed: accepted");
            return gone.plus(&plus(assessment));
        }
        // A tree that was moved, or whose disk is away, could never be repaired: a drop is not asked
        // for a commit that nobody else has (`spec 5`, Prune).
        Decision::Drop(_)
        | Decision::Keep(_)
        | Decision::Accept(_)
        | Decision::Implicit(_)
        | Decision::Missing(..)
        | Decision::NoRule => {}
    }
    if vouched {
        return gone.plus(&plus(assessment));
    }
    if let Some(judged) = in_conflict(tree) {
        return judged;
    }
    let unknown = [tree.landed.why_unknown(), tree.published.why_unknown()]
        .into_iter()
        .flatten()
        .next();
    if let Some(why) = unknown {
        return Judged::new(
            Verdict::Hold,
            Reason::UnknownCommits,
            format!("unknown: {why}"),
        );
    }
    Judged::new(
        Verdict::Hold,
        Reason::Unpublished,
        "gone, and its commits are neither landed nor published",
    )
}

/// `spec 5`: a hold that would otherwise be removed, or that has work in it, is unfinished.
fn unfinished(judged: &Judged, assessment: &Assessment<'_>) -> Option<Unfinished> {
    if judged.verdict != Verdict::Hold {
        return None;
    }
    let otherwise_removed = matches!(
        assessment.decision,
        Decision::Accept(_) | Decision::Drop(_) | Decision::Ordered(_) | Decision::Implicit(_)
    );
    match judged.reason {
        Reason::Guard(code) => match code {
            Code::OperationInProgress
            | Code::Uncommitted
            | Code::Untracked
            | Code::SpecialFile
            | Code::HiddenEdits
            | Code::Submodule
            | Code::NestedRepository
            | Code::IgnoredData => Some(Unfinished::Uncommitted),
            Code::CommitsAtRisk | Code::Stash | Code::Unborn | Code::NoBase => {
                Some(Unfinished::Unpublished)
            }
            Code::Interrupted
            | Code::Aside
            | Code::PathSwapped
            | Code::Unregistered
            | Code::RegistrationBroken
            | Code::ClaimMissing
            | Code::ClaimAmbiguous => Some(Unfinished::Ambiguous),
            Code::Locked | Code::MountInside | Code::Undeletable | Code::ForeignOwner => {
                otherwise_removed.then_some(Unfinished::Ambiguous)
            }
            Code::OutsideStore
            | Code::ApplyRunning
            | Code::MainWorktree
            | Code::Bare
            | Code::OtherRepository
            | Code::InUse
            | Code::Fresh
            | Code::ProcessInside => None,
        },
        Reason::Unpublished => Some(Unfinished::Unpublished),
        Reason::UnknownGuard(_)
        | Reason::UnknownRule
        | Reason::UnknownCommits
        | Reason::ConflictingEvidence
        | Reason::BranchStays
        | Reason::UnknownBranch
        | Reason::StoreAway => Some(Unfinished::Ambiguous),
        Reason::NoRule
        | Reason::Kept
        | Reason::Landed(_)
        | Reason::Published
        | Reason::Rule
        | Reason::Expired
        | Reason::UnknownExpiry
        | Reason::Job(_)
        | Reason::UnknownJobState
        | Reason::Gone => None,
    }
}

/// Absent when detached or when nothing is checked out, null when it could not be told.
#[expect(
    clippy::option_option,
    reason = "absent, unknown and known are three things"
)]
fn branch(tree: &Tree) -> Option<Option<String>> {
    match &tree.head {
        Fact::Known(head) => {
            head.branch.as_ref()?;
            Some(
                tree.branch()
                    .map(|name| String::from_utf8_lossy(name).into_owned()),
            )
        }
        Fact::Absent => None,
        Fact::Unknown(_) => Some(None),
    }
}

#[expect(
    clippy::option_option,
    reason = "absent, unknown and known are three things"
)]
fn head(tree: &Tree) -> Option<Option<String>> {
    match &tree.head {
        Fact::Known(head) => head.commit.clone().map(Some),
        Fact::Absent => None,
        Fact::Unknown(_) => Some(None),
    }
}
