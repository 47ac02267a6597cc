//! The facts of one worktree that only its files tell.
//!
//! Input: a sound worktree. Output: its [`Tree`] filled in, and what the process survey must look
//! for. Invariant: every probe fails on its own, into its own facts.

use super::content::Contents;
use super::dirt::{self, Dirt};
use super::discards;
use super::glance::{self, Answer, Closer, Ground, Ready};
use super::history::Names;
use super::ignored::{Gap, MainWorktree, Sorter};
use super::index::{self, IndexFacts, Tracked};
use super::modules::{self, Looked, Seat};
use super::node::look_at;
use super::objects::{self, Existing};
use super::processes::{Inode, Place as Watched};
use super::repository::{self, Repository};
use super::walk::{Told, Walk, Walker, listed};
use super::{
    Aside, Depth, Found, Head, ObserveError, Tree, ages, dead_lock, deletable, draft, head, hidden,
    operation, private, proof, strangers, submodules,
};
use crate::fact::Fact;
use crate::git;
use crate::policy::{Lists, Losable, Submodules};
use crate::resource::BytePath;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a scan needs to know of the project.
pub(crate) struct Scanner<'a> {
    /// The repository as git has it.
    pub(crate) git: &'a git::Repository,
    /// Objects that are known to exist.
    pub(crate) existing: &'a Existing,
    /// The owner of the common directory.
    pub(crate) owner: u32,
    /// What owl has done to the one tree that is scanned.
    pub(crate) aside: Option<&'a Aside>,
    /// How closely tracked files are looked at.
    pub(crate) depth: Depth,
    /// The main worktree; none in a bare layout.
    pub(crate) main: Option<&'a MainWorktree>,
    /// What a glance may rest on; none where every tree is to be looked at closely.
    pub(crate) ground: Option<&'a Result<Ground, Closer>>,
    /// Whether gix sees a filter driver in the configuration.
    pub(crate) has_drivers: bool,
    /// HEAD of each worktree as git lists it.
    pub(crate) witnesses: &'a BTreeMap<PathBuf, Option<git::Oid>>,
    /// What may be lost, by the policy's word.
    pub(crate) expendable: &'a Losable,
    /// Whether a person gives up what is changed.
    pub(crate) discards: bool,
    /// Where processes are, and owl's own.
    pub(crate) processes: (&'a Path, u32),
    /// What the policy says of ignored paths.
    pub(crate) lists: &'a Lists,
    /// What the policy says of initialised submodules.
    pub(crate) submodules: Submodules,
}

/// The rest of a scan, for the steps that look at all trees at once.
pub(crate) struct Scanned {
    /// What the tree names in the graph.
    pub(crate) names: Names,
    /// What the process survey looks for.
    pub(crate) watched: Result<Watched, ObserveError>,
}

/// The facts that the entry alone tells: lock, HEAD, operations.
fn entry_facts(
    repository: &Repository,
    entry: &Path,
    tree: &mut Tree,
    (aside, processes): (Option<&Aside>, (&Path, u32)),
) -> Names {
    tree.locked = match (lock(entry), aside) {
        (Fact::Known(reason), Some(aside)) if reason.as_bytes() == aside.lock_reason.as_bytes() => {
            // The lock that owl has lifted is judged as if it were still there.
            aside.lifted.clone().map_or(Fact::Absent, Fact::Known)
        }
        (locked, _) => locked,
    };
    tree.dead_lock = match &tree.locked {
        Fact::Known(reason) => dead_lock::dead(processes, entry, reason.as_bytes()),
        Fact::Absent => Fact::Absent,
        Fact::Unknown(why) => Fact::Unknown(why.clone()),
    };
    tree.head = Fact::from_result(head::head(repository, entry));
    tree.operation = operation_in(repository, entry, &tree.head);
    let private = Fact::from_result(private::named_by(repository, entry));
    let logged = match &tree.head {
        Fact::Known(head) => match &head.branch {
            Some(branch) => Fact::from_result(private::logged_by(repository, branch.as_bytes())),
            None => Fact::Absent,
        },
        Fact::Absent => Fact::Absent,
        Fact::Unknown(why) => Fact::Unknown(why.clone()),
    };
    Names {
        head: tree.head.clone(),
        private,
        logged,
    }
}

/// Guard 8. What is no operation, but would be lost with the entry, is none that could be told.
fn operation_in(repository: &Repository, entry: &Path, head: &Fact<Head>) -> Fact<Found> {
    let looked = operation::operation(entry).and_then(|found| {
        let strangers = strangers::strangers(entry)?;
        let drafts = draft::drafts(repository, entry, head::commit_id(head))?;
        Ok((found, strangers, drafts))
    });
    let where_it_lies = "its administrative entry holds";
    match looked {
        Ok((found, _, _)) if found.total > 0 => found.into_fact(),
        Ok((_, strangers, _)) if strangers.total > 0 => Fact::unknown(format!(
            "{where_it_lies} what git does not write there: {strangers}"
        )),
        Ok((_, _, drafts)) if drafts.total > 0 => Fact::unknown(format!(
            "{where_it_lies} a message that no commit has: {drafts}"
        )),
        Ok(_) => Fact::Absent,
        Err(why) => Fact::unknown(why),
    }
}

/// The lock of an entry; a lock that cannot be read is a lock.
fn lock(entry: &Path) -> Fact<BytePath> {
    let path = entry.join("locked");
    match super::place::look(&path) {
        Ok(None) => Fact::Absent,
        Ok(Some(_)) => match super::place::contents(&path) {
            Ok(Some(reason)) => Fact::Known(BytePath::from_bytes(super::place::trimmed(&reason))),
            // Git looks whether the file is there, and does not follow a symlink to see.
            Ok(None) => Fact::unknown("it is locked, but its lock cannot be read"),
            Err(why) => Fact::unknown(why),
        },
        Err(why) => Fact::unknown(why),
    }
}

impl Scanner<'_> {
    /// Scans a worktree; `others` are the registered worktrees inside it.
    pub(crate) fn worktree(
        &self,
        repository: &Repository,
        entry: &Path,
        tree: &mut Tree,
        others: &BTreeSet<PathBuf>,
    ) -> Scanned {
        let names = entry_facts(repository, entry, tree, (self.aside, self.processes));
        let root = tree.path.as_path().to_owned();
        let walk = match self.glance(repository, entry, (&root, &tree.head), others) {
            Ok(told) => self.fill_glanced(repository, entry, tree, told),
            Err(_closer) => self.look(repository, entry, tree, others),
        };
        match objects::lent_from(repository.gix.common_dir(), &root) {
            Ok(lent) if lent.total > 0 => tree.nested = lent.into_fact(),
            Ok(_) => {}
            Err(why) => tree.nested = Fact::unknown(why),
        }
        let unlinked = (tree.undeletable.clone(), deletable::undeletable(entry));
        tree.undeletable = match unlinked {
            (Fact::Unknown(why), _) => Fact::Unknown(why),
            (_, Err(why)) => Fact::unknown(why),
            (Fact::Absent, Ok(found)) => found.into_fact(),
            (Fact::Known(inside), Ok(found)) => inside.and(&found).into_fact(),
        };
        let newest = match &walk {
            Ok(walk) => walk.newest(),
            Err(why) => Fact::unknown(why),
        };
        self.fill_ages(repository, tree, entry, &newest);
        let mut roots: Vec<&Path> = vec![&root, entry];
        let modules = self.aside.and_then(|aside| aside.modules.as_ref());
        roots.extend(modules.map(|modules| modules.directory.as_path()));
        let watched = walk.and_then(|walk| watched(&roots, walk.directories));
        Scanned { names, watched }
    }

    /// The fast answer, which only a plan may take.
    fn glance(
        &self,
        repository: &Repository,
        entry: &Path,
        (root, head): (&Path, &Fact<Head>),
        others: &BTreeSet<PathBuf>,
    ) -> Result<Answer, Closer> {
        let Some(ground) = self.ground else {
            return Err(Closer("it is looked at closely"));
        };
        let ready = Ready {
            repository,
            ground,
            entry,
            root,
            head,
            witness: self.witnesses.get(root).and_then(Option::as_ref),
        };
        let (lists, expendable) = (self.lists, self.expendable);
        glance::answer(&ready, self.owner, others, (self.main, lists, expendable))
    }

    fn fill_glanced(
        &self,
        repository: &Repository,
        entry: &Path,
        tree: &mut Tree,
        told: Answer,
    ) -> Result<Walk, ObserveError> {
        let walk = Ok(told.walk);
        fill_walk(tree, &walk);
        fill_dirt(tree, &Ok(told.dirt), &walk, &BTreeSet::new());
        if told.has_drivers || self.has_drivers {
            self.fill_contents(tree, entry, &told.index);
        } else {
            // There is nothing to hide behind: the glance has seen every flag.
            tree.flagged = Fact::Absent;
            tree.filtered = Fact::Absent;
        }
        // The index has no gitlink, and what HEAD has: the objects of one are those of the other.
        match index::missing(repository, head::commit_id(&tree.head), self.existing) {
            Ok(missing) => {
                let facts = IndexFacts {
                    gitlinks: Vec::new(),
                    missing,
                };
                fill_index(tree, facts, entry, &walk);
            }
            Err(why) => no_index(tree, &why),
        }
        walk
    }

    /// The exact answer: git's, and one for every file on disk.
    fn look(
        &self,
        repository: &Repository,
        entry: &Path,
        tree: &mut Tree,
        others: &BTreeSet<PathBuf>,
    ) -> Result<Walk, ObserveError> {
        let root = tree.path.as_path().to_owned();
        let mut dirt = dirt::dirt(self.git, &root, &tree.head);
        let index = index::load(repository, &entry.join("index"));
        let looked = match &index {
            Ok(index) => self.modules(repository, entry, &root, index),
            Err(why) => Err(ObserveError::gix("its submodules", why)),
        };
        let may_go = |looked: &&Looked| looked.found.own.is_empty();
        let looked_at = looked.iter().flatten().find(may_go);
        let parts = looked_at.map_or(&[][..], |looked| looked.parts.as_slice());
        if let (Ok(dirt), false) = (&mut dirt, parts.is_empty()) {
            for part in parts {
                dirt.absorb(&part.path, &part.dirt);
            }
        }
        let no_paths = BTreeSet::new();
        let (ignored, untracked) = match &dirt {
            Ok(dirt) => (&dirt.ignored, &dirt.untracked),
            Err(_) => (&no_paths, &no_paths),
        };
        let walker = Walker {
            owner: self.owner,
            others,
            told: Told::Listed { ignored, untracked },
            expendable: self.expendable,
            sorter: Sorter {
                // What a build or a symlink in it speaks of is the place that it was made at.
                tree: self
                    .aside
                    .map_or(root.as_path(), |aside| aside.path.as_path()),
                main: self.main,
                lists: self.lists,
                tracked: match (&dirt, &index) {
                    (Ok(_), Ok(index)) => Some(Tracked::with(index, parts)),
                    (Err(_), _) | (_, Err(_)) => None,
                },
                gap: Gap::default(),
            },
        };
        let mut walk = walker.walk(&root);
        fill_walk(tree, &walk);
        fill_dirt(tree, &dirt, &walk, others);
        if let (Ok(walk), Some(looked)) = (&mut walk, looked_at) {
            walk.directories.extend(&looked.directories);
        }
        tree.checked_out = match &looked {
            Ok(Some(looked)) => Fact::Known(looked.found.clone()),
            Ok(None) => Fact::Absent,
            Err(why) => Fact::unknown(why),
        };
        match &index {
            Ok(index) => {
                if let (true, Ok(dirt)) = (self.discards, &dirt) {
                    let found = discards::discards(&root, dirt, index);
                    tree.discards = match found {
                        Ok(found) => found,
                        Err(why) => Fact::unknown(why),
                    };
                }
                let head = head::commit_id(&tree.head);
                self.fill_contents(tree, entry, index);
                match index::facts(repository, index, head, self.existing) {
                    Ok(facts) => fill_index(tree, facts, entry, &walk),
                    Err(why) => no_index(tree, &why),
                }
            }
            Err(why) => no_index(tree, why),
        }
        walk
    }

    /// Its submodules, if the policy lets any go; none if it has none.
    fn modules(
        &self,
        repository: &Repository,
        entry: &Path,
        root: &Path,
        index: &gix::index::State,
    ) -> Result<Option<Looked>, ObserveError> {
        match self.submodules {
            Submodules::Hold => return Ok(None),
            Submodules::RemovePublished => {}
        }
        let own = entry.join("modules");
        let taken = self.aside.and_then(|aside| aside.modules.as_ref());
        let looked = modules::look(
            &Seat {
                root,
                home: self.aside.map_or(root, |aside| aside.path.as_path()),
                entry,
                modules: taken.map_or(own.as_path(), |taken| taken.directory.as_path()),
                links: taken.map(|taken| &taken.links),
                common_dir: repository.gix.common_dir(),
                owner: self.owner,
                depth: self.depth,
                git: self.git,
            },
            index,
        )?;
        let is_any = !looked.found.parts.is_empty() || !looked.found.own.is_empty();
        Ok(is_any.then_some(looked))
    }

    /// What only the bytes of tracked files tell.
    fn fill_contents(&self, tree: &mut Tree, entry: &Path, index: &gix::index::State) {
        let root = tree.path.as_path().to_owned();
        let discards = tree.discards.clone();
        let discards = discards.known().into_iter().flatten();
        let named: BTreeSet<&[u8]> = discards.map(|one| one.path.as_bytes()).collect();
        let looked = repository::open_at(entry).and_then(|shared| {
            let repository = Repository::of(&shared);
            let mut contents = Contents::new(&repository, self.git, index, &root)?;
            let hidden = hidden::hidden(index, &mut contents)?;
            let differing = match self.depth {
                Depth::Stat => Found::default(),
                // What is given up by name is one thing, and what git does not see is another.
                Depth::Content if !named.is_empty() => {
                    proof::edited(&shared, self.git, index, &root, &named)?
                }
                Depth::Content => proof::differing(&shared, self.git, index, &root, &tree.head)?,
            };
            Ok((hidden, differing))
        });
        match looked {
            Ok((hidden, differing)) => {
                tree.flagged = hidden.flagged.into_fact();
                tree.filtered = hidden.filtered.into_fact();
                if differing.total > 0 && !named.is_empty() {
                    let why = format!("git does not see that these are changed: {differing}");
                    tree.discards = Fact::Unknown(why);
                } else if differing.total > 0 && tree.changes.is_absent() {
                    tree.changes = differing.into_fact();
                }
            }
            Err(why) => {
                tree.flagged = Fact::unknown(&why);
                tree.filtered = Fact::unknown(&why);
            }
        }
    }

    /// Scans an entry whose directory is gone.
    pub(crate) fn entry(&self, repository: &Repository, entry: &Path, tree: &mut Tree) -> Scanned {
        let names = entry_facts(repository, entry, tree, (self.aside, self.processes));
        self.fill_ages(repository, tree, entry, &Fact::Absent);
        tree.changes = Fact::from_optional(index::staged(repository, entry, &tree.head));
        tree.submodules = match submodules::repositories(entry) {
            Ok(found) => found.into_fact(),
            Err(why) => Fact::unknown(why),
        };
        tree.missing = Fact::Absent;
        tree.expendable = Fact::Absent;
        tree.status = Fact::Absent;
        Scanned {
            names,
            // A process may still stand in the directory that is gone.
            watched: watched(&[entry], Vec::new()).map(|mut watched| {
                watched.roots.push(tree.path.as_path().to_owned());
                let taken = self.aside.map(|aside| aside.path.clone());
                watched.roots.extend(taken);
                watched
            }),
        }
    }

    fn fill_ages(
        &self,
        repository: &Repository,
        tree: &mut Tree,
        entry: &Path,
        files: &Fact<jiff::Timestamp>,
    ) {
        let committed = head::committed_at(repository, &tree.head);
        let ages::Ages {
            created,
            last_sign,
            active,
        } = ages::ages(entry, files, &committed, self.aside.is_some());
        tree.created = created;
        tree.last_sign = last_sign;
        tree.active = active;
    }
}

fn fill_walk(tree: &mut Tree, walk: &Result<Walk, ObserveError>) {
    let fact = |pick: fn(&Walk) -> &Found| match walk {
        Ok(walk) => pick(walk).clone().into_fact(),
        Err(why) => Fact::unknown(why),
    };
    tree.special = fact(|walk| &walk.special);
    tree.mounts = fact(|walk| &walk.mounts);
    tree.nested = fact(|walk| &walk.nested);
    tree.expendable = match walk {
        Ok(walk) if walk.expendable.is_empty() => Fact::Absent,
        Ok(walk) => {
            let mut expendable = walk.expendable.clone();
            expendable.sort_by(|a, b| a.path.cmp(&b.path));
            Fact::Known(expendable)
        }
        Err(why) => Fact::unknown(why),
    };
    tree.status = match walk {
        Ok(walk) => Fact::Known(walk.status()),
        Err(why) => Fact::unknown(why),
    };
    tree.foreign = fact(|walk| &walk.foreign);
    tree.undeletable = fact(|walk| &walk.undeletable);
    tree.size = match walk {
        Ok(walk) => Fact::Known(walk.size),
        Err(why) => Fact::unknown(why),
    };
}

/// Ignored and untracked paths count only with a file in them that is not of another row: git
/// lists a directory that holds nothing but registered worktrees, too.
fn fill_dirt(
    tree: &mut Tree,
    dirt: &Result<Dirt, ObserveError>,
    walk: &Result<Walk, ObserveError>,
    others: &BTreeSet<PathBuf>,
) {
    let dirt = match dirt {
        Ok(dirt) => dirt,
        Err(why) => {
            tree.changes = Fact::unknown(why);
            tree.untracked = Fact::unknown(why);
            tree.ignored = Fact::unknown(why);
            tree.sorted = Fact::unknown(why);
            return;
        }
    };
    tree.changes = dirt.changes.clone().into_fact();
    match walk {
        Ok(walk) => {
            // A path that git lists and the walk did not meet has vanished or appeared meanwhile.
            let unmet = |listed: &BTreeSet<PathBuf>, found: &BTreeSet<PathBuf>| {
                let unmet = |path: &&PathBuf| {
                    let met = found.contains(*path) || walk.spared.contains(*path);
                    !met && !others.contains(*path)
                };
                let files = listed
                    .iter()
                    .filter(|path| !dirt.directories.contains(*path));
                files.filter(unmet).cloned().collect::<Vec<_>>()
            };
            let mut untracked = walk.untracked.clone();
            untracked.extend(unmet(&dirt.untracked, &walk.untracked));
            tree.untracked = listed(&untracked).and(&walk.unlisted).into_fact();
            let mut sorted = walk.sorted.clone();
            for path in unmet(&dirt.ignored, &walk.ignored) {
                sorted.hold_unmet(&path);
            }
            tree.ignored = sorted.found.clone().into_fact();
            tree.sorted = if sorted.is_empty() {
                Fact::Absent
            } else {
                Fact::Known(sorted)
            };
        }
        Err(why) => {
            tree.untracked = Fact::unknown(why);
            tree.ignored = Fact::unknown(why);
            tree.sorted = Fact::unknown(why);
        }
    }
}

fn fill_index(tree: &mut Tree, facts: IndexFacts, entry: &Path, walk: &Result<Walk, ObserveError>) {
    tree.missing = facts.missing.into_fact();
    let root = tree.path.as_path();
    let found = submodules::submodules(root, &facts.gitlinks, entry);
    tree.submodules = match (found, walk) {
        (Ok(found), Ok(walk)) => found.and(&walk.in_submodules).into_fact(),
        (Err(why), _) => Fact::unknown(why),
        (_, Err(why)) => Fact::unknown(why),
    };
}

/// Without an index nothing that only it tells is known.
fn no_index(tree: &mut Tree, why: &ObserveError) {
    tree.flagged = Fact::unknown(why);
    tree.filtered = Fact::unknown(why);
    tree.missing = Fact::unknown(why);
    tree.submodules = Fact::unknown(why);
    tree.ignored = Fact::unknown(why);
    tree.sorted = Fact::unknown(why);
}

pub(crate) fn watched(roots: &[&Path], mut inodes: Vec<Inode>) -> Result<Watched, ObserveError> {
    for root in roots {
        inodes.push(look_at_root(root)?);
    }
    Ok(Watched {
        roots: roots.iter().map(|root| (*root).to_owned()).collect(),
        inodes,
    })
}

fn look_at_root(root: &Path) -> Result<Inode, ObserveError> {
    let node = look_at(rustix::fs::CWD, OsStr::new(root.as_os_str()))
        .map_err(|why| ObserveError::read(root, why.into()))?;
    Ok(node.inode)
}
