//! The conditions of a rule's `when`.

use super::key::{Key, Level, Shape, Word, key, word};

/// A condition.
pub(in crate::policy) static CONDITION: Level = Level {
    what: "a condition",
    keys: &KEYS,
    extras: false,
};

static STATES: [Word; 9] = [
    word("pending", "it waits for a run"),
    word("active", "a run is under way"),
    word("review", "a run has succeeded, and it waits for a decision"),
    word("blocked", "a run has failed, or something is in its way"),
    word("exhausted", "no run is left"),
    word("done", "accepted"),
    word("cancelled", "dropped, or taken back"),
    word(
        "none",
        "no job recorded the worktree, and no open one is like it",
    ),
    word(
        "gone",
        "no job is like the worktree in any way, and the ledger has known the repository since \
         before the worktree was made; it rests on no recorded tip, so that only what passes \
         every guard goes",
    ),
];

static KEYS: [Key; 21] = [
    key(
        "project",
        Shape::Patterns,
        "acme",
        "The project's name matches one of the globs; `*` crosses `/`.",
    ),
    key(
        "store",
        Shape::Patterns,
        ".claude/worktrees/*",
        "The path of the store that the worktree lies in, as the policy spells it, \
         matches one of the globs; `*` is part of one component, `**` crosses them.",
    ),
    key(
        "path",
        Shape::Patterns,
        "\"**/agent-*\"",
        "The worktree's path, absolute or relative to the project's root, matches one \
         of the globs; `*` is part of one component, `**` crosses them. No glob has a negation: see \
         `not`.",
    ),
    key(
        "branch",
        Shape::Patterns,
        "[\"release/*\", \"keep/*\"]",
        "HEAD is on a branch whose short name matches one of the globs; `*` crosses \
         `/`. A detached worktree has none.",
    ),
    key(
        "job",
        Shape::Either(&[Shape::Words(&STATES), Shape::Some(&Shape::Words(&STATES))]),
        "[done, cancelled]",
        "The job that recorded the worktree (its path, and the directory and administrative entry \
         that were there) is in this state, or in one of these. `done` and `cancelled` hold only \
         with the job's branch checked out, at the tip that the decision recorded; with another \
         branch or commit, or without a recorded tip, they are unknown. A job that is like the worktree in its branch, its old \
         place or its directory's name alone lets nothing go, and can only hold it. A job that is \
         open (any state but `done` and `cancelled`) holds the worktree whatever a rule says; but \
         one in review whose branch has landed is accepted, and its worktree goes, where no keep \
         holds. Where a source of jobs cannot be read, or a ledger that is needed is missing (see \
         `jobs`), everything about jobs is unknown.",
    )
    .rule("spec 8"),
    key(
        "label",
        Shape::Patterns,
        "nightly",
        "A label of the job that recorded the worktree matches one of the globs; `*` crosses `/`. \
         Without a job it does not hold; with one that is only like the worktree it is unknown.",
    )
    .rule("spec 8"),
    key(
        "owner",
        Shape::Patterns,
        "none",
        "Who holds it: a session, an agent, none, or unknown.",
    )
    .rule("spec 9")
    .later(),
    key(
        "harness",
        Shape::Patterns,
        "codex",
        "The harness that made it.",
    )
    .rule("spec 9")
    .later(),
    key(
        "landed",
        Shape::Boolean,
        "true",
        "The base branch, or its remote-tracking ref, has the work: as an ancestor, \
         with the same tree, because merging adds nothing, commit by commit, or as one \
         commit. Work in doubt (reverted, empty as a whole) is not landed.",
    )
    .rule("spec 4.1"),
    key(
        "published",
        Shape::Boolean,
        "true",
        "Every commit of HEAD is reachable from a remote-tracking ref of a remote that \
         is configured now.",
    )
    .rule("spec 4.1"),
    key(
        "own-commits",
        Shape::Boolean,
        "false",
        "The branch has, or has had, a commit of its own; `false` is one that was made \
         and never worked on.",
    )
    .rule("spec 4.1"),
    key("detached", Shape::Boolean, "true", "HEAD names no branch."),
    key(
        "locked",
        Shape::Boolean,
        "false",
        "git's lock is on it. A locked worktree is held in any case.",
    )
    .rule("spec 5, guard 4"),
    key(
        "clean",
        Shape::Boolean,
        "true",
        "Nothing tracked is changed, and nothing is untracked; ignored files have no \
         say.",
    )
    .rule("spec 5.1"),
    key(
        "idle-over",
        Shape::Duration,
        "1d",
        "Nothing has happened in it for longer than this: no move of HEAD, no commit, \
         no file saved.",
    )
    .rule("spec 4.2"),
    key(
        "age-over",
        Shape::Duration,
        "2w",
        "It was made longer ago than this.",
    )
    .rule("spec 4.2"),
    key(
        "job-age-over",
        Shape::Duration,
        "7d",
        "The job that recorded the worktree was made longer ago than this, in whichever state it \
         is now. Without a job it does not hold; with one that is only like the worktree it is \
         unknown.",
    )
    .rule("spec 8"),
    key(
        "size-over",
        Shape::Size,
        "5GiB",
        "Removing it gives back more bytes than this.",
    ),
    key(
        "any",
        Shape::Some(&Shape::Map(&CONDITION)),
        "[{ landed: true }, { published: true }]",
        "At least one of the conditions holds.",
    ),
    key(
        "all",
        Shape::List(&Shape::Map(&CONDITION)),
        "[{ clean: true }, { landed: true }]",
        "Each of the conditions holds; `all: []` always does.",
    ),
    key(
        "not",
        Shape::Map(&CONDITION),
        "{ branch: main }",
        "The condition does not hold; what could not be told stays so.",
    ),
];
