//! Plans in files: `owl plan --out FILE`, `owl apply FILE` (`spec 6`).

use super::failure::Failure;
use super::file;
use super::settings::Settings;
use crate::plan::{Plan, Saved};
use crate::policy::Policy;
use crate::render::json_plan;
use crate::resource::{Address, BytePath};
use std::path::Path;

/// The largest plan that is read.
const LARGEST: usize = 1 << 28;

/// Writes a plan, whole or not at all; only its owner may read it.
pub(super) fn write(name: &Path, plan: &Plan, settings: &Settings) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    json_plan(plan, &mut bytes)?;
    file::write(name, &bytes, settings, "the plan")
}

/// Reads a plan.
pub(super) fn read(name: &Path, settings: &Settings) -> Result<Saved, Failure> {
    let bytes = file::read(name, settings, "the plan", LARGEST)?;
    let hint = "nothing was done; write it anew with `owl plan --out FILE`";
    if bytes.len() > LARGEST {
        return Err(Failure::new("the plan is too large").hint(hint));
    }
    Saved::parse(&bytes).map_err(|why| {
        let shown = BytePath::from(name);
        let text = format!("{shown} cannot be carried out");
        Failure::from(anyhow::Error::new(why).context(text)).hint(hint)
    })
}

/// Every row of a plan rests on its policy: under another one nothing is done.
pub(super) fn require_policy(saved: &Saved, policy: &Policy) -> Result<(), Failure> {
    if saved.policy.sha256 == policy.source.sha256 && saved.policy.source == policy.source.name {
        return Ok(());
    }
    let shown = |source: &str, digest: &str| {
        let digest: String = digest.chars().take(12).collect();
        crate::resource::escape(format!("{source} (sha256 {digest})").as_bytes())
    };
    let then = shown(&saved.policy.source, &saved.policy.sha256);
    let now = shown(&policy.source.name, &policy.source.sha256);
    let text = format!("the plan was made under another policy: {then}, and now it is {now}");
    Err(Failure::new(text).hint("nothing was done; make a new plan, or name that policy"))
}

/// Whether a saved plan has a row.
pub(super) fn has(saved: &Saved, address: &Address) -> bool {
    saved.items.iter().any(|row| row.address == *address)
}
