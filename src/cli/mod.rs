//! Flags, environment, clock, and wiring; one file a command.

use crate::report::ExitStatus;
use clap::Parser;
use std::io::Write as _;

/// thin
#[derive(Parser, Debug)]
#[command(name = "owl", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Plan(Common),
    Apply(Common),
    Observe(Common),
}

#[derive(clap::Args, Debug)]
struct Common {
    #[arg(long)]
    policy: Option<std::path::PathBuf>,
    #[arg(long)]
    yes: bool,
    #[arg(long, default_value = "human")]
    format: String,
}

/// Runs the command line.
pub fn run() -> u8 {
    let args = Args::parse();
    match go(args) {
        Ok(status) => status.code(),
        Err(why) => {
            let _ =
                std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("error: {why:#}\n"));
            let _ = crate::render::json_refusal(&format!("{why:#}"), &mut std::io::stdout());
            2
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads environment and clock"
)]
fn go(args: Args) -> anyhow::Result<ExitStatus> {
    use crate::*;
    let (common, verb) = match args.command {
        Command::Plan(c) => (c, "plan"),
        Command::Apply(c) => (c, "apply"),
        Command::Observe(c) => (c, "observe"),
    };
    let here = std::env::current_dir()?;
    let env = git::GitEnv::from_vars(std::env::vars_os());
    let git = git::Git::new(env, git::Limits::default())?;
    let policy = match &common.policy {
        Some(path) => policy::Policy::parse(
            &path.display().to_string(),
            &std::fs::read(path)?,
            policy::Origin::User,
        )
        .map_err(|d| {
            anyhow::anyhow!(
                "{}",
                d.iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("\n")
            )
        })?,
        None => policy::Policy::builtin("default").ok_or_else(|| anyhow::anyhow!("no default"))?,
    };
    let home = std::env::var_os("HOME").map(std::path::PathBuf::from);
    let scope = observe::Scope::of(&policy, &here, home.as_deref())?;
    let clock = jiff::Timestamp::now;
    let world = observe::World {
        git: &git,
        now: clock(),
        home: home.clone(),
        proc_root: "/proc".into(),
        own_pid: std::process::id(),
        progress: &|_| {},
    };
    let state = std::env::var_os("XDG_STATE_HOME")
        .map(std::path::PathBuf::from)
        .or(home.map(|h| h.join(".local/state")))
        .unwrap();
    let (mut locks, mut recovered) = (vec![], vec![]);
    if verb == "apply" {
        for place in &scope.places {
            locks.push(apply::Lock::take(&place.place.common_dir, false)?);
        }
        let audit = apply::Audit::open(&state, &policy.source.sha256)?;
        let mut hands = apply::Hands {
            world: observe::World {
                home: world.home.clone(),
                proc_root: world.proc_root.clone(),
                ..world
            },
            clock: &clock,
            policy: &policy,
            scope: &scope,
            audit: &audit,
            interrupted: &|| false,
        };
        recovered = apply::recover(&locks, &mut hands);
        for done in &recovered {
            writeln!(
                std::io::stderr(),
                "{}: {}: {}",
                done.address,
                done.outcome.fate.as_str(),
                done.outcome.message
            )?;
        }
    }
    let observation = observe::observe(&world, &policy, &scope, &observe::Focus::Everything);
    if verb == "observe" {
        serde_json::to_writer_pretty(std::io::stdout(), &observation)?;
        return Ok(ExitStatus::Done);
    }
    let plan = plan::Plan::new(&policy, &observation);
    let complete = plan.complete;
    if verb == "plan" {
        if common.format == "json" {
            render::json_plan(&plan, &mut std::io::stdout())?;
        } else {
            render::table(
                &plan,
                render::TableOptions {
                    width: 150,
                    all: true,
                },
                &mut std::io::stdout(),
            )?;
        }
        return Ok(if complete {
            ExitStatus::Done
        } else {
            ExitStatus::Error
        });
    }
    let approved = plan.approve(&plan::Approval::Yes, &[])?;
    let audit = apply::Audit::open(&state, &policy.source.sha256)?;
    let mut hands = apply::Hands {
        world,
        clock: &clock,
        policy: &policy,
        scope: &scope,
        audit: &audit,
        interrupted: &|| false,
    };
    recovered.extend(apply::apply(&approved, &locks, &mut hands, &mut |_| {}));
    let done = recovered;
    let report = report::Report {
        plan: approved.plan(),
        done,
    };
    render::json_report(&report, &mut std::io::stdout())?;
    Ok(report.exit(None))
}
