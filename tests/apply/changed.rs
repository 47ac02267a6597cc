//! One fact changed between approval and apply.

use crate::support::snapshot::Snapshot;
use crate::support::yard::{Yard, outcome, require_fate};
use owl::apply::Fate;
use std::fs;
use std::path::Path;
use std::process::Child;

/// Changes something between approval and apply; what must end with the test is returned.
pub(crate) type Change = fn(&Yard) -> Option<Running>;

/// A process that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().expect("it is ours");
        self.0.wait().expect("it is ours");
    }
}

/// After the change, the row `moved` has this fate and says these words; the control is removed.
pub(crate) fn keeps(name: &str, fate: Fate, words: &[&str], change: Change) {
    let yard = Yard::new();
    yard.landed("moved");
    stays(name, &yard, fate, words, change);
}

pub(crate) fn stays(name: &str, yard: &Yard, fate: Fate, words: &[&str], change: Change) {
    let approved = yard.approved(&["control", "moved"]);
    let running = change(yard);
    let (path, entry) = (yard.path("moved"), yard.entry("moved"));
    let kept: [&Path; 2] = [&path, &entry];
    let before = Snapshot::of(&kept);
    let done = yard.carry_out(&approved);
    let found = outcome(&done, &yard.address("moved"));
    assert_eq!(found.fate, fate, "{name}: {}", found.message);
    let said = |word: &str| found.message.contains(word);
    assert!(
        words.is_empty() || words.iter().any(|word| said(word)),
        "{name}: {}",
        found.message
    );
    before.require_same(name, &kept);
    require_fate(&done, &yard.address("control"), Fate::Removed);
    assert!(!yard.path("control").exists(), "{name}");
    drop(running);
}

#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
pub(crate) fn delete(path: &Path) {
    fs::remove_dir_all(path).expect("it is there");
}
