//! What the distributions in a Python environment say that they have installed.

use super::{Roster, flat, folder_in, names_in, text_of};
use crate::observe::ignored::pattern::any;
use crate::observe::ignored::{Level, kept};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

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

/// Directories of an environment besides those of packages and programs: nothing lies there but
/// what a distribution says that it has put there.
const OTHERS: [&str; 5] = ["include", "Include", "share", "man", "etc"];

/// Reads the record of every distribution.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let mut roster = Roster::default();
    roster.shelf("bin", BIN);
    for other in OTHERS {
        roster.shelf(other, &[]);
    }
    // Debian's interpreter puts the wheels there that it installs pip from.
    roster.shelf("share", &["python-wheels"]);
    roster.shelf("share/python-wheels", &["*.whl"]);
    // A `lib64` that is a link is not entered.
    for name in ["lib", "lib64"] {
        let Some(lib) = folder_in(level.handle(), name.as_bytes())? else {
            continue;
        };
        roster.shelf(name, &[]);
        for python in names_in(&lib)? {
            if !any(&["python*", "pypy*"], python.as_bytes()) {
                continue;
            }
            let Some(inner) = folder_in(&lib, python.as_bytes())? else {
                continue;
            };
            roster.shelf(name, &[]).named.insert(python.clone());
            let at = Path::new(name).join(&python);
            roster.shelf(&at, &["site-packages"]);
            add_site(&mut roster, &inner, &at.join("site-packages"))?;
        }
    }
    Ok(Some(roster))
}

/// Adds the distributions in the directory `shelf`, which is below the open one.
fn add_site(roster: &mut Roster, above: &OwnedFd, shelf: &Path) -> Result<(), Errno> {
    let Some(site) = folder_in(above, b"site-packages")? else {
        return Ok(());
    };
    roster.shelf(shelf, SITE);
    for name in names_in(&site)? {
        if any(&["*.dist-info", "*.egg-info"], name.as_bytes())
            && let Some(distribution) = folder_in(&site, name.as_bytes())?
        {
            add(roster, shelf, &distribution)?;
        }
    }
    Ok(())
}

/// Adds the names of one distribution: `RECORD` has a path a line, relative to where packages lie.
fn add(roster: &mut Roster, shelf: &Path, distribution: &OwnedFd) -> Result<(), Errno> {
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
        if let Some(path) = path.filter(|path| !path.is_empty()) {
            add_file(roster, shelf, path);
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

/// Adds one file of a record: among packages what is at the top, elsewhere every directory on the
/// way and the file itself.
fn add_file(roster: &mut Roster, shelf: &Path, path: &str) {
    let Some(file) = flat(&shelf.join(path)) else {
        return;
    };
    if let Some(name) = file.file_name()
        && kept::is_key_by_chance(name.as_bytes())
    {
        roster.listed.insert(file.clone());
    }
    if file.starts_with(shelf) {
        if let Some(first) = file.iter().nth(shelf.iter().count()) {
            roster.shelf(shelf, SITE).named.insert(first.to_owned());
        }
        return;
    }
    for step in file.ancestors() {
        let (Some(at), Some(name)) = (step.parent(), step.file_name()) else {
            return;
        };
        // What lies at the top of the environment is the row's to tell.
        if at.as_os_str().is_empty() {
            return;
        }
        let shelf = roster.shelves.entry(at.to_owned()).or_default();
        shelf.named.insert(name.to_owned());
    }
}
