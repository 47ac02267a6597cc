//! Submodules of a worktree (guard 9): only one that was never initialised here is no finding.
//!
//! Input: the gitlinks of the index, whether `.gitmodules` knows them or not (D2), and the entry.
//! Output: those that hold. Invariant: a repository of a submodule lives in the entry and dies with
//! it, whatever became of its working tree (`git-facts 23`; after `submodule deinit`, too).

use super::place::{below, look, names};
use super::{Found, ObserveError};
use crate::resource::BytePath;
use std::path::{Path, PathBuf};

/// Gitlinks with anything at their place, and repositories below `modules/` of the entry.
pub(crate) fn submodules(
    root: &Path,
    gitlinks: &[BytePath],
    entry: &Path,
) -> Result<Found, ObserveError> {
    let mut found = Found::default();
    for path in gitlinks {
        if !is_vacant(&root.join(path.as_path()))? {
            found.add(path.as_path());
        }
    }
    Ok(found.and(&repositories(entry)?))
}

/// Everything below `modules/` of the entry that holds at least one file.
pub(crate) fn repositories(entry: &Path) -> Result<Found, ObserveError> {
    let modules = entry.join("modules");
    let mut found = Found::default();
    for name in names(&modules)?.into_iter().flatten() {
        if below(modules.join(&name)).next().transpose()?.is_some() {
            found.add(PathBuf::from("modules").join(name));
        }
    }
    Ok(found)
}

/// Nothing, or an empty directory: what a checkout leaves for a submodule.
pub(crate) fn is_vacant(place: &Path) -> Result<bool, ObserveError> {
    match look(place)? {
        None => Ok(true),
        Some(metadata) if metadata.is_dir() => {
            Ok(names(place)?.is_none_or(|names| names.is_empty()))
        }
        Some(_) => Ok(false),
    }
}
