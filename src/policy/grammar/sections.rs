//! The file, and its sections but for conditions and tests.

use super::condition::CONDITION;
use super::key::{Key, Level, Shape, Word, key, word};
use super::test::TEST;

/// The whole file.
pub(in crate::policy) static POLICY: Level = Level {
    what: "the policy",
    keys: &POLICY_KEYS,
    extras: true,
};

static POLICY_KEYS: [Key; 21] = [
    key(
        "apiVersion",
        Shape::Version,
        "owl/v1",
        "The version of this grammar.",
    )
    .required(),
    key(
        "extends",
        Shape::Either(&[Shape::Text, Shape::List(&Shape::Text)]),
        "[default]",
        "Built-in policies that this one stands on, by name. What this file says goes \
         before what they say, and the first one named before the next: single keys and \
         the keys of `ttl`, `limits` and `check` one by one, a store by its path, a rule by its \
         name. Its rules come before theirs; the other lists are joined. An inherited \
         keep can only be replaced by a keep.",
    ),
    key(
        "projects",
        Shape::List(&Shape::Map(&PROJECT)),
        "[{ path: ~/src/* }]",
        "The repositories that the policy speaks of. Not in a policy that a repository \
         carries.",
    )
    .default("the repository that you stand in"),
    key(
        "stores",
        Shape::List(&Shape::Map(&STORE)),
        "[{ path: .claude/worktrees/* }]",
        "The places where agents' worktrees live. Nothing outside a store is ever \
         removed or pruned.",
    ),
    key(
        "jobs",
        Shape::Some(&Shape::Either(&[Shape::Words(&LEDGER), Shape::Map(&JOBS)])),
        "[ledger, { file: jobs.yaml }]",
        "Where jobs come from, merged; the ledger is always read, and a policy that extends another \
         reads the sources of both. A source that cannot be read makes everything about jobs \
         unknown, and is never taken for no jobs: nothing goes. So does a ledger that is not \
         there, if the policy asks for jobs (a condition on one, or `owner: job`) and names either \
         `ledger` or no source at all. In a policy that a repository carries, `ledger` alone.",
    )
    .default("[ledger]")
    .rule("spec 8"),
    key(
        "rules",
        Shape::List(&Shape::Map(&RULE)),
        "[{ name: finished, when: { landed: true }, then: accept }]",
        "The first rule whose `when` holds decides, but a keep that holds wins wherever \
         it stands. A rule that cannot be decided, met before one that holds, holds the \
         worktree, and so does such a keep anywhere. No rule: it stays.",
    ),
    key(
        "ttl",
        Shape::Map(&TTL),
        "{ grace: 1h }",
        "How long things are left alone.",
    ),
    key(
        "limits",
        Shape::Map(&LIMITS),
        "{ max-removals: 50 }",
        "Brakes: over one of them, apply refuses the whole plan, since an unmounted \
         disk or a wrong host looks like that.",
    ),
    key(
        "rebuildable",
        Shape::List(&Shape::Text),
        "[dist, packages/*/dist, \"**/*.log\"]",
        "Ignored paths that may be lost, besides those that are proven so: globs over \
         paths from the top of the worktree, `*` one component, `**` any number. A path \
         covers what lies below it, but a key or an `.env` file only if the last part of \
         the glob is that file's name, without a wildcard. One of wildcards alone is \
         refused.",
    )
    .default("[]")
    .rule("spec 5.4"),
    key(
        "precious",
        Shape::List(&Shape::Text),
        "[data, \"**/*.sqlite\"]",
        "Ignored paths that always hold the worktree, copies included: globs as in \
         `rebuildable`, but one without `/` is about names at any depth, as in a \
         .gitignore. Wins over all else.",
    )
    .default("[]")
    .rule("spec 5.4"),
    key(
        "expendable",
        Shape::List(&Shape::Text),
        "[.claude/settings.local.json]",
        "Untracked or ignored paths that may be lost, as globs from the top of the worktree; \
         each is a step of its own. One of wildcards alone is refused.",
    )
    .default("[]")
    .rule("spec 5.4"),
    key(
        "submodules",
        Shape::Words(&SUBMODULES),
        "hold",
        "What an initialised submodule means.",
    )
    .default("hold")
    .rule("spec 5, guard 9"),
    key(
        "dead-locks",
        Shape::Words(&DEAD_LOCKS),
        "report",
        "What happens to a lock whose recorded process is proven dead.",
    )
    .default("report")
    .rule("spec 5, guard 4"),
    key(
        "processes",
        Shape::Words(&PROCESSES),
        "strict",
        "What a process that this user may not inspect means.",
    )
    .default("visible")
    .rule("spec 5.2"),
    key(
        "pid-namespace",
        Shape::Words(&PID_NAMESPACE),
        "own",
        "Which processes there are besides those that owl sees.",
    )
    .default("host")
    .rule("spec 5.2"),
    key(
        "rescue",
        Shape::List(&Shape::Text),
        "[\"~/.codex/worktrees/*/*\"]",
        "Stores whose detached commits are pinned by a rescue ref, so that they do not \
         hold.",
    )
    .default("[]"),
    key(
        "trash",
        Shape::Text,
        "7d",
        "How long removed trees are kept for `owl restore`.",
    )
    .default("none")
    .later(),
    key(
        "branches",
        Shape::List(&Shape::Text),
        "[\"origin/agent/*\"]",
        "Remote-tracking branches that `owl check` counts as unfinished until they have \
         landed.",
    )
    .default("[]")
    .later(),
    key(
        "manifests",
        Shape::List(&Shape::Map(&MANIFEST)),
        "[{ state: /var/lib/runs }]",
        "Cleanup manifests. Not in a policy that a repository carries.",
    )
    .default("[]")
    .rule("spec 10")
    .later(),
    key(
        "check",
        Shape::Map(&CHECK),
        "{ unfinished: 10 }",
        "Ceilings for `owl check`; one that is left out is not checked.",
    )
    .rule("spec 11"),
    key(
        "tests",
        Shape::List(&Shape::Map(&TEST)),
        "[{ name: landed work goes, tree: { landed: squash }, expect: remove }]",
        "What the policy should say, checked by `owl policy test`; a plan does not look \
         at it.",
    ),
];

/// One entry of `projects`.
pub(in crate::policy) static PROJECT: Level = Level {
    what: "a project",
    keys: &[
        key(
            "path",
            Shape::Text,
            "~/src/*",
            "A repository, or a glob of repositories: absolute, below `~`, or relative to \
         where you stand.",
        )
        .required(),
        key(
            "name",
            Shape::Text,
            "acme",
            "Its name in addresses; two equal ones are an error.",
        )
        .default("the directory's name"),
        key(
            "base",
            Shape::Text,
            "main",
            "The branch that work lands in.",
        )
        .default(
            "the remote HEAD of origin or of the only remote; else init.defaultBranch, main \
         or master",
        ),
    ],
    extras: false,
};

/// One entry of `stores`.
pub(in crate::policy) static STORE: Level = Level {
    what: "a store",
    keys: &[
        key(
            "path",
            Shape::Text,
            ".claude/worktrees/*",
            "A glob whose matches are the worktrees; `*` is one component. Relative to each \
         project's main worktree (in a bare layout, to the directory that holds the \
         repository or the `.git` file), absolute, or below `~`; in a policy that a \
         repository carries, relative only.",
        )
        .required(),
        key(
            "owner",
            Shape::Words(&OWNER),
            "none",
            "What must be known of a worktree's owner before it may go, whatever the rules say.",
        )
        .default("none")
        .rule("spec 5, guard 5"),
    ],
    extras: false,
};

static OWNER: [Word; 3] = [
    word("none", "nothing"),
    word("claim", "a claim must name it").later(),
    word(
        "job",
        "a job must have recorded this very worktree; one that only has its branch, its old place \
         or its name is not enough. What a rule lets go for `job: gone` needs none",
    ),
];

static LEDGER: [Word; 1] = [word(
    "ledger",
    "owl's own ledger of jobs (`owl jobs`): to name it says that it must be there",
)];

/// One entry of `jobs` that is no word.
pub(in crate::policy) static JOBS: Level = Level {
    what: "a source of jobs",
    keys: &[
        key(
            "file",
            Shape::Text,
            "jobs.yaml",
            "A job list in JSON or YAML, written by another tool, as `owl jobs import` takes it: \
             absolute, below `~`, or relative to where you stand. A job of it lets go what a job of \
             the ledger would, but its state is for that tool to change; one without `project` can \
             only hold.",
        )
        .rule("spec 8"),
        key(
            "command",
            Shape::Some(&Shape::Text),
            "[my-queue, export, --json]",
            "A program, by its name or its absolute path, and its words; what it prints is a job \
             list, as in `file`. It is run in `/` without a shell, for 30 s at most; if it fails, \
             everything about jobs is unknown.",
        )
        .rule("spec 8"),
    ],
    extras: false,
};

/// One entry of `rules`.
pub(in crate::policy) static RULE: Level = Level {
    what: "a rule",
    keys: &[
        key(
            "name",
            Shape::Text,
            "finished",
            "Its name, unique in the policy; the plan names it.",
        )
        .required(),
        key(
            "when",
            Shape::Map(&CONDITION),
            "{ landed: true, idle-over: 1d }",
            "When it holds: every condition of the mapping must.",
        )
        .required(),
        key(
            "then",
            Shape::Words(&THEN),
            "accept",
            "What follows, if every guard passes.",
        )
        .required(),
    ],
    extras: false,
};

static THEN: [Word; 3] = [
    word("keep", "the worktree stays, whatever other rules say"),
    word("accept", "the worktree goes, and its branch stays"),
    word(
        "drop",
        "the worktree goes, and its branch with it; a rescue ref is kept",
    ),
];

/// `ttl`.
pub(in crate::policy) static TTL: Level = Level {
    what: "`ttl`",
    keys: &[
        key(
            "grace",
            Shape::Duration,
            "30m",
            "A worktree that was made, or gave a sign of life, within this time is never \
         removed, whatever the rules say.",
        )
        .default("1h")
        .rule("spec 4.2"),
        key(
            "review",
            Shape::Duration,
            "7d",
            "A job in review that has waited this long for a decision is reported as WAITING, and \
             its worktree is held; nothing goes because of it.",
        )
        .default("7d")
        .rule("spec 8"),
        key(
            "active",
            Shape::Duration,
            "12h",
            "An active job is reported as ABANDONED if for this long neither its run has begun nor \
             anything has happened in its worktree, unless the run's process lives; its worktree is \
             held, and nothing goes because of it.",
        )
        .default("12h")
        .rule("spec 8"),
        key(
            "blocked",
            Shape::Duration,
            "14d",
            "A job that has been blocked for this long is reported as BLOCKED; nothing goes because \
             of it.",
        )
        .default("14d")
        .rule("spec 8"),
        key(
            "exhausted",
            Shape::Duration,
            "14d",
            "A job that has had no run left for this long is reported as EXHAUSTED; nothing goes \
             because of it.",
        )
        .default("14d")
        .rule("spec 8"),
        key(
            "rescue",
            Shape::Duration,
            "30d",
            "How long rescue refs are kept; a commit of the repository must be past that time, too.",
        )
        .default("30d")
        .rule("spec 7"),
    ],
    extras: false,
};

/// `limits`.
pub(in crate::policy) static LIMITS: Level = Level {
    what: "`limits`",
    keys: &[
        key(
            "max-removals",
            Shape::Count,
            "50",
            "The most worktrees that one run may remove; expiries of rescue refs do not count.",
        )
        .default("200")
        .rule("spec 7"),
        key(
            "max-gone",
            Shape::Share,
            "80%",
            "The share of a project's entries that may be gone at once, from five on.",
        )
        .default("50%")
        .rule("spec 7"),
    ],
    extras: false,
};

/// `check`.
pub(in crate::policy) static CHECK: Level = Level {
    what: "`check`",
    keys: &[
        key(
            "unfinished",
            Shape::Count,
            "10",
            "The most rows with unfinished work, of any kind: UNCOMMITTED, UNPUBLISHED, WAITING, \
             ABANDONED, BLOCKED, EXHAUSTED, AMBIGUOUS.",
        )
        .rule("spec 11"),
        key(
            "uncommitted",
            Shape::Count,
            "0",
            "The most of them that hold uncommitted work.",
        )
        .rule("spec 11"),
        key(
            "unpublished",
            Shape::Count,
            "5",
            "The most of them that hold commits which are nowhere else.",
        )
        .rule("spec 11"),
        key(
            "waiting",
            Shape::Count,
            "5",
            "The most jobs that have waited for a decision for longer than `ttl.review`.",
        )
        .rule("spec 11"),
        key(
            "held",
            Shape::Count,
            "20",
            "The most rows that are held, whatever holds them.",
        )
        .rule("spec 11"),
        key(
            "oldest",
            Shape::Duration,
            "14d",
            "How long the oldest unfinished work may have been so: a job by its clock, a worktree \
             since its last sign of activity.",
        )
        .rule("spec 11"),
        key(
            "disk",
            Shape::Size,
            "50GiB",
            "The most bytes that all worktrees in the stores may take on disk.",
        )
        .rule("spec 11"),
    ],
    extras: false,
};

static MANIFEST: Level = Level {
    what: "a manifest",
    keys: &[key(
        "state",
        Shape::Text,
        "/var/lib/runs",
        "The directory of its state.",
    )
    .later()],
    extras: false,
};

static SUBMODULES: [Word; 2] = [
    word("hold", "it holds the worktree"),
    word(
        "remove-published",
        "those that are clean, as recorded, and published whole go with their worktree, each as a \
         step; one that has anything of its own holds",
    ),
];

static DEAD_LOCKS: [Word; 2] = [
    word(
        "report",
        "it holds, and the report says that its process is dead",
    ),
    word("lift", "it is lifted, as a step of the plan"),
];

static PROCESSES: [Word; 2] = [
    word(
        "visible",
        "it is counted, named in every output, and does not hold",
    ),
    word("strict", "it holds: for root, or where all are one user's"),
];

static PID_NAMESPACE: [Word; 2] = [
    word(
        "host",
        "in another namespace than the host's, nothing may go",
    ),
    word(
        "own",
        "everybody who uses these trees runs in this namespace",
    ),
];
