//! `owl jobs accept`, `owl jobs drop`: a person's decision, and what follows from it (A3).
//!
//! It goes the way of every plan: looked at, approved, looked at again, carried out by the same
//! engine, and audited. The policy in force says where worktrees may be removed, and its keeps
//! hold. Invariants: what is refused changes nothing; while a question waits no lock is held, and
//! who decides meanwhile wins; who comes second is told who came first (A3.6).

use super::args::DisposeArgs;
use super::{contents, moves, told};
use crate::apply::{Audit, Done, Fate};
use crate::cli::apply::{Locks, carry_out, recover_first, state_home};
use crate::cli::args::{Format, Proof};
use crate::cli::ask::confirm;
use crate::cli::discovery::choose_in;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::settings::Settings;
use crate::cli::signals::Signals;
use crate::cli::stream;
use crate::cli::survey::{Ground, Survey};
use crate::job::{State, Verb, next};
use crate::ledger::{Entry, LedgerError};
use crate::observe::{NamedPlace, Place, Scope, name_of};
use crate::plan::{Approval, Plan, ResourceKind, Row, Unfinished, Verdict, moved};
use crate::policy::{Action, Order};
use crate::render::{human_outcome, losses};
use crate::report::ExitStatus;
use crate::resource::{Address, shell_word};

/// Runs the command.
pub(super) fn run(verb: Verb, args: &DisposeArgs, settings: &Settings) -> Outcome {
    let id = args.id;
    let before = job(id, settings)?;
    next(verb, &before.job.state, before.job.ttl)
        .map_err(|refusal| told(LedgerError::Refused { id, refusal }))?;
    let mut shown = None;
    if args.discard {
        let ground = ground(id, settings)?.under_order(order(verb, args));
        let survey = Survey::of(ground, Proof::Stat, settings);
        let plan = survey.plan();
        let row = row(&plan, id)?;
        if !agreed(row, args, settings)? {
            stream::say(|to| writeln!(to, "Nothing was changed."));
            return Ok(ExitStatus::Done);
        }
        shown = Some(row.clone());
    }
    let ground = ground(id, settings)?;
    let locks = Locks::take(&ground, true);
    let place = ground.scope.places.first().map(|one| &one.place.common_dir);
    if let Some(place) = place {
        locks.require(place)?;
    }
    // What an earlier run has left open was planned under the whole policy, and is ended under it.
    recover_first(&ground, &locks.held, settings)?;
    let ground = ground.under_order(order(verb, args));
    let survey = Survey::of(ground, Proof::Stat, settings);
    let plan = survey.plan();
    let chosen = row(&plan, id)?.clone();
    if !chosen.verdict.acts() {
        return refused(verb, (&before, &chosen), settings);
    }
    if let Some(shown) = &shown {
        require_as_shown(shown, &chosen)?;
    }
    let only = [chosen.address.clone()];
    let approved = plan.approve(&Approval::Yes, &only)?;
    let policy = &survey.ground.policy.source.sha256;
    let audit = Audit::open(state_home(settings)?, policy)?;
    let signals = Signals::listen()?;
    let quiet = Settings {
        quiet: true,
        ..settings.clone()
    };
    let done = carry_out(
        &approved,
        &survey.ground,
        &locks.held,
        &audit,
        &signals,
        &quiet,
    );
    drop(locks);
    finish(verb, (&before, &chosen), &done, settings)
}

/// What is looked at: the repository of the job alone, under the policy that is in force there.
fn ground(id: i64, settings: &Settings) -> Result<Ground, Failure> {
    let found = contents(settings)?;
    let place = moves::place_of(&found, id)?.ok_or_else(|| {
        let path = found.job(id).and_then(|entry| found.project(entry.project));
        let path = path.map(|project| &project.identity.common_dir);
        let old = path.map_or_else(String::new, |path| shell_word(path.as_bytes()));
        Failure::new(format_args!(
            "the repository of job {id} is not the one that the ledger knows, or is not there"
        ))
        .hint(format!(
            "nothing was done; if it was moved, run `owl jobs adopt {old}` in it"
        ))
    })?;
    let policy = choose_in(&place, settings)?.policy;
    let scope = scope(&policy, place, settings)?;
    Ok(Ground {
        git: settings.git()?,
        policy,
        scope,
    })
}

fn order(verb: Verb, args: &DisposeArgs) -> Order {
    Order {
        job: args.id.to_string(),
        then: if verb == Verb::Drop {
            Action::Drop
        } else {
            Action::Accept
        },
        discard: args.discard,
    }
}

impl Ground {
    fn under_order(self, order: Order) -> Self {
        Self {
            policy: self.policy.under_order(order),
            ..self
        }
    }
}

/// The repository alone; as the policy declares it, if it does.
fn scope(
    policy: &crate::policy::Policy,
    place: Place,
    settings: &Settings,
) -> Result<Scope, Failure> {
    let declared = if policy.projects.is_empty() {
        None
    } else {
        let scope = crate::cli::survey::scope(policy, settings)?;
        let mut places = scope.places.into_iter();
        places.find(|one| one.place.common_dir == place.common_dir)
    };
    let named = declared.unwrap_or_else(|| NamedPlace {
        name: name_of(&place),
        place,
        base: None,
    });
    Ok(Scope {
        places: vec![named],
        unmatched: Vec::new(),
    })
}

fn job(id: i64, settings: &Settings) -> Result<Entry, Failure> {
    let found = contents(settings)?;
    found
        .job(id)
        .cloned()
        .ok_or_else(|| told(LedgerError::NoSuchJob(id)))
}

/// The row of the job: that of its worktree, or its own.
fn row(plan: &Plan, id: i64) -> Result<&Row, Failure> {
    let name = id.to_string();
    let is_its = |row: &&Row| {
        let job = row.job.as_ref().and_then(Option::as_ref);
        job.is_some_and(|job| job.name == name && job.source == "ledger")
    };
    let of_job = |row: &&Row| is_its(row) && row.address == Address::job(&row.project, &name);
    let mut rows = plan.items.iter();
    // Its own row is there only where no worktree can be disposed of with it.
    let found = rows.clone().find(of_job).or_else(|| rows.find(is_its));
    found.ok_or_else(|| {
        Failure::new(format_args!("the plan has no row for job {id}"))
            .hint("nothing was done; `owl plan --all` lists the rows")
    })
}

/// Only what was named may be given up: while a question or a lock waits, somebody may go on working.
fn require_as_shown(shown: &Row, chosen: &Row) -> Result<(), Failure> {
    let moved = moved(shown, chosen);
    if moved.is_empty() {
        return Ok(());
    }
    let why = moved.join("; ");
    Err(Failure::new(format_args!(
        "{} is not as it was when its losses were named: {why}",
        chosen.address
    ))
    .hint("nothing was done; run the command again, which names them as they are now"))
}

/// Names what would be lost, and asks; nothing is asked where nothing would be.
fn agreed(row: &Row, args: &DisposeArgs, settings: &Settings) -> Result<bool, Failure> {
    let losses = losses(row);
    if losses.is_empty() {
        return Ok(true);
    }
    let id = args.id;
    stream::say(|to| {
        writeln!(to, "What is not committed in {} would be gone:", row.path)?;
        losses.iter().try_for_each(|line| writeln!(to, "  {line}"))
    });
    if args.yes {
        return Ok(true);
    }
    if !settings.asks {
        return Err(Failure::new(format_args!(
            "job {id} would lose what is not committed, and there is no terminal to ask on"
        ))
        .hint("nothing was done; add --yes, if all of that may go"));
    }
    confirm(&format!("Give that up, for job {id}?")).map_err(Failure::from)
}

/// Nothing can be done: it is held, or nothing is left.
fn refused(verb: Verb, (before, row): (&Entry, &Row), settings: &Settings) -> Outcome {
    let id = before.id;
    let now = job(id, settings)?;
    let wanted = wanted(verb);
    let is_disposed = row.kind == ResourceKind::Job && row.verdict == Verdict::Keep;
    if is_disposed && now.job.state.is_decided() {
        if now.job.state == wanted {
            return say(&now, settings);
        }
        return Err(lost(&now, verb));
    }
    let verb_word = verb.as_str();
    let failure = Failure::new(format_args!(
        "job {id} stays {}: {}: {}",
        now.job.state, row.address, row.message
    ));
    let hint = match crate::plan::remedy(row) {
        Some(command) if row.unfinished == Some(Unfinished::Uncommitted) => {
            format!(
                "nothing was done; look with `{command}`, and commit what is to stay; --discard \
                 gives the rest up, by name, when you {verb_word} it"
            )
        }
        Some(_) | None => "nothing was done".to_owned(),
    };
    Err(failure.hint(hint))
}

fn wanted(verb: Verb) -> State {
    if verb == Verb::Drop {
        State::Cancelled
    } else {
        State::Done
    }
}

/// Somebody else came first.
fn lost(now: &Entry, verb: Verb) -> Failure {
    let (id, state) = (now.id, &now.job.state);
    let when = now
        .job
        .decided
        .as_ref()
        .map(|one| format!(", at {}", one.at));
    let when = when.unwrap_or_default();
    Failure::new(format_args!(
        "job {id} is {state}: somebody has decided{when}; {verb} has changed nothing"
    ))
    .hint(format!("`owl jobs show {id}` has the whole of it"))
}

fn finish(
    verb: Verb,
    (before, row): (&Entry, &Row),
    done: &[Done],
    settings: &Settings,
) -> Outcome {
    let now = job(before.id, settings)?;
    let Some(one) = done.iter().find(|one| one.address == row.address) else {
        return Err(Failure::new("the row was not carried out"));
    };
    match one.outcome.fate {
        Fate::AlreadyGone if !now.job.state.is_decided() => Err(Failure::new(format_args!(
            "somebody removed the worktree of job {} a moment ago",
            before.id
        ))
        .hint("nothing was decided; run the command again, which goes on without it")
        .status(ExitStatus::Unsettled)),
        Fate::Removed | Fate::Pruned | Fate::Decided | Fate::AlreadyGone => {
            if !one.outcome.message.is_empty() {
                stream::say(|to| human_outcome(&one.address, &one.outcome, to));
            }
            say(&now, settings)
        }
        Fate::BranchKept | Fate::PartiallyRemoved => {
            stream::say(|to| human_outcome(&one.address, &one.outcome, to));
            say(&now, settings)?;
            Ok(ExitStatus::Unsettled)
        }
        Fate::Kept if now.job.state.is_decided() && !before.job.state.is_decided() => {
            Err(lost(&now, verb))
        }
        Fate::Kept | Fate::Restored | Fate::Stale | Fate::Failed | Fate::NotAttempted => {
            stream::say(|to| human_outcome(&one.address, &one.outcome, to));
            let id = before.id;
            Err(
                Failure::new(format_args!("job {id} stays {}", now.job.state))
                    .status(ExitStatus::Unsettled),
            )
        }
    }
}

/// The job and its state, and its branch if that is left (A3.1).
fn say(now: &Entry, settings: &Settings) -> Outcome {
    let (id, state) = (now.id, &now.job.state);
    match settings.format {
        Format::Human => stream::write(|to| match &now.job.branch {
            Some(branch) => writeln!(to, "{id} {state}; branch {branch} stays"),
            None => writeln!(to, "{id} {state}"),
        })?,
        Format::Json | Format::Jsonl => super::show::print_job(id, settings)?,
    }
    Ok(ExitStatus::Done)
}
