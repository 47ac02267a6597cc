//! The administrative entries of a repository, as the files that they are.
//!
//! Input: the common git directory. Output: every entry with what it names. Invariant: a file that
//! is missing or malformed is kept as such; git's own list hides it (`git-facts 30`, `31`).

use super::ObserveError;
use super::locate::{Place, common_dir_of};
use super::place::{contents, names, trimmed};
use crate::resource::BytePath;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// One directory below `worktrees/` of the common git directory.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its name.
    pub(crate) id: BytePath,
    /// Its path.
    pub(crate) dir: PathBuf,
    /// The place of the worktree, resolved but for its last component; or why it names none.
    pub(crate) worktree: Result<PathBuf, String>,
    /// The place exactly as git has it.
    pub(crate) recorded: Option<PathBuf>,
    /// Why the entry does not belong to this repository, if so.
    pub(crate) astray: Option<String>,
}

/// Reads every entry, sorted by name.
pub(crate) fn entries(place: &Place) -> Result<Vec<Entry>, ObserveError> {
    let dir = place.entries_dir();
    let Some(ids) = names(&dir)? else {
        return Ok(Vec::new());
    };
    Ok(ids
        .into_iter()
        .map(|id| entry(place, dir.join(&id), BytePath::from(PathBuf::from(id))))
        .collect())
}

fn entry(place: &Place, dir: PathBuf, id: BytePath) -> Entry {
    let recorded = recorded(&dir);
    let worktree = match &recorded {
        Ok(path) => super::place::settle(path).map_err(|why| why.to_string()),
        Err(why) => Err(why.to_string()),
    };
    let astray = match common_dir_of(&dir) {
        Ok(Some(common)) if common == place.common_dir => None,
        Ok(Some(common)) => Some(format!("its commondir names {}", BytePath::from(common))),
        Ok(None) => Some("its commondir file is missing".to_owned()),
        Err(why) => Some(why.to_string()),
    };
    Entry {
        id,
        dir,
        worktree,
        recorded: recorded.ok(),
        astray,
    }
}

/// The worktree's path as the entry's `gitdir` file has it, absolute.
fn recorded(dir: &Path) -> Result<PathBuf, ObserveError> {
    let file = dir.join("gitdir");
    let Some(bytes) = contents(&file)? else {
        return Err(ObserveError::malformed(&file, "is missing"));
    };
    let named = Path::new(std::ffi::OsStr::from_bytes(trimmed(&bytes)));
    let dot_git = dir.join(named);
    match (dot_git.file_name(), dot_git.parent()) {
        (Some(name), Some(worktree)) if name == ".git" => Ok(worktree.to_owned()),
        _ => Err(ObserveError::malformed(
            &file,
            "does not name the `.git` file of a worktree",
        )),
    }
}

/// What the `.git` of a directory is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DotGit {
    /// There is none.
    Missing,
    /// A regular file that names this git directory, resolved.
    Names(PathBuf),
    /// A regular file that names a git directory that is not there.
    Dangling(PathBuf),
    /// A directory: a repository of its own.
    Repository,
    /// Anything else; the sentence says what.
    Odd(String),
}

/// Looks at the `.git` of a directory.
pub(crate) fn dot_git(directory: &Path) -> Result<DotGit, ObserveError> {
    let path = directory.join(".git");
    let Some(metadata) = super::place::look(&path)? else {
        return Ok(DotGit::Missing);
    };
    if metadata.is_dir() {
        return Ok(DotGit::Repository);
    }
    if !metadata.is_file() {
        return Ok(DotGit::Odd(
            "its .git is neither a file nor a directory".to_owned(),
        ));
    }
    let Some(bytes) = contents(&path)? else {
        return Ok(DotGit::Missing);
    };
    let Some(named) = trimmed(&bytes).strip_prefix(b"gitdir: ") else {
        return Ok(DotGit::Odd(
            "its .git file does not name a git directory".to_owned(),
        ));
    };
    let target = directory.join(Path::new(std::ffi::OsStr::from_bytes(named)));
    match std::fs::canonicalize(&target) {
        Ok(resolved) => Ok(DotGit::Names(resolved)),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(DotGit::Dangling(target)),
        Err(why) => Err(ObserveError::read(&target, why)),
    }
}
