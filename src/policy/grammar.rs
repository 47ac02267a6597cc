//! Every key that a policy may have, level by level: the one list for errors and suggestions.

/// Whether this version acts on a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// It does.
    Built,
    /// The key is part of `owl/v1`, and this version refuses it.
    Later,
}
use Support::{Built, Later};

/// The keys of one kind of mapping.
#[derive(Debug)]
pub(super) struct Level {
    /// What the mapping is, with its article.
    pub(super) what: &'static str,
    /// Its keys.
    pub(super) keys: &'static [(&'static str, Support)],
    /// Whether `x-` keys are allowed, as places for anchors.
    pub(super) extras: bool,
}

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
        ("expendable", Later),
        ("submodules", Later),
        ("dead-locks", Later),
        ("processes", Built),
        ("pid-namespace", Built),
        ("rescue", Later),
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
        ("rescue", Later),
    ],
    extras: false,
};

/// `limits`.
pub(super) const LIMITS: Level = Level {
    what: "`limits`",
    keys: &[("max-removals", Built), ("max-gone", Built)],
    extras: false,
};

/// The known word that is nearest to a wrong one, if any is near enough to be meant.
pub(super) fn nearest<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |word: &str| word.to_lowercase().replace('_', "-");
    let wrong = plain(wrong);
    // A third of the letters may be wrong: more finds words that nobody meant.
    let most = (wrong.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&wrong, &plain(word)), word))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}
