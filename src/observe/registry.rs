//! Which directory belongs to which administrative entry.
//!
//! Input: the entries, the leaves of the stores, and git's own list. Output: one [`Candidate`] for
//! each entry, and for each leaf that no entry claims. Invariants: an entry and a directory are a
//! pair only if each names the other and nothing else names either (`git-facts 29` to `33`); what
//! git does not list is not sound, and what it lists is not sound for that alone.

use super::entry::{DotGit, Entry, dot_git};
use super::place::{in_the_way, look, settle};
use super::store::{Leaf, PlacedStore};
use super::strays::{self, Stray};
use super::{Aside, Identity, Kind, ObserveError, Registration};
use crate::fact::Fact;
use crate::resource::BytePath;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A row in the making: where it is and who claims it.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// What it is.
    pub(crate) kind: Kind,
    /// The entry's name and directory, if there is one.
    pub(crate) entry: Option<(BytePath, PathBuf)>,
    /// The path, through the store where it is in one.
    pub(crate) path: PathBuf,
    /// The path as git has it.
    pub(crate) git_path: Option<PathBuf>,
    /// The store that it is a leaf of.
    pub(crate) store: Option<String>,
    /// Whether they name each other.
    pub(crate) registration: Fact<Registration>,
    /// Why the path is not what it seems.
    pub(crate) swapped: Fact<String>,
    /// Which directory it is; absent: nothing is there.
    pub(crate) identity: Fact<Identity>,
}

/// A leaf with what was found at it.
struct Seen {
    leaf: Leaf,
    /// Its place, resolved but for the last component.
    place: PathBuf,
    dot_git: DotGit,
    is_directory: bool,
    is_symlink: bool,
    /// Why it could not be read: it may be anything then.
    unread: Option<String>,
    /// Whether an entry claims it.
    claimed: bool,
}

/// Everything that pairing looks at.
pub(crate) struct Registry<'a> {
    /// The stores, placed.
    pub(crate) stores: &'a [PlacedStore<'a>],
    /// The administrative entries.
    pub(crate) entries: &'a [Entry],
    /// The paths that git lists, resolved but for the last component; none if it could not say.
    pub(crate) listed: Option<&'a [PathBuf]>,
    /// Why a store could not be listed.
    pub(crate) unlisted: Option<String>,
    /// Where owl keeps what it has moved aside.
    pub(crate) own_folder: &'a Path,
    /// What stands there.
    pub(crate) standing: &'a [PathBuf],
    /// What owl has taken, and the common git directory that it stands in.
    pub(crate) aside: Option<(&'a Aside, &'a Path)>,
}

impl Registry<'_> {
    /// Pairs entries with leaves.
    pub(crate) fn candidates(&self, leaves: Vec<Leaf>) -> Vec<Candidate> {
        let mut seen = leaves.into_iter().map(see).collect::<Vec<_>>();
        let strays = self.strays(&seen);
        let mut rows = Vec::new();
        for entry in self.entries {
            rows.push(self.of_entry(entry, &mut seen, &strays));
        }
        for one in &seen {
            // A plain file is nobody's worktree, unless an entry says so.
            if !one.claimed && (one.is_directory || one.is_symlink) {
                rows.push(self.of_leaf(one));
            }
        }
        rows
    }

    /// `.git` files below directories of the stores and in owl's own folder, or why they could not
    /// be looked for. That is done only if something is not where its entry says.
    fn strays(&self, seen: &[Seen]) -> Result<Vec<Stray>, String> {
        let is_there = |entry: &Entry| match &entry.worktree {
            Ok(place) => matches!(look(place), Ok(Some(_))),
            Err(_) => false,
        };
        if self.entries.iter().all(is_there) {
            return Ok(Vec::new());
        }
        let directories = seen.iter().filter(|one| one.is_directory).map(|one| {
            let is_plain = one.dot_git == DotGit::Missing;
            let depth = if is_plain {
                strays::PLAIN
            } else {
                strays::WORKTREE
            };
            (one.leaf.path.as_path(), depth)
        });
        let mut found = Vec::new();
        for (directory, depth) in directories.chain([(self.own_folder, strays::PLAIN)]) {
            found.extend(strays::below(directory, depth).map_err(|why| why.to_string())?);
        }
        Ok(found)
    }

    fn of_entry(
        &self,
        entry: &Entry,
        seen: &mut [Seen],
        strays: &Result<Vec<Stray>, String>,
    ) -> Candidate {
        let unread = seen.iter().find_map(|one| one.unread.clone());
        let unread = unread.or_else(|| strays.as_ref().err().cloned());
        let names_it = |one: &Seen| one.dot_git == DotGit::Names(entry.dir.clone());
        let mut namers: Vec<PathBuf> = seen
            .iter()
            .filter(|one| names_it(one))
            .map(|one| one.leaf.path.clone())
            .collect();
        let strays = strays.iter().flatten();
        let its = strays.filter(|stray| stray.names == entry.dir);
        namers.extend(its.map(|stray| stray.at.clone()));
        let standing = self.standing_of(entry);
        namers.extend(standing.iter().flatten().cloned());
        let unsure = standing.err().map(|why| why.to_string());
        if let Some((aside, common_dir)) = self.aside
            && aside.is_of(&entry.id)
            && (aside.is_elsewhere() || aside.is_remnant)
        {
            return self.of_taken(entry, (aside, common_dir), &namers, (unread, unsure));
        }
        let own = match &entry.worktree {
            Ok(place) => seen.iter_mut().find(|one| one.place == *place),
            Err(_) => seen.iter_mut().find(|one| names_it(one)),
        };
        let leaf = own.map(|one| {
            one.claimed = true;
            one.leaf.clone()
        });
        let path = match (&leaf, &entry.worktree) {
            (Some(leaf), _) => leaf.path.clone(),
            (None, Ok(place)) => place.clone(),
            (None, Err(_)) => entry.dir.clone(),
        };
        let store = leaf.clone().or_else(|| self.leaf_at(entry, &path));
        let there = look(&path);
        let is_gone = matches!(there, Ok(None));
        let registration = self.registration(entry, &path, !is_gone, &namers);
        let registration = self.told(registration, is_gone, (unread, unsure));
        let swapped = match &store {
            Some(leaf) => swapped(leaf, &path),
            None => Ok(Fact::Absent),
        };
        let away = store
            .as_ref()
            .filter(|_| is_gone)
            .and_then(|leaf| self.away(leaf));
        Candidate {
            kind: if is_gone { Kind::Entry } else { Kind::Worktree },
            entry: Some((entry.id.clone(), entry.dir.clone())),
            git_path: entry.recorded.clone().filter(|recorded| *recorded != path),
            path,
            store: store.map(|leaf| leaf.declared),
            registration,
            swapped: swapped.unwrap_or_else(Fact::unknown),
            identity: away.map_or_else(|| identity(there), Fact::Unknown),
        }
    }

    /// Why a leaf that is not there may be on a disk that is away, if so (`spec 5`, Prune).
    fn away(&self, leaf: &Leaf) -> Option<String> {
        let stores = self.stores.iter();
        let mut above = stores
            .filter(|store| store.has(&leaf.path))
            .map(|store| store.empty_above(&leaf.path));
        match above.find(|one| !matches!(one, Ok(None)))? {
            Ok(above) => above.map(|above| {
                let above = BytePath::from(above);
                format!("{above} is empty, like the mount point of a disk that is away")
            }),
            Err(why) => Some(why.to_string()),
        }
    }

    /// An entry whose directory is gone is sound only if no other directory can be it: one that
    /// was moved still names its entry, and pruning that would break it (`spec 5`, Prune).
    fn sound_though_gone(&self, unread: Option<String>) -> Fact<Registration> {
        match self.unlisted.clone().or(unread) {
            Some(why) => Fact::Unknown(format!(
                "its directory may have been moved to a place that cannot be read: {why}"
            )),
            None => Fact::Known(Registration::Sound),
        }
    }

    /// What in owl's own folder names an entry.
    fn standing_of(&self, entry: &Entry) -> Result<Vec<PathBuf>, ObserveError> {
        let mut found = Vec::new();
        for place in self.standing {
            if is_directory(place)? && dot_git(place)? == DotGit::Names(entry.dir.clone()) {
                found.push(place.clone());
            }
        }
        Ok(found)
    }

    /// What the two sides of a pair say, told with what could not be read.
    fn told(
        &self,
        registration: Result<Registration, ObserveError>,
        is_gone: bool,
        (unread, unsure): (Option<String>, Option<String>),
    ) -> Fact<Registration> {
        match (registration, unsure) {
            (Ok(Registration::Sound), Some(why)) => Fact::Unknown(why),
            (Ok(Registration::Sound), None) if is_gone => self.sound_though_gone(unread),
            (Ok(registration), _) => Fact::Known(registration),
            (Err(why), _) => Fact::Known(Registration::Broken(why.to_string())),
        }
    }

    /// A worktree that owl has taken: it counts as the leaf that it was.
    fn of_taken(
        &self,
        entry: &Entry,
        (aside, common_dir): (&Aside, &Path),
        namers: &[PathBuf],
        doubts: (Option<String>, Option<String>),
    ) -> Candidate {
        let path = aside.place.clone();
        let there = look(&path);
        let is_gone = matches!(there, Ok(None));
        // Of what is left of a worktree, the `.git` file may be missing.
        let is_whole = !is_gone && !aside.is_remnant;
        let registration = match &entry.worktree {
            Ok(place) if *place == path => self.registration(entry, &path, is_whole, namers),
            Ok(_) | Err(_) => Ok(Registration::Broken(
                "its entry names another place".to_owned(),
            )),
        };
        let leaf = if aside.is_elsewhere() {
            Some(Leaf {
                path: path.clone(),
                declared: aside.store.iter().cloned().collect(),
                anchor: common_dir.to_owned(),
                absolute: false,
            })
        } else {
            self.leaf_at(entry, &path)
        };
        let swapped = leaf.map_or(Ok(Fact::Absent), |leaf| swapped(&leaf, &path));
        Candidate {
            kind: if is_whole {
                Kind::Worktree
            } else {
                Kind::Entry
            },
            entry: Some((entry.id.clone(), entry.dir.clone())),
            git_path: None,
            store: aside.store.clone(),
            registration: self.told(registration, is_gone, doubts),
            swapped: swapped.unwrap_or_else(Fact::unknown),
            identity: identity(there),
            path,
        }
    }

    /// The leaf that an entry's place would be, whether or not anything stands there.
    fn leaf_at(&self, entry: &Entry, place: &Path) -> Option<Leaf> {
        let recorded = entry.recorded.as_deref();
        self.stores.iter().find_map(|store| {
            let path = [recorded, Some(place)]
                .into_iter()
                .flatten()
                .find(|path| store.has(path))?;
            Some(store.leaf(path.to_owned()))
        })
    }

    fn registration(
        &self,
        entry: &Entry,
        path: &Path,
        there: bool,
        namers: &[PathBuf],
    ) -> Result<Registration, ObserveError> {
        let broken = |why: String| Ok(Registration::Broken(why));
        if let Some(why) = &entry.astray {
            return broken(why.clone());
        }
        let place = match &entry.worktree {
            Ok(place) => place,
            Err(why) => return broken(why.clone()),
        };
        let twins = self
            .entries
            .iter()
            .filter(|other| other.worktree.as_ref() == Ok(place));
        if let Some(twin) = twins.into_iter().find(|other| other.id != entry.id) {
            return broken(format!("entry {} names the same place", twin.id));
        }
        if let Some(other) = namers.iter().find(|namer| *namer != path) {
            let other = BytePath::from(other.clone());
            return broken(format!("the .git file of {other} names its entry too"));
        }
        if there {
            let dot_git = if is_directory(path)? {
                dot_git(path)?
            } else {
                DotGit::Missing
            };
            match dot_git {
                DotGit::Names(named) if named == entry.dir => {}
                other @ (DotGit::Missing
                | DotGit::Names(_)
                | DotGit::Dangling(_)
                | DotGit::Repository
                | DotGit::Odd(_)) => return broken(why_not(other)),
            }
        }
        match self.listed {
            Some(listed) if !listed.contains(place) => broken("git does not list it".to_owned()),
            Some(_) | None => Ok(Registration::Sound),
        }
    }

    fn of_leaf(&self, one: &Seen) -> Candidate {
        let registration = match &one.dot_git {
            DotGit::Missing | DotGit::Repository => Fact::Absent,
            DotGit::Names(named) => Fact::Known(match self.foreign(one, named) {
                Ok(registration) => registration,
                Err(why) => Registration::Broken(why.to_string()),
            }),
            DotGit::Dangling(_) | DotGit::Odd(_) => {
                Fact::Known(Registration::Broken(why_not(one.dot_git.clone())))
            }
        };
        let mut swapped = swapped(&one.leaf, &one.leaf.path).unwrap_or_else(Fact::unknown);
        if swapped.is_absent() && one.dot_git == DotGit::Repository {
            swapped = Fact::Known("a repository of its own stands there".to_owned());
        }
        Candidate {
            kind: Kind::Directory,
            entry: None,
            path: one.leaf.path.clone(),
            git_path: None,
            store: Some(one.leaf.declared.clone()),
            registration,
            swapped,
            identity: identity(look(&one.leaf.path)),
        }
    }

    /// A leaf whose `.git` file names a git directory that does not name it back as ours.
    fn foreign(&self, one: &Seen, named: &Path) -> Result<Registration, ObserveError> {
        if let Some(entry) = self.entries.iter().find(|entry| entry.dir == named) {
            let place = match &entry.worktree {
                Ok(place) => BytePath::from(place.clone()).to_string(),
                Err(why) => why.clone(),
            };
            let why = format!(
                "its .git file names entry {}, which is for {place}",
                entry.id
            );
            return Ok(Registration::Broken(why));
        }
        let other = BytePath::from(named);
        if one.leaf.absolute && names_back(named, &one.place)? {
            return Ok(Registration::OtherRepository(other));
        }
        Ok(Registration::Broken(format!(
            "its .git file names {other}, of another repository"
        )))
    }
}

fn see(leaf: Leaf) -> Seen {
    let looked = settle(&leaf.path).and_then(|place| {
        let there = look(&leaf.path)?;
        let is_directory = there.as_ref().is_some_and(std::fs::Metadata::is_dir);
        let dot_git = if is_directory {
            dot_git(&leaf.path)?
        } else {
            DotGit::Missing
        };
        let is_symlink = there.is_some_and(|metadata| metadata.is_symlink());
        Ok((place, dot_git, is_directory, is_symlink))
    });
    let (seen, unread) = match looked {
        Ok(seen) => (seen, None),
        Err(why) => {
            let why = why.to_string();
            let seen = (leaf.path.clone(), DotGit::Odd(why.clone()), true, false);
            (seen, Some(why))
        }
    };
    let (place, dot_git, is_directory, is_symlink) = seen;
    Seen {
        leaf,
        place,
        dot_git,
        is_directory,
        is_symlink,
        unread,
        claimed: false,
    }
}

fn is_directory(path: &Path) -> Result<bool, ObserveError> {
    Ok(look(path)?.is_some_and(|metadata| metadata.is_dir()))
}

/// Which directory it is; absent only if nothing is there.
fn identity(there: Result<Option<std::fs::Metadata>, ObserveError>) -> Fact<Identity> {
    Fact::from_optional(there).map(|metadata| Identity {
        device: metadata.dev(),
        inode: metadata.ino(),
    })
}

/// Guard 2: a symlink below the anchor, or something that is no directory in its place.
fn swapped(leaf: &Leaf, path: &Path) -> Result<Fact<String>, ObserveError> {
    let below = if path.starts_with(&leaf.anchor) {
        path
    } else {
        leaf.path.as_path()
    };
    if let Some(what) = in_the_way(&leaf.anchor, below)? {
        return Ok(Fact::Known(what));
    }
    match look(path)? {
        Some(metadata) if !metadata.is_dir() => {
            Ok(Fact::Known("a file stands in its place".to_owned()))
        }
        Some(_) if matches!(dot_git(path)?, DotGit::Repository) => Ok(Fact::Known(
            "another repository stands in its place".to_owned(),
        )),
        Some(_) | None => Ok(Fact::Absent),
    }
}

/// Whether a git directory of another repository is an entry for `place`, and sound.
fn names_back(git_dir: &Path, place: &Path) -> Result<bool, ObserveError> {
    if super::locate::common_dir_of(git_dir)?.is_none() {
        return Ok(false);
    }
    let Some(bytes) = super::place::contents(&git_dir.join("gitdir"))? else {
        return Ok(false);
    };
    let named = git_dir.join(BytePath::from_bytes(super::place::trimmed(&bytes)).as_path());
    Ok(settle(&named)? == place.join(".git"))
}

fn why_not(dot_git: DotGit) -> String {
    match dot_git {
        DotGit::Missing => "its .git file is missing".to_owned(),
        DotGit::Names(other) => format!("its .git file names {}", BytePath::from(other)),
        DotGit::Dangling(gone) => {
            format!(
                "its .git file names {}, which is not there",
                BytePath::from(gone)
            )
        }
        DotGit::Repository => "another repository stands in its place".to_owned(),
        DotGit::Odd(why) => why,
    }
}
