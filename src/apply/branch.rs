//! Deletes the branch of a worktree that is gone (`spec 7.6`, A3.1).
//!
//! Invariants: every rescue ref of the record is there first; it is asked once more, afresh, whether
//! anything forbids it, the policy in force included, and what its reflog names by now; the ref is
//! deleted only while it names the proven commit; deleting one that is gone already is done.

use super::job;
use super::rescue::{self, Standing};
use super::taken::Taken;
use super::{Hands, Outcome, pending};
use crate::fact::Fact;
use crate::git::Repository;
use crate::job::BranchFate;
use crate::journal::{Pinned, Stage};
use crate::observe::{branch_stays, last_names};
use crate::plan::{Row, deleted_branch};
use crate::resource::Address;
use std::path::Path;

/// What became of the branch.
pub(super) enum Branch {
    /// It is gone.
    Gone,
    /// It is left alone for good, and why.
    Stays(String),
    /// It could not be told, or git failed: the next run tries again.
    Failed(String),
}

/// The branch that the steps of a row delete.
pub(super) fn deleted(row: &Row) -> Option<Pinned> {
    let (reference, commit) = deleted_branch(&row.steps)?;
    Some(Pinned {
        reference: reference.clone(),
        commit: commit.to_owned(),
    })
}

/// Deletes the branch of the record, if it has one, and closes the record. `outcome` is what became
/// of the worktree.
pub(super) fn finish(
    taken: &mut Taken,
    repository: &Repository,
    hands: &Hands<'_>,
    outcome: Outcome,
) -> Outcome {
    let mut outcome = outcome;
    let mut told = BranchFate::NotAsked;
    if let Some(pinned) = taken.record.deletes.clone() {
        if let Err(why) = taken.journal.advance(&mut taken.record, Stage::Branch) {
            let why = format!("its branch stays: the journal could not be written: {why}");
            return outcome.branch_kept(&why);
        }
        let record = &taken.record;
        let place = (repository, record.common_dir.as_path());
        let deleted = match pending::why_it_stays(record, hands) {
            Some(why) => Branch::Stays(why),
            None => delete(place, &pinned, &record.rescues, &record.address, hands),
        };
        match deleted {
            Branch::Gone => told = BranchFate::Gone,
            Branch::Stays(why) => {
                told = BranchFate::Stays;
                let reference = &pinned.reference;
                outcome = outcome.branch_kept(&format!("{reference} stays: {why}"));
            }
            Branch::Failed(why) => {
                return outcome.branch_kept(&format!(
                    "{} could not be deleted, which the next `owl apply` tries again: {why}",
                    pinned.reference
                ));
            }
        }
    }
    if let Some(why) = job::disposed(&taken.record, told) {
        outcome = outcome.with_note(&why);
    }
    match taken.journal.settle(&taken.record) {
        Ok(()) => outcome,
        Err(why) => outcome.with_note(&format!("its journal could not be closed: {why}")),
    }
}

/// Deletes a branch of a repository, which has this common git directory.
pub(super) fn delete(
    (repository, common_dir): (&Repository, &Path),
    pinned: &Pinned,
    rescues: &[Pinned],
    address: &Address,
    hands: &Hands<'_>,
) -> Branch {
    if let Err(why) = rescue::write(repository, rescues, address) {
        return Branch::Failed(why);
    }
    match rescue::found(repository, pinned) {
        Ok(Standing::Own) => {}
        Ok(Standing::Missing) => return Branch::Gone,
        Ok(Standing::Other) => return Branch::Stays("it has moved".to_owned()),
        Err(why) => return Branch::Failed(why.to_string()),
    }
    let mut places = hands.scope.places.iter();
    let Some(named) = places.find(|one| one.place.common_dir == common_dir) else {
        return Branch::Failed("its project is no longer in scope".to_owned());
    };
    match branch_stays(&hands.world, named, pinned.reference.as_bytes()) {
        Ok(Fact::Absent) => {}
        Ok(Fact::Known(why)) => return Branch::Stays(why.join("; ")),
        Ok(Fact::Unknown(why)) => return Branch::Failed(format!("unknown: {why}")),
        Err(why) => return Branch::Failed(why.to_string()),
    }
    match job::open_on(pinned.reference.as_bytes(), common_dir, hands) {
        Ok(None) => {}
        Ok(Some(id)) => return Branch::Stays(format!("job {id}, which is open, has it")),
        Err(why) => return Branch::Failed(why),
    }
    // The reflog goes with it, and may have grown since it was planned.
    let kept: Vec<String> = rescues.iter().map(|one| one.commit.clone()).collect();
    match last_names(&hands.world, named, pinned.reference.as_bytes(), &kept) {
        Ok(Fact::Absent) => {}
        Ok(Fact::Known(only)) => {
            let only = only.join(", ");
            return Branch::Stays(format!("only it and its reflog name {only} by now"));
        }
        Ok(Fact::Unknown(why)) => return Branch::Failed(format!("unknown: {why}")),
        Err(why) => return Branch::Failed(why.to_string()),
    }
    let oid = match rescue::oid(pinned) {
        Ok(oid) => oid,
        Err(why) => return Branch::Failed(why),
    };
    let said = repository.delete_ref(pinned.reference.as_bytes(), &oid);
    match (rescue::found(repository, pinned), said) {
        (Ok(Standing::Missing), _) => Branch::Gone,
        (Ok(Standing::Other), _) => Branch::Stays("it moved a moment ago".to_owned()),
        (Ok(Standing::Own), Ok(())) => {
            Branch::Failed("git says it is deleted, but it is still there".to_owned())
        }
        (Ok(Standing::Own), Err(why)) | (Err(why), _) => Branch::Failed(why.to_string()),
    }
}
