//! Removes one worktree, through git, without force (`spec 7.4`, `spec 7.5`).

use super::Outcome;
use super::look_again::gone;
use crate::git::Repository;
use crate::plan::Row;
use crate::resource::BytePath;
use std::fs;
use std::path::Path;

/// Removes the worktree of a row that has just been looked at, and says what became of it.
pub(super) fn remove(repository: &Repository, row: &Row) -> Outcome {
    let path = row.place();
    let before = match count(path) {
        Ok(before) => before,
        Err(why) => return Outcome::kept(format!("{} could not be counted: {why}", row.address)),
    };
    match repository.remove_worktree(path) {
        Ok(()) => verified(repository, row),
        Err(why) => after_failure(repository, row, before, &why.to_string()),
    }
}

/// `removed` only if git said so, the place is empty, and git no longer lists it.
pub(super) fn verified(repository: &Repository, row: &Row) -> Outcome {
    match gone(row) {
        Some(true) => {}
        Some(false) => {
            return Outcome::kept("git says it is removed, but something is still there");
        }
        None => return Outcome::kept("git says it is removed, but its place cannot be looked at"),
    }
    match still_listed(repository, row) {
        Ok(false) => Outcome::removed(),
        Ok(true) => Outcome::kept("git says it is removed, but still lists it"),
        Err(why) => Outcome::kept(format!("git says it is removed, but cannot list: {why}")),
    }
}

/// Whether git lists a worktree at the row's place.
pub(super) fn still_listed(
    repository: &Repository,
    row: &Row,
) -> Result<bool, crate::git::GitError> {
    let places = [
        Some(row.place()),
        row.git_path.as_ref().map(BytePath::as_path),
    ];
    let listed = repository.worktrees()?;
    Ok(listed
        .iter()
        .any(|one| places.contains(&Some(one.path.as_path()))))
}

/// A failed removal that took something with it is told apart from one that did not (C6). Git
/// deletes the entry even when it fails to delete the first file (`git-facts 2`).
fn after_failure(repository: &Repository, row: &Row, before: u64, why: &str) -> Outcome {
    match (gone(row), count(row.place()), still_listed(repository, row)) {
        (Some(true), _, _) => Outcome::partial(before, 0, why),
        (_, Ok(after), _) if after < before => Outcome::partial(before, after, why),
        (_, Ok(after), Ok(false)) => {
            Outcome::partial(before, after, &format!("{why}; git no longer lists it"))
        }
        (_, Ok(_), Ok(true)) => Outcome::failed(why),
        (_, Ok(_), Err(unlisted)) => Outcome::failed(format!("{why}; and {unlisted}")),
        (_, Err(uncounted), _) => Outcome::failed(format!("{why}; and {uncounted}")),
    }
}

/// Files and directories below a real directory; symlinks are not followed.
fn count(path: &Path) -> std::io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        total += 1;
        if entry.file_type()?.is_dir() {
            total += count(&entry.path())?;
        }
    }
    Ok(total)
}
