//! What the distributions in a Python environment say that they have installed.

use super::{Roster, folder_in, names_in, text_of};
use crate::observe::ignored::Level;
use crate::observe::ignored::pattern::any;
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

/// What lies between packages without a record, or is one.
const SITE: &[&str] = &[
    "*.dist-info",
    "*.egg-info",
    "*.egg",
    "*.egg-link",
    "*.pth",
    "__pycache__",
    "_virtualenv.py",
    // Installed with the environment, by programs that leave the record out.
    "pip",
    "setuptools",
    "pkg_resources",
    "_distutils_hack",
    "wheel",
    "easy_install.py",
];

/// What the programs that make environments put into `bin`.
const BIN: &[&str] = &[
    "activate",
    "activate.*",
    "Activate.ps1",
    "activate_this.py",
    "deactivate.*",
    "pydoc.bat",
    "python",
    "python2*",
    "python3*",
    "pypy",
    "pypy3*",
    "pip",
    "pip3*",
    "wheel",
    "wheel3*",
    "easy_install",
    "easy_install-3*",
    "__pycache__",
];

/// Reads the record of every distribution.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let mut roster = Roster::default();
    roster.shelf("bin", BIN);
    let Some(lib) = folder_in(level.handle(), b"lib")? else {
        return Ok(Some(roster));
    };
    for python in names_in(&lib)? {
        let Some(inner) = folder_in(&lib, python.as_bytes())? else {
            continue;
        };
        let Some(site) = folder_in(&inner, b"site-packages")? else {
            continue;
        };
        let shelf = format!("lib/{}/site-packages", python.to_string_lossy());
        roster.shelf(&shelf, SITE);
        for name in names_in(&site)? {
            if any(&["*.dist-info", "*.egg-info"], name.as_bytes())
                && let Some(distribution) = folder_in(&site, name.as_bytes())?
            {
                add(&mut roster, &shelf, &distribution)?;
            }
        }
    }
    Ok(Some(roster))
}

/// Adds the names of one distribution: `RECORD` has a path a line, relative to where packages lie.
fn add(roster: &mut Roster, shelf: &str, distribution: &OwnedFd) -> Result<(), Errno> {
    let text = |name: &str| {
        let text = text_of(distribution, name.as_bytes())?;
        Ok::<_, Errno>(text.map_or_else(String::new, |text| {
            String::from_utf8_lossy(&text).into_owned()
        }))
    };
    for line in text("RECORD")?.lines() {
        let path = match line.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => line.split(',').next(),
        };
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            continue;
        };
        if let Some(program) = path.strip_prefix("../../../bin/") {
            roster.shelf("bin", BIN).named.insert(program.into());
        } else if let Some(first) = path.split('/').next().filter(|first| *first != "..") {
            roster.shelf(shelf, SITE).named.insert(first.into());
        }
    }
    // Older ones have no record, but say which packages and programs are theirs.
    for package in text("top_level.txt")?.lines() {
        let named = &mut roster.shelf(shelf, SITE).named;
        named.insert(package.trim().into());
        named.insert(format!("{}.py", package.trim()).into());
    }
    for line in text("entry_points.txt")?.lines() {
        if let Some((program, _)) = line.split_once('=') {
            let named = &mut roster.shelf("bin", BIN).named;
            named.insert(program.trim().into());
        }
    }
    Ok(())
}
