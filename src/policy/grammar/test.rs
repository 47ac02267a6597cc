//! `tests`: what a policy should say of a worktree.

use super::key::{Key, Level, Shape, Word, key, word};

/// One entry of `tests`.
pub(in crate::policy) static TEST: Level = Level {
    what: "a test",
    keys: &[
        key(
            "name",
            Shape::Text,
            "landed work goes",
            "What it shows; unique in the policy.",
        )
        .required(),
        key(
            "tree",
            Shape::Map(&TREE),
            "{ branch: fix/login, landed: squash }",
            "A worktree in a few words. What is left out is harmless and known: nothing \
         holds it, and it is neither landed nor published; but whether there is a ledger of \
         jobs, a policy that asks for jobs must be told with `job`. Either this or \
         `observation`.",
        ),
        key(
            "observation",
            Shape::Text,
            "monday.json",
            "What `owl observe` wrote, as a path relative to the policy's own directory. \
         Either this or `tree`.",
        ),
        key(
            "expect",
            Shape::Either(&[
                Shape::Words(&VERDICTS),
                Shape::Map(&EXPECT),
                Shape::Free(&Shape::Either(&[
                    Shape::Words(&VERDICTS),
                    Shape::Map(&EXPECT),
                ])),
            ]),
            "{ verdict: remove, rule: finished }",
            "The verdict alone, or more of the row that the plan should have; for an \
         observation, the same under each address that matters.",
        )
        .required(),
    ],
    extras: false,
};

/// `expect`.
pub(in crate::policy) static EXPECT: Level = Level {
    what: "an expectation",
    keys: &[
        key(
            "verdict",
            Shape::Words(&VERDICTS),
            "remove",
            "What the plan should say.",
        ),
        key(
            "rule",
            Shape::Text,
            "finished",
            "The name of the rule that should decide; `none` for no rule.",
        ),
        key(
            "reason",
            Shape::Text,
            "squash",
            "The reason code that the row should have (`spec 5`, `spec 12`).",
        ),
    ],
    extras: false,
};

static VERDICTS: [Word; 5] = [
    word("remove", "the worktree would go"),
    word("prune", "its administrative entry would go"),
    word("hold", "it stays, and a person must look"),
    word("keep", "it stays, and nobody needs to act"),
    word("ignore", "it is none of owl's business"),
];

static JOB: [Word; 10] = [
    word("pending", "it waits for a run"),
    word("active", "a run is under way"),
    word("review", "a run has succeeded, and it waits for a decision"),
    word("blocked", "a run has failed, or something is in its way"),
    word("exhausted", "no run is left"),
    word("done", "accepted, at the commit of HEAD"),
    word("cancelled", "dropped or taken back, at the commit of HEAD"),
    word(
        "none",
        "no job, and a ledger that came to know the repository after the worktree was made, so \
         that `job: gone` is unknown",
    ),
    word(
        "gone",
        "no job, and a ledger that has known the repository for longer, so that `job: gone` holds",
    ),
    word("unknown", "the ledger cannot be read"),
];

static UNKNOWN: [Word; 1] = [word("unknown", "it could not be told")];

static LANDED: [Word; 6] = [
    word("ancestor", "the base contains the commit"),
    word("same-tree", "the base has the same tree"),
    word("merge-adds-nothing", "merging it would add nothing"),
    word("patch-ids", "the base has every commit as a patch"),
    word("squash", "the base has the branch as one commit"),
    word("unknown", "it could not be told"),
];

/// A fact that is yes, no, or unknown.
const YES_NO: Shape = Shape::Either(&[Shape::Boolean, Shape::Words(&UNKNOWN)]);
const TIME: Shape = Shape::Either(&[Shape::Duration, Shape::Words(&UNKNOWN)]);
const PATHS: Shape = Shape::Either(&[Shape::List(&Shape::Text), Shape::Words(&UNKNOWN)]);

/// `tree`.
pub(in crate::policy) static TREE: Level = Level {
    what: "a tree",
    keys: &KEYS,
    extras: false,
};

static KEYS: [Key; 21] = [
    key(
        "name",
        Shape::Text,
        "fix-login",
        "The name of its administrative entry, and of its directory.",
    )
    .default("tree"),
    key("project", Shape::Text, "acme", "The project's name.").default("app"),
    key(
        "store",
        Shape::Text,
        ".claude/worktrees/*",
        "The store that it lies in, as the policy spells it.",
    )
    .default("the policy's first store"),
    key(
        "path",
        Shape::Text,
        ".claude/worktrees/fix-login",
        "Its path: absolute, or relative to the project's root.",
    )
    .default("the store's path, with the name for each glob"),
    key(
        "branch",
        Shape::Text,
        "release/1.2",
        "The branch that HEAD names.",
    )
    .default("the name"),
    key("detached", Shape::Boolean, "true", "HEAD names no branch.").default("false"),
    key(
        "landed",
        Shape::Either(&[Shape::Boolean, Shape::Words(&LANDED)]),
        "squash",
        "Whether, and by which proof, the base has its work; `true` is `ancestor`.",
    )
    .default("false")
    .rule("spec 4.1"),
    key(
        "published",
        YES_NO,
        "true",
        "Whether a remote has its work.",
    )
    .default("false")
    .rule("spec 4.1"),
    key(
        "own-commits",
        YES_NO,
        "false",
        "Whether the branch has a commit of its own.",
    )
    .default("true")
    .rule("spec 4.1"),
    key(
        "clean",
        YES_NO,
        "false",
        "Whether nothing tracked is changed.",
    )
    .default("true")
    .rule("spec 5.1"),
    key("untracked", PATHS, "[notes.md]", "Its untracked files.")
        .default("[]")
        .rule("spec 5.1"),
    key(
        "ignored",
        Shape::Either(&[
            Shape::List(&Shape::Text),
            Shape::Free(&Shape::Size),
            Shape::Words(&UNKNOWN),
        ]),
        "{ dist/app.js: 3MiB }",
        "Its ignored files that nothing but the policy's `rebuildable` and `precious` \
         speaks of, with or without their sizes.",
    )
    .default("[]")
    .rule("spec 5.4"),
    key(
        "locked",
        Shape::Either(&[Shape::Boolean, Shape::Text]),
        "in use by me",
        "Whether, or with which reason, it is locked; `unknown` for a lock that cannot \
         be read.",
    )
    .default("false")
    .rule("spec 5, guard 4"),
    key("idle", TIME, "3d", "How long nothing has happened in it.")
        .default("30d, or the age if that is less")
        .rule("spec 4.2"),
    key("age", TIME, "10d", "How long ago it was made.")
        .default("60d, or the idle time if that is more")
        .rule("spec 4.2"),
    key(
        "size",
        Shape::Either(&[Shape::Size, Shape::Words(&UNKNOWN)]),
        "2GiB",
        "The bytes that removing it gives back.",
    )
    .default("1MiB"),
    key("process", YES_NO, "true", "Whether a process uses it.")
        .default("false")
        .rule("spec 5.2"),
    key(
        "gone",
        Shape::Boolean,
        "true",
        "Whether its directory is gone, so that only the administrative entry is left.",
    )
    .default("false")
    .rule("spec 5"),
    key(
        "job",
        Shape::Words(&JOB),
        "review",
        "The state of the job of the ledger that recorded it, or that there is none. The job's \
         branch is that of the tree, or if that is detached, of its name. Left out, there is no \
         ledger at all: that changes nothing for a policy that asks for no job, and one that does \
         ask holds the tree, as it would on a machine without a ledger. So each test of a policy \
         with rules on jobs says `job: none`, or which one.",
    )
    .default("no ledger")
    .rule("spec 8"),
    key(
        "labels",
        Shape::List(&Shape::Text),
        "[nightly, ui]",
        "The labels of its job; only with a job.",
    )
    .default("[]")
    .rule("spec 8"),
    key(
        "job-age",
        Shape::Duration,
        "8d",
        "How long ago its job was made and came to its state; only with a job.",
    )
    .default("0s")
    .rule("spec 8"),
];
