//! Every key that a policy may have, level by level: the one list for errors and suggestions.

use crate::yaml::Support::{Built, Later};
pub(super) use crate::yaml::{Level, nearest};

/// The whole file.
pub(super) const POLICY: Level = Level {
    what: "the policy",
    keys: &[
        ("apiVersion", Built),
        ("extends", Later),
        ("projects", Built),
        ("stores", Built),
        ("jobs", Later),
        ("rules", Built),
        ("ttl", Built),
        ("limits", Built),
        ("rebuildable", Later),
        ("precious", Later),
        ("expendable", Built),
        ("submodules", Later),
        ("dead-locks", Built),
        ("processes", Built),
        ("pid-namespace", Built),
        ("rescue", Built),
        ("trash", Later),
        ("branches", Later),
        ("manifests", Later),
        ("check", Later),
        ("tests", Later),
    ],
    extras: true,
};

/// One entry of `projects`.
pub(super) const PROJECT: Level = Level {
    what: "a project",
    keys: &[("path", Built), ("name", Built), ("base", Built)],
    extras: false,
};

/// One entry of `stores`.
pub(super) const STORE: Level = Level {
    what: "a store",
    keys: &[("path", Built), ("owner", Built)],
    extras: false,
};

/// One entry of `rules`.
pub(super) const RULE: Level = Level {
    what: "a rule",
    keys: &[("name", Built), ("when", Built), ("then", Built)],
    extras: false,
};

/// A condition.
pub(super) const CONDITION: Level = Level {
    what: "a condition",
    keys: &[
        ("project", Built),
        ("store", Built),
        ("path", Built),
        ("branch", Built),
        ("job", Later),
        ("label", Later),
        ("owner", Later),
        ("harness", Later),
        ("landed", Built),
        ("published", Built),
        ("own-commits", Built),
        ("detached", Built),
        ("locked", Built),
        ("clean", Built),
        ("idle-over", Built),
        ("age-over", Built),
        ("job-age-over", Later),
        ("size-over", Later),
        ("any", Built),
        ("all", Built),
        ("not", Built),
    ],
    extras: false,
};

/// `ttl`.
pub(super) const TTL: Level = Level {
    what: "`ttl`",
    keys: &[
        ("grace", Built),
        ("review", Later),
        ("active", Later),
        ("blocked", Later),
        ("exhausted", Later),
        ("rescue", Built),
    ],
    extras: false,
};

/// `limits`.
pub(super) const LIMITS: Level = Level {
    what: "`limits`",
    keys: &[("max-removals", Built), ("max-gone", Built)],
    extras: false,
};
