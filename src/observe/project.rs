//! One project, read whole.
//!
//! Input: a repository in scope. Output: its [`Project`], and what the process survey must look
//! for. Invariant: a repository that cannot be read still has a row for each directory and entry
//! that is found on disk (`spec 4`).

use super::branches::Branches;
use super::entry::{self, DotGit, Entry, dot_git};
use super::glance::Ground;
use super::history::{History, Names};
use super::ignored::MainWorktree;
use super::jobs::{self, Gathered};
use super::objects::Existing;
use super::open::Operations;
use super::place::settle;
use super::processes::Place as Watched;
use super::registry::{Candidate, Registry};
use super::remotes::Remotes;
use super::repository::{self, Repository};
use super::rescued::{newest, rescued};
use super::scan::{Scanned, Scanner};
use super::stash::Stash;
use super::store::PlacedStore;
use super::{
    Aside, Base, Depth, Focus, Kind, NamedPlace, ObserveError, Project, Registration, RescueRef,
    Role, StorePlace, Tree, World, base, filters,
};
use crate::fact::Fact;
use crate::git;
use crate::policy::Policy;
use crate::resource::{Address, BytePath};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many trees are scanned at once: the scan waits for the disk more than for a processor
/// (`performance 1`, "Cold cache").
fn scans() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (2 * processors).clamp(8, 16)
}

/// A project, and what the process survey must look for in its trees, by their index.
pub(crate) struct Seen {
    pub(crate) project: Project,
    pub(crate) watched: Vec<(usize, Watched)>,
}

/// What could be opened of a repository.
struct Opened {
    gix: gix::ThreadSafeRepository,
    git: git::Repository,
    listed: Vec<PathBuf>,
    /// HEAD of each of them as git lists it.
    witnesses: BTreeMap<PathBuf, Option<git::Oid>>,
    remotes: Remotes,
    base: Fact<Base>,
    stash: Result<Stash, ObserveError>,
    rescues: Result<Rescues, ObserveError>,
    owner: u32,
    main: Option<MainWorktree>,
}

/// Reads one project.
pub(crate) fn observe_project(
    world: &World<'_>,
    policy: &Policy,
    named: &NamedPlace,
    (focus, gathered): (&Focus, &Gathered),
) -> Seen {
    let opened = open(world, named).map_err(|why| untrusted(named, why));
    let listed = opened.as_ref().map(|opened| opened.listed.as_slice());
    let mut problems: Vec<String> = opened
        .as_ref()
        .err()
        .map(ToString::to_string)
        .into_iter()
        .collect();
    let own = focus.aside().map(|aside| aside.op.as_str());
    let operations = match Operations::read(world, &named.place.common_dir, own) {
        Ok(operations) => operations,
        Err(why) => {
            problems.push(why.to_string());
            Operations::default()
        }
    };
    problems.extend(operations.problems.iter().cloned());
    let on_disk = on_disk(world, policy, named, listed.ok(), (&operations, focus));
    let (candidates, stores) = match on_disk {
        Ok(found) => found,
        Err(why) => {
            problems.push(why.to_string());
            (Vec::new(), Vec::new())
        }
    };
    let unread = opened.as_ref().err().map(ToString::to_string);
    let unread = unread.as_deref();
    let mut trees: Vec<Tree> = candidates
        .iter()
        .map(|one| tree_of(named, one, unread))
        .collect();
    contain(&mut trees);
    let mut watched = Vec::new();
    let (mut rescues, mut newest_commit) = (Vec::new(), None);
    let mut jobs = gathered.jobs(world, named);
    let base = match &opened {
        Ok(opened) => {
            match fill(world, policy, opened, &candidates, &mut trees, focus) {
                Ok(found) => watched = found,
                Err(why) => problems.push(why.to_string()),
            }
            match &opened.rescues {
                Ok((found, newest)) => (rescues, newest_commit) = (found.clone(), *newest),
                Err(why) => problems.push(why.to_string()),
            }
            let order = policy.order.as_ref();
            if jobs::wanted(&jobs, order) {
                let repository = Repository::of(&opened.gix);
                let graph = (&opened.base, &opened.remotes);
                let found = jobs::landings(&repository, graph, order, &mut jobs);
                problems.extend(found.err().map(|why| why.to_string()));
            }
            opened.base.clone()
        }
        Err(why) => Fact::unknown(why),
    };
    operations.mark(&named.name, &candidates, &mut trees);
    if let Some(aside) = focus.aside() {
        as_it_was(aside, &mut trees);
    }
    problems.extend(jobs.problem());
    trees.push(main_row(named, opened.as_ref().ok()));
    let project = Project {
        name: named.name.clone(),
        root: named.place.root.clone().into(),
        common_dir: named.place.common_dir.clone().into(),
        problem: (!problems.is_empty()).then(|| problems.join("; ")),
        base,
        stores,
        rescues,
        newest_commit,
        trees,
        jobs,
    };
    Seen { project, watched }
}

fn open(world: &World<'_>, named: &NamedPlace) -> Result<Opened, ObserveError> {
    let git = world.git.repository(&named.place.common_dir)?;
    let mut listed = Vec::new();
    let mut witnesses = BTreeMap::new();
    for one in git.worktrees()? {
        // A path that is none belongs to an entry that is broken: it is not listed then.
        if let Ok(path) = settle(one.path.as_path()) {
            witnesses.insert(path.clone(), one.head);
            listed.push(path);
        }
    }
    let gix = repository::open(&named.place)?;
    let repository = Repository::of(&gix);
    let remotes = Remotes::of(&repository, &named.place)?;
    let base = base::base(&repository, &remotes, named.base.as_deref())?;
    let stash = Stash::of(&repository);
    let rescues = rescues(&repository, world.now);
    let owner = std::fs::metadata(&named.place.common_dir)
        .map_err(|why| ObserveError::read(&named.place.common_dir, why))?
        .uid();
    let main = main_worktree(named, &repository)?;
    Ok(Opened {
        gix,
        git,
        listed,
        witnesses,
        remotes,
        base,
        stash,
        rescues,
        owner,
        main,
    })
}

/// Why it could not be opened, with what to do where another user owns it.
fn untrusted(named: &NamedPlace, why: ObserveError) -> ObserveError {
    let (root, common_dir) = (&named.place.root, &named.place.common_dir);
    let own = rustix::process::geteuid().as_raw();
    let is_anothers =
        |path: &PathBuf| std::fs::metadata(path).is_ok_and(|there| there.uid() != own);
    if !is_anothers(root) && !is_anothers(common_dir) {
        return why;
    }
    ObserveError::Untrusted {
        root: root.clone().into(),
        common_dir: common_dir.clone().into(),
        why: why.to_string(),
    }
}

/// The rescue refs, and when the newest commit was made.
type Rescues = (Vec<RescueRef>, Option<Timestamp>);

fn rescues(repository: &Repository, now: Timestamp) -> Result<Rescues, ObserveError> {
    let found = rescued(repository)?;
    let newest = if found.is_empty() {
        None
    } else {
        newest(repository, now)?
    };
    Ok((found, newest))
}

/// The main worktree, if the directory that relative stores start from is one.
fn main_worktree(
    named: &NamedPlace,
    repository: &Repository,
) -> Result<Option<MainWorktree>, ObserveError> {
    let place = &named.place;
    let is_its = match dot_git(&place.root)? {
        DotGit::Names(named) => named == place.common_dir,
        DotGit::Repository => place.root.join(".git") == place.common_dir,
        DotGit::Missing | DotGit::Dangling(_) | DotGit::Odd(_) => false,
    };
    let is_main = is_its && !repository.gix.is_bare();
    Ok(is_main.then(|| MainWorktree::at(place.root.clone())))
}

type OnDisk = (Vec<Candidate>, Vec<StorePlace>);

fn on_disk(
    world: &World<'_>,
    policy: &Policy,
    named: &NamedPlace,
    listed: Option<&[PathBuf]>,
    (operations, focus): (&Operations, &Focus),
) -> Result<OnDisk, ObserveError> {
    let entries: Vec<Entry> = entry::entries(&named.place)?;
    let place = |store| PlacedStore::new(store, &named.place.root, world.home.as_deref());
    let stores: Vec<PlacedStore<'_>> = policy.stores.iter().map(place).collect();
    let mut leaves = Vec::new();
    let mut places = Vec::new();
    let mut unlisted = None;
    for store in &stores {
        match store.leaves() {
            Ok((found, place)) => {
                leaves.extend(found);
                places.push(place);
            }
            Err(why) => {
                places.push(store.unreadable(&why));
                unlisted = Some(why.to_string());
            }
        }
    }
    // Two stores may overlap; the first one has the leaf.
    let mut seen = BTreeSet::new();
    leaves.retain(|leaf| seen.insert(leaf.path.clone()));
    let registry = Registry {
        stores: &stores,
        entries: &entries,
        listed,
        standing: operations.standing(),
        aside: focus
            .aside()
            .map(|aside| (aside, named.place.common_dir.as_path())),
        unlisted,
        own_folder: &named.place.common_dir.join("owl"),
    };
    Ok((registry.candidates(leaves), places))
}

/// A row of which nothing but its place is known yet; `unread` is why its repository was not read.
fn tree_of(named: &NamedPlace, one: &Candidate, unread: Option<&str>) -> Tree {
    let address = if let Some((id, _)) = &one.entry {
        Address::entry(&named.name, id.as_bytes())
    } else {
        let below = one.path.strip_prefix(&named.place.root);
        let path = below.map_or(one.path.as_path(), |below| below);
        Address::directory(&named.name, path.as_os_str().as_bytes())
    };
    let why = match &one.registration {
        Fact::Known(Registration::Sound) => unread.map_or("it was not looked at", |why| why),
        Fact::Known(_) | Fact::Absent | Fact::Unknown(_) => "it is not a sound worktree",
    };
    let mut tree = Tree::unknown(address, one.kind, one.path.clone().into(), why);
    tree.id = one.entry.as_ref().map(|(id, _)| id.clone());
    tree.git_path = one.git_path.clone().map(BytePath::from);
    tree.store.clone_from(&one.store);
    tree.registration = one.registration.clone();
    tree.swapped = one.swapped.clone();
    tree.identity = one.identity.clone();
    tree
}

/// Notes for each tree which registered worktrees lie inside it. Each looks upwards from where it
/// stands, so that the cost does not grow with the square of their number.
fn contain(trees: &mut [Tree]) {
    let at: BTreeMap<PathBuf, usize> = trees
        .iter()
        .enumerate()
        .map(|(index, tree)| (tree.path.as_path().to_owned(), index))
        .collect();
    let mut inside: Vec<Vec<Address>> = vec![Vec::new(); trees.len()];
    for tree in trees.iter().filter(|tree| tree.kind == Kind::Worktree) {
        for above in tree.path.as_path().ancestors().skip(1) {
            if let Some(outer) = at.get(above) {
                inside[*outer].push(tree.address.clone());
            }
        }
    }
    for (tree, inside) in trees.iter_mut().zip(inside) {
        tree.contains = inside;
    }
}

/// Judges what owl has taken under its old path: rules and evidence speak of that.
fn as_it_was(aside: &Aside, trees: &mut [Tree]) {
    for tree in trees {
        if tree.address == aside.address {
            tree.path = aside.path.clone().into();
            tree.git_path.clone_from(&aside.git_path);
        }
    }
}

/// The row of the main worktree, or of the bare repository. Whether it is bare is what the common
/// configuration says, never a `config.worktree`.
fn main_row(named: &NamedPlace, opened: Option<&Opened>) -> Tree {
    let bare = match opened {
        Some(opened) => Repository::of(&opened.gix).gix.is_bare(),
        None => named
            .place
            .common_dir
            .file_name()
            .is_none_or(|name| name != ".git"),
    };
    let path = if bare {
        &named.place.common_dir
    } else {
        &named.place.root
    };
    let address = Address::main(&named.name);
    let why = "it is not owl's business";
    let mut tree = Tree::unknown(address, Kind::Worktree, path.clone().into(), why);
    tree.open = Fact::Absent;
    tree.role = if bare { Role::Bare } else { Role::Main };
    tree
}

/// Scans what is in focus and sound, then asks the graph about all of it at once.
fn fill(
    world: &World<'_>,
    policy: &Policy,
    opened: &Opened,
    candidates: &[Candidate],
    trees: &mut [Tree],
    focus: &Focus,
) -> Result<Vec<(usize, Watched)>, ObserveError> {
    let scanned = scan_all((world, policy), opened, candidates, trees, focus);
    let repository = Repository::of(&opened.gix);
    let names: Vec<&Names> = scanned.iter().map(|(_, scanned)| &scanned.names).collect();
    let history = History::new(&repository, &opened.base, &opened.remotes, &names)?;
    let heads: Vec<_> = scanned.iter().map(|(at, _)| &trees[*at].head).collect();
    let landings = history.landings(&repository, &heads);
    let branches = Branches::read(&repository);
    let mut watched = Vec::new();
    for ((at, scanned), landing) in scanned.into_iter().zip(landings) {
        let Scanned {
            names,
            watched: place,
        } = scanned;
        let tree = &mut trees[at];
        tree.landed = landing.landed;
        tree.conflict = landing.conflict;
        tree.partial = landing.partial;
        tree.published = history.published(&repository, &tree.head);
        tree.unvouched = history.unvouched(&tree.head);
        tree.at_risk = history.at_risk(&names);
        tree.pins = history.pins(&names);
        tree.drop = history.drop(&names, stays(&branches, &opened.base, tree));
        if let Some((_, entry)) = &candidates[at].entry {
            tree.own_commits = history.own_commits(&repository, entry, &tree.head);
        }
        tree.stash = match &opened.stash {
            Ok(stash) => stash.made_on(&tree.head),
            Err(why) => Fact::unknown(why),
        };
        match place {
            Ok(place) => watched.push((at, place)),
            Err(why) => tree.processes = Fact::unknown(why),
        }
    }
    Ok(watched)
}

/// Why the branch of a tree must stay.
fn stays(
    branches: &Result<Branches, ObserveError>,
    base: &Fact<Base>,
    tree: &Tree,
) -> Fact<Vec<String>> {
    match (branches, &tree.head) {
        (Err(why), _) => Fact::unknown(why),
        (_, Fact::Unknown(why)) => Fact::Unknown(why.clone()),
        (Ok(branches), Fact::Known(head)) => match &head.branch {
            Some(branch) => branches.stays(base, branch.as_bytes(), tree.id.as_ref()),
            None => Fact::Absent,
        },
        (Ok(_), Fact::Absent) => Fact::Absent,
    }
}

/// Scans on a few threads; each takes the next tree when it is done with one.
fn scan_all(
    (world, policy): (&World<'_>, &Policy),
    opened: &Opened,
    candidates: &[Candidate],
    trees: &mut [Tree],
    focus: &Focus,
) -> Vec<(usize, Scanned)> {
    let sound = |at: &usize| {
        let in_focus = focus.has(&trees[*at].address) && trees[*at].store.is_some();
        in_focus && candidates[*at].registration == Fact::Known(Registration::Sound)
    };
    let due: Vec<usize> = (0..trees.len()).filter(sound).collect();
    let insides: Vec<BTreeSet<PathBuf>> = trees.iter().map(|tree| inside(tree, trees)).collect();
    let existing = Existing::default();
    let discards = policy.order.as_ref().is_some_and(|order| order.discard);
    let ground = match focus.depth() {
        Depth::Stat if !due.is_empty() && !discards => Some(Ground::of(&opened.git)),
        Depth::Stat | Depth::Content => None,
    };
    let scanner = Scanner {
        ground: ground.as_ref(),
        has_drivers: !filters::drivers(&Repository::of(&opened.gix)).is_empty(),
        witnesses: &opened.witnesses,
        git: &opened.git,
        existing: &existing,
        owner: opened.owner,
        aside: focus.aside(),
        main: opened.main.as_ref(),
        lists: &policy.lists,
        submodules: policy.submodules,
        depth: focus.depth(),
        expendable: &policy.expendable,
        discards,
        processes: (&world.proc_root, world.own_pid),
    };
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Tree, Scanned)>> = Mutex::new(Vec::new());
    let templates: &[Tree] = trees;
    std::thread::scope(|scope| {
        for _ in 0..scans().min(due.len()) {
            scope.spawn(|| {
                let repository = Repository::of(&opened.gix);
                while let Some(at) = due.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut tree = templates[*at].clone();
                    (world.progress)(tree.address.as_str());
                    let Some((_, entry)) = &candidates[*at].entry else {
                        continue;
                    };
                    let found = match tree.kind {
                        Kind::Worktree => {
                            scanner.worktree(&repository, entry, &mut tree, &insides[*at])
                        }
                        Kind::Entry | Kind::Directory => {
                            scanner.entry(&repository, entry, &mut tree)
                        }
                    };
                    if let Ok(mut done) = done.lock() {
                        done.push((*at, tree, found));
                    }
                }
            });
        }
    });
    let mut done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, ..)| *at);
    let mut all = Vec::new();
    for (at, tree, one) in done {
        trees[at] = tree;
        all.push((at, one));
    }
    all
}

/// The registered worktrees inside a tree, relative to it: exactly those that it waits for. A
/// directory that no entry claims is content of the tree, whatever other store it lies in.
fn inside(tree: &Tree, trees: &[Tree]) -> BTreeSet<PathBuf> {
    let root = tree.path.as_path();
    let waited_for = trees
        .iter()
        .filter(|other| tree.contains.contains(&other.address));
    waited_for
        .filter_map(|other| other.path.as_path().strip_prefix(root).ok())
        .map(ToOwned::to_owned)
        .collect()
}
