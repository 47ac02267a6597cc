//! The `owl` binary: parse, run, exit.
fn main() {}
