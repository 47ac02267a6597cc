//! Which targets Meson says that it builds right into its directory.

use super::{Roster, folder_in, text_of};
use crate::observe::ignored::Level;
use rustix::io::Errno;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One target of `meson-info/intro-targets.json`.
#[derive(Deserialize)]
struct Target {
    /// Absolute.
    filename: Vec<PathBuf>,
}

/// Reads the list; `place` is the absolute path of the directory.
pub(super) fn read(level: &Level<'_>, place: &Path) -> Result<Option<Roster>, Errno> {
    let text = match folder_in(level.handle(), b"meson-info")? {
        Some(folder) => text_of(folder, b"intro-targets.json")?,
        None => None,
    };
    let targets = match text.map(|text| serde_json::from_slice::<Vec<Target>>(&text)) {
        Some(Ok(targets)) => targets,
        Some(Err(_)) | None => Vec::new(),
    };
    let files = targets.into_iter().flat_map(|target| target.filename);
    Ok(Some(Roster {
        built: files
            .filter(|file| file.parent() == Some(place))
            .filter_map(|file| file.file_name().map(Into::into))
            .collect(),
        ..Roster::default()
    }))
}
