//! The guards of `spec 5`, as pure functions of the facts, in their order.
//!
//! Input: one [`Subject`]. Output: one [`Finding`] a guard. Invariant: an unknown fact never
//! passes, and a guard looks at nothing but facts, so that a recorded observation is judged
//! exactly as the world was.

use super::{Answer, Code, Decision, Evidence, Finding, Subject, claim};
use crate::fact::{Fact, Kleene};
use crate::observe::{Found, Kind, OpenStage, PidNamespace, Registration, Role, Tree};
use crate::policy::{Action, DeadLocks, PidNamespace as Declared, Processes, Submodules};
use crate::resource::human_size;

/// Every guard's answer for a worktree or directory, in the order of `spec 5`.
pub(super) fn findings(subject: &Subject<'_>, decision: &Decision) -> Vec<Finding> {
    Code::ALL
        .iter()
        .map(|code| finding(*code, subject, decision))
        .collect()
}

/// The guards that are asked of an entry whose directory is gone, in the order that `spec 5`
/// gives for a prune: 1 (scope), 4 to 8, 11, 14.
pub(super) fn entry_findings(subject: &Subject<'_>, decision: &Decision) -> Vec<Finding> {
    [
        Code::OutsideStore,
        Code::ApplyRunning,
        Code::Interrupted,
        Code::Aside,
        Code::PathSwapped,
        Code::RegistrationBroken,
        Code::Locked,
        Code::ClaimMissing,
        Code::ClaimAmbiguous,
        Code::InUse,
        Code::Fresh,
        Code::OperationInProgress,
        Code::CommitsAtRisk,
        Code::Stash,
        Code::Unborn,
        Code::ProcessInside,
        Code::Uncommitted,
        Code::Submodule,
    ]
    .into_iter()
    .map(|code| finding(code, subject, decision))
    .collect()
}

/// The answer of one guard.
pub(super) fn finding(code: Code, subject: &Subject<'_>, decision: &Decision) -> Finding {
    let tree = subject.tree;
    match code {
        Code::OutsideStore => when(
            code,
            // What owl itself has taken stands in owl's own folder.
            tree.role == Role::Linked && tree.store.is_none() && tree.open.known().is_none(),
            "in no declared store",
        ),
        Code::MainWorktree => when(code, tree.role == Role::Main, "the main worktree"),
        Code::Bare => when(code, tree.role == Role::Bare, "the bare repository itself"),
        Code::OtherRepository => match tree.registration.known() {
            Some(Registration::OtherRepository(other)) => {
                let message = format!("a worktree of another repository, {other}");
                Finding::hold(code, message, Vec::new())
            }
            Some(Registration::Sound | Registration::Broken(_)) | None => Finding::pass(code),
        },
        Code::ApplyRunning => open(code, tree, OpenStage::Running),
        Code::Interrupted => open(code, tree, OpenStage::Interrupted),
        Code::Aside => open(code, tree, OpenStage::Aside),
        Code::PathSwapped => path_swapped(subject),
        Code::Unregistered => match &tree.registration {
            Fact::Absent => Finding::hold(code, "no administrative entry claims it", Vec::new()),
            Fact::Known(_) => Finding::pass(code),
            Fact::Unknown(why) => Finding::unknown(code, why),
        },
        Code::RegistrationBroken => match &tree.registration {
            Fact::Known(Registration::Sound | Registration::OtherRepository(_)) => {
                Finding::pass(code)
            }
            Fact::Known(Registration::Broken(why)) => Finding::hold(code, why, Vec::new()),
            Fact::Absent => Finding::unknown(code, "it is not registered"),
            Fact::Unknown(why) => Finding::unknown(code, why),
        },
        Code::Locked => locked(subject),
        Code::ClaimMissing => claim::missing(subject, decision),
        Code::ClaimAmbiguous => claim::ambiguous(subject),
        Code::InUse => claim::in_use(subject, decision),
        Code::Fresh if claim::is_decided(subject, decision) => Finding {
            message: Some("its job is decided".to_owned()),
            ..Finding::pass(code)
        },
        Code::Fresh => fresh(subject),
        Code::OperationInProgress => found(code, &tree.operation, "in progress"),
        Code::Uncommitted if given_up(tree) => Finding {
            message: Some("what is changed is given up by this row".to_owned()),
            ..Finding::pass(code)
        },
        Code::Uncommitted => match &tree.missing {
            Fact::Absent => found(code, &tree.changes, "tracked change|tracked changes"),
            Fact::Known(lost) => {
                Finding::unknown(code, &format!("the repository lacks objects: {lost}"))
            }
            Fact::Unknown(why) => Finding::unknown(code, why),
        },
        Code::Untracked => found(code, &tree.untracked, "untracked"),
        Code::SpecialFile => found(
            code,
            &tree.special,
            "FIFO, socket, or device|FIFOs, sockets, or devices",
        ),
        Code::HiddenEdits => both(
            code,
            (&tree.flagged, "edited behind a flag of the index"),
            (&tree.filtered, "not what their filter driver writes"),
        ),
        Code::Submodule => submodule(subject),
        Code::NestedRepository => {
            found(code, &tree.nested, "repository inside|repositories inside")
        }
        Code::CommitsAtRisk => at_risk(subject, decision),
        Code::Stash => found(
            code,
            &tree.stash,
            "stash entry of its branch|stash entries of its branch",
        ),
        Code::Unborn => match &tree.head {
            Fact::Known(head) if head.commit.is_none() => {
                Finding::hold(code, "HEAD names no readable branch", Vec::new())
            }
            Fact::Known(_) => Finding::pass(code),
            Fact::Absent => Finding::unknown(code, "there is no HEAD"),
            Fact::Unknown(why) => Finding::unknown(code, why),
        },
        Code::NoBase => no_base(subject),
        Code::IgnoredData => ignored_data(subject),
        Code::MountInside => found(code, &tree.mounts, "mount point inside|mount points inside"),
        Code::ProcessInside => process_inside(subject),
        Code::Undeletable => found(code, &tree.undeletable, "could not be deleted"),
        Code::ForeignOwner => found(code, &tree.foreign, "owned by somebody else"),
    }
}

/// An operation of owl's own that is not finished (`spec 7.4`).
fn open(code: Code, tree: &Tree, stage: OpenStage) -> Finding {
    match &tree.open {
        Fact::Known(open) if open.stage == stage => Finding::hold(code, &open.message, Vec::new()),
        Fact::Known(_) | Fact::Absent => Finding::pass(code),
        Fact::Unknown(why) => Finding::unknown(code, why),
    }
}

fn when(code: Code, holds: bool, message: &str) -> Finding {
    if holds {
        Finding::hold(code, message, Vec::new())
    } else {
        Finding::pass(code)
    }
}

fn sentence(code: Code, fact: &Fact<String>) -> Finding {
    match fact {
        Fact::Absent => Finding::pass(code),
        Fact::Known(why) => Finding::hold(code, why, Vec::new()),
        Fact::Unknown(why) => Finding::unknown(code, why),
    }
}

fn found(code: Code, fact: &Fact<Found>, what: &str) -> Finding {
    match fact {
        Fact::Absent => Finding::pass(code),
        Fact::Known(found) => {
            let what = counted(what, found.total);
            let message = format!("{} {what}: {found}", found.total);
            Finding::hold(code, message, vec![Evidence::found(what, found)])
        }
        Fact::Unknown(why) => Finding::unknown(code, why),
    }
}

/// The word for one or for many, of `one|many`; a word without a bar serves both.
fn counted(what: &str, total: u64) -> &str {
    match what.split_once('|') {
        Some((one, _)) if total == 1 => one,
        Some((_, many)) => many,
        None => what,
    }
}

fn both(code: Code, one: (&Fact<Found>, &str), two: (&Fact<Found>, &str)) -> Finding {
    let first = found(code, one.0, one.1);
    if first.passes() {
        found(code, two.0, two.1)
    } else {
        first
    }
}

/// Guard 9, submodules: a policy may let those go that have nothing of their own. An entry whose
/// directory is gone is not looked at for that, and holds.
fn submodule(subject: &Subject<'_>) -> Finding {
    let code = Code::Submodule;
    let tree = subject.tree;
    let plain = || found(code, &tree.submodules, "submodule|submodules");
    let is_let_go = match subject.policy.submodules {
        Submodules::Hold => false,
        Submodules::RemovePublished => tree.submodules.why_unknown().is_none(),
    };
    match &tree.checked_out {
        Fact::Known(looked) if is_let_go => match (looked.own.first(), looked.parts.len()) {
            (Some(first), _) => {
                let message = match looked.own.len() {
                    1 => first.clone(),
                    many => format!("{first}, and {} more", many - 1),
                };
                let notes = looked.own.iter().cloned();
                let evidence = notes.map(|text| Evidence::Note { text }).collect();
                Finding::hold(code, format!("a submodule: {message}"), evidence)
            }
            (None, 0) => plain(),
            (None, many) => Finding {
                message: Some(format!(
                    "{many} {}, published and clean",
                    counted("submodule|submodules", many as u64)
                )),
                ..Finding::pass(code)
            },
        },
        Fact::Unknown(why) if is_let_go => Finding::unknown(code, why),
        Fact::Known(_) | Fact::Absent | Fact::Unknown(_) => plain(),
    }
}

/// Guard 2: what is removed later must be the directory that was looked at, so it must be known
/// which one that is.
fn path_swapped(subject: &Subject<'_>) -> Finding {
    let tree = subject.tree;
    match (&tree.identity, tree.kind) {
        (Fact::Unknown(why), Kind::Worktree | Kind::Entry) if tree.swapped.is_absent() => {
            Finding::unknown(Code::PathSwapped, why)
        }
        (Fact::Absent, Kind::Worktree) => {
            Finding::unknown(Code::PathSwapped, "nothing was seen at its place")
        }
        (Fact::Known(_) | Fact::Absent | Fact::Unknown(_), _) => {
            sentence(Code::PathSwapped, &tree.swapped)
        }
    }
}

/// Guard 4: a lock holds, unless its process is proven dead and the policy lifts such locks.
fn locked(subject: &Subject<'_>) -> Finding {
    let code = Code::Locked;
    let tree = subject.tree;
    let reason = match &tree.locked {
        Fact::Absent => return Finding::pass(code),
        Fact::Unknown(why) => return Finding::unknown(code, why),
        Fact::Known(reason) if reason.as_bytes().is_empty() => {
            return Finding::hold(code, "locked, without a reason", Vec::new());
        }
        Fact::Known(reason) => reason,
    };
    let (Some(proof), true) = (tree.dead_lock.known(), sees_every_process(subject)) else {
        return Finding::hold(code, format!("locked: {reason}"), Vec::new());
    };
    let evidence = vec![Evidence::Note {
        text: format!("{proof}, which the lock names: {reason}"),
    }];
    match subject.policy.dead_locks {
        DeadLocks::Lift => Finding {
            message: Some(format!("a dead lock, which is lifted: {proof}")),
            evidence,
            ..Finding::pass(code)
        },
        DeadLocks::Report => Finding::hold(
            code,
            format!("locked: {reason}; {proof}: `dead-locks: lift` lifts it"),
            evidence,
        ),
    }
}

/// Whether a process that does not show in the process table is proven not to be.
fn sees_every_process(subject: &Subject<'_>) -> bool {
    let is_own = subject.policy.pid_namespace == Declared::Own
        || subject.host.pid_namespace == Fact::Known(PidNamespace::Host);
    is_own && subject.host.hidden_processes.why_unknown().is_none()
}

/// Whether a person gives up every tracked change that there is, and not only those that git sees.
fn given_up(tree: &Tree) -> bool {
    let (Fact::Known(changes), Fact::Known(discards)) = (&tree.changes, &tree.discards) else {
        return false;
    };
    tree.missing == Fact::Absent && changes.total == discards.len() as u64
}

/// Guard 11: commits that a rescue ref is written for first are not at risk.
fn at_risk(subject: &Subject<'_>, decision: &Decision) -> Finding {
    let code = Code::CommitsAtRisk;
    let tree = subject.tree;
    let pinned = match decision {
        Decision::Drop(_) | Decision::Ordered(Action::Drop) => {
            tree.drop.known().map(|dropping| &dropping.pins)
        }
        Decision::Keep(_)
        | Decision::Accept(_)
        | Decision::Missing(..)
        | Decision::Implicit(_)
        | Decision::Ordered(Action::Accept | Action::Keep)
        | Decision::NoRule => tree.pins.known().filter(|_| subject.is_rescued()),
    };
    if let Some(pins) = pinned.filter(|_| tree.at_risk.why_unknown().is_none()) {
        let message = match pins.len() {
            0 => return Finding::pass(code),
            1 => "1 commit gets a rescue ref first".to_owned(),
            many => format!("{many} commits get a rescue ref first"),
        };
        return Finding {
            message: Some(message),
            ..Finding::pass(code)
        };
    }
    found(
        code,
        &tree.at_risk,
        "commit that nothing else would reach|commits that nothing else would reach",
    )
}

/// Guard 7 (`spec 4.2`): created, or any sign of life, within `ttl.grace`.
fn fresh(subject: &Subject<'_>) -> Finding {
    let grace = subject.policy.ttl.grace;
    let tree = subject.tree;
    let settled = Kleene::all([
        subject.older(&tree.created, grace, "the creation"),
        subject.older(&tree.last_sign, grace, "the last sign of life"),
    ]);
    match settled {
        Kleene::True => Finding::pass(Code::Fresh),
        Kleene::Unknown(why) => Finding::unknown(Code::Fresh, &why.join("; ")),
        Kleene::False => {
            let (what, at) = match (tree.created.known(), tree.last_sign.known()) {
                (Some(made), _) if subject.age(*made) <= grace => ("made", made),
                (_, Some(sign)) => ("last sign of life", sign),
                (Some(made), None) => ("made", made),
                (None, None) => return Finding::unknown(Code::Fresh, "it has no age"),
            };
            let ago = super::human_age(subject.age(*at));
            let evidence = Evidence::Time {
                what: what.to_owned(),
                at: *at,
            };
            let grace = crate::policy::show_duration(grace);
            let message = format!("{what} {ago} ago, within ttl.grace ({grace})");
            Finding::hold(Code::Fresh, message, vec![evidence])
        }
    }
}

/// Guard 11, `no-base`: no base can be told, and no remote vouches.
fn no_base(subject: &Subject<'_>) -> Finding {
    if subject.tree.published.known().is_some() {
        return Finding::pass(Code::NoBase);
    }
    match &subject.project.base {
        Fact::Known(_) => Finding::pass(Code::NoBase),
        Fact::Absent => Finding::hold(
            Code::NoBase,
            "no base branch can be told; name it with `base` in the policy",
            Vec::new(),
        ),
        Fact::Unknown(why) => Finding::unknown(Code::NoBase, why),
    }
}

/// Guard 12 (`spec 5.4`): how many files, how large, and the first of them.
fn ignored_data(subject: &Subject<'_>) -> Finding {
    let tree = subject.tree;
    let what = match &tree.sorted {
        Fact::Known(sorted) if sorted.precious.files > 0 => format!(
            "ignored, precious by the policy or not proven rebuildable ({})",
            human_size(sorted.data.bytes)
        ),
        Fact::Known(sorted) => format!(
            "ignored, not proven rebuildable ({})",
            human_size(sorted.data.bytes)
        ),
        Fact::Absent | Fact::Unknown(_) => "ignored, not proven rebuildable".to_owned(),
    };
    found(Code::IgnoredData, &tree.ignored, &what)
}

/// Guard 14 (`spec 5.2`).
fn process_inside(subject: &Subject<'_>) -> Finding {
    let code = Code::ProcessInside;
    match &subject.tree.processes {
        Fact::Known(uses) => {
            let evidence = uses
                .iter()
                .map(|one| Evidence::Process {
                    pid: one.pid,
                    command: one.command.clone(),
                    how: one.how,
                    path: one.path.clone(),
                })
                .collect();
            let message = match uses.first() {
                Some(first) => {
                    format!(
                        "{} ({}) {} {}",
                        first.command,
                        first.pid,
                        first.how.phrase(),
                        first.path
                    )
                }
                None => return Finding::unknown(code, "the survey names no process"),
            };
            return Finding::hold(code, message, evidence);
        }
        Fact::Unknown(why) => return Finding::unknown(code, why),
        Fact::Absent => {}
    }
    if subject.policy.processes == Processes::Strict {
        match &subject.host.hidden_processes {
            Fact::Absent => {}
            Fact::Known(hidden) => {
                return Finding::unknown(code, &format!("{hidden} processes may not be inspected"));
            }
            Fact::Unknown(why) => return Finding::unknown(code, why),
        }
    }
    if subject.policy.pid_namespace == Declared::Own {
        return Finding::pass(code);
    }
    match &subject.host.pid_namespace {
        Fact::Known(PidNamespace::Host) => Finding::pass(code),
        Fact::Known(PidNamespace::Other) => Finding::unknown(
            code,
            "owl runs in a process namespace of its own; if everybody who uses these trees does, \
             say `pid-namespace: own`",
        ),
        Fact::Absent => Finding::unknown(code, "this system has no process namespaces to ask"),
        Fact::Unknown(why) => Finding::unknown(code, why),
    }
}

/// The first guard that did not pass.
pub fn first_held(findings: &[Finding]) -> Option<&Finding> {
    findings
        .iter()
        .find(|finding| finding.result != Answer::Pass)
}
