//! When a worktree was made, and when it last showed a sign of life (`spec 4.2`).
//!
//! Input: the entry, and the newest file that the walk saw. Output: moments as facts. Invariant:
//! nothing that `git status` or `git gc` touches counts as work: not the index, not reflog mtimes,
//! not directories (`git-facts 48`, `incidents 75`).

use super::ObserveError;
use super::place::look;
use super::reflog;
use crate::fact::Fact;
use gix::bstr::BStr;
use jiff::Timestamp;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The three moments of a tree.
pub(crate) struct Ages {
    /// When it was made.
    pub(crate) created: Fact<Timestamp>,
    /// The latest sign of life of any kind.
    pub(crate) last_sign: Fact<Timestamp>,
    /// The latest work.
    pub(crate) active: Fact<Timestamp>,
}

/// The ages of the tree of `entry`; `files` is the newest mtime of its files, absent if it has
/// none; `committed` is when the commit of HEAD was made: without reflogs, only that tells of a
/// commit made here (`incidents 77`). The entry's own mtime is no sign of life where owl itself has
/// just written in it.
pub(crate) fn ages(
    entry: &Path,
    files: &Fact<Timestamp>,
    committed: &Fact<Timestamp>,
    is_taken: bool,
) -> Ages {
    let log = Fact::from_optional(reflog::read(entry, BStr::new("HEAD")));
    let moment = |pick: fn(&[reflog::Logged]) -> Option<&reflog::Logged>| match log.as_ref() {
        Fact::Known(entries) => pick(entries).map_or(Fact::Absent, |one| Fact::Known(one.at)),
        Fact::Absent => Fact::Absent,
        Fact::Unknown(why) => Fact::Unknown(why),
    };
    let created = latest([modified(&entry.join("commondir")), moment(<[_]>::first)]);
    let moved = latest([modified(&entry.join("HEAD")), moment(<[_]>::last)]);
    let active = latest([moved, files.clone(), committed.clone()]);
    let touched = if is_taken {
        Fact::Absent
    } else {
        modified(entry)
    };
    let last_sign = latest([created.clone(), active.clone(), touched]);
    Ages {
        created,
        last_sign,
        active,
    }
}

/// The mtime of a path itself; absent if nothing is there.
pub(crate) fn modified(path: &Path) -> Fact<Timestamp> {
    let metadata = match look(path) {
        Ok(Some(metadata)) => metadata,
        Ok(None) => return Fact::Absent,
        Err(why) => return Fact::unknown(why),
    };
    Fact::from_result(timestamp(metadata.mtime(), metadata.mtime_nsec()))
}

/// A moment from what the file system says.
pub(crate) fn timestamp(seconds: i64, nanoseconds: i64) -> Result<Timestamp, ObserveError> {
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix("a file's time", why);
    let nanoseconds = i32::try_from(nanoseconds).map_err(|why| failed(&why))?;
    Timestamp::new(seconds, nanoseconds).map_err(|why| failed(&why))
}

/// The latest of moments: unknown if any is, absent if all are.
pub(crate) fn latest(moments: impl IntoIterator<Item = Fact<Timestamp>>) -> Fact<Timestamp> {
    let mut newest = Fact::Absent;
    for moment in moments {
        newest = match (newest, moment) {
            (Fact::Unknown(why), _) | (_, Fact::Unknown(why)) => return Fact::Unknown(why),
            (Fact::Known(one), Fact::Known(two)) => Fact::Known(one.max(two)),
            (known @ Fact::Known(_), Fact::Absent) | (Fact::Absent, known) => known,
        };
    }
    newest
}
