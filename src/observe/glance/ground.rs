//! What of a project's configuration the fast answer rests on.
//!
//! Input: the configuration as git itself reads it. Output: the ignore rules that hold in every
//! worktree. Invariant: a setting that could make one worktree differ from another, or git see the
//! disk with other eyes, is a reason to look closer at all of them.

use super::Closer;
use super::patterns::{MOST, Patterns};
use crate::git::{self, Setting};
use crate::observe::place::look;
use gix::bstr::BStr;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Settings under which git would read a worktree in another way.
const TRUE_IS_ODD: [&[u8]; 3] = [
    b"core.ignorecase",
    b"core.precomposeunicode",
    b"core.sparsecheckout",
];

/// Sections that a file which holds only for some worktrees may not have.
const WEIGHTY: [&[u8]; 6] = [
    b"core",
    b"extensions",
    b"filter",
    b"include",
    b"includeif",
    b"attr",
];

/// The ignore rules of a project, and whether it has filter drivers.
#[derive(Debug)]
pub(crate) struct Ground {
    /// The files that hold everywhere, the weightiest first.
    files: Vec<Patterns>,
    /// Whether any filter driver is configured.
    pub(crate) has_drivers: bool,
}

impl Ground {
    /// Reads the configuration and the ignore files that hold in all worktrees.
    pub(crate) fn of(git: &git::Repository) -> Result<Self, Closer> {
        let settings = git
            .config()
            .map_err(|_| Closer("the configuration could not be read"))?;
        // What is only the main worktree's says nothing of the others.
        let settings: Vec<&Setting> = settings
            .iter()
            .filter(|setting| setting.scope != b"worktree")
            .collect();
        for setting in &settings {
            if is_odd(setting) {
                return Err(Closer("a setting that changes what git sees"));
            }
            let condition = setting.key.strip_prefix(b"includeif.");
            if condition.is_some_and(|rest| rest.ends_with(b".path")) {
                let path = named(git, setting.value.as_deref())?;
                only_trifles(&path)?;
            }
        }
        let last = settings
            .iter()
            .rfind(|setting| setting.key == b"core.excludesfile");
        let users = match last {
            Some(setting) => Some(named(git, setting.value.as_deref())?),
            None => git.default_excludes_file(),
        };
        let mut files = vec![read(&git.common_dir().join("info/exclude"))?];
        if let Some(users) = users {
            files.push(read(&users)?);
        }
        let is_driver = |setting: &&&Setting| setting.key.starts_with(b"filter.");
        Ok(Self {
            files,
            has_drivers: settings.iter().any(|setting| is_driver(&setting)),
        })
    }

    /// Whether these rules ignore a path.
    pub(super) fn ignores(&self, path: &BStr, is_directory: bool) -> bool {
        let decided = self
            .files
            .iter()
            .find_map(|file| file.ignores(path, is_directory));
        decided == Some(true)
    }
}

fn is_odd(setting: &Setting) -> bool {
    let is_false = |value: &[u8]| {
        [&b"false"[..], b"no", b"off", b"0", b""]
            .iter()
            .any(|no| value.eq_ignore_ascii_case(no))
    };
    let is_true = !setting.value.as_deref().is_some_and(is_false);
    setting.key == b"core.worktree" || (TRUE_IS_ODD.contains(&setting.key.as_slice()) && is_true)
}

/// The file that a setting names: absolute, or below the home. What else git expands is rare.
fn named(git: &git::Repository, value: Option<&[u8]>) -> Result<PathBuf, Closer> {
    let odd = Closer("a path in the configuration of an unusual kind");
    let value = value.ok_or(odd)?;
    let path = |bytes| Path::new(OsStr::from_bytes(bytes));
    match value.strip_prefix(b"~/") {
        Some(below) => Ok(git.home().ok_or(odd)?.join(path(below))),
        None if value.starts_with(b"/") => Ok(path(value).to_owned()),
        None => Err(odd),
    }
}

/// A file that a condition includes must have nothing that matters here.
fn only_trifles(path: &Path) -> Result<(), Closer> {
    let odd = Closer("configuration that holds only for some worktrees");
    let Some(bytes) = contents(path)? else {
        return Ok(());
    };
    let file = gix::config::File::from_bytes_no_includes(
        &bytes,
        gix::config::file::Metadata::api(),
        gix::config::file::init::Options::default(),
    )
    .map_err(|_| odd)?;
    let is_weighty = |name: &BStr| {
        WEIGHTY
            .iter()
            .any(|weighty| name.eq_ignore_ascii_case(weighty))
    };
    if file
        .sections()
        .any(|section| is_weighty(section.header().name()))
    {
        return Err(odd);
    }
    Ok(())
}

/// The patterns of a file, if it is there; git follows symlinks here.
fn read(path: &Path) -> Result<Patterns, Closer> {
    match contents(path)? {
        Some(bytes) => Patterns::parse(&bytes),
        None => Ok(Patterns::default()),
    }
}

fn contents(path: &Path) -> Result<Option<Vec<u8>>, Closer> {
    let unread = Closer("a file that the configuration names could not be read");
    if look(path).map_err(|_| unread)?.is_none() {
        return Ok(None);
    }
    let metadata = std::fs::metadata(path).map_err(|_| unread)?;
    if !metadata.is_file() || metadata.len() > MOST as u64 {
        return Err(unread);
    }
    std::fs::read(path).map(Some).map_err(|_| unread)
}
