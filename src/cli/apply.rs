//! `owl apply`: the locks, what an earlier run left open, the plan, the question, the rows, the
//! report.
//!
//! The locks come first, so that what is planned, shown, and approved is what no other owl changes
//! any more; what an earlier run left open is finished or undone before the plan is made.

use super::args::{ApplyArgs, Format, PlanArgs};
use super::ask::ask;
use super::failure::{Failure, Outcome};
use super::progress::Progress;
use super::settings::{Settings, now};
use super::signals::Signals;
use super::stream::{self, Unbreakable};
use super::survey::{Ground, Survey, world};
use crate::apply::{Audit, Done, Event, Hands, Lock, LockError, apply, is_anything_left, recover};
use crate::plan::{Approved, Plan, Refusal, Row, Summary};
use crate::render::{
    human_attention, human_header, human_nothing, human_outcome, human_plan, human_recovered,
    human_report, json_lines_report, json_report,
};
use crate::report::{ExitStatus, Report};
use crate::resource::Address;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The repositories in scope that this run holds, and those that cannot be locked at all.
struct Locks {
    held: Vec<Lock>,
    refused: Vec<(PathBuf, LockError)>,
}

/// Runs the command.
pub(super) fn run(args: &ApplyArgs, settings: &Settings) -> Outcome {
    let only: Vec<Address> = args.only.iter().map(|text| Address::typed(text)).collect();
    if args.dry_run {
        return dry_run(args, &only, settings);
    }
    let ground = Ground::new(settings)?;
    let locks = Locks::take(&ground, args.wait)?;
    let recovered = recover_first(&ground, &locks, settings)?;
    let has_recovered = !recovered.is_empty();
    let survey = Survey::of(ground, settings);
    plan_and_apply(args, &only, &survey, locks, recovered, settings).map_err(|failure| {
        if has_recovered {
            failure.hint("only what an earlier run had left open was seen to")
        } else {
            failure
        }
    })
}

fn dry_run(args: &ApplyArgs, only: &[Address], settings: &Settings) -> Outcome {
    let plan = Survey::new(settings)?.plan();
    require_rows(&plan, only)?;
    let flags = PlanArgs {
        strict: args.strict,
        ..PlanArgs::default()
    };
    let mut look = super::plan::look(&flags, settings);
    for address in only {
        let flag = format!(" --only {}", super::plan::quoted(address.as_str()));
        look.next = look.next.map(|next| next + &flag);
    }
    super::plan::print(&narrowed(plan, only), &flags, &look, settings)
}

fn plan_and_apply(
    args: &ApplyArgs,
    only: &[Address],
    survey: &Survey,
    locks: Locks,
    recovered: Vec<Done>,
    settings: &Settings,
) -> Outcome {
    let plan = survey.plan();
    require_rows(&plan, only)?;
    require_no_warning(&plan, args.strict)?;
    let chosen = plan.items.iter().filter(|row| is_chosen(row, only));
    let projects: BTreeSet<&str> = chosen.clone().map(|row| &*row.project).collect();
    let chosen = chosen.count();
    if chosen == 0 {
        return nothing(&plan, only, recovered, settings);
    }
    let state = state_home(settings)?;
    let held = locks.of(&survey.ground, &projects)?;
    show_before_asking(&narrowed(plan.clone(), only), args.yes, settings)?;
    let Some(approval) = ask(&plan, chosen, args.yes, settings)? else {
        let what = if recovered.is_empty() {
            "Nothing"
        } else {
            "Nothing else"
        };
        stream::say(|to| writeln!(to, "{what} was changed."));
        let report = Report {
            plan: &plan,
            recovered,
            done: Vec::new(),
        };
        let is_settled = report.all().all(|done| done.outcome.fate.is_done());
        return Ok(if is_settled {
            ExitStatus::Done
        } else {
            ExitStatus::Unsettled
        });
    };
    let approved = plan.approve(&approval, only)?;
    let audit = Audit::open(state, &survey.ground.policy.source.sha256)?;
    let signals = Signals::listen()?;
    let done = carry_out(&approved, &survey.ground, &held, &audit, &signals, settings);
    let report = Report {
        plan: approved.plan(),
        recovered,
        done,
    };
    Ok(finish(&report, &signals, settings))
}

fn state_home(settings: &Settings) -> Result<&Path, Failure> {
    settings.state_home.as_deref().ok_or_else(|| {
        Failure::new("there is no place for the audit log")
            .hint("nothing was done; set HOME or XDG_STATE_HOME to an absolute path")
    })
}

/// Finishes or undoes what an earlier run has left open, and says so. Where it left nothing, no
/// audit log is made.
fn recover_first(
    ground: &Ground,
    locks: &Locks,
    settings: &Settings,
) -> Result<Vec<Done>, Failure> {
    if !is_anything_left(&locks.held) {
        return Ok(Vec::new());
    }
    let audit = Audit::open(state_home(settings)?, &ground.policy.source.sha256)?;
    let mut hands = Hands {
        world: world(&ground.git, settings, &|_| {}),
        clock: &now,
        policy: &ground.policy,
        scope: &ground.scope,
        audit: &audit,
        interrupted: &|| false,
    };
    let recovered = recover(&locks.held, &mut hands);
    match settings.format {
        Format::Human if settings.quiet => {}
        // Whoever is gone already is told nothing; the outcome is in the audit log.
        Format::Human => drop(stream::write(|to| human_recovered(&recovered, to))),
        Format::Json | Format::Jsonl => stream::say(|to| human_recovered(&recovered, to)),
    }
    Ok(recovered)
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

fn nothing(plan: &Plan, only: &[Address], recovered: Vec<Done>, settings: &Settings) -> Outcome {
    let report = Report {
        plan,
        recovered,
        done: Vec::new(),
    };
    stream::write(|to| match settings.format {
        Format::Json => json_report(&report, to),
        Format::Jsonl => json_lines_report(&report, to),
        Format::Human if settings.quiet => {
            human_attention(plan, &report.recovered, settings.width, to)
        }
        Format::Human => {
            if only.is_empty() {
                return human_nothing(plan, to);
            }
            writeln!(to, "Nothing to do for what --only names:")?;
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
        Format::Json | Format::Jsonl => Err(Failure::new(
            "a plan that asks cannot be carried out with --format json or jsonl",
        )
        .hint("nothing was done; add --yes, or leave out --format")),
    }
}

impl Locks {
    /// Locks every repository in scope, in one order, so that two owls never wait for each other.
    /// Where another owl is at work nothing is even looked at: the look's own git processes would
    /// make the other owl keep what they stand in.
    fn take(ground: &Ground, wait: bool) -> Result<Self, Failure> {
        let places: BTreeSet<&Path> = ground
            .scope
            .places
            .iter()
            .map(|named| &*named.place.common_dir)
            .collect();
        let mut locks = Self {
            held: Vec::new(),
            refused: Vec::new(),
        };
        for place in places {
            match Lock::take(place, wait) {
                Ok(lock) => locks.held.push(lock),
                Err(why @ LockError::Failed { .. }) => {
                    locks.refused.push((place.to_owned(), why));
                }
                Err(why @ LockError::Taken(_)) => return Err(not_locked(why)),
            }
        }
        Ok(locks)
    }

    /// The locks, if those of these projects are among them.
    fn of(self, ground: &Ground, projects: &BTreeSet<&str>) -> Result<Vec<Lock>, Failure> {
        let is_of = |place: &Path| {
            let mut named = ground.scope.places.iter();
            named.any(|one| one.place.common_dir == place && projects.contains(&*one.name))
        };
        let missing = self.refused.into_iter().find(|(place, _)| is_of(place));
        let Some((_, why)) = missing else {
            return Ok(self.held);
        };
        Err(not_locked(why))
    }
}

fn not_locked(why: LockError) -> Failure {
    let status = match &why {
        LockError::Taken(_) => ExitStatus::Unsettled,
        LockError::Failed { .. } => ExitStatus::Error,
    };
    Failure::from(why)
        .status(status)
        .hint("nothing was done by this run")
}

fn carry_out(
    approved: &Approved,
    ground: &Ground,
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
        world: world(&ground.git, settings, &|_| {}),
        clock: &now,
        policy: &ground.policy,
        scope: &ground.scope,
        audit,
        interrupted: &|| signals.caught().is_some(),
    };
    let done = apply(approved, locks, &mut hands, &mut |event| match event {
        Event::Attempt(row) => progress.tell(row.address.as_str()),
        Event::Settled(row, outcome) if talks => progress.aside(|| {
            drop(human_outcome(&row.address, outcome, &mut out));
            drop(out.flush());
        }),
        // Seen to before the plan was made.
        Event::Recovered(_) | Event::Settled(_, _) => {}
    });
    progress.clear();
    done
}

/// Reports, whoever still reads.
fn finish(report: &Report<'_>, signals: &Signals, settings: &Settings) -> ExitStatus {
    let mut out = Unbreakable::new(stream::stdout());
    let written = match settings.format {
        Format::Json => json_report(report, &mut out),
        Format::Jsonl => json_lines_report(report, &mut out),
        Format::Human if settings.quiet => {
            let all: Vec<Done> = report.all().cloned().collect();
            human_attention(report.plan, &all, settings.width, &mut out)
        }
        Format::Human => human_report(report, &mut out),
    };
    let written = written.and_then(|()| out.flush());
    if let Some(why) = written.err().or_else(|| out.into_broken()) {
        stream::say(|to| writeln!(to, "error: the report could not be written: {why}"));
    }
    report.exit(signals.caught())
}
