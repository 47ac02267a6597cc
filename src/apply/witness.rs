//! Git as the second witness of ancestry and publication, right before a removal (`spec 4`).
//!
//! Registration, HEAD, and status have been asked of git in the new observation. What gix said of
//! the graph is asked again here; both must agree, and what git cannot answer is no agreement.

use crate::assess::Evidence;
use crate::git::{Oid, Repository};
use crate::plan::Row;
use crate::resource::BytePath;

/// Whether git agrees with the evidence of the row; if not, the sentence says on what.
pub(super) fn agrees(repository: &Repository, row: &Row) -> Result<(), String> {
    for evidence in &row.evidence {
        match evidence {
            Evidence::Ancestor {
                base,
                base_commit,
                commit,
            } => {
                reaches(repository, base, base_commit, commit)?;
            }
            Evidence::Published {
                reference,
                reference_commit,
                commit,
            } => {
                reaches(repository, reference, reference_commit, commit)?;
            }
            Evidence::Found { .. }
            | Evidence::Time { .. }
            | Evidence::Process { .. }
            | Evidence::Note { .. } => {}
        }
    }
    Ok(())
}

fn reaches(
    repository: &Repository,
    reference: &BytePath,
    tip: &str,
    commit: &str,
) -> Result<(), String> {
    let parse =
        |hex: &str| Oid::parse(hex.as_bytes()).ok_or_else(|| format!("{hex} is not an object id"));
    let (tip, commit) = (parse(tip)?, parse(commit)?);
    match repository.resolve(reference.as_bytes()) {
        Ok(Some(now)) if now == tip => {}
        Ok(_) => return Err(format!("{reference} has moved")),
        Err(why) => return Err(why.to_string()),
    }
    match repository.is_ancestor(&commit, &tip) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!(
            "git does not find {} in {reference}",
            commit.as_str()
        )),
        Err(why) => Err(why.to_string()),
    }
}
