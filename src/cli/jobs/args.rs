//! The flags of `owl jobs`.

use clap::{Args, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// What to do with jobs.
#[derive(Clone, Debug, Subcommand)]
pub(in crate::cli) enum JobsCommand {
    /// Record a job in `pending`, and print its number.
    Add(AddArgs),
    /// A run of a pending job begins.
    Start {
        /// The job.
        id: i64,
        /// The process that makes the run: as long as it lives, the job is not reported abandoned.
        #[arg(long, value_name = "N")]
        pid: Option<u32>,
    },
    /// The run in progress ends, and one of the job's runs is spent.
    Finish {
        /// The job.
        id: i64,
        /// How: succeeded goes to review, failed to blocked, interrupted to pending, or to
        /// exhausted when no run is left.
        #[arg(long, value_enum)]
        outcome: Ending,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Add to the runs that are left; an exhausted job is pending again.
    Extend {
        /// The job.
        id: i64,
        /// How many runs.
        #[arg(long, value_name = "N", default_value_t = crate::job::DEFAULT_TTL.into(),
            allow_negative_numbers = true)]
        ttl: i64,
    },
    /// Something is wrong with it: it waits for a person.
    Block {
        /// The job.
        id: i64,
        /// What is wrong.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Put a blocked job back to pending.
    Unblock {
        /// The job.
        id: i64,
    },
    /// The work is wanted: remove the worktree, keep the branch; the job is done.
    Accept(DisposeArgs),
    /// The work is not wanted: remove the worktree, delete the branch, which `owl restore` brings
    /// back; the job is cancelled.
    Drop(DisposeArgs),
    /// Take a job back that is pending or active.
    Cancel {
        /// The job.
        id: i64,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// List the jobs; changes nothing.
    List(ListArgs),
    /// Show one job in full; changes nothing.
    Show {
        /// The job.
        id: i64,
    },
    /// Add every job of a job list (JSON or YAML), or none of them.
    Import {
        /// The list; - for standard input.
        file: PathBuf,
    },
    /// Print every job as a job list, which import takes back; changes nothing.
    Export,
    /// Give the jobs of a repository that was moved or replaced to the one it is now.
    Adopt {
        /// The old repository, as `owl jobs show` names it.
        #[arg(value_name = "OLD-PATH")]
        from: PathBuf,
        /// A directory of the new one; default: where you stand.
        #[arg(long, value_name = "DIR")]
        project: Option<PathBuf>,
    },
}

/// Flags of `add`.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct AddArgs {
    /// The branch of the work, without refs/heads/; it need not exist yet.
    #[arg(long, value_name = "NAME")]
    pub(super) branch: OsString,
    /// A directory of the repository; default: where you stand.
    #[arg(long, value_name = "DIR")]
    pub(super) project: Option<PathBuf>,
    /// The worktree of the work, in a store of the policy; it need not exist yet.
    #[arg(long, value_name = "DIR")]
    pub(super) worktree: Option<PathBuf>,
    /// The branch that the work is to land in.
    #[arg(long, value_name = "NAME")]
    pub(super) base: Option<OsString>,
    /// How many runs it has.
    #[arg(long, value_name = "N", default_value_t = crate::job::DEFAULT_TTL.into(),
        allow_negative_numbers = true)]
    pub(super) ttl: i64,
    /// The tool or queue that it comes from.
    #[arg(long, value_name = "NAME", requires = "reference")]
    pub(super) source: Option<String>,
    /// Its name there; no two jobs of a source have the same.
    #[arg(long = "ref", value_name = "NAME", requires = "source")]
    pub(super) reference: Option<String>,
    /// A word that a policy may ask for; may be given several times.
    #[arg(long, value_name = "WORD")]
    pub(super) label: Vec<String>,
}

/// Flags of `accept` and `drop`.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct DisposeArgs {
    /// The job.
    pub(super) id: i64,
    /// Give up what is not committed in its worktree: every path is named, and asked about first.
    #[arg(long)]
    pub(super) discard: bool,
    /// Do not ask; needed with --discard where standard input is no terminal.
    #[arg(short, long)]
    pub(super) yes: bool,
}

/// Flags of `list`.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ListArgs {
    /// Only jobs in this state; may be given several times.
    #[arg(long, value_name = "STATE")]
    pub(super) state: Vec<String>,
    /// Only jobs of this repository: a directory of it, or its name.
    #[arg(long, value_name = "DIR")]
    pub(super) project: Option<PathBuf>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Ending {
    /// The work is there to be looked at.
    Succeeded,
    /// It is wrong, or could not be done.
    Failed,
    /// It was cut short.
    Interrupted,
}
