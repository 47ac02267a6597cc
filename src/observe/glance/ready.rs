//! Whether the fast answer may be tried at all for one worktree.

use super::{Closer, Ground, unusual};
use crate::fact::Fact;
use crate::git::Oid;
use crate::observe::node::{Shape, look_at};
use crate::observe::place::names;
use crate::observe::repository::Repository;
use crate::observe::{Head, head, index};
use rustix::fs::CWD;
use rustix::process::geteuid;
use std::path::Path;

/// What must be known of a worktree before.
pub(crate) struct Ready<'a> {
    /// The repository as gix has it.
    pub(crate) repository: &'a Repository,
    /// What holds in all worktrees.
    pub(crate) ground: &'a Result<Ground, Closer>,
    /// The administrative entry.
    pub(crate) entry: &'a Path,
    /// The worktree.
    pub(crate) root: &'a Path,
    /// HEAD as gix reads it.
    pub(crate) head: &'a Fact<Head>,
    /// HEAD as git lists it.
    pub(crate) witness: Option<&'a Oid>,
}

/// The index of a worktree, if the fast answer may rest on it.
pub(crate) fn ready<'a>(asked: &Ready<'a>) -> Result<(gix::index::File, &'a Ground), Closer> {
    let ground = asked.ground.as_ref().map_err(|why| *why)?;
    let commit = asked.head.known().and_then(|head| head.commit.as_deref());
    if commit.is_none() || commit != asked.witness.map(Oid::as_str) {
        return Err(Closer("git and gix do not read HEAD alike"));
    }
    let unread = Closer("the administrative entry could not be read");
    for name in names(asked.entry).map_err(|_| unread)?.ok_or(unread)? {
        let name = name.as_encoded_bytes();
        if name == b"config.worktree" || name.starts_with(b"sharedindex.") {
            return Err(Closer("configuration of its own, or a split index"));
        }
    }
    is_own(asked.entry, Shape::Directory)?;
    is_own(asked.root, Shape::Directory)?;
    is_own(&asked.root.join(".git"), Shape::File)?;
    let index = index::load_whole(asked.repository, &asked.entry.join("index"))
        .map_err(|_| Closer("the index is damaged, or could not be read"))?;
    let id = head::commit_id(asked.head).ok_or(Closer("no commit"))?;
    let commit = asked.repository.gix.find_commit(id);
    let tree = commit
        .map_err(|_| Closer("the commit of HEAD could not be read"))?
        .tree_id()
        .map_err(|_| Closer("the commit of HEAD could not be read"))?;
    unusual::check(&index, tree.detach())?;
    Ok((index, ground))
}

/// Git refuses what belongs to another user, unless it is told not to; then it is git that is asked.
fn is_own(path: &Path, shape: Shape) -> Result<(), Closer> {
    let node =
        look_at(CWD, path.as_os_str()).map_err(|_| Closer("the worktree could not be read"))?;
    if node.shape == shape && node.owner == geteuid().as_raw() {
        Ok(())
    } else {
        Err(Closer("it is another user's"))
    }
}
