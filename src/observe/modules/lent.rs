//! Other repositories of the project that borrow objects from those of its submodules.
//!
//! Input: where the submodules' repositories are. Output: who borrows from them. Invariant: the
//! common directory, its own `modules/`, and those of every other entry are asked; a repository
//! elsewhere on the disk that borrows cannot be known, as for every other repository.

use super::Seat;
use crate::observe::ObserveError;
use crate::observe::alternates::alternates;
use crate::observe::place::{lexical, look, names};
use crate::resource::BytePath;
use std::path::{Path, PathBuf};

/// Who borrows, as sentences.
pub(super) fn lent(seat: &Seat<'_>) -> Result<Vec<String>, ObserveError> {
    let mut stores = vec![seat.common_dir.join("objects")];
    below(&seat.common_dir.join("modules"), &mut stores)?;
    let entries = seat.common_dir.join("worktrees");
    for name in names(&entries)?.into_iter().flatten() {
        let entry = entries.join(name);
        if entry != seat.entry {
            below(&entry.join("modules"), &mut stores)?;
        }
    }
    let mut found = Vec::new();
    for objects in stores {
        if borrows(seat, &objects)? {
            let objects = BytePath::from(objects);
            found.push(format!("{objects} borrows objects from their repositories"));
        }
    }
    Ok(found)
}

/// Every object store of the repositories below a `modules` directory.
fn below(directory: &Path, stores: &mut Vec<PathBuf>) -> Result<(), ObserveError> {
    let mut ahead = vec![directory.to_owned()];
    while let Some(directory) = ahead.pop() {
        if !look(&directory)?.is_some_and(|metadata| metadata.is_dir()) {
            continue;
        }
        let objects = directory.join("objects");
        if look(&objects)?.is_some() && look(&directory.join("HEAD"))?.is_some() {
            stores.push(objects);
            ahead.push(directory.join("modules"));
            continue;
        }
        for name in names(&directory)?.into_iter().flatten() {
            ahead.push(directory.join(name));
        }
    }
    Ok(())
}

fn borrows(seat: &Seat<'_>, objects: &Path) -> Result<bool, ObserveError> {
    let home = seat.entry.join("modules");
    Ok(alternates(objects)?.iter().any(|one| {
        let named = lexical(&one.named);
        let real = one.real.as_deref();
        named.starts_with(&home)
            || named.starts_with(seat.modules)
            || real.is_some_and(|real| real.starts_with(seat.modules))
    }))
}
