//! What Composer says that it has installed, in `vendor/composer/installed.json`.

use super::{Roster, flat, folder_in, text_of};
use crate::observe::ignored::Level;
use rustix::io::Errno;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Composer's own, and what its plugins generate beside packages.
const OWN: &[&str] = &["composer", "bin", "autoload.php", "extensions.php"];

#[derive(Deserialize)]
struct Package {
    name: String,
    /// Relative to `composer/`; none for what has no files.
    #[serde(rename = "install-path")]
    place: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Installed {
    /// Since Composer 2.
    Named { packages: Vec<Package> },
    /// Before.
    Bare(Vec<Package>),
}

/// Reads it; a file that does not parse names nothing.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let text = match folder_in(level.handle(), b"composer")? {
        Some(folder) => text_of(folder, b"installed.json")?,
        None => None,
    };
    let mut roster = Roster::default();
    roster.shelf("", OWN);
    let parsed = text.map(|text| serde_json::from_slice(&text));
    let packages = match parsed {
        Some(Ok(Installed::Named { packages } | Installed::Bare(packages))) => packages,
        Some(Err(_)) | None => Vec::new(),
    };
    for package in packages {
        let place = match &package.place {
            Some(place) => flat(&Path::new("composer").join(place)),
            None => Some(PathBuf::from(&package.name)),
        };
        let Some(place) = place else { continue };
        let mut parts = place.iter();
        let (Some(vendor), Some(name)) = (parts.next(), parts.next()) else {
            continue;
        };
        let shelf = roster.shelf("", OWN);
        shelf.named.insert(vendor.to_owned());
        // Among the packages of the vendor `composer` lie the program's own files.
        if let Some(vendor) = vendor.to_str().filter(|vendor| *vendor != "composer") {
            let shelf = roster.shelf(vendor, OWN);
            shelf.named.insert(name.to_owned());
        }
    }
    Ok(Some(roster))
}
