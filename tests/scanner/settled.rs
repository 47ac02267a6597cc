//! Worktrees whose indexes are older than nothing but themselves, and what the scanner says of them.

use crate::support::aging::{age, touch};
use crate::support::yard::{Yard, now};
use owl::observe::{Glimpse, Place, glimpse};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Lets the indexes of worktrees become older than everything, as after any later `git status`.
pub(crate) fn settle(yard: &Yard, names: &[&str]) {
    let tick = || std::thread::sleep(Duration::from_millis(1100));
    // Git compares whole seconds: a ctime that changes within one is not taken into the index.
    tick();
    for name in names {
        age(&yard.path(name));
    }
    tick();
    for name in names {
        let words = ["update-index", "-q", "--refresh"];
        drop(yard.repo.try_git(&yard.path(name), words));
        let entry = yard.entry(name);
        age(&entry);
        touch(&entry.join("index"), now().as_second());
    }
}

/// What the scanner says of a worktree.
pub(crate) fn told(yard: &Yard, name: &str) -> Result<Glimpse, &'static str> {
    let place = Place {
        root: yard.repo.main(),
        common_dir: yard.repo.common_dir(),
    };
    glimpse(&yard.git(), &place, &yard.entry(name), &yard.path(name)).expect("it is sound")
}

#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
pub(crate) fn erase(path: &Path) {
    fs::remove_file(path).expect("it is there");
}
