//! The repository through gix: refs, objects, configuration.
//!
//! Input: a [`Place`]. Output: answers by full ref names and object ids only. Invariants: nothing
//! is written; no `GIT_*` variable is obeyed (D3); replace refs are off (`git-facts 41`); an
//! untrusted owner is an error, as for git.

use super::ObserveError;
use super::linked_refs::{self, linked_refs};
use super::locate::Place;
use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use std::path::Path;

/// An opened repository; one a thread.
pub(crate) struct Repository {
    pub(crate) gix: gix::Repository,
}

/// A ref with the object that it points at, symbolic refs left out.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The full name.
    pub(crate) name: BString,
    /// What it points at, unpeeled.
    pub(crate) target: ObjectId,
}

/// Opens the repository for all threads.
pub(crate) fn open(place: &Place) -> Result<gix::ThreadSafeRepository, ObserveError> {
    open_at(&place.common_dir)
}

/// Opens it through a git directory: an administrative entry brings its `config.worktree` along.
pub(crate) fn open_at(git_dir: &Path) -> Result<gix::ThreadSafeRepository, ObserveError> {
    open_with(git_dir, true)
}

/// Opens the repository of a submodule by itself. The working tree that it names may have been moved,
/// which gix takes for an owner that is not trusted: so the caller has seen whose all of it is, and
/// gix runs nothing that its configuration names.
pub(crate) fn open_module(git_dir: &Path) -> Result<gix::ThreadSafeRepository, ObserveError> {
    open_with(git_dir, false)
}

fn open_with(git_dir: &Path, bail: bool) -> Result<gix::ThreadSafeRepository, ObserveError> {
    let deny = gix::sec::Permission::Deny;
    let mut permissions = gix::open::Permissions::all();
    permissions.env = gix::open::permissions::Environment {
        xdg_config_home: gix::sec::Permission::Allow,
        home: gix::sec::Permission::Allow,
        http_transport: deny,
        identity: deny,
        objects: deny,
        git_prefix: deny,
        other: deny,
        ssh_prefix: deny,
    };
    permissions.config.env = false;
    let opened = gix::open::Options::default()
        .permissions(permissions)
        .bail_if_untrusted(bail)
        .open_path_as_is(true)
        .strict_config(true)
        .config_overrides(["core.useReplaceRefs=false"])
        .open(git_dir);
    opened.map_err(|why| ObserveError::gix("the repository could not be opened", &why))
}

impl Repository {
    /// The view of one thread.
    pub(crate) fn of(shared: &gix::ThreadSafeRepository) -> Self {
        let mut gix = shared.to_thread_local();
        gix.object_cache_size_if_unset(4 << 20);
        Self { gix }
    }

    /// What a ref of this full name points at, through symbolic refs; none if there is no such ref.
    pub(crate) fn resolve(&self, full_name: &[u8]) -> Result<Option<ObjectId>, ObserveError> {
        let what = || format!("the ref {}", full_name.as_bstr());
        let found = self
            .gix
            .try_find_reference(full_name.as_bstr())
            .map_err(|why| ObserveError::gix(what(), &why))?;
        let Some(mut reference) = found else {
            return Ok(None);
        };
        if reference.name().as_bstr() != full_name {
            return Ok(None);
        }
        let id = reference
            .peel_to_id()
            .map_err(|why| ObserveError::gix(what(), &why))?;
        Ok(Some(id.detach()))
    }

    /// The full name that a symbolic ref points at; none if it is missing or not symbolic.
    pub(crate) fn symbolic(&self, full_name: &str) -> Result<Option<BString>, ObserveError> {
        let file = self.gix.common_dir().join(full_name);
        if let Some(target) = linked_refs::target(&file)? {
            return Ok(Some(target));
        }
        let found = self
            .gix
            .try_find_reference(full_name)
            .map_err(|why| ObserveError::gix(format!("the ref {full_name}"), &why))?;
        Ok(found.and_then(|reference| {
            reference
                .target()
                .try_name()
                .map(|name| name.as_bstr().to_owned())
        }))
    }

    /// Every symbolic ref below `refs/`, with the full name that it points at.
    pub(crate) fn symbolic_refs(&self) -> Result<Vec<(BString, BString)>, ObserveError> {
        let failed = |why: &dyn std::fmt::Display| ObserveError::gix("the symbolic refs", why);
        let platform = self.gix.references().map_err(|why| failed(&why))?;
        let mut found = linked_refs(self.gix.common_dir())?;
        for reference in platform.all().map_err(|why| failed(&why))? {
            let reference = reference.map_err(|why| failed(&why))?;
            if let Some(target) = reference.target().try_name() {
                let name = reference.name().as_bstr().to_owned();
                found.push((name, target.as_bstr().to_owned()));
            }
        }
        Ok(found)
    }

    /// Every direct ref below a prefix such as `refs/remotes/`, sorted by name.
    pub(crate) fn references(&self, prefix: &str) -> Result<Vec<Reference>, ObserveError> {
        let failed = |why: &dyn std::fmt::Display| {
            ObserveError::gix(format!("the refs below {prefix}"), why)
        };
        let platform = self.gix.references().map_err(|why| failed(&why))?;
        let mut found = Vec::new();
        for reference in platform.prefixed(prefix).map_err(|why| failed(&why))? {
            let reference = reference.map_err(|why| failed(&why))?;
            if let Some(target) = reference.try_id() {
                let name = reference.name().as_bstr().to_owned();
                found.push(Reference {
                    name,
                    target: target.detach(),
                });
            }
        }
        Ok(found)
    }

    /// The commit that an object is or that its tag names; none for other kinds.
    pub(crate) fn commit_of(&self, id: ObjectId) -> Result<Option<ObjectId>, ObserveError> {
        let failed =
            |why: &dyn std::fmt::Display| ObserveError::gix(format!("the object {id}"), why);
        let object = self.gix.find_object(id).map_err(|why| failed(&why))?;
        let peeled = object.peel_tags_to_end().map_err(|why| failed(&why))?;
        Ok((peeled.kind == gix::objs::Kind::Commit).then_some(peeled.id))
    }

    /// When a commit was made, by its committer's clock; none if it names no time that there is.
    pub(crate) fn committed_at(
        &self,
        commit: ObjectId,
    ) -> Result<Option<jiff::Timestamp>, ObserveError> {
        let failed =
            |why: &dyn std::fmt::Display| ObserveError::gix(format!("the commit {commit}"), why);
        let found = self.gix.find_commit(commit).map_err(|why| failed(&why))?;
        let time = found.time().map_err(|why| failed(&why))?;
        match jiff::Timestamp::from_second(time.seconds) {
            Ok(at) => Ok(Some(at)),
            Err(beyond) => {
                drop(beyond);
                Ok(None)
            }
        }
    }

    /// A value of the repository's configuration.
    pub(crate) fn config(&self, key: &str) -> Option<BString> {
        self.gix.config_snapshot().string(key)
    }
}
