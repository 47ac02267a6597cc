//! `submodules: remove-published` (`spec 3`, guard 9, `spec 7.4`; `incidents 46`, `47`): whatever of a
//! submodule is nowhere else holds, and what has nothing of its own goes with its worktree, by git's
//! removal without force.

mod built;
mod changed;
mod kill;
mod losable;
#[path = "../engine/scene.rs"]
#[expect(
    dead_code,
    clippy::print_stderr,
    reason = "the engine's own tests use the rest, and skipped tests are told"
)]
mod scene;
#[path = "../support/mod.rs"]
mod support;
