//! Whether a file on disk is what its index entry says, by its bytes (`spec 5.1`).
//!
//! Input: one index entry at a time. Output: whether removing the file loses nothing that the blob
//! does not hold. Invariants: nothing is taken from stat data but type, length, and the executable
//! bit; no symlink is followed, not on the way either; the conversions are git's own (line endings
//! and encodings in either direction, `ident` and drivers only as a checkout writes them); a driver
//! is run by the git program alone, and one that fails is an error.

use super::lfs::Pointer;
use super::place::look;
use super::repository::Repository;
use super::{ObserveError, filters};
use crate::git::{self, Oid};
use gix::ObjectId;
use gix::attrs::{StateRef, search::Outcome};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::filter::plumbing::{Pipeline, pipeline};
use gix::index::entry::Mode;
use gix::index::{Entry, State};
use gix::objs::Kind;
use gix::worktree::stack::state::attributes::Source;
use pipeline::convert::{ToGitOutcome, ToWorktreeOutcome};
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Compares files of one worktree with their blobs.
pub(crate) struct Contents<'a> {
    /// Opened through the worktree's entry, so that its own configuration counts.
    repository: &'a Repository,
    git: &'a git::Repository,
    /// Opened when the first driver must run.
    worktree: Option<git::Worktree>,
    index: &'a State,
    root: &'a Path,
    pipeline: Pipeline,
    attributes: gix::AttributeStack<'a>,
    outcome: Outcome,
    drivers: BTreeSet<BString>,
    /// Directories of the tree, by whether they are reached through directories only.
    plain: HashMap<PathBuf, bool>,
}

/// What the attributes of a path ask for.
struct Asked {
    /// A driver that the configuration defines.
    driver: bool,
    /// `ident` or an encoding: what a checkout writes is told by the git program, which knows more
    /// encodings, and what is written between the dollar signs is nowhere else.
    rewritten: bool,
}

impl<'a> Contents<'a> {
    /// Compares below `root`, which must be resolved.
    pub(crate) fn new(
        repository: &'a Repository,
        git: &'a git::Repository,
        index: &'a State,
        root: &'a Path,
    ) -> Result<Self, ObserveError> {
        let failed = |why: &dyn std::fmt::Display| ObserveError::gix("the filters", why);
        let mut options =
            gix::filter::Pipeline::options(&repository.gix).map_err(|why| failed(&why))?;
        options.drivers.clear();
        options.crlf_roundtrip_check = pipeline::CrlfRoundTripCheck::Skip;
        let context = repository
            .gix
            .command_context()
            .map_err(|why| failed(&why))?;
        let attributes = repository
            .gix
            .attributes_only(index, Source::IdMapping)
            .map_err(|why| failed(&why))?;
        let outcome =
            attributes.selected_attribute_matches(["filter", "ident", "working-tree-encoding"]);
        Ok(Self {
            repository,
            git,
            worktree: None,
            index,
            root,
            pipeline: Pipeline::new(context, repository.gix.object_hash(), options),
            attributes,
            outcome,
            drivers: filters::drivers(repository),
            plain: HashMap::new(),
        })
    }

    /// Whether any driver is configured.
    pub(crate) fn has_drivers(&self) -> bool {
        !self.drivers.is_empty()
    }

    /// Whether a configured driver rewrites the file of an entry.
    pub(crate) fn has_driver(&mut self, entry: &Entry) -> Result<bool, ObserveError> {
        Ok(self.asked(entry)?.driver)
    }

    /// Whether anything stands at the entry's place.
    pub(crate) fn is_there(&self, entry: &Entry) -> Result<bool, ObserveError> {
        Ok(look(&self.place(entry))?.is_some())
    }

    /// Whether the file of an entry is there and is what the entry says. A gitlink is not looked
    /// at.
    pub(crate) fn is_same(&mut self, entry: &Entry) -> Result<bool, ObserveError> {
        if entry.mode == Mode::COMMIT {
            return Ok(true);
        }
        let file = self.place(entry);
        let Some(metadata) = look(&file)? else {
            return Ok(false);
        };
        if !self.is_plain(&file)? {
            return Ok(false);
        }
        if entry.mode == Mode::SYMLINK {
            if !metadata.is_symlink() {
                return Ok(false);
            }
            let target = fs::read_link(&file).map_err(|why| ObserveError::read(&file, why))?;
            return Ok(self.hash(target.as_os_str().as_bytes())? == entry.id);
        }
        let executable = entry.mode == Mode::FILE_EXECUTABLE;
        let is_kind = metadata.is_file() && (metadata.mode() & 0o100 != 0) == executable;
        Ok(is_kind && self.has_same_bytes(entry, &file, metadata.len())?)
    }

    fn place(&self, entry: &Entry) -> PathBuf {
        let path = entry.path(self.index);
        self.root.join(std::ffi::OsStr::from_bytes(path))
    }

    /// Whether the way to a file, which is there, has no symlink below the root.
    fn is_plain(&mut self, file: &Path) -> Result<bool, ObserveError> {
        let Some(parent) = file.parent() else {
            return Err(ObserveError::malformed(file, "lies in no directory"));
        };
        if let Some(plain) = self.plain.get(parent) {
            return Ok(*plain);
        }
        let real = fs::canonicalize(parent).map_err(|why| ObserveError::read(parent, why))?;
        let plain = real == parent;
        self.plain.insert(parent.to_owned(), plain);
        Ok(plain)
    }

    fn has_same_bytes(
        &mut self,
        entry: &Entry,
        file: &Path,
        length: u64,
    ) -> Result<bool, ObserveError> {
        let asked = self.asked(entry)?;
        if asked.driver {
            return self.is_driven(entry, file);
        }
        if asked.rewritten {
            return self.is_smudged(entry, file);
        }
        if self.cleaned(entry, file, length)? == entry.id {
            return Ok(true);
        }
        let bytes = fs::read(file).map_err(|why| ObserveError::read(file, why))?;
        if self.hash(&bytes)? == entry.id {
            return Ok(true);
        }
        self.is_checked_out(entry, &bytes)
    }

    /// The id of the file's bytes as git would store them.
    fn cleaned(
        &mut self,
        entry: &Entry,
        file: &Path,
        length: u64,
    ) -> Result<ObjectId, ObserveError> {
        let path = entry.path(self.index);
        let failed = |why: &dyn std::fmt::Display| {
            ObserveError::gix(format!("{} could not be converted", path.as_bstr()), why)
        };
        let open = File::open(file).map_err(|why| ObserveError::read(file, why))?;
        let platform = self
            .attributes
            .at_entry(path, Some(entry.mode))
            .map_err(|why| failed(&why))?;
        let objects = &self.repository.gix.objects;
        let outcome = self
            .pipeline
            .convert_to_git(
                open,
                Path::new(std::ffi::OsStr::from_bytes(path)),
                &mut |_, attributes| {
                    platform.matching_attributes(attributes);
                },
                &mut |buffer| {
                    let found = gix::prelude::Find::try_find(objects, &entry.id, buffer)?;
                    Ok(found.filter(|one| one.kind == Kind::Blob).map(|_| ()))
                },
            )
            .map_err(|why| failed(&why))?;
        let hash = self.repository.gix.object_hash();
        match outcome {
            ToGitOutcome::Unchanged(mut open) => gix::objs::compute_stream_hash(
                hash,
                Kind::Blob,
                &mut open,
                length,
                &mut gix::progress::Discard,
                &AtomicBool::new(false),
            ),
            ToGitOutcome::Buffer(bytes) => gix::objs::compute_hash(hash, Kind::Blob, bytes),
            ToGitOutcome::Process(_) => return Err(failed(&"a driver would run")),
        }
        .map_err(|why| failed(&why))
    }

    /// Whether a checkout of the blob would write exactly these bytes; no driver is involved.
    fn is_checked_out(&mut self, entry: &Entry, bytes: &[u8]) -> Result<bool, ObserveError> {
        let path = entry.path(self.index);
        let failed = |why: &dyn std::fmt::Display| {
            ObserveError::gix(format!("{} could not be converted", path.as_bstr()), why)
        };
        let blob = self.blob(entry.id, path)?;
        let platform = self
            .attributes
            .at_entry(path, Some(entry.mode))
            .map_err(|why| failed(&why))?;
        let outcome = self
            .pipeline
            .convert_to_worktree(
                &blob,
                path,
                &mut |_, attributes| {
                    platform.matching_attributes(attributes);
                },
                pipeline::convert::to_worktree::Options::default(),
            )
            .map_err(|why| failed(&why))?;
        match outcome {
            ToWorktreeOutcome::Unchanged(written) | ToWorktreeOutcome::Buffer(written) => {
                Ok(written == bytes)
            }
            ToWorktreeOutcome::Process(_) => Err(failed(&"a driver would run")),
        }
    }

    /// Whether the file is what its driver makes of the blob; that of large objects is not run.
    fn is_driven(&mut self, entry: &Entry, file: &Path) -> Result<bool, ObserveError> {
        let path = entry.path(self.index);
        let blob = self.blob(entry.id, path)?;
        if let Some(pointer) = Pointer::parse(&blob) {
            let bytes = look(file)?.map_or(0, |metadata| metadata.len());
            if bytes == blob.len() as u64
                && fs::read(file).map_err(|why| ObserveError::read(file, why))? == blob
            {
                return Ok(true);
            }
            if !pointer.is_of(file)? {
                return Ok(false);
            }
            if pointer.is_stored(self.repository.gix.common_dir())? {
                return Ok(true);
            }
            let why = "its large object is not in the repository's own store";
            return Err(ObserveError::malformed(file, why));
        }
        self.is_smudged(entry, file)
    }

    /// Whether the file is what git's checkout makes of the blob.
    fn is_smudged(&mut self, entry: &Entry, file: &Path) -> Result<bool, ObserveError> {
        let path = entry.path(self.index);
        let oid = Oid::parse(entry.id.to_string().as_bytes())
            .ok_or_else(|| ObserveError::gix(path.to_string(), &"its entry has no object id"))?;
        if self.worktree.is_none() {
            self.worktree = Some(self.git.worktree(self.root)?);
        }
        let Some(worktree) = &self.worktree else {
            return Ok(false);
        };
        let smudged = worktree.smudged(&oid, path)?;
        let bytes = fs::read(file).map_err(|why| ObserveError::read(file, why))?;
        Ok(smudged == bytes)
    }

    fn asked(&mut self, entry: &Entry) -> Result<Asked, ObserveError> {
        let path = entry.path(self.index);
        let platform = self
            .attributes
            .at_entry(path, Some(entry.mode))
            .map_err(|why| ObserveError::gix("the attributes of a file", &why))?;
        platform.matching_attributes(&mut self.outcome);
        let mut asked = Asked {
            driver: false,
            rewritten: false,
        };
        for matched in self.outcome.iter_selected() {
            match (matched.assignment.name.as_str(), matched.assignment.state) {
                ("filter", StateRef::Value(value)) => {
                    asked.driver = self.drivers.contains(value.as_bstr());
                }
                ("ident", StateRef::Set) | ("working-tree-encoding", StateRef::Value(_)) => {
                    asked.rewritten = true;
                }
                _ => {}
            }
        }
        Ok(asked)
    }

    fn blob(&self, id: ObjectId, path: &BStr) -> Result<Vec<u8>, ObserveError> {
        let failed =
            |why: &dyn std::fmt::Display| ObserveError::gix(format!("the blob of {path}"), why);
        let mut blob = self
            .repository
            .gix
            .find_blob(id)
            .map_err(|why| failed(&why))?;
        Ok(blob.take_data())
    }

    fn hash(&self, bytes: &[u8]) -> Result<ObjectId, ObserveError> {
        gix::objs::compute_hash(self.repository.gix.object_hash(), Kind::Blob, bytes)
            .map_err(|why| ObserveError::gix("a hash", &why))
    }
}
