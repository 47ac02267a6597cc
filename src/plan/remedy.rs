//! What a person can run to resolve a hold (`owl explain`).
//!
//! Input: a row. Output: commands for a POSIX shell, paths quoted; none where nothing helps but
//! waiting, or nothing is needed. Invariant: no command that is suggested destroys anything by
//! itself.

use super::{Reason, Row, RowJob, Unfinished};
use crate::assess::Code;
use crate::resource::shell_word;

/// The command that shows what holds the row, or that resolves it.
pub fn remedy(row: &Row) -> Option<String> {
    let path = shell_word(row.place().as_os_str().as_encoded_bytes());
    let in_tree = |command: &str| Some(format!("git -C {path} {command}"));
    if let Some(Some(job)) = &row.job
        && let Some(command) = row.unfinished.and_then(|kind| of_job(kind, job))
    {
        return Some(command);
    }
    match &row.reason {
        Reason::Guard(code) | Reason::UnknownGuard(code) => match code {
            Code::Uncommitted => in_tree("status"),
            Code::Untracked | Code::NestedRepository => in_tree("status --untracked-files=all"),
            Code::IgnoredData => in_tree("status --ignored=matching --untracked-files=all"),
            Code::SpecialFile => Some(format!(
                "find {path} -type p -o -type s -o -type b -o -type c"
            )),
            Code::HiddenEdits => in_tree("ls-files -v"),
            Code::Submodule => in_tree("submodule status --recursive"),
            Code::OperationInProgress => in_tree("status --long"),
            Code::CommitsAtRisk => in_tree("switch --create keep-this"),
            Code::Stash => in_tree("stash list"),
            Code::Unborn => in_tree("symbolic-ref HEAD"),
            Code::Locked => in_tree(&format!("worktree unlock {path}")),
            Code::RegistrationBroken => Some(format!("git worktree repair {path}")),
            Code::Unregistered | Code::PathSwapped | Code::ForeignOwner | Code::Undeletable => {
                Some(format!("ls -ld {path}"))
            }
            Code::MountInside => Some(format!("findmnt --submounts --target {path}")),
            Code::ProcessInside => Some(format!("lsof +D {path}")),
            Code::ClaimMissing | Code::ClaimAmbiguous => Some("owl jobs list".to_owned()),
            Code::NoBase => Some("git remote set-head origin --auto".to_owned()),
            // The next `owl apply` sees to it; the message says so.
            Code::ApplyRunning
            | Code::Interrupted
            | Code::Aside
            | Code::InUse
            | Code::Fresh
            | Code::OutsideStore
            | Code::MainWorktree
            | Code::Bare
            | Code::OtherRepository => None,
        },
        Reason::Unpublished if row.branch.is_none() => in_tree("switch --create keep-this"),
        Reason::ConflictingEvidence | Reason::Unpublished | Reason::UnknownCommits => {
            in_tree("log --oneline -20")
        }
        Reason::BranchStays => Some("git worktree list".to_owned()),
        Reason::UnknownRule
        | Reason::UnknownBranch
        | Reason::Expired
        | Reason::UnknownExpiry
        | Reason::StoreAway
        | Reason::NoRule
        | Reason::Kept
        | Reason::Landed(_)
        | Reason::Published
        | Reason::Rule
        | Reason::Job(_)
        | Reason::UnknownJobState
        | Reason::Gone => None,
    }
}

/// The command that moves a job of the ledger on; another tool's is that tool's to move.
fn of_job(kind: Unfinished, job: &RowJob) -> Option<String> {
    if job.source != crate::policy::JobSource::Ledger.to_string() {
        return None;
    }
    let name = shell_word(job.name.as_bytes());
    match kind {
        Unfinished::Waiting => Some(format!(
            "owl jobs accept {name}  # or: owl jobs drop {name}"
        )),
        Unfinished::Abandoned => Some(format!("owl jobs finish {name} --outcome interrupted")),
        Unfinished::Blocked => Some(format!("owl jobs unblock {name}")),
        Unfinished::Exhausted => Some(format!("owl jobs extend {name}")),
        Unfinished::Uncommitted | Unfinished::Unpublished | Unfinished::Ambiguous => None,
    }
}
