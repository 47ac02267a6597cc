//! The removal engine against races, kills, failures, and other owls (`spec 7`, `git-facts 1` to
//! `4`, `20`; `incidents` F).

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "figures and skipped tests are told"
)]

mod alive;
mod failure;
mod incidents;
mod journal;
mod kill;
mod race;
mod recovery;
mod scene;
mod since;
mod taken;
