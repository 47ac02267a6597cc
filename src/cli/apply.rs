//! `owl apply`: the plan, the question, the locks, the rows, the report.

use super::args::{ApplyArgs, Format, PlanArgs};
use super::ask::ask;
use super::failure::{Failure, Outcome};
use super::progress::Progress;
use super::settings::{Settings, now};
use super::signals::Signals;
use super::stream::{self, Unbreakable};
use super::survey::{Survey, world};
use crate::apply::{Audit, Done, Event, Hands, Lock, LockError, apply};
use crate::plan::{Approved, Plan, Refusal, Row, Summary};
use crate::render::{
    human_attention, human_header, human_nothing, human_outcome, human_plan, human_report,
    json_report,
};
use crate::report::{ExitStatus, Report};
use crate::resource::Address;
use std::collections::BTreeSet;
use std::io::Write;

/// Runs the command.
pub(super) fn run(args: &ApplyArgs, settings: &Settings) -> Outcome {
    let survey = Survey::new(settings)?;
    let plan = survey.plan();
    let only: Vec<Address> = args.only.iter().map(|text| Address::typed(text)).collect();
    require_rows(&plan, &only)?;
    if args.dry_run {
        let flags = PlanArgs {
            strict: args.strict,
            ..PlanArgs::default()
        };
        let mut look = super::plan::look(&flags, settings);
        for address in &only {
            let flag = format!(" --only {}", super::plan::quoted(address.as_str()));
            look.next = look.next.map(|next| next + &flag);
        }
        return super::plan::print(&narrowed(plan, &only), &flags, &look, settings);
    }
    require_no_warning(&plan, args.strict)?;
    let chosen = plan
        .items
        .iter()
        .filter(|row| is_chosen(row, &only))
        .count();
    if chosen == 0 {
        return nothing(&plan, &only, settings);
    }
    let state = settings.state_home.as_deref().ok_or_else(|| {
        Failure::new("there is no place for the audit log")
            .hint("nothing was done; set HOME or XDG_STATE_HOME to an absolute path")
    })?;
    show_before_asking(&plan, args.yes, settings)?;
    let Some(approval) = ask(&plan, chosen, args.yes, settings)? else {
        stream::say(|to| writeln!(to, "Nothing was changed."));
        return Ok(ExitStatus::Done);
    };
    let approved = plan.approve(&approval, &only)?;
    let locks = lock(&survey, &approved, args.wait)?;
    let audit = Audit::open(state, &survey.policy.source.sha256)?;
    let signals = Signals::listen()?;
    let done = carry_out(&approved, &survey, &locks, &audit, &signals, settings);
    Ok(finish(&approved, done, &signals, settings))
}

fn require_rows(plan: &Plan, only: &[Address]) -> Result<(), Failure> {
    match only.iter().find(|address| plan.row(address).is_none()) {
        Some(missing) => Err(Failure::from(Refusal::NoSuchRow(missing.clone()))),
        None => Ok(()),
    }
}

fn require_no_warning(plan: &Plan, strict: bool) -> Result<(), Failure> {
    match plan.warnings.first().filter(|_| strict) {
        Some(first) => Err(Failure::new(format_args!("{first}"))
            .hint("nothing was done: --strict takes warnings for errors")),
        None => Ok(()),
    }
}

fn is_chosen(row: &Row, only: &[Address]) -> bool {
    row.verdict.acts() && (only.is_empty() || only.contains(&row.address))
}

/// The plan of these rows alone, for looking at.
fn narrowed(mut plan: Plan, only: &[Address]) -> Plan {
    if !only.is_empty() {
        plan.items.retain(|row| only.contains(&row.address));
        plan.summary = Summary::of(&plan.items);
        plan.applyable = plan.items.iter().any(|row| row.verdict.acts());
    }
    plan
}

fn nothing(plan: &Plan, only: &[Address], settings: &Settings) -> Outcome {
    let report = Report {
        plan,
        done: Vec::new(),
    };
    stream::write(|to| match settings.format {
        Format::Json => json_report(&report, to),
        Format::Human if settings.quiet => human_attention(plan, &[], settings.width, to),
        Format::Human => {
            human_nothing(plan, to)?;
            for row in only.iter().filter_map(|address| plan.row(address)) {
                writeln!(
                    to,
                    "{}: {}: {}",
                    row.address,
                    row.verdict.as_str(),
                    row.message
                )?;
            }
            Ok(())
        }
    })?;
    Ok(report.exit(None))
}

/// Whoever is asked must have seen what for, however quiet the rest is.
fn show_before_asking(plan: &Plan, yes: bool, settings: &Settings) -> Result<(), Failure> {
    let asks = settings.asks && !(yes && plan.brakes.is_empty());
    match settings.format {
        _ if !asks => Ok(()),
        Format::Human => {
            let mut look = super::plan::look(&PlanArgs::default(), settings);
            look.next = None;
            stream::write(|to| human_plan(plan, &look, to))
        }
        Format::Json => Err(Failure::new(
            "a plan that asks cannot be carried out with --format json",
        )
        .hint("nothing was done; add --yes, or leave out --format json")),
    }
}

/// Locks every repository of an approved row, in one order, so that two owls never wait for each
/// other.
fn lock(survey: &Survey, approved: &Approved, wait: bool) -> Result<Vec<Lock>, Failure> {
    let projects: BTreeSet<&str> = approved.rows().map(|row| &*row.project).collect();
    let places: BTreeSet<_> = survey
        .scope
        .places
        .iter()
        .filter(|named| projects.contains(&*named.name))
        .map(|named| &*named.place.common_dir)
        .collect();
    let locks = places.into_iter().map(|place| Lock::take(place, wait));
    locks.collect::<Result<_, _>>().map_err(|why| {
        let status = match &why {
            LockError::Taken(_) => ExitStatus::Unsettled,
            LockError::Failed { .. } => ExitStatus::Error,
        };
        Failure::from(why)
            .status(status)
            .hint("nothing was done by this run")
    })
}

fn carry_out(
    approved: &Approved,
    survey: &Survey,
    locks: &[Lock],
    audit: &Audit,
    signals: &Signals,
    settings: &Settings,
) -> Vec<Done> {
    let progress = Progress::new(settings, "at");
    let mut out = Unbreakable::new(stream::stdout());
    let talks = settings.format == Format::Human && !settings.quiet;
    if talks {
        drop(human_header(approved.plan(), &mut out));
    }
    let mut hands = Hands {
        world: world(&survey.git, settings, &|_| {}),
        clock: &now,
        policy: &survey.policy,
        scope: &survey.scope,
        audit,
        interrupted: &|| signals.caught().is_some(),
    };
    let done = apply(approved, locks, &mut hands, &mut |event| match event {
        Event::Attempt(row) => progress.tell(row.address.as_str()),
        Event::Settled(row, outcome) if talks => progress.aside(|| {
            drop(human_outcome(&row.address, outcome, &mut out));
            drop(out.flush());
        }),
        Event::Settled(_, _) => {}
    });
    progress.clear();
    done
}

/// Reports, whoever still reads.
fn finish(
    approved: &Approved,
    done: Vec<Done>,
    signals: &Signals,
    settings: &Settings,
) -> ExitStatus {
    let report = Report {
        plan: approved.plan(),
        done,
    };
    let mut out = Unbreakable::new(stream::stdout());
    let written = match settings.format {
        Format::Json => json_report(&report, &mut out),
        Format::Human if settings.quiet => {
            human_attention(report.plan, &report.done, settings.width, &mut out)
        }
        Format::Human => human_report(&report, &mut out),
    };
    let written = written.and_then(|()| out.flush());
    if let Some(why) = written.err().or_else(|| out.into_broken()) {
        stream::say(|to| writeln!(to, "error: the report could not be written: {why}"));
    }
    report.exit(signals.caught())
}
