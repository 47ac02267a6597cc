//! Apply through the library: observe, plan, approve, change the world, apply (`spec 7`).

#[path = "../support/mod.rs"]
mod support;

mod changed;
mod last_moment;
mod look_again;
mod runs;

#[test]
fn the_same_as_an_ordinary_user() {
    support::ordinary::run_as_nobody("apply::the_same_as_an_ordinary_user");
}
