//! What the repository of a submodule holds that nothing else has.
//!
//! Input: the repository. Output: the first thing that is its own, or the commits that vouch for all
//! of it. Invariants: every ref, every entry of every reflog, and every commit and tag object in it
//! is asked about, whatever names it; whatever git does not keep there itself is a finding.

use super::Seat;
use super::part::Why;
use super::vouch::Vouch;
use crate::observe::ancestry::{Ancestry, PUBLISHED, Tip};
use crate::observe::place::{below, contents, look, names};
use crate::observe::private::pseudo_refs;
use crate::observe::reflog;
use crate::observe::repository::{Reference, Repository};
use crate::observe::{Found, ObserveError};
use crate::resource::BytePath;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;
use std::collections::BTreeSet;
use std::path::Path;

/// What a repository of a submodule consists of, as git makes it.
const USUAL: [&str; 17] = [
    "AUTO_MERGE",
    "COMMIT_EDITMSG",
    "FETCH_HEAD",
    "HEAD",
    "ORIG_HEAD",
    "branches",
    "config",
    "description",
    "hooks",
    "index",
    "info",
    "logs",
    "modules",
    "objects",
    "packed-refs",
    "refs",
    "shallow",
];

/// What lies in it that git does not put there by itself, if anything does.
pub(super) fn unusual(git_dir: &Path) -> Result<Option<String>, ObserveError> {
    let mut found = Found::default();
    for name in names(git_dir)?.into_iter().flatten() {
        let place = git_dir.join(&name);
        let is_usual = USUAL.iter().any(|usual| name == *usual);
        // A directory that holds nothing is nothing.
        if !is_usual && below(place).next().transpose()?.is_some() {
            found.add(Path::new(&name));
        }
    }
    for (directory, is_gits) in [
        ("branches", (|_| false) as fn(&Path) -> bool),
        ("hooks", |name| {
            name.extension().is_some_and(|end| end == "sample")
        }),
        ("info", |name| name == Path::new("exclude")),
    ] {
        for name in names(&git_dir.join(directory))?.into_iter().flatten() {
            if !is_gits(Path::new(&name)) {
                found.add(Path::new(directory).join(name));
            }
        }
    }
    let exclude = contents(&git_dir.join("info/exclude"))?;
    let is_comment = |line: &[u8]| line.is_empty() || line.starts_with(b"#");
    if exclude.is_some_and(|text| !text.lines().all(is_comment)) {
        found.add("info/exclude");
    }
    for borrowed in ["alternates", "http-alternates"] {
        if look(&git_dir.join("objects/info").join(borrowed))?.is_some() {
            found.add(Path::new("objects/info").join(borrowed));
        }
    }
    Ok((found.total > 0).then(|| format!("in its repository, and not as git leaves it: {found}")))
}

/// Requires that everything in it is elsewhere; the commits of what vouches for it.
pub(super) fn own(
    seat: &Seat<'_>,
    repository: &Repository,
    at: (&Path, &Path),
    head: ObjectId,
) -> Result<Vec<ObjectId>, Why> {
    let git_dir = repository.gix.git_dir().to_owned();
    let all = repository.references("refs/")?;
    let vouch = Vouch::of(seat, repository, at, &all)?;
    if vouch.refs.is_empty() {
        return Err(Why::own("no remote of it vouches for anything"));
    }
    let has_tag = |one: &&Reference| vouch.tags.contains(&(one.name.clone(), one.target));
    let tips: Vec<ObjectId> = vouch
        .refs
        .iter()
        .chain(all.iter().filter(has_tag))
        .map(|one| one.target)
        .collect();
    let painted = tips.iter().map(|id| Tip::new(*id, PUBLISHED));
    let ancestry = Ancestry::paint(repository, painted)?;
    let is_elsewhere = |id: &ObjectId| ancestry.colours(id) & PUBLISHED != 0;
    if !is_elsewhere(&head) {
        return Err(Why::own("no remote has its commit"));
    }
    for (name, target) in repository.symbolic_refs()? {
        let is_remote_head = name.starts_with(b"refs/remotes/") && name.ends_with(b"/HEAD");
        if !is_remote_head {
            return Err(Why::Own(format!("the symbolic ref {name} to {target}")));
        }
    }
    for one in &all {
        if let Some(why) = own_ref(repository, one, &vouch, &is_elsewhere)? {
            return Err(Why::Own(why));
        }
    }
    let mut named = BTreeSet::new();
    pseudo_refs(&git_dir, &mut named)?;
    logs(&git_dir.join("logs"), &mut named)?;
    for id in named {
        // What it lacks is lost already.
        if repository.gix.has_object(id) && !is_elsewhere(&id) {
            return Err(Why::Own(format!(
                "a reflog names {id}, which no remote has"
            )));
        }
    }
    objects(repository, &vouch, &is_elsewhere)?;
    Ok(tips)
}

/// What a ref says that nothing else does.
fn own_ref(
    repository: &Repository,
    one: &Reference,
    vouch: &Vouch,
    is_elsewhere: &impl Fn(&ObjectId) -> bool,
) -> Result<Option<String>, ObserveError> {
    let name = one.name.as_bstr();
    let shown = BytePath::from_bytes(name);
    let commit = repository.commit_of(one.target)?;
    let is_published = commit.is_some_and(|id| is_elsewhere(&id));
    if let Some(branch) = name.strip_prefix(b"refs/heads/") {
        let is_remotes = repository.gix.remote_names().iter().any(|remote| {
            let full = [b"refs/remotes/", remote.as_bytes(), b"/", branch].concat();
            vouch.refs.iter().any(|one| one.name == full)
        });
        if !is_published {
            return Ok(Some(format!("{shown} has commits that no remote has")));
        }
        return Ok((!is_remotes).then(|| format!("{shown} is a branch that no remote has")));
    }
    if name.starts_with(b"refs/tags/") {
        let is_plain = commit == Some(one.target) && is_published;
        let is_shared = vouch.tags.contains(&(one.name.clone(), one.target));
        return Ok((!is_plain && !is_shared).then(|| {
            format!("{shown} may be a tag of its own: the main worktree's repository has none such")
        }));
    }
    if name.starts_with(b"refs/remotes/") {
        return Ok((!is_published).then(|| format!("{shown} has commits that no remote has")));
    }
    Ok(Some(format!("the ref {shown}")))
}

/// Every object that any reflog names.
fn logs(dir: &Path, named: &mut BTreeSet<ObjectId>) -> Result<(), ObserveError> {
    for path in below(dir.to_owned()) {
        for logged in reflog::read_file(&path?)?.into_iter().flatten() {
            named.extend(logged.old);
            named.extend(logged.new);
        }
    }
    Ok(())
}

/// Every commit and tag in the object store, whether anything names it or not: what a dropped stash
/// or an expired reflog has left is somewhere else, or it holds.
fn objects(
    repository: &Repository,
    vouch: &Vouch,
    is_elsewhere: &impl Fn(&ObjectId) -> bool,
) -> Result<(), Why> {
    let failed = |why: &dyn std::fmt::Display| ObserveError::gix("its objects", why);
    let tags: BTreeSet<ObjectId> = vouch.tags.iter().map(|(_, id)| *id).collect();
    let all = repository.gix.objects.iter().map_err(|why| failed(&why))?;
    for id in all {
        let id = id.map_err(|why| failed(&why))?;
        let header = repository.gix.find_header(id);
        let is_own = match header.map_err(|why| failed(&why))?.kind() {
            Kind::Commit => !is_elsewhere(&id),
            Kind::Tag => !tags.contains(&id),
            Kind::Tree | Kind::Blob => false,
        };
        if is_own {
            return Err(Why::Own(format!("the object {id} is in no remote")));
        }
    }
    Ok(())
}
