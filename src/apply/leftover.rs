//! Finishes a deletion that failed half way, of what is proven only.
//!
//! Input: an open record, and a directory of which git has deleted a part and mostly forgotten the
//! registration. Output: an outcome. Invariants: nobody uses the directory; every file in it is
//! either tracked in the record's commit, which a ref still reaches, and equal to it, or has its mark
//! in the record, so that it is what was proven losable, or is the `.git` file that the record has;
//! one file that is not so and nothing is unlinked. A tree that git still knows is in use for all
//! that owl knows: its entry is judged again first, and if anything was done in it since it goes
//! back to where it was, with what is left of it. Files are unlinked by name, one by one, no
//! symlink is followed, and a directory goes only when it is empty: what came in meanwhile stays.

use super::marks::{self, names_in, open_directory};
use super::remnant::{self, Unproven};
use super::remove::{is_registered, verified};
use super::taken::{Back, Standing, Taken, require_directory};
use super::{Hands, Outcome};
use super::{files, job, modules};
use crate::fact::Fact;
use crate::git::{Oid, Repository, Rest};
use crate::journal::Pinned;
use crate::observe::{obstacles, occupied};
use crate::resource::BytePath;
use rustix::fs::{AtFlags, CWD, FileType, statat, unlinkat};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
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
    let is_alive = match is_alive(taken) {
        Ok(is_alive) => is_alive,
        Err(why) => return left(before, &format!("its entry cannot be looked at: {why}")),
    };
    let proven = match proven(taken, is_alive, repository, hands) {
        Ok(proven) => proven,
        Err(Unproven::Theirs(why)) if is_alive => {
            return given_back(taken, (counted, before), &why);
        }
        Err(Unproven::Yet(why)) if is_alive => {
            let next = format!("{why}; `owl apply` looks at it again, and finishes it");
            return left(before, &next);
        }
        Err(Unproven::Theirs(why) | Unproven::Yet(why)) => {
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

/// Whether it is a worktree still, that somebody may use. What git has deleted of the entry's own
/// words about its place is put back first.
fn is_alive(taken: &Taken) -> io::Result<bool> {
    if taken.standing()? != Standing::Own || taken.is_entry_dead()? {
        return Ok(false);
    }
    taken.restore_lost_gitdir()?;
    Ok(true)
}

/// It is a person's again, with what is left of it.
fn given_back(taken: &mut Taken, (before, after): (u64, u64), why: &str) -> Outcome {
    let undecided = job::undecide(&taken.record);
    let path = taken.record.path.clone();
    let said = format!(
        "git was stopped while it deleted it, and that is not finished: {why}; {after} of {before} \
         files and directories are left"
    );
    let back = taken.restore_link().map_err(io::Error::other);
    let outcome = match back.and_then(|()| taken.give_back()) {
        Ok(Back::Home) => Outcome::kept(format!(
            "{said}, at {path} again, where `git restore .` brings back what was committed"
        )),
        Ok(Back::Left(where_it_is)) => Outcome::aside(format!("{said}; {where_it_is}")),
        Err(why) => Outcome::failed(format!("{said}; and it could not be put back: {why}")),
    };
    match undecided {
        Some(why) => outcome.with_note(&why),
        None => outcome,
    }
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
    // It names a place in owl's own folder where nothing is, so that git removes the entry and
    // nothing else.
    taken
        .name_aside()
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
    is_alive: bool,
    repository: &Repository,
    hands: &Hands<'_>,
) -> Result<BTreeSet<PathBuf>, Unproven> {
    let (record, place) = (&taken.record, taken.place());
    require_directory(place, record)?;
    let stored = taken.modules();
    match occupied(
        &hands.world,
        Some(place),
        (&record.entry_dir(), Some(&stored)),
    ) {
        Ok(Fact::Absent) => {}
        Ok(Fact::Known(_)) => return Err("a process uses what is left".into()),
        Ok(Fact::Unknown(why)) => return Err(format!("unknown: {why}").into()),
        Err(why) => return Err(why.to_string().into()),
    }
    let in_the_way = obstacles(place).map_err(|why| why.to_string())?;
    if let Some(what) = in_the_way.found {
        return Err(format!("there are {what}").into());
    }
    if is_alive {
        remnant::require_as_it_was(taken, repository, hands)?;
    }
    let items = marks::items(place).map_err(|why| why.to_string())?;
    let hex = record.head.as_deref().ok_or("its commit is not known")?;
    let commit = Oid::parse(hex.as_bytes()).ok_or("its commit is no object id")?;
    require_reachable(repository, &commit, &record.rescues)?;
    let mut rest = rest(taken, repository, place, &commit)?;
    if !record.submodules.is_empty() {
        modules::require_same(record, &stored).map_err(Unproven::Theirs)?;
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
    if !is_own_dot_git(taken)? {
        return Err(Unproven::Theirs(
            ".git is not what was proven losable".to_owned(),
        ));
    }
    let mut proven = BTreeSet::from([PathBuf::from(".git")]);
    for item in items {
        let path = item.path.as_path();
        let is_tracked = tracked.contains(path) && !changed.contains(path);
        if !is_tracked && !item.is_among(&record.marks) {
            let name = BytePath::from(item.path);
            let why = format!("{name} is not what was proven losable");
            return Err(Unproven::Theirs(why));
        }
        proven.insert(item.path);
    }
    Ok(proven)
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

/// Unlinks the proven files, and then every directory that is empty; the first failure ends it.
pub(super) fn unlink_all(root: &Path, proven: &BTreeSet<PathBuf>) -> Result<(), (PathBuf, Errno)> {
    fn below(
        handle: &OwnedFd,
        at: &Path,
        proven: &BTreeSet<PathBuf>,
    ) -> Result<(), (PathBuf, Errno)> {
        let here = |why| (at.to_owned(), why);
        for name in names_in(handle).map_err(here)? {
            let path = at.join(&name);
            let failed = |why| (path.clone(), why);
            let stat = statat(handle, &name, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
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
