//! An observation of one worktree, filled up around what a test says of it.
//!
//! Invariant: what the test leaves out is known and harmless, so that nothing but what it names
//! decides.

use super::job::jobs;
use crate::fact::Fact;
use crate::observe::processes::{How, Use};
use crate::observe::{
    Base, BaseRef, Dropping, FORMAT_VERSION, Found, Head, Host, Identity, Kind, Landed, ListsSeen,
    Observation, PidNamespace, Project, Proof, Published, Registration, Sorted, StorePlace as Seen,
    Tree,
};
use crate::policy::{Policy, Sketch, Store, StorePlace, Told};
use crate::resource::{Address, BytePath};
use jiff::{SignedDuration, Timestamp};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The moment that ages count to; which one it is matters to nothing.
const NOW: i64 = 1_790_000_000;
const HOME: &str = "/home/you";
const DAY: Duration = Duration::from_secs(86_400);
const COMMIT: &str = "1111111111111111111111111111111111111111";
const BASE: &str = "2222222222222222222222222222222222222222";
/// The directory that a worktree is, or was.
pub(super) const PLACE: Identity = Identity {
    device: 1,
    inode: 2,
};
pub(super) const WHY: &str = "the test says so";

/// The observation; an error if the policy has no store that the worktree could lie in.
pub fn sketch(policy: &Policy, sketch: &Sketch) -> Result<Observation, String> {
    let now = Timestamp::from_second(NOW).map_err(|why| why.to_string())?;
    let store = match &sketch.store {
        Some((path, _)) => policy.stores.iter().find(|store| store.path == *path),
        None => policy.stores.first(),
    };
    let store = store.ok_or("the policy has no store that the tree could lie in")?;
    let root = Path::new(HOME).join("src").join(&sketch.project);
    let tree = tree(sketch, store, &root, now);
    let stores = policy.stores.iter().map(|one| Seen {
        declared: one.path.clone(),
        absolute: one.place != StorePlace::Relative,
        leaves: Fact::Known(1),
    });
    Ok(Observation {
        format_version: FORMAT_VERSION.to_owned(),
        owl_version: env!("CARGO_PKG_VERSION").to_owned(),
        observed_at: now,
        host: Host {
            pid_namespace: Fact::Known(PidNamespace::Host),
            hidden_processes: Fact::Absent,
        },
        projects: vec![Project {
            name: sketch.project.clone(),
            common_dir: root.join(".git").into(),
            root: root.clone().into(),
            problem: None,
            base: Fact::Known(Base {
                name: "main".to_owned(),
                local: Some(BaseRef {
                    name: "refs/heads/main".to_owned(),
                    commit: BASE.to_owned(),
                }),
                remote: None,
                fetched_at: Fact::Absent,
            }),
            stores: stores.collect(),
            rescues: Vec::new(),
            newest_commit: None,
            jobs: jobs(policy, sketch, &tree, now)?,
            trees: vec![with_ignored(tree, policy, sketch)],
        }],
        lists: ListsSeen::of(policy),
        unmatched: Vec::new(),
    })
}

fn tree(sketch: &Sketch, store: &Store, root: &Path, now: Timestamp) -> Tree {
    let path = match &sketch.path {
        Some(path) => root.join(path),
        None => place(store, root, &sketch.name),
    };
    let address = Address::entry(&sketch.project, sketch.name.as_bytes());
    let (kind, identity) = if sketch.gone {
        (Kind::Entry, Fact::Absent)
    } else {
        (Kind::Worktree, Fact::Known(PLACE))
    };
    let ago = |age: &Told<Duration>| match age {
        Told::Unknown => Fact::unknown(WHY),
        Told::Known(age) => Fact::from_result(
            SignedDuration::try_from(*age)
                .map_err(|why| why.to_string())
                .and_then(|age| now.checked_sub(age).map_err(|why| why.to_string())),
        ),
    };
    let (idle, age) = times(sketch);
    let branch = |name: &String| BytePath::from(format!("refs/heads/{name}"));
    let unvouched = match (&sketch.landed, &sketch.published, &sketch.own_commits) {
        (Told::Known(Some(_)), _, _) | (_, Told::Known(true), _) | (_, _, Told::Known(false)) => {
            Fact::Absent
        }
        (Told::Unknown, _, _) | (_, Told::Unknown, _) => Fact::unknown(WHY),
        (Told::Known(None), Told::Known(false), _) => Fact::Known(1),
    };
    Tree {
        id: Some(BytePath::from(sketch.name.as_str())),
        store: Some(store.path.clone()),
        identity,
        swapped: Fact::Absent,
        registration: Fact::Known(Registration::Sound),
        open: Fact::Absent,
        dead_lock: Fact::Absent,
        pins: Fact::Known(Vec::new()),
        drop: Fact::Known(Dropping {
            branch: sketch.branch.as_ref().map(branch),
            stays: Fact::Absent,
            pins: Vec::new(),
        }),
        expendable: Fact::Absent,
        status: Fact::Absent,
        locked: told(&sketch.locked, |reason| {
            reason.as_deref().map(BytePath::from)
        }),
        head: Fact::Known(Head {
            branch: sketch.branch.as_ref().map(branch),
            commit: Some(COMMIT.to_owned()),
        }),
        operation: Fact::Absent,
        created: ago(&age),
        last_sign: ago(&idle),
        active: ago(&idle),
        changes: told(&sketch.clean, |clean| {
            (!clean).then(|| ["a tracked file"].into_iter().collect())
        }),
        untracked: told(&sketch.untracked, |names| found(names)),
        special: Fact::Absent,
        flagged: Fact::Absent,
        filtered: Fact::Absent,
        submodules: Fact::Absent,
        checked_out: Fact::Absent,
        nested: Fact::Absent,
        at_risk: Fact::Absent,
        stash: Fact::Absent,
        missing: Fact::Absent,
        ignored: Fact::Absent,
        sorted: Fact::Absent,
        mounts: Fact::Absent,
        processes: told(&sketch.process, |used| used.then(|| vec![a_use(&path)])),
        foreign: Fact::Absent,
        undeletable: Fact::Absent,
        landed: told(&sketch.landed, |how| how.map(landed)),
        conflict: Fact::Absent,
        partial: Fact::Absent,
        published: told(&sketch.published, |published| {
            published.then(|| Published {
                reference: BytePath::from("refs/remotes/origin/agent"),
                commit: COMMIT.to_owned(),
            })
        }),
        own_commits: told(&sketch.own_commits, |own| Some(*own)),
        unvouched,
        size: told(&sketch.size, |size| Some(*size)),
        ..Tree::unknown(address, kind, path.clone().into(), WHY)
    }
}

/// What the policy makes of ignored files that nothing else speaks of.
fn with_ignored(mut tree: Tree, policy: &Policy, sketch: &Sketch) -> Tree {
    match &sketch.ignored {
        Told::Unknown => {
            tree.ignored = Fact::unknown(WHY);
            tree.sorted = Fact::unknown(WHY);
        }
        Told::Known(files) => {
            let files = files.iter().map(|(path, bytes)| (path.as_str(), *bytes));
            let sorted = Sorted::by_lists(&policy.lists, files);
            tree.ignored = sorted.found.clone().into_fact();
            if !sorted.is_empty() {
                tree.sorted = Fact::Known(sorted);
            }
        }
    }
    tree
}

/// Idle for as long as it may be, and as old as it must be.
fn times(sketch: &Sketch) -> (Told<Duration>, Told<Duration>) {
    let known = |told: &Option<Told<Duration>>| match told {
        Some(Told::Known(time)) => Some(*time),
        Some(Told::Unknown) | None => None,
    };
    let idle = sketch.idle.clone().unwrap_or_else(|| {
        let age = known(&sketch.age);
        Told::Known(age.map_or(30 * DAY, |age| age.min(30 * DAY)))
    });
    let age = sketch.age.clone().unwrap_or_else(|| {
        let idle = known(&sketch.idle);
        Told::Known(idle.map_or(60 * DAY, |idle| idle.max(60 * DAY)))
    });
    (idle, age)
}

/// The store's path, with the name for each glob.
fn place(store: &Store, root: &Path, name: &str) -> PathBuf {
    let start = match store.place {
        StorePlace::Relative => root,
        StorePlace::Absolute => Path::new("/"),
        StorePlace::Home => Path::new(HOME),
    };
    let parts = store.components.iter();
    parts.fold(start.to_owned(), |path, part| {
        path.join(part.literal().unwrap_or(name))
    })
}

/// A fact of a test: none is a proven no.
fn told<T, U>(told: &Told<T>, to: impl FnOnce(&T) -> Option<U>) -> Fact<U> {
    match told {
        Told::Known(value) => to(value).map_or(Fact::Absent, Fact::Known),
        Told::Unknown => Fact::unknown(WHY),
    }
}

fn found(names: &[String]) -> Option<Found> {
    (!names.is_empty()).then(|| names.iter().map(String::as_str).collect())
}

fn a_use(path: &Path) -> Use {
    Use {
        pid: 4242,
        how: How::Cwd,
        path: path.into(),
        command: "agent".to_owned(),
    }
}

fn landed(how: &str) -> Landed {
    let how = match how {
        "same-tree" => Proof::SameTree,
        "merge-adds-nothing" => Proof::MergeAddsNothing,
        "patch-ids" => Proof::PatchIds,
        "squash" => Proof::Squash,
        _ => Proof::Ancestor,
    };
    Landed {
        how,
        base: BytePath::from("refs/heads/main"),
        commit: BASE.to_owned(),
        merge_base: (how != Proof::Ancestor).then(|| BASE.to_owned()),
        paths: None,
        twins: Vec::new(),
        moved: Vec::new(),
    }
}
