//! What npm, pnpm, and yarn have put into the `node_modules` of a package of a workspace: what
//! npm's record at the top of the workspace names there, links, and the scripts of pnpm.
//!
//! Invariant: a link counts only if it leads, by its text, into the `node_modules` at the top, into
//! this one, or to another package of the workspace.

use super::node::{NPM, PNPM, YARN, places};
use super::{Roster, flat, folder_in, names_in, text_of};
use crate::observe::ignored::Level;
use rustix::fs::readlinkat;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const MODULES: &str = "node_modules";

/// How every script of pnpm starts.
const SCRIPT: &[u8] = b"#!/bin/sh\nbasedir=$(dirname ";

/// The top of the workspace that the directory `level` belongs to: the nearest directory above its
/// package in which a package manager has left a record. `path` is relative to the tree.
fn top<'l, 'p>(
    level: &Level<'l>,
    path: &'p Path,
) -> Result<Option<(&'l Level<'l>, &'p Path)>, Errno> {
    let mut at = level.above().and_then(Level::above);
    let mut place = path.parent().and_then(Path::parent);
    while let (Some(level), Some(here)) = (at, place) {
        if level.has_file(b"package.json")? {
            for record in [NPM, PNPM, YARN] {
                if level.holds(&format!("{MODULES}/{record}"))? {
                    return Ok(Some((level, here)));
                }
            }
        }
        (at, place) = (level.above(), here.parent());
    }
    Ok(None)
}

/// Whether the directory is that of a package of a workspace.
pub(in crate::observe::ignored) fn is_inner(level: &Level<'_>) -> Result<bool, Errno> {
    Ok(top(level, &place_of(level))?.is_some())
}

/// Where a directory is, relative to the tree.
fn place_of(level: &Level<'_>) -> PathBuf {
    match level.above() {
        Some(above) => place_of(above).join(OsStr::from_bytes(level.name())),
        None => PathBuf::new(),
    }
}

/// Reads what is named there, and the links that are there.
pub(super) fn read(level: &Level<'_>, path: &Path) -> Result<Option<Roster>, Errno> {
    let Some((above, place)) = top(level, path)? else {
        return Ok(None);
    };
    let Some(modules) = folder_in(above.handle(), MODULES.as_bytes())? else {
        return Ok(None);
    };
    let mut roster = Roster::default();
    roster.shelf("", &[]);
    if let Some(text) = text_of(&modules, NPM.as_bytes())? {
        for named in places(&text).into_iter().flatten() {
            let named = place.join(named);
            if !named.starts_with(path) {
                continue;
            }
            let mut parts = named.iter().skip(path.iter().count());
            let (Some(first), second) = (parts.next(), parts.next()) else {
                continue;
            };
            roster.shelf("", &[]).named.insert(first.to_owned());
            if let Some(second) = second.filter(|_| first.as_bytes().starts_with(b"@")) {
                roster.shelf(first, &[]).named.insert(second.to_owned());
            }
        }
    }
    let mut found = Found {
        top: above,
        modules: place.join(MODULES),
        own: path,
        links: BTreeSet::new(),
    };
    for name in level.names() {
        let name = OsStr::from_bytes(name);
        found.look(level.handle(), Path::new(name), place)?;
        let is_shelf = name == ".bin" || name.as_bytes().starts_with(b"@");
        let Some(folder) = is_shelf
            .then(|| folder_in(level.handle(), name.as_bytes()))
            .transpose()?
            .flatten()
        else {
            continue;
        };
        roster.shelf("", &[]).named.insert(name.to_owned());
        roster.shelf(name, &[]);
        let is_pnpm = name == ".bin" && text_of(&modules, PNPM.as_bytes())?.is_some();
        for inner in names_in(&folder)? {
            found.look(&folder, &Path::new(name).join(&inner), place)?;
            if is_pnpm && is_script(&folder, &inner)? {
                roster.shelf(name, &[]).named.insert(inner);
            }
        }
    }
    roster.links = Some(found.links);
    Ok(Some(roster))
}

/// The links that are found to be a package manager's.
struct Found<'a> {
    /// The top of the workspace.
    top: &'a Level<'a>,
    /// Its `node_modules`, relative to the tree.
    modules: PathBuf,
    /// This one, likewise.
    own: &'a Path,
    links: BTreeSet<PathBuf>,
}

impl Found<'_> {
    /// Looks at `below`, relative to the directory, whose last part is in the open one; `place` is
    /// the top of the workspace.
    fn look(&mut self, at: &OwnedFd, below: &Path, place: &Path) -> Result<(), Errno> {
        let Some(name) = below.file_name() else {
            return Ok(());
        };
        let target = match readlinkat(at, name, Vec::new()) {
            Ok(target) => target,
            Err(Errno::INVAL | Errno::NOENT) => return Ok(()),
            Err(why) => return Err(why),
        };
        let link = self.own.join(below);
        let text = Path::new(OsStr::from_bytes(target.to_bytes()));
        let Some(target) = link.parent().and_then(|at| flat(&at.join(text))) else {
            return Ok(());
        };
        let inside = [self.modules.as_path(), self.own]
            .iter()
            .any(|modules| target != *modules && target.starts_with(modules));
        if inside || self.is_package(&target, place)? {
            self.links.insert(below.to_owned());
        }
        Ok(())
    }

    /// Whether there is a package at `target`, below the top of the workspace.
    fn is_package(&self, target: &Path, place: &Path) -> Result<bool, Errno> {
        if !target.starts_with(place) {
            return Ok(false);
        }
        let mut at: Option<OwnedFd> = None;
        for part in target.iter().skip(place.iter().count()) {
            let next = match &at {
                Some(at) => folder_in(at, part.as_bytes())?,
                None => folder_in(self.top.handle(), part.as_bytes())?,
            };
            match next {
                Some(next) => at = Some(next),
                None => return Ok(false),
            }
        }
        match at {
            Some(at) => Ok(text_of(&at, b"package.json")?.is_some()),
            None => Ok(false),
        }
    }
}

/// Whether the file is a script that pnpm makes to start a program.
fn is_script(at: &OwnedFd, name: &OsStr) -> Result<bool, Errno> {
    let text = text_of(at, name.as_bytes())?;
    Ok(text.is_some_and(|text| text.starts_with(SCRIPT)))
}
