//! Git as the second witness of ancestry and publication, right before a removal (`spec 4`).
//!
//! Registration, HEAD, and status have been asked of git in the new observation. What gix said of
//! the graph is asked again here; both must agree, and what git cannot answer is no agreement. The
//! other proofs of landing have been computed again; here the base must stand where they were found.

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
            Evidence::SameTree {
                base, base_commit, ..
            }
            | Evidence::MergeAddsNothing {
                base, base_commit, ..
            }
            | Evidence::PatchIds {
                base, base_commit, ..
            }
            | Evidence::Squash {
                base, base_commit, ..
            } => {
                stands(repository, base, base_commit)?;
            }
            // Contradicted evidence lets nothing go; it is shown beside what does.
            Evidence::Doubt { .. }
            | Evidence::Found { .. }
            | Evidence::Time { .. }
            | Evidence::Process { .. }
            | Evidence::Note { .. } => {}
        }
    }
    Ok(())
}

/// Whether a ref still points at the commit that the evidence was found in.
fn stands(repository: &Repository, reference: &BytePath, tip: &str) -> Result<Oid, String> {
    let tip = parse(tip)?;
    match repository.resolve(reference.as_bytes()) {
        Ok(Some(now)) if now == tip => Ok(tip),
        Ok(_) => Err(format!("{reference} has moved")),
        Err(why) => Err(why.to_string()),
    }
}

fn reaches(
    repository: &Repository,
    reference: &BytePath,
    tip: &str,
    commit: &str,
) -> Result<(), String> {
    let tip = stands(repository, reference, tip)?;
    let commit = parse(commit)?;
    match repository.is_ancestor(&commit, &tip) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!(
            "git does not find {} in {reference}",
            commit.as_str()
        )),
        Err(why) => Err(why.to_string()),
    }
}

fn parse(hex: &str) -> Result<Oid, String> {
    Oid::parse(hex.as_bytes()).ok_or_else(|| format!("{hex} is not an object id"))
}
