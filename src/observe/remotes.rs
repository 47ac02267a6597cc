//! Which remote-tracking refs vouch for a commit (`spec 4.1`, `published`).
//!
//! Input: the repository. Output: the remotes that are configured now and are not this repository,
//! and the refs below them. Invariant: a ref of a remote that is gone, a symbolic ref, and a
//! remote whose URL leads back here vouch for nothing (`git-facts 46`).

use super::ObserveError;
use super::locate::Place;
use super::repository::{Reference, Repository};
use gix::bstr::ByteSlice;
use std::path::{Path, PathBuf};

/// The remotes that count, by name, in the order of the configuration.
#[derive(Debug)]
pub(crate) struct Remotes {
    names: Vec<String>,
}

impl Remotes {
    /// Reads the remotes.
    pub(crate) fn of(repository: &Repository, place: &Place) -> Result<Self, ObserveError> {
        let mut names = Vec::new();
        for name in repository.gix.remote_names() {
            let text = name
                .to_str()
                .map_err(|why| ObserveError::gix("the name of a remote", &why))?;
            let remote = repository
                .gix
                .find_remote(name.as_bstr())
                .map_err(|why| ObserveError::gix(format!("the remote {text}"), &why))?;
            let url = remote.url(gix::remote::Direction::Fetch);
            if url.is_some_and(|url| !leads_back(url, place)) {
                names.push(text.to_owned());
            }
        }
        Ok(Self { names })
    }

    /// `origin`, or the only remote there is.
    pub(crate) fn principal(&self) -> Option<&str> {
        match self.names.as_slice() {
            [only] => Some(only),
            many => many
                .iter()
                .find(|name| *name == "origin")
                .map(String::as_str),
        }
    }

    /// Those of all direct refs that belong to a remote that counts. Where one remote's name starts
    /// another's, the longer one owns the ref.
    pub(crate) fn those_that_count(&self, mut all: Vec<Reference>) -> Vec<Reference> {
        let prefix = |name: &String| format!("refs/remotes/{name}/");
        let prefixes: Vec<String> = self.names.iter().map(prefix).collect();
        all.retain(|reference| {
            let below = |prefix: &String| reference.name.starts_with(prefix.as_bytes());
            prefixes.iter().any(below)
        });
        all
    }
}

/// Whether a URL is a path to this very repository.
fn leads_back(url: &gix::Url, place: &Place) -> bool {
    if url.scheme != gix::url::Scheme::File {
        return false;
    }
    let path = gix::path::from_bstr(url.path.as_bstr());
    let Ok(path) = path else { return true };
    let here = |path: PathBuf| {
        // A path that cannot be resolved cannot be shown to be elsewhere, unless nothing is there.
        match std::fs::canonicalize(&path) {
            Ok(path) => match Place::of(&path) {
                Ok(other) => other.common_dir == place.common_dir,
                Err(ObserveError::NotARepository(_)) => false,
                Err(_) => true,
            },
            Err(why) => why.kind() != std::io::ErrorKind::NotFound,
        }
    };
    let absolute = place.root.join(Path::new(path.as_ref() as &Path));
    here(absolute)
}
