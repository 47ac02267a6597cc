//! The configuration of a submodule's repository, which goes with it.
//!
//! Input: its `config` file. Output: why it is not only what git itself writes there. Invariants: a
//! key that a person set is a person's; the working tree that it names is the submodule's own place.

use super::Seat;
use crate::observe::ObserveError;
use crate::observe::place::lexical;
use gix::bstr::ByteSlice;
use gix::config::{File, Source};
use std::path::Path;

/// What `git clone` and `git submodule` write, by section and key.
const USUAL: [(&str, &[&str]); 5] = [
    (
        "core",
        &[
            "repositoryformatversion",
            "filemode",
            "bare",
            "logallrefupdates",
            "worktree",
            "symlinks",
            "ignorecase",
            "precomposeunicode",
        ],
    ),
    (
        "remote",
        &["url", "fetch", "tagopt", "promisor", "partialclonefilter"],
    ),
    ("branch", &["remote", "merge"]),
    ("submodule", &["url", "active"]),
    ("extensions", &["objectformat", "partialclone"]),
];

/// What is in it that git does not write, if anything is.
pub(super) fn unusual(
    seat: &Seat<'_>,
    path: &Path,
    relative: &Path,
) -> Result<Option<String>, ObserveError> {
    let file = seat.modules.join(relative).join("config");
    let read = File::from_path_no_includes(file.clone(), Source::Local);
    let config = read.map_err(|why| ObserveError::gix("its configuration", &why))?;
    for section in config.sections() {
        let name = section.header().name().to_string().to_ascii_lowercase();
        let usual = USUAL.iter().find(|(known, _)| *known == name);
        let usual = usual.map_or(&[][..], |(_, keys)| keys);
        for key in section.value_names() {
            if !usual.contains(&key.to_ascii_lowercase().as_str()) {
                return Ok(Some(format!(
                    "its configuration has {name}.{key}, which git does not set itself"
                )));
            }
        }
    }
    let Some(worktree) = config.string("core.worktree") else {
        return Ok(Some("its repository names no working tree".to_owned()));
    };
    let named = gix::path::from_bstr(worktree.as_bstr())
        .map_err(|why| ObserveError::gix("its working tree", &why))?;
    let from = seat.entry.join("modules").join(relative);
    if lexical(&from.join(named)) != seat.home.join(path) {
        return Ok(Some("its repository names another working tree".to_owned()));
    }
    Ok(None)
}
