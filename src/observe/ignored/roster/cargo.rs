//! Which packages Cargo has from elsewhere: those with a `source` in `Cargo.lock`.

use super::{Roster, text_of};
use crate::observe::ignored::Level;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Reads the lock file beside; without one, no package is known to be installed.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let text = match level.above() {
        Some(above) => text_of(above.handle(), b"Cargo.lock")?,
        None => None,
    };
    let lock = text.as_deref().map_or("".into(), String::from_utf8_lossy);
    let mut roster = Roster {
        installed: Some(installed(&lock)),
        ..Roster::default()
    };
    roster.shelf("cargo-timings", &["cargo-timing*.html"]);
    Ok(Some(roster))
}

/// The names of packages that all have a source; members of the workspace have none.
fn installed(lock: &str) -> BTreeSet<OsString> {
    let (mut from_elsewhere, mut own) = (BTreeSet::new(), BTreeSet::new());
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key));
            line.map(|value| value.trim_matches([' ', '=', '"']))
        };
        let Some(name) = value("name ") else { continue };
        let side = match value("source ") {
            Some(_) => &mut from_elsewhere,
            None => &mut own,
        };
        side.insert(OsString::from(name));
    }
    &from_elsewhere - &own
}

#[cfg(test)]
mod tests {
    use super::installed;

    #[test]
    fn a_member_of_the_workspace_is_not_installed() {
        let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"1\"\ndependencies = [\n \"ssl\",\n]\n\n\
            [[package]]\nname = \"ssl\"\nversion = \"1\"\nsource = \"registry+x\"\n\n\
            [[package]]\nname = \"app\"\nversion = \"2\"\nsource = \"registry+x\"\n";
        let names: Vec<_> = installed(lock).into_iter().collect();
        assert_eq!(names, ["ssl"]);
        assert!(installed("").is_empty());
    }
}
