//! `owl explain`: everything behind one row of the plan.

use super::args::{Format, Proof};
use super::failure::{Failure, Outcome};
use super::settings::Settings;
use super::stream;
use super::survey::Survey;
use crate::plan::{Plan, Row};
use crate::render::{explain, json_explanation};
use crate::report::ExitStatus;
use crate::resource::{Address, BytePath, escape};
use std::path::Path;

/// Runs the command.
pub(super) fn run(address: &str, settings: &Settings) -> Outcome {
    let survey = Survey::new(Proof::Stat, settings)?;
    let plan = survey.plan();
    let none = || {
        let unknown = format!("the plan has no row {}", escape(address.as_bytes()));
        Failure::new(unknown).hint("`owl plan --all` lists them all")
    };
    let meant = meant(&plan, address, settings)?.ok_or_else(none)?;
    let explanation = plan.explain(&survey.ground.policy, &survey.observation, &meant);
    let explanation = explanation.ok_or_else(none)?;
    stream::write(|to| match settings.format {
        Format::Json | Format::Jsonl => json_explanation(&explanation, to),
        Format::Human => explain(&explanation, to),
    })?;
    Ok(if plan.complete {
        ExitStatus::Done
    } else {
        ExitStatus::Error
    })
}

/// The row that a word means: an address, else the branch or the path of exactly one worktree. A
/// path inside a worktree means the innermost one around it.
fn meant(plan: &Plan, word: &str, settings: &Settings) -> Result<Option<Address>, Failure> {
    let typed = Address::typed(word);
    if plan.row(&typed).is_some() {
        return Ok(Some(typed));
    }
    let on_branch = |row: &&Row| row.branch.as_ref().and_then(Option::as_deref) == Some(word);
    let mut found: Vec<&Address> = plan
        .items
        .iter()
        .filter(on_branch)
        .map(|row| &row.address)
        .collect();
    found.extend(at_path(plan, &settings.resolve(Path::new(word))).map(|row| &row.address));
    found.sort();
    found.dedup();
    match found[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        [..] => {
            let names: Vec<_> = found.iter().map(|one| one.as_str()).collect();
            let shown = escape(word.as_bytes());
            let text = format!("{shown} may mean {}", names.join(" or "));
            Err(Failure::new(text).hint("name one of these addresses"))
        }
    }
}

/// The row whose path this is, or of the innermost linked worktree that something at this path
/// lies in.
fn at_path<'a>(plan: &'a Plan, path: &Path) -> Option<&'a Row> {
    let resolved = std::fs::canonicalize(path);
    let resolved = resolved.as_deref().unwrap_or(path);
    let is_main = |row: &Row| row.address.as_str().ends_with("/@main");
    let is_meant = |row: &&Row| {
        let git = row.git_path.as_ref().map(BytePath::as_path);
        let mut places = [Some(row.place()), git].into_iter().flatten();
        places.any(|place| {
            let inside = !is_main(row) && resolved.starts_with(place);
            place == path || place == resolved || inside
        })
    };
    let rows = plan.items.iter().filter(is_meant);
    rows.max_by_key(|row| row.place().components().count())
}
