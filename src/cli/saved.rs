//! Plans in files: `owl plan --out FILE`, `owl apply FILE` (`spec 6`).

use super::failure::Failure;
use super::file;
use super::settings::Settings;
use crate::plan::{Plan, Saved, SavedError};
use crate::policy::Policy;
use crate::render::json_plan;
use crate::resource::{Address, BytePath};
use std::path::Path;

/// The largest plan that is read.
const LARGEST: usize = 1 << 28;

/// Writes a plan, whole or not at all; only its owner may read it.
pub(super) fn write(name: &Path, plan: &Plan, settings: &Settings) -> Result<(), Failure> {
    require_own(name, settings)?;
    let mut bytes = Vec::new();
    json_plan(plan, &mut bytes)?;
    file::write(name, &bytes, settings, "the plan")
}

/// Only a plan that owl saved, or an empty file, is written over.
fn require_own(name: &Path, settings: &Settings) -> Result<(), Failure> {
    match std::fs::symlink_metadata(settings.resolve(name)) {
        Ok(there) if there.is_file() && there.len() > 0 => {}
        // Not there, empty, or what is refused when it is written.
        Ok(_) | Err(_) => return Ok(()),
    }
    let bytes = file::read(name, settings, "what is there", LARGEST)?;
    match Saved::parse(&bytes) {
        Ok(_) | Err(SavedError::OtherForm(_) | SavedError::OtherOwl(_)) => Ok(()),
        Err(SavedError::NotAPlan(_) | SavedError::OtherKind(_) | SavedError::TwoRows(_)) => {
            let shown = BytePath::from(name);
            let text = format!("{shown} is there, and is no plan that owl saved");
            Err(Failure::new(text).hint("nothing was written; name another file, or remove it"))
        }
    }
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
    // The same policy may be named in several ways.
    if saved.policy.sha256 == policy.source.sha256 {
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
