//! `owl gc`: `apply` with the built-in policy `coding-owl`, and nothing else (`spec 8`).

use super::apply;
use super::args::{ApplyArgs, GcArgs};
use super::failure::{Failure, Outcome};
use super::settings::{Named, Names, Settings};

/// The policy that encodes ADR-0015.
const POLICY: &str = "coding-owl";

/// Runs the command.
pub(super) fn run(args: &GcArgs, settings: &Settings) -> Outcome {
    if settings
        .policy
        .as_ref()
        .is_some_and(|named| named.by == Names::Flag)
    {
        let why = format!("owl gc has a policy of its own, {POLICY}, and takes no other");
        return Err(Failure::new(why).hint("nothing was done; `owl apply --policy` takes one"));
    }
    let named = Named {
        path: POLICY.into(),
        by: Names::Command,
    };
    let settings = Settings {
        policy: Some(named),
        verb: "gc",
        ..settings.clone()
    };
    let args = ApplyArgs {
        plan: None,
        yes: args.yes,
        dry_run: args.dry_run,
        only: args.only.clone(),
        wait: args.wait,
        strict: args.strict,
    };
    apply::run(&args, &settings)
}
