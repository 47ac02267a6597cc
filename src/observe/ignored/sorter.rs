//! Sorts the ignored files of a tree as the walk meets them.

use super::producer::Producer;
use super::roster::Roster;
use super::sorted::Why;
use super::{Gap, Level, MainWorktree, Sorted, kept, trivial};
use crate::observe::index::Tracked;
use crate::observe::node::{Node, Shape};
use crate::policy::Lists;
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What vouches for the files of a directory.
#[derive(Clone, Debug, Default)]
pub(crate) enum Within {
    /// Nothing but their own names and bytes.
    #[default]
    Nothing,
    /// A producer that wrote the directory `root`.
    Produced {
        /// Who.
        producer: &'static Producer,
        /// Its directory, relative to the tree.
        root: PathBuf,
        /// Whether this is in an installed package.
        package: bool,
        /// What its own record names, if it keeps one.
        roster: Option<Rc<Roster>>,
    },
}

/// What sorting needs to know of the tree.
pub(crate) struct Sorter<'a> {
    /// The resolved root of the tree.
    pub(crate) tree: &'a Path,
    /// The main worktree; none in a bare layout.
    pub(crate) main: Option<&'a MainWorktree>,
    /// What the policy says of ignored paths.
    pub(crate) lists: &'a Lists,
    /// What the index tracks; none if it could not be read: nothing is proven then.
    pub(crate) tracked: Option<Tracked<'a>>,
    /// What the main worktree was found to lack.
    pub(crate) gap: Gap,
}

impl Sorter<'_> {
    /// What vouches for the directory at `path`, that was entered from one of which `outer` holds.
    pub(crate) fn enter(
        &self,
        outer: &Within,
        level: &Level<'_>,
        path: &Path,
        is_repository: bool,
    ) -> Result<Within, Errno> {
        let is_root = path.as_os_str().is_empty();
        // A repository inside is nobody's build output, whatever lies around it (`git-facts 8`).
        if is_root || is_repository {
            return Ok(Within::Nothing);
        }
        if let Within::Produced {
            producer,
            root,
            package,
            roster,
        } = outer
            && let Ok(below) = path.strip_prefix(root)
        {
            let direct = below.iter().count() == 1;
            let named = roster.as_ref().is_none_or(|one| one.has_folder(below));
            let vouched = named && (!direct || producer.has_folder(level)?);
            if vouched && (*package || !kept::is_kept_directory(level.name())) {
                return Ok(Within::Produced {
                    producer,
                    root: root.clone(),
                    package: *package
                        || (producer.is_package(below, level)?
                            && roster.as_ref().is_none_or(|one| one.has_installed(below))),
                    roster: roster.clone(),
                });
            }
        }
        match self.tracked {
            Some(tracked) if !tracked.has_below(path) => {}
            Some(_) | None => return Ok(Within::Nothing),
        }
        Ok(match Producer::of(level, self.tree)? {
            Some(producer) => Within::Produced {
                producer,
                root: path.to_owned(),
                package: false,
                roster: match producer.record {
                    Some(record) => record.read(level, (self.tree, path))?.map(Rc::new),
                    None => None,
                },
            },
            None => Within::Nothing,
        })
    }

    /// Sorts one file, symlink, or special file that git ignores; `listed` is the path that git
    /// lists it under. The answer is whether only the policy's `expendable` lets it go.
    pub(crate) fn file(
        &self,
        sorted: &mut Sorted,
        (within, level): (&Within, &Level<'_>),
        (handle, name): (&OwnedFd, &OsStr),
        (listed, path): (&Path, &Path),
        (node, is_expendable): (&Node, bool),
    ) -> Result<bool, Errno> {
        let bytes = if node.links > 1 { 0 } else { node.bytes };
        let (lists, bytes_of_path) = (self.lists, path.as_os_str().as_bytes());
        if lists.precious.covers(bytes_of_path) {
            sorted.hold(listed, path, bytes, Why::Precious);
        } else if is_produced(within, path, name.as_bytes(), node.shape) {
            sorted.rebuildable.add(bytes);
        } else if self.is_copy(handle, name, path, node.shape)? {
            sorted.copies.add(bytes);
        } else if is_given_up(lists, bytes_of_path, name.as_bytes()) {
            sorted.rebuildable.add(bytes);
        } else if is_expendable {
            sorted.expendable.add(bytes);
            return Ok(true);
        } else if node.shape == Shape::File && trivial::is_trivial(level, name.as_bytes())? {
            sorted.trivial.add(bytes);
        } else {
            sorted.hold(listed, path, bytes, why(name.as_bytes()));
        }
        Ok(false)
    }

    fn is_copy(
        &self,
        handle: &OwnedFd,
        name: &OsStr,
        path: &Path,
        shape: Shape,
    ) -> Result<bool, Errno> {
        let Some(main) = self.main else {
            return Ok(false);
        };
        match shape {
            Shape::File => main.has_equal(&self.gap, handle, name, path),
            Shape::Symlink => main.has_target(&self.gap, (handle, name), self.tree, path),
            Shape::Directory | Shape::Special => Ok(false),
        }
    }
}

impl Sorted {
    /// What the policy alone makes of ignored files, given by path and bytes, that nothing else
    /// speaks of (`owl policy test`).
    pub fn by_lists<'p>(lists: &Lists, files: impl Iterator<Item = (&'p str, u64)>) -> Self {
        let mut sorted = Self::default();
        for (path, bytes) in files {
            let name = path.rsplit('/').next().map_or(path, |name| name).as_bytes();
            let at = Path::new(path);
            if lists.precious.covers(path.as_bytes()) {
                sorted.hold(at, at, bytes, Why::Precious);
            } else if is_given_up(lists, path.as_bytes(), name) {
                sorted.rebuildable.add(bytes);
            } else {
                sorted.hold(at, at, bytes, why(name));
            }
        }
        sorted
    }
}

fn why(name: &[u8]) -> Why {
    if is_secret(name) {
        Why::Secret
    } else {
        Why::Unproven
    }
}

/// A key, or a file with secrets, wherever it lies.
fn is_secret(name: &[u8]) -> bool {
    kept::is_secret(name) || kept::is_key(name)
}

/// Whether the policy's `rebuildable` lets the file go. A line that speaks of a directory does not
/// speak of a key in it.
fn is_given_up(lists: &Lists, path: &[u8], name: &[u8]) -> bool {
    let rebuildable = &lists.rebuildable;
    rebuildable.covers(path) && (!is_secret(name) || rebuildable.names(path))
}

/// Whether the producer of the directory wrote this, as far as a name can tell. A copy or a trivial
/// file that it did not write is looked at like any other.
fn is_produced(within: &Within, path: &Path, name: &[u8], shape: Shape) -> bool {
    let Within::Produced {
        producer,
        root,
        package,
        roster,
    } = within
    else {
        return false;
    };
    let Ok(below) = path.strip_prefix(root) else {
        return false;
    };
    let direct = path.parent() == Some(root);
    match shape {
        Shape::Symlink => {
            let own = match roster.as_ref().and_then(|one| one.has_link(below)) {
                Some(known) => known,
                None => !direct || producer.links(name),
            };
            *package || own
        }
        Shape::File => {
            let own = if producer.spells(below) {
                true
            } else if direct {
                let built = |one: &Rc<Roster>| one.has_built(OsStr::from_bytes(name));
                let program = producer.writes_below(name) && !kept::is_prose(name);
                producer.writes(name) || (program && roster.as_ref().is_some_and(built))
            } else {
                let is_named = roster.as_ref().is_none_or(|one| one.has_file(below));
                let at = below.parent().map_or(below, |at| at);
                is_named
                    && (*package || (producer.writes_below(name) && !producer.is_prose(at, name)))
            };
            let listed = roster.as_ref().is_some_and(|one| one.lists(below));
            own && (listed || !kept::is_secret(name))
        }
        Shape::Directory | Shape::Special => false,
    }
}
