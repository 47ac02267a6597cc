//! The object directories that a repository borrows from, at any remove.
//!
//! Input: its own object directory. Output: every directory that its `info/alternates` names, and
//! theirs. Invariants: as git follows them, so that each is looked at once, and one that is missing
//! is no error; where git would go no further, nothing can be told.

use super::ObserveError;
use super::place::{contents, look};
use crate::resource::BytePath;
use gix::bstr::ByteSlice;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How many times git goes on from one to the next.
const DEEPEST: usize = 5;

/// An object directory that is borrowed from.
pub(crate) struct Alternate {
    /// As it is named, absolute.
    pub(crate) named: PathBuf,
    /// Where it is; none if it is missing.
    pub(crate) real: Option<PathBuf>,
}

/// Finds them.
pub(crate) fn alternates(objects: &Path) -> Result<Vec<Alternate>, ObserveError> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut ahead = vec![(objects.to_owned(), 0)];
    while let Some((objects, depth)) = ahead.pop() {
        for named in named(&objects)? {
            if depth > DEEPEST {
                return Err(ObserveError::Bound {
                    what: "object directories that borrow from one another",
                    limit: DEEPEST,
                });
            }
            let real = match std::fs::canonicalize(&named) {
                Ok(real) => Some(real),
                Err(why) if why.kind() == ErrorKind::NotFound => None,
                Err(why) => return Err(ObserveError::read(&named, why)),
            };
            if let Some(real) = &real
                && seen.insert(real.clone())
            {
                ahead.push((real.clone(), depth + 1));
            }
            found.push(Alternate { named, real });
        }
    }
    Ok(found)
}

/// What one of them names by itself.
fn named(objects: &Path) -> Result<Vec<PathBuf>, ObserveError> {
    let file = objects.join("info/alternates");
    // Git takes what is no directory for one that borrows nothing.
    if look(&file)?.is_none() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for line in contents(&file)?.iter().flat_map(|bytes| bytes.lines()) {
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        if line.starts_with(b"\"") {
            return Err(ObserveError::malformed(&file, "has a quoted path"));
        }
        found.push(objects.join(BytePath::from_bytes(line).as_path()));
    }
    Ok(found)
}
