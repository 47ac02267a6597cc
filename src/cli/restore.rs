//! `owl restore`: what `then: drop` has deleted, and how to have it back.

use super::apply::{Locks, recover_first, state_home};
use super::args::{Format, RestoreArgs};
use super::failure::{Failure, Outcome};
use super::settings::{Settings, now};
use super::stream;
use super::survey::{Ground, Survey};
use crate::apply::{Audit, Brought, Lock, call_off, pending, restore};
use crate::git::Oid;
use crate::observe::RescueRef;
use crate::render::{Rescued, human_rescued, json_rescued, json_restored};
use crate::report::ExitStatus;
use crate::resource::{Address, BytePath, RESCUE_PREFIX, RescueKind, RescueName, escape};
use std::path::Path;

/// Runs the command.
pub(super) fn run(args: &RestoreArgs, settings: &Settings) -> Outcome {
    match &args.name {
        None => list(settings),
        Some(name) => bring_back(name, args, settings),
    }
}

fn list(settings: &Settings) -> Outcome {
    let survey = Survey::of_refs(Ground::new(settings)?, settings);
    let found = rescued(&survey)?;
    stream::write(|to| match settings.format {
        Format::Json | Format::Jsonl => json_rescued(&found, to),
        Format::Human => human_rescued(&found, now(), to),
    })?;
    tell_pending(&survey)?;
    Ok(ExitStatus::Done)
}

/// Every rescue ref in scope, by project and name.
fn rescued(survey: &Survey) -> Result<Vec<Rescued>, Failure> {
    let ttl = survey.ground.policy.ttl.rescue;
    let mut all = Vec::new();
    for project in &survey.observation.projects {
        if let Some(problem) = &project.problem {
            let text = format!("{}: {problem}", escape(project.name.as_bytes()));
            return Err(Failure::new(text).hint("nothing was done"));
        }
        let repository = survey.ground.git.repository(project.common_dir.as_path())?;
        for one in &project.rescues {
            let subject = Oid::parse(one.commit.as_bytes())
                .and_then(|oid| repository.subject(&oid).ok())
                .map(|subject| escape(&subject));
            all.push(Rescued {
                address: Address::rescue(&project.name, one.short()),
                project: project.name.clone(),
                rescue: one.clone(),
                subject,
                expires_at: one.written().checked_add(ttl).ok(),
            });
        }
    }
    Ok(all)
}

fn bring_back(name: &str, args: &RestoreArgs, settings: &Settings) -> Outcome {
    let ground = Ground::new(settings)?;
    let locks = Locks::take(&ground, args.wait);
    let survey = Survey::of_refs(ground, settings);
    let all = rescued(&survey)?;
    let found = choose(name, &all)?;
    let branch = match &args.branch {
        Some(branch) => branch.as_bytes().to_vec(),
        None => default_branch(&found.rescue),
    };
    let mut projects = survey.observation.projects.iter();
    let Some(project) = projects.find(|one| one.name == found.project) else {
        return Err(Failure::new("its project is no longer in scope"));
    };
    locks.require(project.common_dir.as_path())?;
    let repository = survey.ground.git.repository(project.common_dir.as_path())?;
    let full = [b"refs/heads/", branch.as_slice()].concat();
    let was_pending = call_off_in(&locks.held, project.common_dir.as_path(), &full)?;
    recover_first(&survey.ground, &locks.held, settings)?;
    let audit = Audit::open(state_home(settings)?, &survey.ground.policy.source.sha256)?;
    audit.restoring(now(), &found.address, &found.rescue, &branch)?;
    let brought = restore(&repository, &found.rescue, &branch).map_err(|why| {
        Failure::from(why).hint(if was_pending {
            "the deletion of the branch, which was pending, is called off; the rescue ref stays"
        } else {
            "nothing was changed; the rescue ref stays"
        })
    })?;
    let shown = BytePath::from_bytes(&branch);
    let commit = &found.rescue.commit;
    stream::write(|to| match (settings.format, brought) {
        (Format::Json | Format::Jsonl, _) => {
            json_restored(found, &shown, brought == Brought::Back, to)
        }
        (Format::Human, _) if settings.quiet => Ok(()),
        (Format::Human, Brought::Back) => {
            writeln!(
                to,
                "Branch {shown} is back, at {commit} (from {}).",
                found.address
            )
        }
        (Format::Human, Brought::AlreadyThere) => {
            writeln!(to, "Branch {shown} is there already, at {commit}.")
        }
    })?;
    if was_pending && !settings.quiet {
        stream::say(|to| {
            writeln!(
                to,
                "Its deletion was pending since its worktree was removed, and is called off."
            )
        });
    }
    Ok(ExitStatus::Done)
}

/// Whoever asks for a branch is not to lose it to what an earlier run could not finish.
fn call_off_in(held: &[Lock], common_dir: &Path, full: &[u8]) -> Result<bool, Failure> {
    let Some(lock) = held.iter().find(|lock| lock.common_dir() == common_dir) else {
        return Ok(false);
    };
    call_off(lock, full).map_err(|why| {
        let text = "its deletion is pending, and could not be called off";
        Failure::from(anyhow::Error::new(why).context(text)).hint("nothing was changed")
    })
}

/// Says which branches are still there, and will not be.
fn tell_pending(survey: &Survey) -> Result<(), Failure> {
    for project in &survey.observation.projects {
        let branches = pending(project.common_dir.as_path()).map_err(anyhow::Error::new)?;
        for branch in branches {
            let short = escape(
                branch
                    .as_bytes()
                    .strip_prefix(b"refs/heads/")
                    .unwrap_or_default(),
            );
            stream::say(|to| {
                writeln!(
                    to,
                    "{branch} is still there: its deletion is pending, and `owl restore {short}` \
                     calls it off"
                )
            });
        }
    }
    Ok(())
}

/// The one that a name means: by its address, its whole name, or the part before the time, which
/// means the latest of that name.
fn choose<'a>(name: &str, all: &'a [Rescued]) -> Result<&'a Rescued, Failure> {
    let short = name.strip_prefix(RESCUE_PREFIX).unwrap_or(name);
    let whole: Vec<&Rescued> = all
        .iter()
        .filter(|one| {
            let own = escape(one.rescue.short());
            one.address.as_str() == name || own == short || one.rescue.short() == short.as_bytes()
        })
        .collect();
    let found = if whole.is_empty() {
        let branches = of_kind(all, short, RescueKind::Branch);
        if branches.is_empty() {
            of_kind(all, short, RescueKind::Pin)
        } else {
            branches
        }
    } else {
        whole
    };
    let Some(latest) = found.last().copied() else {
        let text = format!("there is no rescue ref {}", escape(name.as_bytes()));
        return Err(Failure::new(text).hint("nothing was done; `owl restore` lists them"));
    };
    if found.iter().any(|one| one.project != latest.project) {
        let text = format!("{} is in several projects", escape(name.as_bytes()));
        let hint = format!(
            "nothing was done; name one by its address, such as {}",
            latest.address
        );
        return Err(Failure::new(text).hint(hint));
    }
    if let [.., before, last] = found.as_slice()
        && kind_of(&last.rescue) == Some(RescueKind::Pin)
        && before.rescue.at == last.rescue.at
    {
        let text = format!(
            "{} has several commits of one moment",
            escape(name.as_bytes())
        );
        let hint = format!(
            "nothing was done; `owl restore` lists them: name one by its address, such as {}",
            last.address
        );
        return Err(Failure::new(text).hint(hint));
    }
    Ok(latest)
}

fn kind_of(rescue: &RescueRef) -> Option<RescueKind> {
    Some(RescueName::parse(rescue.reference.as_bytes())?.kind)
}

/// The rescue refs of a name and a kind, the latest one last: a branch's own commits, which say what
/// the branch was, are told apart from pins.
fn of_kind<'a>(all: &'a [Rescued], short: &str, kind: RescueKind) -> Vec<&'a Rescued> {
    let mut found: Vec<(RescueName, &Rescued)> = all
        .iter()
        .filter_map(|one| Some((RescueName::parse(one.rescue.reference.as_bytes())?, one)))
        .filter(|(parsed, _)| parsed.kind == kind && parsed.name.as_bytes() == short.as_bytes())
        .collect();
    found.sort_by_key(|(parsed, _)| (parsed.at, parsed.nth));
    found.into_iter().map(|(_, one)| one).collect()
}

/// The branch that it was, or the name of the detached worktree.
fn default_branch(rescue: &RescueRef) -> Vec<u8> {
    match RescueName::parse(rescue.reference.as_bytes()) {
        Some(name) => name.name.as_bytes().to_vec(),
        None => rescue.short().to_vec(),
    }
}
