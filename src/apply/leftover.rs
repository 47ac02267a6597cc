//! Finishes a deletion that failed half way, of what is proven only.
//!
//! Input: an open record, and a directory of which git has deleted a part and mostly forgotten the
//! registration. Output: an outcome. Invariants: nobody uses the directory; every file in it is
//! either tracked in the record's commit, which a ref still reaches, and equal to it, or lies under
//! an ignored path that the record has as proven losable, or is the `.git` file that the record
//! has; one file that is not so and nothing is unlinked. Files are unlinked by name, one by one, no
//! symlink is followed, and a directory goes only when it is empty: what came in meanwhile stays.

use super::remove::{is_registered, verified};
use super::taken::{Taken, require_directory};
use super::{Hands, Outcome};
use super::{files, modules};
use crate::fact::Fact;
use crate::git::{Oid, Repository, Rest};
use crate::journal::Pinned;
use crate::observe::{obstacles, occupied};
use crate::resource::BytePath;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat, unlinkat};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Refs that outlive a worktree.
const OUTLIVING: [&[u8]; 3] = [b"refs/heads/", b"refs/remotes/", b"refs/tags/"];

/// Deletes what is left, if all of it is proven, and then the entry.
pub(super) fn finish(taken: &mut Taken, repository: &Repository, hands: &Hands<'_>) -> Outcome {
    let place = BytePath::from(taken.place());
    let before = match files::count(taken.place()) {
        Ok(before) => before,
        Err(why) => return Outcome::failed(format!("{place} cannot be counted: {why}")),
    };
    let counted = taken.record.count.max(before);
    let left =
        |after: u64, why: &str| Outcome::partial(counted, after, &format!("{why} ({place})"));
    let proven = match proven(taken, repository, hands) {
        Ok(proven) => proven,
        Err(why) => {
            return left(
                before,
                &format!("{why}; look at it, and move away or remove what is left"),
            );
        }
    };
    if let Err((path, why)) = unlink_all(taken.place(), &proven) {
        let after = files::count(taken.place()).map_or(before, |after| after);
        let path = BytePath::from(path);
        let next = "mend the cause and run `owl apply` again, which finishes it";
        return left(
            after,
            &format!("{path} could not be removed: {why}; {next}"),
        );
    }
    deregister(taken, repository, hands)
}

/// Removes the entry of a worktree of which nothing is left, through git.
pub(super) fn deregister(taken: &mut Taken, repository: &Repository, hands: &Hands<'_>) -> Outcome {
    match entry_gone(taken, repository) {
        Ok(()) => verified(taken, repository, hands),
        Err(why) => Outcome::failed(format!("its entry could not be removed: {why}")),
    }
}

fn entry_gone(taken: &Taken, repository: &Repository) -> Result<(), String> {
    if !taken.entry_is_own().map_err(|why| why.to_string())? {
        return Ok(());
    }
    // Git may have been stopped after it had deleted this file of the entry: it is put back, naming
    // a place in owl's own folder where nothing is, so that git removes the entry and nothing else.
    let mut gitdir = taken.record.aside.as_path().join(".git").into_os_string();
    gitdir.push("\n");
    taken
        .write_gitdir(gitdir.as_bytes())
        .and_then(|()| taken.unlock())
        .map_err(|why| why.to_string())?;
    let gone = repository.prune_entry(taken.record.aside.as_path());
    if is_registered(taken, repository)? {
        return gone.map_err(|why| why.to_string());
    }
    Ok(())
}

/// Every file that is left, relative, if each of them is proven.
fn proven(
    taken: &Taken,
    repository: &Repository,
    hands: &Hands<'_>,
) -> Result<BTreeSet<PathBuf>, String> {
    let (record, place) = (&taken.record, taken.place());
    let inode = record.inode.ok_or("the record has no directory")?;
    require_directory(place, inode)?;
    let stored = taken.modules();
    match occupied(
        &hands.world,
        Some(place),
        (&record.entry_dir(), Some(&stored)),
    ) {
        Ok(Fact::Absent) => {}
        Ok(Fact::Known(_)) => return Err("a process uses what is left".to_owned()),
        Ok(Fact::Unknown(why)) => return Err(format!("unknown: {why}")),
        Err(why) => return Err(why.to_string()),
    }
    let in_the_way = obstacles(place).map_err(|why| why.to_string())?;
    if let Some(what) = in_the_way.found {
        return Err(format!("there are {what}"));
    }
    let names = list(place).map_err(|why| why.to_string())?;
    let hex = record.head.as_deref().ok_or("its commit is not known")?;
    let commit = Oid::parse(hex.as_bytes()).ok_or("its commit is no object id")?;
    require_reachable(repository, &commit, &record.rescues)?;
    let mut rest = rest(taken, repository, place, &commit)?;
    if !record.submodules.is_empty() {
        modules::require_same(record, &stored)?;
    }
    for link in &record.submodules {
        let below = place.join(link.path.as_path());
        if files::look(&below)
            .map_err(|why| why.to_string())?
            .is_none()
        {
            continue;
        }
        let git_dir = stored.join(link.repository.as_path());
        let inner = repository.submodule(&git_dir, &below);
        let commit = Oid::parse(link.commit.as_bytes()).ok_or("its commit is no object id")?;
        let inner = inner.map_err(|why| why.to_string())?;
        let inner = self::rest(taken, &inner, &below, &commit)?;
        let at = |path: &BytePath| link.path.below(path);
        rest.tracked.extend(inner.tracked.iter().map(at));
        rest.changed.extend(inner.changed.iter().map(at));
    }
    let tracked: BTreeSet<&Path> = rest.tracked.iter().map(BytePath::as_path).collect();
    let changed: BTreeSet<&Path> = rest.changed.iter().map(BytePath::as_path).collect();
    for name in &names {
        let is_proven = match name.to_str() {
            Some(".git") => is_own_dot_git(taken)?,
            Some(_) | None if tracked.contains(name.as_path()) => {
                let is_given_up = |one: &BytePath| one.as_path() == name.as_path();
                !changed.contains(name.as_path()) || record.discards.iter().any(is_given_up)
            }
            Some(_) | None => record.losable.iter().any(|under| covers(under, name)),
        };
        if !is_proven {
            let name = BytePath::from(name.clone());
            return Err(format!("{name} is not what was proven losable"));
        }
    }
    Ok(names)
}

/// What is left of a worktree, or of a submodule, against its commit.
fn rest(
    taken: &Taken,
    repository: &Repository,
    place: &Path,
    commit: &Oid,
) -> Result<Rest, String> {
    let index = taken.journal.draft(&taken.record.op, "index");
    files::remove_own(&index).map_err(|why| why.to_string())?;
    let rest = repository.rest(place, commit, &index);
    files::remove_own(&index).map_err(|why| why.to_string())?;
    rest.map_err(|why| why.to_string())
}

/// Whether an ignored path is the file, or a directory (with its final `/`) above it.
fn covers(losable: &BytePath, name: &Path) -> bool {
    match losable.as_bytes().strip_suffix(b"/") {
        Some(directory) => {
            let directory = Path::new(OsStr::from_bytes(directory));
            name != directory && name.starts_with(directory)
        }
        None => losable.as_path() == name,
    }
}

fn is_own_dot_git(taken: &Taken) -> Result<bool, String> {
    let path = taken.place().join(".git");
    let now = files::contents(&path).map_err(|why| why.to_string())?;
    let own = [b"gitdir: ", taken.record.entry_dir().as_os_str().as_bytes()].concat();
    Ok(now.is_none_or(|now| {
        let journalled = taken.record.dot_git.as_ref().map(BytePath::as_bytes);
        now.trim_ascii_end() == own || Some(now.as_slice()) == journalled
    }))
}

/// The commit must still be reached by a ref, or what is left may be the last copy of its content.
/// The rescue refs that the row itself wrote count.
fn require_reachable(
    repository: &Repository,
    commit: &Oid,
    rescues: &[Pinned],
) -> Result<(), String> {
    let own = rescues.iter().map(|one| one.reference.as_bytes());
    let names: Vec<&[u8]> = OUTLIVING.into_iter().chain(own).collect();
    let refs = repository.refs(&names).map_err(|why| why.to_string())?;
    let tips: Vec<Oid> = refs.into_iter().filter_map(|one| one.commit).collect();
    match repository.unpublished_count(commit, &tips) {
        Ok(0) => Ok(()),
        Ok(_) => Err(format!("no ref reaches its commit {commit} any more")),
        Err(why) => Err(why.to_string()),
    }
}

fn open_directory(at: impl std::os::fd::AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty())
}

fn names_in(handle: &OwnedFd) -> Result<Vec<(OsString, bool)>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(handle)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            let name = OsString::from_vec(name);
            let stat = statat(handle, &name, AtFlags::SYMLINK_NOFOLLOW)?;
            let is_directory = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
            names.push((name, is_directory));
        }
    }
    names.sort();
    Ok(names)
}

/// Everything in a directory but directories.
pub(super) fn list(root: &Path) -> Result<BTreeSet<PathBuf>, Errno> {
    fn below(handle: &OwnedFd, at: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), Errno> {
        for (name, is_directory) in names_in(handle)? {
            let path = at.join(&name);
            if is_directory {
                below(&open_directory(handle, &name)?, &path, found)?;
            } else {
                found.insert(path);
            }
        }
        Ok(())
    }
    let mut found = BTreeSet::new();
    let handle = open_directory(CWD, root.as_os_str())?;
    below(&handle, Path::new(""), &mut found)?;
    Ok(found)
}

/// Unlinks the proven files, and then every directory that is empty; the first failure ends it.
pub(super) fn unlink_all(root: &Path, proven: &BTreeSet<PathBuf>) -> Result<(), (PathBuf, Errno)> {
    fn below(
        handle: &OwnedFd,
        at: &Path,
        proven: &BTreeSet<PathBuf>,
    ) -> Result<(), (PathBuf, Errno)> {
        let here = |why| (at.to_owned(), why);
        for (name, is_directory) in names_in(handle).map_err(here)? {
            let path = at.join(&name);
            let failed = |why| (path.clone(), why);
            if is_directory {
                let inner = open_directory(handle, &name).map_err(failed)?;
                below(&inner, &path, proven)?;
                unlinkat(handle, &name, AtFlags::REMOVEDIR).map_err(failed)?;
            } else if proven.contains(&path) {
                unlinkat(handle, &name, AtFlags::empty()).map_err(failed)?;
            }
        }
        Ok(())
    }
    let failed = |why| (root.to_owned(), why);
    let handle = open_directory(CWD, root.as_os_str()).map_err(failed)?;
    below(&handle, Path::new(""), proven)?;
    match std::fs::remove_dir(root) {
        Ok(()) => Ok(()),
        Err(why) => Err(failed(
            Errno::from_io_error(&why).map_or(Errno::IO, |why| why),
        )),
    }
}
