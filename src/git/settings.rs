//! Settings that every call fixes with `-c`, above any file of the user or the repository.
//!
//! git hands them to its own children (`GIT_CONFIG_PARAMETERS`), so that the status inside
//! `git worktree remove` sees them as well (`git-facts 5`); `tests/git.rs` proves it.
//!
//! Not fixed: `core.worktree` and `core.bare`. An invalid pair of them in `config.worktree` is
//! fatal before `-c` counts; an explicit `--git-dir` and `--work-tree` is what outranks them
//! (`git-facts 36`). Nor `safe.directory`: "dubious ownership" stays an error.

/// The settings, in the form that `-c` takes.
pub(super) const FIXED: [&str; 33] = [
    // Nothing of the repository runs, and nothing runs later (`git-facts 49`).
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.editor=true",
    "core.askPass=true",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "log.showSignature=false",
    // Status sees everything, from the disk and not from a cache (`git-facts 5`, `10`, `11`).
    "core.untrackedCache=false",
    "core.ignoreCase=false",
    "core.fileMode=true",
    "core.symlinks=true",
    "core.checkStat=default",
    "core.trustctime=true",
    "core.ignoreStat=false",
    "sparse.expectFilesOutsideOfPatterns=false",
    "status.showUntrackedFiles=all",
    "status.renames=false",
    "status.relativePaths=false",
    "status.branch=false",
    "status.showStash=false",
    "status.aheadBehind=false",
    "status.submoduleSummary=false",
    "diff.ignoreSubmodules=none",
    "submodule.recurse=false",
    // Commits come from objects: a wrong commit-graph file must not bend the second witness.
    "core.commitGraph=false",
    "core.useReplaceRefs=false",
    // Output is bytes for a parser, and standard error holds only what matters.
    "core.quotePath=false",
    "core.warnAmbiguousRefs=false",
    "i18n.logOutputEncoding=UTF-8",
    "color.ui=false",
    "advice.graftFileDeprecated=false",
];

/// Lets discovery start inside a bare repository or a `.git` directory that the caller named. The
/// setting guards against a bare repository that nobody named.
pub(super) const NAMED_BARE: &str = "safe.bareRepository=all";
