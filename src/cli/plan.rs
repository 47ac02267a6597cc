//! `owl plan`: the whole program but the last step.

use super::args::{Format, Order, PlanArgs};
use super::discovery::choose_without_repository;
use super::failure::{Failure, Outcome, WithHint};
use super::settings::{Names, Settings};
use super::survey::Survey;
use super::{file, pager, saved, stream};
use crate::observe::{ListsSeen, Observation};
use crate::plan::Plan;
use crate::policy::Policy;
use crate::render::{Look, Role, Sort, human_attention, human_plan, json_lines_plan, json_plan};
use crate::report::ExitStatus;
use crate::resource::escape;
use anyhow::Context;
use std::path::Path;

/// The largest observation that is read.
const LARGEST: usize = 1 << 30;

/// Runs the command.
pub(super) fn run(args: &PlanArgs, settings: &Settings) -> Outcome {
    let (plan, policy) = if let Some(file) = &args.observation {
        recorded(file, settings)?
    } else {
        let survey = Survey::new(args.proof, settings)?;
        (survey.plan(), survey.ground.policy)
    };
    require_rules(&policy, &args.rule)?;
    let mut look = look(args, settings);
    if let Some(file) = &args.out {
        saved::write(file, &plan, settings)?;
        let file = quoted(&file.to_string_lossy());
        look.next = look.next.map(|next| format!("{next} {file}"));
    }
    print(&plan, args, &look, settings)
}

/// Writes a plan, and says how the run ends.
pub(super) fn print(plan: &Plan, args: &PlanArgs, look: &Look, settings: &Settings) -> Outcome {
    pager::write(settings, |to| match settings.format {
        Format::Json => json_plan(plan, to),
        Format::Jsonl => json_lines_plan(plan, to),
        Format::Human if settings.quiet => human_attention(plan, &[], settings.width, to),
        Format::Human => human_plan(plan, look, to),
    })?;
    if args.strict && !plan.warnings.is_empty() {
        let word = Role::Error.paint("error:");
        stream::say(|to| writeln!(to, "{word} there are warnings, and --strict forbids them"));
        return Ok(ExitStatus::Error);
    }
    Ok(match (plan.complete, args.exit_code && plan.acts()) {
        (false, _) => ExitStatus::Error,
        (true, true) => ExitStatus::Findings,
        (true, false) => ExitStatus::Done,
    })
}

/// How the table is drawn, and which command follows.
pub(super) fn look(args: &PlanArgs, settings: &Settings) -> Look {
    let named = settings
        .policy
        .as_ref()
        .filter(|named| named.by == Names::Flag);
    let flag = named.map(|named| quoted(&named.path.to_string_lossy()));
    let verb = settings.verb;
    let next = match flag {
        None => format!("owl {verb}"),
        Some(path) => format!("owl {verb} --policy {path}"),
    };
    Look {
        width: settings.width,
        all: args.all,
        rules: args.rule.clone(),
        sort: order(args.sort),
        next: args.observation.is_none().then_some(next),
    }
}

fn order(order: Order) -> Sort {
    match order {
        Order::Verdict => Sort::Verdict,
        Order::Address => Sort::Address,
        Order::Size => Sort::Size,
        Order::Idle => Sort::Idle,
    }
}

/// A word for a shell; one that cannot be shown safely is left to the user.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-~+@%:,=".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains(|c: char| c == '\'' || c.is_control()) {
        "FILE".to_owned()
    } else {
        format!("'{}'", escape(word.as_bytes()))
    }
}

/// A plan from an observation that was written down.
fn recorded(path: &Path, settings: &Settings) -> Result<(Plan, Policy), Failure> {
    let policy = choose_without_repository(settings)?.policy;
    let observation = read_observation(path, &policy, settings)?;
    Ok((Plan::new(&policy, &observation), policy))
}

/// An observation that was written down under a policy of the same stores and lists.
pub(super) fn read_observation(
    path: &Path,
    policy: &Policy,
    settings: &Settings,
) -> Result<Observation, Failure> {
    let bytes = file::read(path, settings, "the observation", LARGEST)?;
    let observation: Observation = serde_json::from_slice(&bytes)
        .with_context(|| {
            let path = crate::resource::BytePath::from(path);
            format!("{path} is not an observation of this version of owl")
        })
        .or_hint("write it with `owl observe > FILE`")?;
    require_same_stores(policy, &observation)?;
    Ok(observation)
}

/// A rule that is asked for by name must be there.
fn require_rules(policy: &Policy, asked: &[String]) -> Result<(), Failure> {
    let names: Vec<&str> = policy.rules.iter().map(|rule| &*rule.name).collect();
    match asked.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(missing) => {
            let missing = escape(missing.as_bytes());
            let names = escape(names.join(", ").as_bytes());
            Err(
                Failure::new(format_args!("the policy has no rule {missing}"))
                    .hint(format!("its rules: {names}")),
            )
        }
    }
}

/// What lies in which store, and which ignored path may be lost, was told when the observation was
/// made; under others it would be judged by a policy that never governed it.
fn require_same_stores(policy: &Policy, observation: &Observation) -> Result<(), Failure> {
    let declared: Vec<&str> = policy
        .stores
        .iter()
        .map(|store| store.path.as_str())
        .collect();
    for project in &observation.projects {
        let seen = project.stores.iter().map(|store| store.declared.as_str());
        if !seen.eq(declared.iter().copied()) {
            let why = "the observation was made under a policy with other stores";
            return Err(Failure::new(why).hint("give the policy that `owl observe` used"));
        }
    }
    if observation.lists != ListsSeen::of(policy) {
        let why = "the observation was made under another `rebuildable`, `precious`, `expendable` or \
                   `submodules`";
        return Err(Failure::new(why).hint("observe again under this policy"));
    }
    Ok(())
}
