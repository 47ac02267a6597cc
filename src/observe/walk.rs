//! One walk over everything in a worktree.
//!
//! Input: the directory, who should own it, which places inside belong to others, what the index
//! tracks, and either what git lists as ignored and untracked, or a [`Glance`] that tells it as the
//! walk goes. Output: a [`Walk`]. Invariants: relative to open handles, no symlink followed, no
//! mount entered; any error ends the walk, since half a walk proves nothing; every file on disk is
//! accounted for: tracked, listed, or of a repository inside, or else it counts as untracked. A walk
//! that would go too far ([`Reach`]) ends.

use super::deletable::writable;
use super::expendable::{MOST, expendable};
use super::glance::{Child, Children, Closer, Glance, Rules};
use super::ignored::{Level, Sorted, Sorter, Within};
use super::names::Names;
use super::node::{Node, Shape, look_at};
use super::reach::{DEEPEST, LONGEST, Reach};
use super::{Expendable, Found, ObserveError, processes::Inode};
use crate::fact::Fact;
use crate::policy::Losable;
use crate::resource::{BytePath, hex};
use jiff::Timestamp;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What to look for.
pub(crate) struct Walker<'a> {
    /// The user that the files should belong to: the owner of the common directory.
    pub(crate) owner: u32,
    /// Registered worktrees inside, which have rows of their own; relative to the tree.
    pub(crate) others: &'a BTreeSet<PathBuf>,
    /// Who tells tracked, ignored, and untracked files apart.
    pub(crate) told: Told<'a>,
    /// What the policy calls expendable.
    pub(crate) expendable: &'a Losable,
    /// Sorts what is ignored; it has the index, too.
    pub(crate) sorter: Sorter<'a>,
}

/// Who tells tracked, ignored, and untracked files apart.
pub(crate) enum Told<'a> {
    /// Git, before the walk: paths relative to the tree, directories without their slash.
    Listed {
        /// What it reported as ignored.
        ignored: &'a BTreeSet<PathBuf>,
        /// What it reported as untracked.
        untracked: &'a BTreeSet<PathBuf>,
    },
    /// The index and the ignore rules, as the walk goes.
    Glanced(Glance<'a>),
}

/// Why a walk ended early.
enum Stop {
    /// A path could not be read.
    Failed(PathBuf, Errno),
    /// Directories lie too deep inside each other, or their paths are too long.
    Deep(PathBuf),
    /// The glance has no answer.
    Closer(Closer),
}

impl From<Closer> for Stop {
    fn from(why: Closer) -> Self {
        Self::Closer(why)
    }
}

/// What was seen.
#[derive(Default)]
pub(crate) struct Walk {
    /// The newest mtime of a file that is not git's, in seconds and nanoseconds.
    newest: Option<(i64, i64)>,
    /// FIFOs, sockets, devices.
    pub(crate) special: Found,
    /// Mount points.
    pub(crate) mounts: Found,
    /// Repositories below the root, but for `others`.
    pub(crate) nested: Found,
    /// Files of another owner.
    pub(crate) foreign: Found,
    /// Immutable or append-only files, and directories that may not be changed.
    pub(crate) undeletable: Found,
    /// Ignored paths with at least one file in them that is not in `others`.
    pub(crate) ignored: BTreeSet<PathBuf>,
    /// Ignored files by class.
    pub(crate) sorted: Sorted,
    /// Untracked paths with at least one file in them that is not in `others`.
    pub(crate) untracked: BTreeSet<PathBuf>,
    /// What is expendable, and is in neither class above.
    pub(crate) expendable: Vec<Expendable>,
    /// Listed paths with an expendable file in them.
    pub(crate) spared: BTreeSet<PathBuf>,
    /// How many untracked and ignored files were met so far, and the sum of their digests.
    status: (u64, u128),
    /// Files that neither git nor the index accounts for: they appeared meanwhile, or git was made
    /// not to see them.
    pub(crate) unlisted: Found,
    /// The same in the directory of a submodule, where git never lists anything.
    pub(crate) in_submodules: Found,
    /// Tracked files that a glance has found to differ.
    pub(crate) changed: Vec<BytePath>,
    /// Every directory.
    pub(crate) directories: Vec<Inode>,
    /// Bytes on disk; files with other hard links are not counted, since they stay.
    pub(crate) size: u64,
}

/// Where other version control systems keep history that may be nowhere else.
const OTHER_SYSTEMS: [&[u8]; 8] = [
    b".hg", b".svn", b".jj", b".sl", b".bzr", b"_darcs", b".pijul", b".fossil",
];

/// An open directory of the walk.
struct Here<'a> {
    handle: &'a OwnedFd,
    /// Relative to the tree.
    path: &'a Path,
    reach: Reach,
    /// The file system that the walk stays on.
    device: u64,
    /// Whether it is known that entries may be removed from it.
    is_writable: bool,
    above: Option<&'a Level<'a>>,
    /// The ignore rules above it.
    rules: Option<&'a Rules<'a>>,
}

/// What is known of all files of a directory before they are met.
#[derive(Clone, Default)]
struct Under {
    ignored: Option<PathBuf>,
    untracked: Option<PathBuf>,
    /// In the directory of a gitlink.
    submodule: bool,
    /// In a repository inside, which is a finding as a whole.
    repository: bool,
    /// In a directory of the name `.git`.
    git: bool,
    /// The places of the index entries below.
    tracked: Range<usize>,
    /// What vouches for ignored files here.
    within: Within,
}

/// One directory at a glance.
struct Glanced<'a, 'r> {
    glance: &'a Glance<'a>,
    children: Children<'a>,
    rules: &'r Rules<'r>,
}

/// What git says of one node.
enum Standing<'p> {
    /// A directory with tracked files, by their places in the index.
    Above(Range<usize>),
    /// Ignored or untracked, under this listed path.
    Ignored(&'p Path),
    Untracked(&'p Path),
    /// None of these, as far as it is listed.
    Unlisted,
}

impl Walker<'_> {
    /// Walks the tree at `root`.
    pub(crate) fn walk(&self, root: &Path) -> Result<Walk, ObserveError> {
        self.start(root).map_err(|why| match why {
            Stop::Failed(path, why) => ObserveError::read(&root.join(path), why.into()),
            Stop::Deep(path) => {
                let first = path
                    .iter()
                    .next()
                    .map_or(root.to_owned(), |top| root.join(top));
                let why = format!(
                    "holds more than {DEEPEST} directories inside each other, or a path of more \
                     than {LONGEST} bytes"
                );
                ObserveError::malformed(&first, why)
            }
            Stop::Closer(Closer(why)) => ObserveError::malformed(root, why),
        })
    }

    /// Walks the tree at `root` with a glance.
    pub(crate) fn glance(&self, root: &Path) -> Result<Walk, Closer> {
        self.start(root).map_err(|why| match why {
            Stop::Failed(..) | Stop::Deep(_) => Closer("a path could not be read"),
            Stop::Closer(why) => why,
        })
    }

    fn start(&self, root: &Path) -> Result<Walk, Stop> {
        let mut walk = Walk::default();
        let failed = |why: Errno| Stop::Failed(PathBuf::new(), why);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(CWD, root, flags, Mode::empty()).map_err(failed)?;
        let Some(parent) = root.parent() else {
            return Err(failed(Errno::INVAL));
        };
        if !writable(CWD, parent.as_os_str()).map_err(failed)? {
            walk.undeletable.add("..");
        }
        let node = look_at(&handle, OsStr::new("")).map_err(failed)?;
        if node.is_mount {
            walk.mounts.add(".");
        }
        let tracked = match &self.told {
            Told::Listed { .. } => 0..0,
            Told::Glanced(glance) => glance.all(),
        };
        self.count(&mut walk, &node, false, || PathBuf::from("."));
        let root_of = Here {
            handle: &handle,
            path: Path::new(""),
            reach: Reach::of(root),
            device: node.inode.device,
            is_writable: false,
            above: None,
            rules: None,
        };
        let under = Under {
            tracked,
            ..Under::default()
        };
        self.directory(&mut walk, &root_of, &under)?;
        Ok(walk)
    }

    fn directory(&self, walk: &mut Walk, here: &Here<'_>, outer: &Under) -> Result<(), Stop> {
        let path = here.path;
        let failed = |why| Stop::Failed(path.to_owned(), why);
        if !here.is_writable && !writable(here.handle, OsStr::new(".")).map_err(failed)? {
            walk.undeletable.add(if path.as_os_str().is_empty() {
                Path::new(".")
            } else {
                path
            });
        }
        let names = Names::of(here.handle).map_err(failed)?;
        let names = names.sorted();
        let has = |wanted: &[u8]| names.binary_search(&wanted).is_ok();
        let is_root = path.as_os_str().is_empty();
        let tracked = self.sorter.tracked;
        // The link of a submodule that was looked at by itself is no find.
        let is_part = tracked.is_some_and(|tracked| tracked.is_part(path));
        let is_git =
            (has(b".git") && !is_part) || (has(b"HEAD") && has(b"objects") && has(b"refs"));
        let is_other = names.iter().any(|name| keeps_history(name));
        let is_repository = !is_root && (is_git || is_other);
        if is_repository {
            walk.nested.add(path);
        }
        let name = path.file_name().map_or(OsStr::new(""), |name| name);
        let level = Level::new(here.handle, name, &names, here.above);
        let in_submodule = outer.submodule
            || (!is_root
                && !is_part
                && match &self.told {
                    Told::Listed { .. } => tracked.is_some_and(|tracked| tracked.is_gitlink(path)),
                    Told::Glanced(_) => false,
                });
        let inside = Under {
            ignored: outer.ignored.clone(),
            untracked: outer.untracked.clone(),
            submodule: in_submodule,
            repository: outer.repository || is_repository,
            git: outer.git,
            tracked: outer.tracked.clone(),
            within: self
                .sorter
                .enter(&outer.within, &level, path, is_repository)
                .map_err(failed)?,
        };
        let glance = match &self.told {
            Told::Glanced(glance) if inside.ignored.is_none() => glance,
            Told::Glanced(_) | Told::Listed { .. } => {
                return self.entries(walk, here, &level, (&names, &inside), None);
            }
        };
        if is_repository {
            return Err(Closer("a repository inside").into());
        }
        let bytes = path.as_os_str().as_bytes();
        let rules = glance.rules(here.rules, (here.handle, &names), bytes)?;
        let glanced = Glanced {
            glance,
            children: glance.children(inside.tracked.clone(), bytes)?,
            rules: &rules,
        };
        self.entries(walk, here, &level, (&names, &inside), Some(glanced))
    }

    fn entries(
        &self,
        walk: &mut Walk,
        here: &Here<'_>,
        level: &Level<'_>,
        (names, inside): (&[&[u8]], &Under),
        mut glanced: Option<Glanced<'_, '_>>,
    ) -> Result<(), Stop> {
        for name in names {
            let child = match &mut glanced {
                Some(glanced) => glanced.children.meet(name)?,
                None => None,
            };
            let name = OsStr::from_bytes(name);
            let known = glanced.as_ref().map(|glanced| (glanced, child));
            self.entry(walk, (here, level), name, inside, known)?;
        }
        if let Some(glanced) = &glanced {
            glanced.children.end()?;
        }
        Ok(())
    }

    fn entry(
        &self,
        walk: &mut Walk,
        (here, level): (&Here<'_>, &Level<'_>),
        name: &OsStr,
        outer: &Under,
        glanced: Option<(&Glanced<'_, '_>, Option<Child>)>,
    ) -> Result<(), Stop> {
        let place = || here.path.join(name);
        if !self.others.is_empty() && self.others.contains(&place()) {
            return match glanced {
                Some((_, Some(_))) => Err(Closer("a worktree at a tracked place").into()),
                Some((_, None)) | None => Ok(()),
            };
        }
        let failed = |why| Stop::Failed(place(), why);
        let node = look_at(here.handle, name).map_err(failed)?;
        if node.is_mount || node.inode.device != here.device {
            walk.mounts.add(place());
            return match glanced {
                Some(_) if outer.ignored.is_none() => Err(Closer("a mount inside").into()),
                Some(_) | None => Ok(()),
            };
        }
        let reach = here.reach.below(name, node.shape == Shape::Directory);
        let reach = reach.ok_or_else(|| Stop::Deep(place()))?;
        let is_git = outer.git || name == ".git";
        self.count(walk, &node, is_git, place);
        if let Some((glanced, Some(Child::File(tracked)))) = &glanced {
            if !glanced.glance.is_same(*tracked, &node)? {
                walk.changed.push(place().into());
            }
            return Ok(());
        }
        let path = place();
        let path = path.as_path();
        let rules = glanced.as_ref().map(|(glanced, _)| glanced.rules);
        let standing = match glanced {
            Some((glanced, child)) => stand(glanced, child, (path, &node))?,
            None => self.listed(path, outer),
        };
        let (ignored, untracked, tracked) = match standing {
            Standing::Above(range) => (None, None, range),
            Standing::Ignored(listed) => (Some(listed), None, 0..0),
            Standing::Untracked(listed) => (None, Some(listed), 0..0),
            Standing::Unlisted => (None, None, 0..0),
        };
        match node.shape {
            Shape::Directory => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let handle = openat(here.handle, name, flags, Mode::empty()).map_err(failed)?;
                let inner = Here {
                    handle: &handle,
                    path,
                    reach,
                    device: here.device,
                    is_writable: self.is_writable(&node),
                    above: Some(level),
                    rules,
                };
                let under = Under {
                    ignored: ignored.map(Path::to_owned),
                    untracked: untracked.map(Path::to_owned),
                    git: is_git,
                    tracked,
                    ..outer.clone()
                };
                return self.directory(walk, &inner, &under);
            }
            Shape::Special => walk.special.add(path),
            Shape::File | Shape::Symlink => {}
        }
        let mut spared = None;
        if self.may_be_lost(walk, path, outer) {
            spared = expendable(here.handle, name, path, &node).map_err(failed)?;
        }
        let is_listed = ignored.is_some() || untracked.is_some();
        if let Some(listed) = ignored {
            let (at, name) = ((listed, path), (here.handle, name));
            let is_expendable = self
                .sorter
                .file(
                    &mut walk.sorted,
                    (&outer.within, level),
                    name,
                    at,
                    (&node, spared.is_some()),
                )
                .map_err(failed)?;
            spared = spared.filter(|_| is_expendable);
            note(&mut walk.ignored, listed);
        } else if let Some(listed) = untracked {
            note(
                match spared {
                    Some(_) => &mut walk.spared,
                    None => &mut walk.untracked,
                },
                listed,
            );
        } else if rules.is_none() && node.shape != Shape::Special {
            // A special file holds by itself.
            self.account(walk, path, outer);
        }
        if is_listed && node.shape != Shape::Special {
            walk.digest(path, &node);
            walk.expendable.extend(spared);
        }
        Ok(())
    }

    /// Whether a plan need not ask if entries may be removed from a directory: its owner may who has
    /// write permission, on a file system of which the root of the tree was asked.
    fn is_writable(&self, node: &Node) -> bool {
        match &self.told {
            Told::Listed { .. } => false,
            Told::Glanced(glance) => node.owner == glance.user && node.mode & 0o300 == 0o300,
        }
    }

    /// How a path stands in what git listed, or in the ignored directory that it lies in.
    fn listed<'p>(&'p self, path: &'p Path, outer: &'p Under) -> Standing<'p> {
        if let Some(listed) = &outer.ignored {
            return Standing::Ignored(listed);
        }
        if let Some(listed) = &outer.untracked {
            return Standing::Untracked(listed);
        }
        match &self.told {
            Told::Listed { ignored, .. } if ignored.contains(path) => Standing::Ignored(path),
            Told::Listed { untracked, .. } if untracked.contains(path) => Standing::Untracked(path),
            Told::Listed { .. } | Told::Glanced(_) => Standing::Unlisted,
        }
    }

    /// Whether the policy calls a file expendable, and it is no other repository's.
    fn may_be_lost(&self, walk: &Walk, path: &Path, under: &Under) -> bool {
        !self.expendable.is_empty()
            && !under.repository
            && !under.submodule
            && walk.expendable.len() < MOST
            && self.expendable.covers(path.as_os_str().as_bytes())
            && !self
                .sorter
                .lists
                .precious
                .covers(path.as_os_str().as_bytes())
    }

    /// Notes a file that git does not list, unless the index has it.
    fn account(&self, walk: &mut Walk, path: &Path, under: &Under) {
        let Some(tracked) = self.sorter.tracked else {
            return;
        };
        let is_link = path.file_name() == Some(OsStr::new(".git"))
            && path.parent().is_some_and(|at| tracked.is_part(at));
        if under.repository || path == Path::new(".git") || is_link || tracked.has(path) {
            return;
        }
        if under.submodule {
            walk.in_submodules.add(path);
        } else {
            walk.unlisted.add(path);
        }
    }

    /// Owner, immutability, size, and age of one node; `is_git` if it is git's own.
    fn count(&self, walk: &mut Walk, node: &Node, is_git: bool, path: impl Fn() -> PathBuf) {
        if node.owner != self.owner {
            walk.foreign.add(path());
        }
        if node.is_fixed {
            walk.undeletable.add(path());
        }
        match node.shape {
            Shape::Directory => {
                walk.directories.push(node.inode);
                walk.size += node.bytes;
            }
            Shape::File | Shape::Symlink | Shape::Special => {
                if node.links <= 1 {
                    walk.size += node.bytes;
                }
                if !is_git {
                    walk.newest = walk.newest.max(Some((node.seconds, node.nanoseconds)));
                }
            }
        }
    }
}

/// How a node that is no tracked file stands at a glance.
fn stand<'p>(
    glanced: &Glanced<'_, '_>,
    child: Option<Child>,
    (path, node): (&'p Path, &Node),
) -> Result<Standing<'p>, Closer> {
    let is_directory = node.shape == Shape::Directory;
    match child {
        Some(Child::Directory(range)) if is_directory => return Ok(Standing::Above(range)),
        Some(Child::Directory(_) | Child::File(_)) => {
            return Err(Closer("a tracked directory is none"));
        }
        None => {}
    }
    // Git never lists these.
    if path == Path::new(".git") || node.shape == Shape::Special {
        return Ok(Standing::Unlisted);
    }
    let ignored = glanced
        .rules
        .ignore(path.as_os_str().as_bytes(), is_directory);
    Ok(match (ignored, is_directory) {
        (true, _) => Standing::Ignored(path),
        (false, false) => Standing::Untracked(path),
        (false, true) => Standing::Unlisted,
    })
}

/// Whether a directory of this name is another version control system's.
fn keeps_history(name: &[u8]) -> bool {
    matches!(name.first(), Some(b'.' | b'_')) && OTHER_SYSTEMS.contains(&name)
}

/// Remembers a listed path as met, once.
fn note(met: &mut BTreeSet<PathBuf>, listed: &Path) {
    if !met.contains(listed) {
        met.insert(listed.to_owned());
    }
}

impl Walk {
    /// A digest over everything untracked and ignored.
    pub(crate) fn status(&self) -> String {
        let (count, sum) = self.status;
        format!("{count}-{}", hex(&sum.to_be_bytes()))
    }

    /// Adds a file to that digest, which is the same in whichever order they come.
    fn digest(&mut self, path: &Path, node: &Node) {
        let mut one = Sha256::new();
        one.update(node.inode.number.to_le_bytes());
        one.update(node.length.to_le_bytes());
        one.update(node.seconds.to_le_bytes());
        one.update(node.nanoseconds.to_le_bytes());
        one.update(path.as_os_str().as_bytes());
        let mut first = [0; 16];
        first.copy_from_slice(&one.finalize()[..16]);
        let (count, sum) = self.status;
        self.status = (count + 1, sum.wrapping_add(u128::from_be_bytes(first)));
    }

    /// The newest file as a fact; absent if there is none.
    pub(crate) fn newest(&self) -> Fact<Timestamp> {
        match self.newest {
            Some((seconds, nanoseconds)) => {
                Fact::from_result(super::ages::timestamp(seconds, nanoseconds))
            }
            None => Fact::Absent,
        }
    }
}

/// The listed paths, as evidence.
pub(crate) fn listed(paths: &BTreeSet<PathBuf>) -> Found {
    paths
        .iter()
        .map(|path| BytePath::from(path.clone()))
        .collect()
}
