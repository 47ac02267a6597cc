//! The flags, as dumb values; `settings.rs` makes sense of them.

#![expect(clippy::doc_markdown, reason = "these docs are the help text")]

use super::candidates;
use super::jobs::JobsCommand;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::{ArgValueCandidates, Shell};
use std::path::PathBuf;
use std::time::Duration;

const EXIT_CODES: &str = "\
Exit codes:
  0         done, or nothing to do
  1         findings, where they were asked for: check over a ceiling, plan --exit-code with
            something to do
  2         an error: usage, policy, an observation that is incomplete, a refusal of the whole run
  3         rows were kept, stale, failed or partially removed by apply, or another owl holds the lock
  130, 143  interrupted";

/// Reconciles the git worktrees that coding agents leave behind with a policy.
///
/// owl looks at the worktrees in the places that a policy names, says which of them are finished
/// and can go, and why each of the others stays. `owl plan` changes nothing; `owl apply` carries
/// out what the plan says, and looks at each worktree again right before it touches it. Whatever
/// owl cannot tell, it leaves alone.
#[derive(Clone, Debug, Parser)]
#[command(name = "owl", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(super) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub(super) global: Global,
}

/// Flags of every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Global {
    /// The policy, as a file or by the name of a built-in one (`./NAME` is a file); else
    /// $OWL_POLICY, owl/owl.yaml in the XDG config home, the owl.yaml committed on the project's
    /// base branch, or the built-in `default`, whichever is found first.
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) policy: Option<PathBuf>,
    /// For people, or for programs; human text is no interface.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        global = true
    )]
    pub(super) format: Form,
    /// When to use colour.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, global = true)]
    pub(super) color: Color,
    /// The same as `--color never`.
    #[arg(long, hide = true, global = true, conflicts_with = "color")]
    pub(super) no_color: bool,
    /// Print only what needs a person, and nothing where nobody is needed.
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Do not show what is longer than the screen in $OWL_PAGER, $PAGER, or less.
    #[arg(long, global = true)]
    pub(super) no_pager: bool,
    /// Show no progress on standard error.
    #[arg(long, global = true)]
    pub(super) no_progress: bool,
}

/// A form of output, as it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// Text for people.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// The same document without its items on one line, then one line an item.
    Jsonl,
    /// Workflow commands of GitHub (`owl check`).
    Github,
}

/// The forms that most commands have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// Text for people.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// The same document without its items on one line, then one line an item.
    Jsonl,
}

impl From<Form> for Format {
    /// What only one command has counts as text, which that command writes itself.
    fn from(form: Form) -> Self {
        match form {
            Form::Human | Form::Github => Self::Human,
            Form::Json => Self::Json,
            Form::Jsonl => Self::Jsonl,
        }
    }
}

/// An order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// What acts first, then by project and address.
    #[default]
    Verdict,
    /// By address.
    Address,
    /// The largest first.
    Size,
    /// The longest idle first.
    Idle,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, and as NO_COLOR and CLICOLOR_FORCE say.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum Command {
    /// Say what apply would do, and why the rest stays; changes nothing.
    Plan(PlanArgs),
    /// Carry out the safe steps of the plan, each looked at again right before.
    Apply(ApplyArgs),
    /// Say what waits for a person, which jobs there are, what the worktrees take, and what the last
    /// run did; changes nothing.
    Status,
    /// Fail where more is unfinished than `check` in the policy allows, and name it, the worst
    /// first; quiet where all is well.
    Check(CheckArgs),
    /// Look after the worktrees of owl's own jobs: apply with the built-in policy `coding-owl`.
    Gc(GcArgs),
    /// Say everything behind one row: each guard and rule with its answer, the evidence with the
    /// git commands that check it, and what resolves it; changes nothing.
    Explain {
        /// The row, as `owl plan --all` names it, or the worktree's path or branch.
        #[arg(value_name = "ADDRESS", add = ArgValueCandidates::new(candidates::addresses))]
        address: String,
    },
    /// Write everything that owl sees as JSON, for a bug report or for `plan --observation`.
    Observe(ObserveArgs),
    /// Record jobs, and move them on: each is one piece of work given to an agent.
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// List the branches that `then: drop` deleted, or bring one back.
    Restore(RestoreArgs),
    /// Show, check, explain or test a policy.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Build a throw-away project with nine worktrees, and show plan, apply and status on it.
    Demo(DemoArgs),
    /// Print the completions of a shell; `source <(COMPLETE=bash owl)` also completes addresses.
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Print the manual page.
    #[command(hide = true)]
    Man,
}

/// Flags of `plan`.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PlanArgs {
    /// List what is kept and ignored, too.
    #[arg(long)]
    pub(super) all: bool,
    /// List only the rows of this rule; may be given several times.
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(candidates::rules))]
    pub(super) rule: Vec<String>,
    /// The order of the rows for people; the longest idle or the largest first.
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub(super) sort: Order,
    /// Exit with 1 if there is something to do.
    #[arg(long)]
    pub(super) exit_code: bool,
    /// Plan from what `owl observe` wrote; needs no repository and reads no committed policy.
    #[arg(long, value_name = "FILE")]
    pub(super) observation: Option<PathBuf>,
    /// Save the plan in this file, for `owl apply FILE`; one that is there is replaced.
    #[arg(long, value_name = "FILE", conflicts_with = "observation")]
    pub(super) out: Option<PathBuf>,
    /// Take warnings for errors.
    #[arg(long)]
    pub(super) strict: bool,
    /// How tracked files are looked at.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_t,
        conflicts_with = "observation"
    )]
    pub(super) proof: Proof,
}

/// Flags of `observe`.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct ObserveArgs {
    /// How tracked files are looked at.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub(super) proof: Proof,
}

/// How tracked files are looked at; apply compares bytes whatever a plan did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Proof {
    /// As git does: only files whose size or times changed are read.
    #[default]
    Stat,
    /// Every file is read and compared with its blob, as apply does right before it removes.
    Content,
}

/// Flags of `apply`.
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct ApplyArgs {
    /// Carry out this saved plan (`owl plan --out FILE`) and no more: only rows that are still what
    /// they were, under the same policy.
    #[arg(value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// Do not ask; needed where standard input is no terminal.
    #[arg(short, long)]
    pub(super) yes: bool,
    /// Print the plan and change nothing.
    #[arg(short = 'n', long, conflicts_with = "yes")]
    pub(super) dry_run: bool,
    /// Carry out only this row of the plan; may be given several times.
    #[arg(long, value_name = "ADDRESS", add = ArgValueCandidates::new(candidates::addresses))]
    pub(super) only: Vec<String>,
    /// Wait for another owl to finish, instead of exiting with 3.
    #[arg(long)]
    pub(super) wait: bool,
    /// Take warnings for errors, and do nothing at all then.
    #[arg(long)]
    pub(super) strict: bool,
}

/// Flags of `gc`, which are those of `apply`.
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct GcArgs {
    /// Do not ask; needed where standard input is no terminal.
    #[arg(short, long)]
    pub(super) yes: bool,
    /// Print the plan and change nothing.
    #[arg(short = 'n', long, conflicts_with = "yes")]
    pub(super) dry_run: bool,
    /// Carry out only this row of the plan; may be given several times.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) only: Vec<String>,
    /// Wait for another owl to finish, instead of exiting with 3.
    #[arg(long)]
    pub(super) wait: bool,
    /// Take warnings for errors, and do nothing at all then.
    #[arg(long)]
    pub(super) strict: bool,
}

/// Flags of `check`: each takes the place of one ceiling of the policy.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct CheckArgs {
    /// The most rows with unfinished work of any kind.
    #[arg(long = "max-unfinished", value_name = "N")]
    pub(super) unfinished: Option<usize>,
    /// The most rows that hold uncommitted work.
    #[arg(long = "max-uncommitted", value_name = "N")]
    pub(super) uncommitted: Option<usize>,
    /// The most rows that hold commits which are nowhere else.
    #[arg(long = "max-unpublished", value_name = "N")]
    pub(super) unpublished: Option<usize>,
    /// The most jobs that have waited for a decision for longer than `ttl.review`.
    #[arg(long = "max-waiting", value_name = "N")]
    pub(super) waiting: Option<usize>,
    /// The most rows that are held, whatever holds them.
    #[arg(long = "max-held", value_name = "N")]
    pub(super) held: Option<usize>,
    /// How long the oldest unfinished work may have been so, such as 14d.
    #[arg(long = "max-oldest", value_name = "AGE", value_parser = crate::policy::duration_of)]
    pub(super) oldest: Option<Duration>,
    /// The most bytes that all worktrees in the stores may take, such as 50GiB.
    #[arg(long = "max-disk", value_name = "SIZE", value_parser = crate::policy::size_of)]
    pub(super) disk: Option<u64>,
}

/// Flags of `restore`.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct RestoreArgs {
    /// What to bring back: a name as listed, or only its part before the time for the latest one.
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Give the branch this name, instead of its old one.
    #[arg(long = "as", value_name = "BRANCH", requires = "name")]
    pub(super) branch: Option<String>,
    /// Wait for another owl to finish, instead of exiting with 3.
    #[arg(long)]
    pub(super) wait: bool,
}

/// What to do with a policy.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum PolicyCommand {
    /// Print a built-in policy, or the one that is in force here.
    Show {
        /// The name of a built-in policy.
        #[arg(add = ArgValueCandidates::new(candidates::builtins))]
        name: Option<String>,
    },
    /// Read a policy and report every error and warning in it.
    Check {
        /// The file; else the policy that is in force here.
        file: Option<PathBuf>,
    },
    /// Say what is legal in a policy and hardly meant: rules that can never hold or decide, parts
    /// without effect, contradictions; exits with 1 if there is any.
    Lint {
        /// The file; else the policy that is in force here.
        file: Option<PathBuf>,
    },
    /// Run the `tests` of a policy: worktrees in a few words, or recorded observations, with what
    /// the policy should say of them; exits with 1 if one fails.
    Test {
        /// The file; else the policy that is in force here.
        file: Option<PathBuf>,
    },
    /// Print the JSON Schema of the policy language, for an editor.
    Schema,
    /// Say what a key of the policy language means; without one, the whole reference.
    Explain {
        /// The key, such as `rules.when.landed`, `ttl.grace`, or just `landed`.
        key: Option<String>,
    },
}

/// Flags of `demo`.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct DemoArgs {
    /// Build it in this new directory, and leave it there.
    #[arg(long, value_name = "DIR")]
    pub(super) keep: Option<PathBuf>,
}
