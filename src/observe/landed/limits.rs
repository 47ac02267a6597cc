//! How far the search for landed work goes. Past a bound the answer is unknown, never a no.
//!
//! Each bound is far above what a reviewed branch needs, and keeps one project within seconds and
//! within some hundred megabytes (`performance 3`).

/// Commits of one branch: a branch with more is a fork, not a piece of work.
pub(super) const OWN_COMMITS: usize = 1_000;

/// Paths that one branch changes, against its base or in a merge: each costs a lookup.
pub(super) const PATHS: usize = 20_000;

/// Commits of the base that are compared with the one before: a few microseconds each, as only
/// directories that a branch changed are entered.
pub(super) const BASE_COMMITS: usize = 200_000;

/// Size of a file whose lines are compared: longer ones are data, not text that people merge.
pub(super) const TEXT_BYTES: u64 = 4 << 20;

/// Bytes of all files whose lines are compared in a project: about ten seconds of work.
pub(super) const COMPARED_BYTES: u64 = 1 << 30;
