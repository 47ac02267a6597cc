//! Generated observations: mostly clean trees, some facts of which are disturbed.

use jiff::Timestamp;
use owl::fact::Fact;
use owl::observe::processes::{How, Use};
use owl::observe::{
    Base, BaseRef, Conflict, Doubt, Dropping, Expendable, FORMAT_VERSION, Found, Head, Host,
    Identity, Jobs, Kind, Landed, Observation, Open, OpenStage, PidNamespace, Project, Proof,
    Published, Registration, Role, StorePlace, Tree,
};
use owl::resource::{Address, BytePath};
use proptest::prelude::*;

/// The moment that ages count to.
pub(crate) const NOW: i64 = 1_790_000_000;
/// The commit of every HEAD.
const COMMIT: &str = "1111111111111111111111111111111111111111";
const OTHER: &str = "2222222222222222222222222222222222222222";
/// The stores of the generated policies.
pub(crate) const STORES: [&str; 2] = [".claude/worktrees/*", "/var/store/*"];

/// Every fact that a verdict may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Identity,
    Swapped,
    Registration,
    Open,
    Locked,
    Head,
    Operation,
    Created,
    LastSign,
    Active,
    Changes,
    Untracked,
    Special,
    Flagged,
    Filtered,
    Submodules,
    Nested,
    AtRisk,
    Stash,
    Missing,
    Ignored,
    Mounts,
    Processes,
    Foreign,
    Undeletable,
    Landed,
    Conflict,
    Published,
    OwnCommits,
    Unvouched,
    Size,
    DeadLock,
    Pins,
    Dropping,
    Expendable,
    Base,
    Leaves,
    PidNamespace,
    Hidden,
}

impl Field {
    pub(crate) const ALL: [Self; 39] = [
        Self::Identity,
        Self::Swapped,
        Self::Registration,
        Self::Open,
        Self::Locked,
        Self::Head,
        Self::Operation,
        Self::Created,
        Self::LastSign,
        Self::Active,
        Self::Changes,
        Self::Untracked,
        Self::Special,
        Self::Flagged,
        Self::Filtered,
        Self::Submodules,
        Self::Nested,
        Self::AtRisk,
        Self::Stash,
        Self::Missing,
        Self::Ignored,
        Self::Mounts,
        Self::Processes,
        Self::Foreign,
        Self::Undeletable,
        Self::Landed,
        Self::Conflict,
        Self::Published,
        Self::OwnCommits,
        Self::Unvouched,
        Self::Size,
        Self::DeadLock,
        Self::Pins,
        Self::Dropping,
        Self::Expendable,
        Self::Base,
        Self::Leaves,
        Self::PidNamespace,
        Self::Hidden,
    ];

    /// Facts without which no worktree goes, whatever the policy: those that guards look at.
    pub(crate) fn is_a_guards(self) -> bool {
        !matches!(
            self,
            // Rules look at these.
            Self::Active | Self::Landed | Self::Published | Self::OwnCommits | Self::Base
            // These only inform.
            | Self::Conflict | Self::Unvouched | Self::Size
            // These depend on the policy.
            | Self::DeadLock | Self::Pins | Self::Dropping | Self::Expendable
            | Self::Leaves | Self::PidNamespace | Self::Hidden
        )
    }
}

/// What a fact is changed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Unknown,
    Absent,
    /// One of a few values.
    Value(u8),
}

impl To {
    /// Every value that is tried for what a fact might have been.
    pub(crate) const DEFINITE: [Self; 6] = [
        Self::Absent,
        Self::Value(0),
        Self::Value(1),
        Self::Value(2),
        Self::Value(3),
        Self::Value(4),
    ];
}

fn set<T>(fact: &mut Fact<T>, to: To, value: impl FnOnce(u8) -> T) {
    *fact = match to {
        To::Unknown => Fact::unknown("the probe failed"),
        To::Absent => Fact::Absent,
        To::Value(nth) => Fact::Known(value(nth)),
    };
}

fn found(nth: u8) -> Found {
    (0..=nth).map(|nth| format!("file-{nth}")).collect()
}

fn moment(nth: u8) -> Timestamp {
    const AGES: [i64; 5] = [40 * 86400, 3 * 86400, 7200, 600, -3600];
    Timestamp::from_second(NOW - AGES[usize::from(nth) % AGES.len()]).expect("it is in range")
}

fn head(nth: u8) -> Head {
    Head {
        branch: (nth % 3 != 1).then(|| BytePath::from("refs/heads/agent")),
        commit: (nth % 3 != 2).then(|| COMMIT.to_owned()),
    }
}

fn landed(nth: u8) -> Landed {
    const PROOFS: [Proof; 5] = [
        Proof::Ancestor,
        Proof::SameTree,
        Proof::MergeAddsNothing,
        Proof::PatchIds,
        Proof::Squash,
    ];
    let how = PROOFS[usize::from(nth) % PROOFS.len()];
    Landed {
        how,
        base: BytePath::from("refs/heads/main"),
        commit: OTHER.to_owned(),
        merge_base: (how != Proof::Ancestor).then(|| OTHER.to_owned()),
        paths: None,
        twins: Vec::new(),
        moved: Vec::new(),
    }
}

fn conflict(_: u8) -> Conflict {
    Conflict {
        doubt: Doubt::NetEmpty,
        base: BytePath::from("refs/heads/main"),
        commit: OTHER.to_owned(),
        merge_base: OTHER.to_owned(),
        despite: None,
    }
}

fn published(_: u8) -> Published {
    Published {
        reference: BytePath::from("refs/remotes/origin/agent"),
        commit: OTHER.to_owned(),
    }
}

fn registration(nth: u8) -> Registration {
    match nth % 3 {
        0 => Registration::Sound,
        1 => Registration::Broken("its .git file is missing".to_owned()),
        _ => Registration::OtherRepository("/other/.git".into()),
    }
}

fn open(nth: u8) -> Open {
    let (stage, message) = match nth % 3 {
        0 => (OpenStage::Running, "apply is running"),
        1 => (OpenStage::Interrupted, "owl was interrupted"),
        _ => (OpenStage::Aside, "it waits aside"),
    };
    Open {
        stage,
        message: message.to_owned(),
    }
}

fn uses(nth: u8) -> Vec<Use> {
    (0..nth)
        .map(|nth| Use {
            pid: 100 + u32::from(nth),
            how: How::Cwd,
            path: "/repo".into(),
            command: "sleep".to_owned(),
        })
        .collect()
}

fn dropping(nth: u8) -> Dropping {
    Dropping {
        branch: nth
            .is_multiple_of(2)
            .then(|| BytePath::from("refs/heads/agent")),
        stays: match nth {
            0 | 1 => Fact::Absent,
            2 => Fact::unknown("the probe failed"),
            _ => Fact::Known(vec!["it is the base branch".to_owned()]),
        },
        pins: vec![OTHER.to_owned(); usize::from(nth % 2)],
    }
}

fn base(_: u8) -> Base {
    Base {
        name: "main".to_owned(),
        local: Some(BaseRef {
            name: "refs/heads/main".to_owned(),
            commit: OTHER.to_owned(),
        }),
        remote: None,
        fetched_at: Fact::Absent,
    }
}

/// Changes one fact of a tree, or of what all trees of its project share.
pub(crate) fn change(seen: &mut Observation, project: usize, tree: usize, field: Field, to: To) {
    let host = &mut seen.host;
    let project = &mut seen.projects[project];
    let tree = &mut project.trees[tree];
    match field {
        Field::Identity => set(&mut tree.identity, to, |nth| Identity {
            device: 1,
            inode: u64::from(nth),
        }),
        Field::Swapped => set(&mut tree.swapped, to, |_| "it is a symlink".to_owned()),
        Field::Registration => set(&mut tree.registration, to, registration),
        Field::Open => set(&mut tree.open, to, open),
        Field::Locked => set(&mut tree.locked, to, |nth| {
            BytePath::from(if nth == 0 { "" } else { "mine" })
        }),
        Field::Head => set(&mut tree.head, to, head),
        Field::Operation => set(&mut tree.operation, to, found),
        Field::Created => set(&mut tree.created, to, moment),
        Field::LastSign => set(&mut tree.last_sign, to, moment),
        Field::Active => set(&mut tree.active, to, moment),
        Field::Changes => set(&mut tree.changes, to, found),
        Field::Untracked => set(&mut tree.untracked, to, found),
        Field::Special => set(&mut tree.special, to, found),
        Field::Flagged => set(&mut tree.flagged, to, found),
        Field::Filtered => set(&mut tree.filtered, to, found),
        Field::Submodules => set(&mut tree.submodules, to, found),
        Field::Nested => set(&mut tree.nested, to, found),
        Field::AtRisk => set(&mut tree.at_risk, to, found),
        Field::Stash => set(&mut tree.stash, to, found),
        Field::Missing => set(&mut tree.missing, to, found),
        Field::Ignored => set(&mut tree.ignored, to, found),
        Field::Mounts => set(&mut tree.mounts, to, found),
        Field::Processes => set(&mut tree.processes, to, uses),
        Field::Foreign => set(&mut tree.foreign, to, found),
        Field::Undeletable => set(&mut tree.undeletable, to, found),
        Field::Landed => set(&mut tree.landed, to, landed),
        Field::Conflict => set(&mut tree.conflict, to, conflict),
        Field::Published => set(&mut tree.published, to, published),
        Field::OwnCommits => set(&mut tree.own_commits, to, |nth| nth % 2 == 1),
        Field::Unvouched => set(&mut tree.unvouched, to, u64::from),
        Field::Size => set(&mut tree.size, to, u64::from),
        Field::DeadLock => set(&mut tree.dead_lock, to, |_| "no process 7".to_owned()),
        Field::Pins => set(&mut tree.pins, to, |_| vec![COMMIT.to_owned()]),
        Field::Dropping => set(&mut tree.drop, to, dropping),
        Field::Expendable => set(&mut tree.expendable, to, |_| {
            vec![Expendable {
                path: "settings.json".into(),
                inode: 9,
                bytes: 2,
                sha256: "00".to_owned(),
            }]
        }),
        Field::Base => set(&mut project.base, to, base),
        Field::Leaves => {
            for store in &mut project.stores {
                set(&mut store.leaves, to, u64::from);
            }
        }
        Field::PidNamespace => set(&mut host.pid_namespace, to, |nth| {
            if nth % 2 == 0 {
                PidNamespace::Host
            } else {
                PidNamespace::Other
            }
        }),
        Field::Hidden => set(&mut host.hidden_processes, to, |nth| 1 + u64::from(nth)),
    }
}

/// What a generated tree is made from.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    kind: Kind,
    role: Role,
    store: Option<usize>,
    absent: Vec<Field>,
    disturbed: Vec<(Field, To)>,
    /// How many of the trees before it lie inside it.
    contains: usize,
}

fn to() -> impl Strategy<Value = To> {
    prop_oneof![
        2 => Just(To::Unknown),
        2 => Just(To::Absent),
        3 => (0..5_u8).prop_map(To::Value),
    ]
}

fn field() -> impl Strategy<Value = Field> {
    (0..Field::ALL.len()).prop_map(|nth| Field::ALL[nth])
}

fn sketch() -> impl Strategy<Value = Sketch> {
    let kind = prop_oneof![
        7 => Just(Kind::Worktree),
        3 => Just(Kind::Entry),
        1 => Just(Kind::Directory),
    ];
    let store = prop_oneof![6 => Just(Some(0)), 2 => Just(Some(1)), 1 => Just(None)];
    let disturbed = prop_oneof![
        5 => Just(Vec::new()),
        4 => prop::collection::vec((field(), to()), 1..2),
        2 => prop::collection::vec((field(), to()), 2..6),
    ];
    let vouched = prop::sample::subsequence(
        vec![Field::Landed, Field::Published, Field::OwnCommits],
        0..3,
    );
    let contains = prop_oneof![5 => Just(0_usize), 1 => 1..3_usize];
    (kind, store, disturbed, vouched, contains).prop_map(
        |(kind, store, disturbed, absent, contains)| Sketch {
            kind,
            role: Role::Linked,
            store,
            absent,
            disturbed,
            contains,
        },
    )
}

/// A tree that nothing holds: two of three vouch for it, or fewer.
fn clean(project: &str, nth: usize, sketch: &Sketch) -> Tree {
    let name = format!("agent-{nth}");
    let path = format!("/repo/{project}/{name}");
    let address = match sketch.kind {
        Kind::Worktree | Kind::Entry => Address::entry(project, name.as_bytes()),
        Kind::Directory => Address::directory(project, name.as_bytes()),
    };
    let mut tree = Tree::unknown(address, sketch.kind, path.as_str().into(), "not asked");
    tree.role = sketch.role;
    tree.id = (sketch.kind != Kind::Directory).then(|| name.as_str().into());
    tree.store = sketch.store.map(|nth| STORES[nth].to_owned());
    tree
}

const CLEAN: [Field; 34] = [
    Field::DeadLock,
    Field::Pins,
    Field::Dropping,
    Field::Expendable,
    Field::Swapped,
    Field::Open,
    Field::Locked,
    Field::Operation,
    Field::Changes,
    Field::Untracked,
    Field::Special,
    Field::Flagged,
    Field::Filtered,
    Field::Submodules,
    Field::Nested,
    Field::AtRisk,
    Field::Stash,
    Field::Missing,
    Field::Ignored,
    Field::Mounts,
    Field::Processes,
    Field::Foreign,
    Field::Undeletable,
    Field::Identity,
    Field::Registration,
    Field::Head,
    Field::Created,
    Field::LastSign,
    Field::Active,
    Field::Landed,
    Field::Conflict,
    Field::Published,
    Field::OwnCommits,
    Field::Size,
];

/// What a field is in a tree that nothing holds.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most facts are absent where all is well"
)]
fn when_clean(kind: Kind, field: Field) -> To {
    match field {
        Field::Identity if kind == Kind::Entry => To::Absent,
        Field::Registration if kind == Kind::Directory => To::Absent,
        Field::OwnCommits => To::Value(1),
        Field::Identity
        | Field::Registration
        | Field::Head
        | Field::Created
        | Field::LastSign
        | Field::Active
        | Field::Landed
        | Field::Published
        | Field::Dropping
        | Field::Size => To::Value(0),
        _ => To::Absent,
    }
}

fn project(name: &'static str) -> impl Strategy<Value = (Project, Vec<Sketch>)> {
    prop::collection::vec(sketch(), 1..7).prop_map(move |sketches| {
        let trees: Vec<Tree> = sketches
            .iter()
            .enumerate()
            .map(|(nth, sketch)| clean(name, nth, sketch))
            .collect();
        let leaves = |nth: usize| StorePlace {
            declared: STORES[nth].to_owned(),
            absolute: nth == 1,
            leaves: Fact::Known(2),
        };
        let project = Project {
            name: name.to_owned(),
            root: format!("/repo/{name}").as_str().into(),
            common_dir: format!("/repo/{name}/.git").as_str().into(),
            problem: None,
            base: Fact::Known(base(0)),
            stores: vec![leaves(0), leaves(1)],
            rescues: Vec::new(),
            newest_commit: None,
            trees,
            jobs: Jobs::none(),
        };
        (project, sketches)
    })
}

/// An observation of one or two projects, its main worktrees among the rows.
pub(crate) fn observations() -> impl Strategy<Value = Observation> {
    let projects = (project("app"), project("web"), any::<bool>());
    let host = prop_oneof![
        4 => Just((To::Value(0), To::Absent)),
        1 => (to(), to()),
    ];
    (projects, host).prop_map(|((app, web, both), (namespace, hidden))| {
        let mut parts = vec![app];
        parts.extend(both.then_some(web));
        let mut seen = Observation {
            lists: owl::observe::ListsSeen::default(),
            format_version: FORMAT_VERSION.to_owned(),
            owl_version: "0.0.0".to_owned(),
            observed_at: Timestamp::from_second(NOW).expect("it is in range"),
            host: Host {
                pid_namespace: Fact::Known(PidNamespace::Host),
                hidden_processes: Fact::Absent,
            },
            projects: parts.iter().map(|(project, _)| project.clone()).collect(),
            unmatched: Vec::new(),
        };
        for (at, (_, sketches)) in parts.iter().enumerate() {
            for (nth, sketch) in sketches.iter().enumerate() {
                draw(&mut seen, at, nth, sketch);
            }
        }
        change(&mut seen, 0, 0, Field::PidNamespace, namespace);
        change(&mut seen, 0, 0, Field::Hidden, hidden);
        for project in &mut seen.projects {
            let address = Address::main(&project.name);
            let root = project.root.clone();
            let mut main = Tree::unknown(address, Kind::Worktree, root, "not asked");
            main.role = Role::Main;
            project.trees.push(main);
        }
        sorted(seen)
    })
}

fn draw(seen: &mut Observation, at: usize, nth: usize, sketch: &Sketch) {
    for field in CLEAN {
        let to = if sketch.absent.contains(&field) {
            if field == Field::OwnCommits {
                To::Value(0)
            } else {
                To::Absent
            }
        } else {
            when_clean(sketch.kind, field)
        };
        change(seen, at, nth, field, to);
    }
    for (field, to) in &sketch.disturbed {
        change(seen, at, nth, *field, *to);
    }
    // Only what stands somewhere can lie in it, and nothing lies in what is gone.
    if sketch.kind == Kind::Entry {
        return;
    }
    let trees = &mut seen.projects[at].trees;
    let inside: Vec<Address> = trees[..nth]
        .iter()
        .rev()
        .filter(|tree| tree.kind == Kind::Worktree)
        .take(sketch.contains)
        .map(|tree| tree.address.clone())
        .collect();
    trees[nth].contains = inside;
}

/// In the order that an observation promises.
pub(crate) fn sorted(mut seen: Observation) -> Observation {
    seen.projects.sort_by(|a, b| a.name.cmp(&b.name));
    for project in &mut seen.projects {
        project.trees.sort_by(|a, b| a.address.cmp(&b.address));
    }
    seen
}
