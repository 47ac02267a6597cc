//! `owl apply`: the locks, what an earlier run left open, the plan, the question, the rows, the
//! report.
//!
//! The locks come first, so that what is planned is what no other owl changes any more; what an
//! earlier run left open is finished or undone before the plan is made. A repository that another
//! owl holds is left out, and named; the others go on. While a question waits no lock is held, so
//! that a forgotten terminal stops nobody: each row is looked at again after the answer anyway.

use super::args::{ApplyArgs, Format, PlanArgs, Proof};
use super::ask::ask;
use super::failure::{Failure, Outcome};
use super::progress::Progress;
use super::saved;
use super::settings::{Settings, now};
use super::signals::Signals;
use super::stream::{self, Unbreakable};
use super::survey::{Ground, Survey, world};
use crate::apply::{Audit, Done, Event, Hands, Lock, LockError, apply, is_anything_left, recover};
use crate::ledger::default_path;
use crate::observe::NamedPlace;
use crate::plan::{Approved, Plan, Refusal, Row, Saved, Standing, Summary};
use crate::render::{
    Role, human_attention, human_header, human_nothing, human_outcome, human_plan, human_recovered,
    human_report, json_lines_report, json_report,
};
use crate::report::{ExitStatus, Report};
use crate::resource::{Address, BytePath, escape};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The repositories in scope that this run holds, those that cannot be locked at all, and those
/// that another owl holds.
pub(super) struct Locks {
    pub(super) held: Vec<Lock>,
    refused: Vec<(PathBuf, LockError)>,
    busy: Vec<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &ApplyArgs, settings: &Settings) -> Outcome {
    let only: Vec<Address> = args.only.iter().map(|text| Address::typed(text)).collect();
    let saved = match &args.plan {
        Some(file) => Some(saved::read(file, settings)?),
        None => None,
    };
    if args.dry_run {
        return dry_run(args, (saved.as_ref(), &only), settings);
    }
    let mut ground = Ground::new(settings)?;
    if let Some(saved) = &saved {
        saved::require_policy(saved, &ground.policy)?;
    }
    let locks = Locks::take(&ground, args.wait);
    let left_out = leave_out(&mut ground, &locks.busy, args, &only)?;
    let recovered = recover_first(&ground, &locks.held, settings)?;
    let has_recovered = !recovered.is_empty();
    let survey = Survey::of(ground, Proof::Stat, settings);
    let begun = Begun {
        survey: &survey,
        recovered,
        left_out,
    };
    let wanted = (saved.as_ref(), only.as_slice());
    plan_and_apply(args, wanted, begun, locks, settings).map_err(|failure| {
        if has_recovered {
            failure.hint("only what an earlier run had left open was seen to")
        } else {
            failure
        }
    })
}

/// What is known before the plan is made.
struct Begun<'a> {
    survey: &'a Survey,
    recovered: Vec<Done>,
    /// The names of the projects that another owl holds.
    left_out: Vec<String>,
}

/// Takes the repositories that another owl holds out of the scope, and names them. Where nothing is
/// left, or what is asked for is among them, the run ends here.
fn leave_out(
    ground: &mut Ground,
    busy: &[PathBuf],
    args: &ApplyArgs,
    only: &[Address],
) -> Result<Vec<String>, Failure> {
    let Some(first) = busy.first() else {
        return Ok(Vec::new());
    };
    let is_busy = |named: &NamedPlace| busy.contains(&named.place.common_dir);
    let (out, stay): (Vec<_>, Vec<_>) = ground.scope.places.drain(..).partition(is_busy);
    let names = |one: &NamedPlace| only.iter().any(|address| address.is_of(&one.name));
    let asked_for = out.iter().find(|one| names(one));
    ground.scope.places = stay;
    if ground.scope.places.is_empty() || args.strict || asked_for.is_some() {
        let first = asked_for.map_or(first, |one| &one.place.common_dir);
        return Err(not_locked(LockError::Taken(first.as_path().into())));
    }
    if !only.is_empty() {
        return Ok(Vec::new());
    }
    let word = Role::Warning.paint("warning:");
    for one in &out {
        let name = escape(one.name.as_bytes());
        let place = BytePath::from(one.place.common_dir.as_path());
        stream::say(|to| {
            writeln!(
                to,
                "{word} project {name} is left out: another owl is at work in {place}; run owl \
                 apply again, or pass --wait"
            )
        });
    }
    Ok(out.into_iter().map(|one| one.name).collect())
}

fn dry_run(
    args: &ApplyArgs,
    (saved, only): (Option<&Saved>, &[Address]),
    settings: &Settings,
) -> Outcome {
    let survey = Survey::new(Proof::Stat, settings)?;
    let plan = survey.plan();
    let flags = PlanArgs {
        strict: args.strict,
        ..PlanArgs::default()
    };
    let mut look = super::plan::look(&flags, settings);
    if let Some(file) = &args.plan {
        let file = super::plan::quoted(&file.to_string_lossy());
        look.next = look.next.map(|next| format!("{next} {file}"));
    }
    for address in only {
        let flag = format!(" --only {}", super::plan::quoted(address.as_str()));
        look.next = look.next.map(|next| next + &flag);
    }
    let Some(saved) = saved else {
        require_rows(only, |address| plan.row(address).is_some())?;
        return super::plan::print(&narrowed(plan, only), &flags, &look, settings);
    };
    saved::require_policy(saved, &survey.ground.policy)?;
    require_rows(only, |address| saved::has(saved, address))?;
    let standing = saved.against(&plan, only);
    let plan = kept(plan, |row| standing.rows.contains(&row.address));
    for done in stale(&standing) {
        stream::say(|to| human_outcome(&done.address, &done.outcome, to));
    }
    super::plan::print(&plan, &flags, &look, settings)
}

fn plan_and_apply(
    args: &ApplyArgs,
    (saved, only): (Option<&Saved>, &[Address]),
    begun: Begun<'_>,
    locks: Locks,
    settings: &Settings,
) -> Outcome {
    let Begun {
        survey,
        mut recovered,
        left_out,
    } = begun;
    let plan = survey.plan();
    let standing = if let Some(saved) = saved {
        require_rows(only, |address| saved::has(saved, address))?;
        saved.against(&plan, only)
    } else {
        require_rows(only, |address| plan.row(address).is_some())?;
        everything(&plan, only)
    };
    require_no_warning(&plan, args.strict)?;
    let is_chosen = |row: &&Row| row.verdict.acts() && standing.rows.contains(&row.address);
    let chosen: Vec<&Row> = plan.items.iter().filter(is_chosen).collect();
    let refused = stale(&standing);
    if chosen.is_empty() {
        let nothing_done = Report {
            plan: &plan,
            recovered,
            done: refused,
            left_out,
        };
        let why = survey.why_jobs_are_unknown();
        let asked = (saved.is_some(), only, why.as_deref());
        return nothing(&nothing_done, asked, settings);
    }
    let projects: BTreeSet<&str> = chosen.iter().map(|row| &*row.project).collect();
    let state = state_home(settings)?;
    let mut held = locks.of(&survey.ground, &projects)?;
    let asks = settings.asks && !(args.yes && plan.brakes.is_empty());
    if asks {
        let shown = match saved {
            Some(_) => kept(plan.clone(), |row| is_chosen(&row)),
            None => narrowed(plan.clone(), only),
        };
        show_before_asking(&shown, settings)?;
    }
    let places: Vec<PathBuf> = held.iter().map(|one| one.common_dir().to_owned()).collect();
    if asks {
        held.clear();
    }
    let Some(approval) = ask(&plan, &chosen, args.yes, settings)? else {
        let what = if recovered.is_empty() {
            "Nothing"
        } else {
            "Nothing else"
        };
        stream::say(|to| writeln!(to, "{what} was changed."));
        let report = Report {
            plan: &plan,
            recovered,
            done: refused,
            left_out,
        };
        return Ok(if report.is_settled() {
            ExitStatus::Done
        } else {
            ExitStatus::Unsettled
        });
    };
    if asks {
        held = lock_again(&places, args.wait)?;
        recovered.extend(recover_first(&survey.ground, &held, settings)?);
    }
    let approved = plan.approve_standing(&approval, &standing)?;
    let audit = Audit::open(state, &survey.ground.policy.source.sha256)?;
    let signals = Signals::listen()?;
    let mut done = refused;
    let ground = &survey.ground;
    done.extend(carry_out(
        &approved, ground, &held, &audit, &signals, settings,
    ));
    let report = Report {
        plan: approved.plan(),
        recovered,
        done,
        left_out,
    };
    Ok(finish(&report, &signals, settings))
}

pub(super) fn state_home(settings: &Settings) -> Result<&Path, Failure> {
    settings.state_home.as_deref().ok_or_else(|| {
        Failure::new("there is no place for the audit log")
            .hint("nothing was done; set HOME or XDG_STATE_HOME to an absolute path")
    })
}

/// Finishes or undoes what an earlier run has left open, and says so. Where it left nothing, no
/// audit log is made.
pub(super) fn recover_first(
    ground: &Ground,
    held: &[Lock],
    settings: &Settings,
) -> Result<Vec<Done>, Failure> {
    let ledger = settings.data_home.as_deref().map(default_path);
    if !is_anything_left(held, ledger.as_deref()) {
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
    let recovered = recover(held, &mut hands);
    match settings.format {
        Format::Human if settings.quiet => {}
        // Whoever is gone already is told nothing; the outcome is in the audit log.
        Format::Human => drop(stream::write(|to| human_recovered(&recovered, to))),
        Format::Json | Format::Jsonl => stream::say(|to| human_recovered(&recovered, to)),
    }
    Ok(recovered)
}

fn require_rows(only: &[Address], has: impl Fn(&Address) -> bool) -> Result<(), Failure> {
    match only.iter().find(|address| !has(address)) {
        Some(missing) => Err(Failure::from(Refusal::NoSuchRow(missing.clone()))),
        None => Ok(()),
    }
}

/// Every row that acts, or those of them that `only` names, as they stand now.
fn everything(plan: &Plan, only: &[Address]) -> Standing {
    let acting = plan.items.iter().filter(|row| row.verdict.acts());
    let chosen = acting.filter(|row| only.is_empty() || only.contains(&row.address));
    Standing {
        rows: chosen.map(|row| row.address.clone()).collect(),
        stale: Vec::new(),
    }
}

/// What becomes of the rows of a saved plan that are not what they were.
fn stale(standing: &Standing) -> Vec<Done> {
    let stale = standing.stale.iter();
    stale
        .map(|(address, why)| Done {
            address: address.clone(),
            outcome: crate::apply::Outcome::stale(format!("not what was planned: {why}")),
        })
        .collect()
}

fn require_no_warning(plan: &Plan, strict: bool) -> Result<(), Failure> {
    match plan.warnings.first().filter(|_| strict) {
        Some(first) => Err(Failure::new(format_args!("{first}"))
            .hint("nothing was done: --strict takes warnings for errors")),
        None => Ok(()),
    }
}

/// The plan of these rows alone, for looking at.
fn narrowed(plan: Plan, only: &[Address]) -> Plan {
    if only.is_empty() {
        return plan;
    }
    kept(plan, |row| only.contains(&row.address))
}

/// The plan of some rows, for looking at.
fn kept(mut plan: Plan, is_kept: impl Fn(&Row) -> bool) -> Plan {
    plan.items.retain(is_kept);
    plan.summary = Summary::of(&plan.items);
    plan.applyable = plan.brakes.is_empty() && plan.acts();
    plan
}

fn nothing(
    report: &Report<'_>,
    (is_saved, only, why): (bool, &[Address], Option<&str>),
    settings: &Settings,
) -> Outcome {
    let plan = report.plan;
    stream::write(|to| match settings.format {
        Format::Json => json_report(report, to),
        Format::Jsonl => json_lines_report(report, to),
        Format::Human if settings.quiet => {
            let all: Vec<Done> = report.all().cloned().collect();
            human_attention(plan, &all, settings.width, to)
        }
        Format::Human if is_saved => {
            writeln!(to, "Nothing to do of the saved plan.")?;
            for done in &report.done {
                human_outcome(&done.address, &done.outcome, to)?;
            }
            Ok(())
        }
        Format::Human => {
            if only.is_empty() {
                return human_nothing(plan, why, to);
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
fn show_before_asking(plan: &Plan, settings: &Settings) -> Result<(), Failure> {
    match settings.format {
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

/// Takes the locks that were let go while the question waited.
fn lock_again(places: &[PathBuf], wait: bool) -> Result<Vec<Lock>, Failure> {
    let taken = places.iter().map(|place| Lock::take(place, wait));
    taken.collect::<Result<_, _>>().map_err(|why| {
        not_locked(why).hint("it began while the question waited; run owl apply again")
    })
}

impl Locks {
    /// Locks every repository in scope, in one order, so that two owls never wait for each other.
    /// Where another owl is at work nothing is even looked at: the look's own git processes would
    /// make the other owl keep what they stand in.
    pub(super) fn take(ground: &Ground, wait: bool) -> Self {
        let places: BTreeSet<&Path> = ground
            .scope
            .places
            .iter()
            .map(|named| &*named.place.common_dir)
            .collect();
        let mut locks = Self {
            held: Vec::new(),
            refused: Vec::new(),
            busy: Vec::new(),
        };
        for place in places {
            match Lock::take(place, wait) {
                Ok(lock) => locks.held.push(lock),
                Err(why @ LockError::Failed { .. }) => {
                    locks.refused.push((place.to_owned(), why));
                }
                Err(LockError::Taken(_)) => locks.busy.push(place.to_owned()),
            }
        }
        locks
    }

    /// Requires that one repository is held.
    pub(super) fn require(&self, common_dir: &Path) -> Result<(), Failure> {
        if self.held.iter().any(|lock| lock.common_dir() == common_dir) {
            Ok(())
        } else if self.busy.iter().any(|place| place == common_dir) {
            Err(not_locked(LockError::Taken(common_dir.into())))
        } else {
            Err(Failure::new("its repository could not be locked").hint("nothing was done"))
        }
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

pub(super) fn carry_out(
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
