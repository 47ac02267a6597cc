//! The removal engine against races, kills, failures, and other owls (`spec 7`, `git-facts 1` to
//! `4`, `20`; `incidents` F).

mod failure;
mod incidents;
mod journal;
mod kill;
mod race;
mod scene;
mod taken;
