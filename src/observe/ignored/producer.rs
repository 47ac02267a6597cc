//! One row of the table of producers, and how its proof is looked at.

use super::producers::{ANONYMOUS, all};
use super::roster::{Record, workspace};
use super::{Level, kept, pattern};
use rustix::io::Errno;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The signature of a cache directory, as the specification has it: the first 43 bytes of a
/// regular file (`ecosystem 5a`).
const SIGNATURE: &[u8; 43] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// Small files that a check reads whole.
const SMALL: u64 = 4 << 20;

/// Who writes a directory, and how that is proven.
#[derive(Debug)]
pub(crate) struct Producer {
    /// What the directory may be called.
    pub(super) names: &'static [&'static str],
    /// What must be inside: of each group at least one ([`Level::holds`]). Empty: only a tag proves
    /// it.
    pub(super) inside: &'static [&'static [&'static str]],
    /// What must be beside, likewise.
    pub(super) beside: &'static [&'static [&'static str]],
    /// How many levels above the directory "beside" is.
    pub(super) up: usize,
    /// What a file inside must say.
    pub(super) check: Option<Check>,
    /// Files that the producer writes directly into the directory; any other is somebody's.
    pub(super) writes: &'static [&'static str],
    /// Files of its own anywhere in it that are called like a person's work, or by a number; paths
    /// relative to the directory, each component as [`pattern::spells`] has it.
    pub(super) spelled: &'static [&'static str],
    /// Directories that it writes there; none: any. Others are judged on their own.
    pub(super) folders: Option<&'static [&'static str]>,
    /// What shows that a directory there is its own, whatever it is called ([`Level::holds`]).
    pub(super) marks: &'static [&'static str],
    /// Symlinks that it makes there.
    pub(super) links: &'static [&'static str],
    /// Where in it installed packages lie: below, key files are the package's own.
    pub(super) packages: &'static [&'static str],
    /// What the top of such a package must have.
    pub(super) manifest: Option<&'static [u8]>,
    /// What says which packages or files it has put there.
    pub(super) record: Option<Record>,
    /// Directories in which it writes no prose but licences.
    pub(super) terse: &'static [&'static str],
}

/// What a file inside must say, besides being there.
#[derive(Debug)]
pub(super) enum Check {
    /// `CMAKE_HOME_DIRECTORY` names this tree, or a directory of it.
    CmakeHome,
    /// The file contains these bytes.
    Says(&'static [u8], &'static [u8]),
    /// The file inside equals the one beside.
    Equals(&'static [u8], &'static [u8]),
    /// The directory around it has this name.
    In(&'static [u8]),
    /// It is the `node_modules` of a package of a workspace.
    Workspace,
    /// This file is beside, or in a directory further up.
    Above(&'static [u8]),
}

impl Producer {
    /// Who is proven to have written the directory; none if nobody is. `tree` is the resolved root
    /// of the worktree.
    pub(super) fn of(level: &Level<'_>, tree: &Path) -> Result<Option<&'static Self>, Errno> {
        if kept::is_kept_directory(level.name()) {
            return Ok(None);
        }
        for producer in all() {
            if producer.has_name(level) && producer.is_proven(level, tree)? {
                return Ok(Some(producer));
            }
        }
        if level.start_of(b"CACHEDIR.TAG", 43)?.as_deref() != Some(SIGNATURE) {
            return Ok(None);
        }
        let called = |producer: &&Self| producer.names != ["*"] && producer.has_name(level);
        Ok(all().find(called).or(Some(&ANONYMOUS)))
    }

    /// Whether it writes such a file directly into its directory.
    pub(super) fn writes(&self, name: &[u8]) -> bool {
        if self.is_anonymous() {
            let about = pattern::any(&["README*", ".gitignore", "CACHEDIR.TAG"], name);
            return about || !(kept::is_document(name) || kept::is_key(name));
        }
        pattern::any(self.writes, name)
    }

    /// Whether the file at `path`, relative to its directory, is its own though called like a
    /// person's.
    pub(super) fn spells(&self, path: &Path) -> bool {
        let parts: Vec<&[u8]> = path.iter().map(OsStrExt::as_bytes).collect();
        self.spelled.iter().any(|spelled| {
            let wanted: Vec<&str> = spelled.split('/').collect();
            let pairs = wanted.iter().zip(&parts);
            wanted.len() == parts.len() && { pairs }
                .all(|(wanted, part)| pattern::spells(wanted.as_bytes(), part))
        })
    }

    /// Whether it makes such a symlink there.
    pub(super) fn links(&self, name: &[u8]) -> bool {
        pattern::any(self.links, name)
    }

    /// Whether it writes the directory of `level` directly into its own.
    pub(super) fn has_folder(&self, level: &Level<'_>) -> Result<bool, Errno> {
        let Some(folders) = self.folders else {
            return Ok(true);
        };
        if pattern::any(folders, level.name()) {
            return Ok(true);
        }
        for mark in self.marks {
            if level.holds(mark)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it writes such a file somewhere below its directory. What a person works on is
    /// nobody's build output, however deep it lies; a tag alone vouches for no document at all.
    pub(super) fn writes_below(&self, name: &[u8]) -> bool {
        let person = kept::is_work(name) || (self.is_anonymous() && kept::is_document(name));
        !person && !kept::is_key(name)
    }

    /// Whether the directory at `path`, relative to the producer's own, is the top of an installed
    /// package. Hidden directories are no packages, unless the row says so.
    pub(super) fn is_package(&self, path: &Path, level: &Level<'_>) -> Result<bool, Errno> {
        if !fits(self.packages, path) {
            return Ok(false);
        }
        self.manifest.map_or(Ok(true), |name| level.has_file(name))
    }

    /// Whether a file directly in the directory at `path`, relative to the producer's own, is prose
    /// where it writes none.
    pub(super) fn is_prose(&self, path: &Path, name: &[u8]) -> bool {
        fits(self.terse, path) && kept::is_prose(name)
    }

    fn is_anonymous(&self) -> bool {
        self.names == ANONYMOUS.names && self.inside.is_empty()
    }

    fn has_name(&self, level: &Level<'_>) -> bool {
        pattern::any(self.names, level.name())
    }

    fn is_proven(&self, level: &Level<'_>, tree: &Path) -> Result<bool, Errno> {
        let is_workspace = matches!(self.check, Some(Check::Workspace));
        if (self.inside.is_empty() && !is_workspace) || !all_groups(self.inside, level)? {
            return Ok(false);
        }
        let mut beside = Some(level);
        for _ in 0..self.up {
            beside = beside.and_then(Level::above);
        }
        let Some(beside) = beside else {
            return Ok(false);
        };
        if !all_groups(self.beside, beside)? {
            return Ok(false);
        }
        match &self.check {
            None => Ok(true),
            Some(Check::CmakeHome) => {
                let cache = level.start_of(b"CMakeCache.txt", SMALL)?;
                Ok(cache.is_some_and(|cache| is_home(&cache, tree)))
            }
            Some(Check::Says(file, words)) => {
                let text = level.start_of(file, SMALL)?;
                let says = |text: Vec<u8>| text.windows(words.len()).any(|part| part == *words);
                Ok(text.is_some_and(says))
            }
            Some(Check::In(name)) => Ok(level.above().is_some_and(|above| above.name() == *name)),
            Some(Check::Workspace) => workspace::is_inner(level),
            Some(Check::Above(file)) => {
                let mut at = Some(beside);
                while let Some(level) = at {
                    if level.has_file(file)? {
                        return Ok(true);
                    }
                    at = level.above();
                }
                Ok(false)
            }
            Some(Check::Equals(inside, other)) => {
                let (one, two) = (
                    level.start_of(inside, SMALL)?,
                    beside.start_of(other, SMALL)?,
                );
                Ok(one.is_some() && one == two)
            }
        }
    }
}

/// Whether any pattern is the path, component by component; hidden ones only if it says so.
fn fits(patterns: &[&str], path: &Path) -> bool {
    let parts: Vec<&[u8]> = path.iter().map(OsStrExt::as_bytes).collect();
    patterns.iter().any(|pattern| {
        let wanted: Vec<&str> = pattern.split('/').collect();
        wanted.len() == parts.len()
            && wanted.iter().zip(&parts).all(|(wanted, part)| {
                pattern::matches(wanted, part)
                    && (wanted.starts_with('.') || !part.starts_with(b"."))
            })
    })
}

fn all_groups(groups: &[&[&str]], level: &Level<'_>) -> Result<bool, Errno> {
    for group in groups {
        let mut found = false;
        for one in *group {
            found = found || level.holds(one)?;
        }
        if !found {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a `CMake` cache was made from this tree: one that was copied here belongs to another.
fn is_home(cache: &[u8], tree: &Path) -> bool {
    let home = cache
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.strip_prefix(b"CMAKE_HOME_DIRECTORY:INTERNAL="));
    home.is_some_and(|home| {
        let home = home.strip_suffix(b"\r").map_or(home, |home| home);
        Path::new(std::ffi::OsStr::from_bytes(home)).starts_with(tree)
    })
}

#[cfg(test)]
mod tests {
    use super::{all, is_home};
    use std::path::Path;

    #[test]
    fn every_row_with_an_open_name_asks_for_something_inside() {
        for row in all() {
            let open = row.names.contains(&"*");
            assert!(!open || row.inside.len() > 1, "{row:?}");
            assert!(!row.names.is_empty() && row.up > 0, "{row:?}");
        }
    }

    #[test]
    fn a_cache_of_another_tree_is_no_proof() {
        let cache = b"# x\nCMAKE_HOME_DIRECTORY:INTERNAL=/a/b/src\n";
        assert!(is_home(cache, Path::new("/a/b")));
        assert!(!is_home(cache, Path::new("/a/b/src2")));
        assert!(!is_home(cache, Path::new("/a/bb")));
        assert!(!is_home(b"", Path::new("/")));
    }
}
