//! `incidents` B to E that no other test rebuilds. `snapshots/guards__incidents.snap` says which test holds
//! which number, those of the other files too.

mod dirt;
mod index;
mod liveness;
mod private;
mod target;
