//! The `.git` file of a submodule, which names its repository.
//!
//! Input: the place of a submodule. Output: its repository, relative to `modules/`. Invariant: the
//! link is read as git wrote it, from where the worktree stood, whatever has been moved since; it
//! never leads out of the worktree's own `modules/`.

use super::Seat;
use super::part::Why;
use crate::observe::place::{contents, lexical, look, trimmed};
use crate::resource::BytePath;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Follows the link of the submodule at `path`.
pub(super) fn follow(seat: &Seat<'_>, path: &Path, prefix: &Path) -> Result<PathBuf, Why> {
    let file = seat.root.join(path).join(".git");
    let there = look(&file)?;
    let bytes = match (there, seat.links.map(|links| links.get(path))) {
        (None, Some(Some(bytes))) => bytes.as_bytes().to_vec(),
        (Some(_), Some(_)) => return Err(Why::own("somebody has put a .git in its place")),
        (None, Some(None) | None) => return Err(Why::own("files at its place, and no repository")),
        (Some(metadata), None) if metadata.is_dir() => {
            return Err(Why::own("its repository lies in the worktree"));
        }
        (Some(metadata), None) if !metadata.is_file() => {
            return Err(Why::own("its .git is no file"));
        }
        (Some(_), None) => match contents(&file)? {
            Some(bytes) => bytes,
            None => return Err(Why::own("its .git vanished a moment ago")),
        },
    };
    let Some(named) = bytes.strip_prefix(b"gitdir: ") else {
        return Err(Why::own("its .git names no repository"));
    };
    let named = Path::new(OsStr::from_bytes(trimmed(named)));
    let target = lexical(&seat.home.join(path).join(named));
    let own = seat.entry.join("modules").join(prefix);
    let below = target
        .strip_prefix(&own)
        .map_or(Path::new(""), |below| below);
    if below.components().next().is_some() {
        return Ok(prefix.join(below));
    }
    let target = BytePath::from(target);
    Err(Why::own(format!(
        "its repository is {target}, and not the worktree's own"
    )))
}
