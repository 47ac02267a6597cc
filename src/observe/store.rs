//! What stands in the declared stores of a project.
//!
//! Input: the stores of the policy and the project's root. Output: the leaves on disk, and for a
//! path that need not exist whether it would be one. Invariant: only strict leaves count, never
//! the store itself, nor anything deeper (`C1.7`).

use super::place::{look, names};
use super::{ObserveError, StorePlace};
use crate::fact::Fact;
use crate::policy::{Component, Store, StorePlace as Start};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A declared store, placed in a project.
#[derive(Debug)]
pub(crate) struct PlacedStore<'a> {
    /// As the policy has it.
    pub(crate) store: &'a Store,
    /// The resolved directory that its components start from.
    pub(crate) anchor: PathBuf,
    /// The components that are matched below the anchor.
    components: &'a [Component],
    /// Why the anchor cannot be reached, if it cannot.
    broken: Option<String>,
}

/// One directory, file, or symlink that is a leaf of a store.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Its path, through the store as declared.
    pub(crate) path: PathBuf,
    /// The store's text.
    pub(crate) declared: String,
    /// Below which symlinks are not accepted.
    pub(crate) anchor: PathBuf,
    /// Whether the store is absolute.
    pub(crate) absolute: bool,
}

impl<'a> PlacedStore<'a> {
    /// Places a store in the project at `root`; `home` is the user's. One whose start cannot be
    /// reached is told of when it is listed, and of the other stores there are rows.
    pub(crate) fn new(store: &'a Store, root: &Path, home: Option<&Path>) -> Self {
        let mut broken = None;
        let start = match (store.place, home) {
            (Start::Relative, _) => {
                return Self {
                    store,
                    anchor: root.to_owned(),
                    components: &store.components,
                    broken,
                };
            }
            (Start::Absolute, _) => Path::new("/"),
            (Start::Home, Some(home)) => home,
            (Start::Home, None) => {
                broken = Some("HOME is not set".to_owned());
                Path::new("~")
            }
        };
        // The literal start of an absolute store is the anchor, resolved: symlinks down to there
        // are the user's own, and refused below (`spec 5`, guard 2).
        let literal = store.components.iter().map_while(Component::literal);
        let count = literal.clone().count();
        let mut anchor: PathBuf = start.join(literal.collect::<PathBuf>());
        match look(&anchor) {
            Ok(None) => {}
            Ok(Some(_)) => match fs::canonicalize(&anchor) {
                Ok(resolved) => anchor = resolved,
                // A dangling symlink: the store cannot be listed, which is said when it is.
                Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
                Err(why) => broken = Some(why.to_string()),
            },
            Err(why) => broken = Some(why.to_string()),
        }
        Self {
            store,
            anchor,
            components: &store.components[count..],
            broken,
        }
    }

    fn absolute(&self) -> bool {
        match self.store.place {
            Start::Relative => false,
            Start::Absolute | Start::Home => true,
        }
    }

    /// Whether `path`, resolved but for its last component, is a strict leaf.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let Ok(below) = path.strip_prefix(&self.anchor) else {
            return false;
        };
        let parts: Vec<_> = below.components().collect();
        let wanted = self.components;
        !wanted.is_empty()
            && parts.len() == wanted.len()
            && parts.iter().zip(wanted).all(|(part, pattern)| {
                // A `..` leads out of the store, whatever a pattern matches.
                matches!(part, std::path::Component::Normal(name)
                        if pattern.is_match(name.as_bytes()))
            })
    }

    /// The empty directory, below the store's own root, in which everything above a leaf that is not
    /// there ends: what a mount point looks like while its disk is away.
    pub(crate) fn empty_above(&self, path: &Path) -> Result<Option<PathBuf>, ObserveError> {
        let literal = self.components.iter().map_while(Component::literal);
        let root = self.anchor.join(literal.collect::<PathBuf>());
        for above in path.ancestors().skip(1) {
            if !above.starts_with(&root) || above == root {
                return Ok(None);
            }
            if look(above)?.is_some_and(|metadata| metadata.is_dir()) {
                let is_empty = names(above)?.is_some_and(|names| names.is_empty());
                return Ok(is_empty.then(|| above.to_owned()));
            }
        }
        Ok(None)
    }

    /// A leaf at `path`.
    pub(crate) fn leaf(&self, path: PathBuf) -> Leaf {
        Leaf {
            path,
            declared: self.store.path.clone(),
            anchor: self.anchor.clone(),
            absolute: self.absolute(),
        }
    }

    /// Every leaf on disk, sorted, and the store as it is.
    pub(crate) fn leaves(&self) -> Result<(Vec<Leaf>, StorePlace), ObserveError> {
        if let Some(why) = &self.broken {
            return Err(ObserveError::malformed(&self.anchor, why));
        }
        let mut places = vec![self.anchor.clone()];
        let mut there = true;
        for component in self.components {
            let mut next = Vec::new();
            there = false;
            for place in &places {
                let Some(found) = entries(place)? else {
                    continue;
                };
                there = true;
                next.extend(
                    found
                        .into_iter()
                        .filter(|name| component.is_match(name.as_bytes()))
                        .map(|name| place.join(name)),
                );
            }
            places = next;
        }
        let count = places.len() as u64;
        let leaves = places.into_iter().map(|path| self.leaf(path)).collect();
        let place = StorePlace {
            declared: self.store.path.clone(),
            absolute: self.absolute(),
            leaves: if there {
                Fact::Known(count)
            } else {
                Fact::Absent
            },
        };
        Ok((leaves, place))
    }

    /// The store, when it could not be listed.
    pub(crate) fn unreadable(&self, why: &ObserveError) -> StorePlace {
        StorePlace {
            declared: self.store.path.clone(),
            absolute: self.absolute(),
            leaves: Fact::unknown(why),
        }
    }
}

/// The names in one level; none where the level is not there, or is no directory.
fn entries(place: &Path) -> Result<Option<Vec<std::ffi::OsString>>, ObserveError> {
    match fs::metadata(place) {
        Ok(metadata) if metadata.is_dir() => names(place),
        Ok(_) => Ok(None),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => match look(place)? {
            Some(_) => Err(ObserveError::malformed(place, "is a dangling symlink")),
            None => Ok(None),
        },
        Err(why) => Err(ObserveError::read(place, why)),
    }
}
