//! Which repositories a policy speaks of.
//!
//! Input: the policy's `projects`, the directory that the user stands in, and the home directory.
//! Output: the repositories with their names. Invariants: a declared repository that is not one is
//! an error, never left out (E2); a glob takes repositories only at their top, so that a
//! repository around them is not drawn in; every name is unique.

use super::ObserveError;
use super::locate::Place;
use super::place::{look, names};
use crate::policy::{Policy, ProjectDecl};
use crate::resource::{BytePath, escape};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A repository in scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlace {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The base branch that the policy names.
    pub base: Option<String>,
}

/// Every repository in scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The repositories.
    pub places: Vec<NamedPlace>,
    /// Declared projects that matched nothing, as sentences.
    pub unmatched: Vec<String>,
}

/// Why the scope of a policy could not be told: nothing is done then.
#[derive(Debug, thiserror::Error)]
pub enum ScopeError {
    /// A directory could not be looked at, or is no repository.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// A declared project is not the top of a repository.
    #[error(
        "project {path} ({}:{line}) is not the top of a repository; that is {top}",
        escape(file.as_bytes())
    )]
    NotTheTop {
        /// The declared path.
        path: BytePath,
        /// The top of the repository that it lies in.
        top: BytePath,
        /// The policy.
        file: String,
        /// The line that declares it.
        line: usize,
    },
    /// Two repositories would have one name.
    #[error(
        "{one} and {two} would both be called {}; give one of them a `name` in the policy",
        escape(name.as_bytes())
    )]
    SameName {
        /// The name.
        name: String,
        /// One repository.
        one: BytePath,
        /// The other one.
        two: BytePath,
    },
    /// `~` is used, and there is no home.
    #[error(
        "project {} ({}:{line}) starts with ~, but HOME is not set",
        escape(path.as_bytes()),
        escape(file.as_bytes())
    )]
    NoHome {
        /// The declared path.
        path: String,
        /// The policy.
        file: String,
        /// The line that declares it.
        line: usize,
    },
}

impl Scope {
    /// The repositories of the policy, or the one that `here` lies in.
    pub fn of(policy: &Policy, here: &Path, home: Option<&Path>) -> Result<Self, ScopeError> {
        let mut scope = Self::default();
        if policy.projects.is_empty() {
            let place = Place::of(here)?;
            scope.places.push(NamedPlace {
                name: name_of(&place),
                place,
                base: None,
            });
            return Ok(scope);
        }
        let mut by_dir: BTreeMap<PathBuf, NamedPlace> = BTreeMap::new();
        for declared in &policy.projects {
            let found = expand(policy, declared, here, home, &mut scope.unmatched)?;
            if found.is_empty() {
                scope.unmatched.push(format!(
                    "project {} ({}:{}) matches no repository",
                    escape(declared.path.as_bytes()),
                    escape(policy.source.name.as_bytes()),
                    declared.line
                ));
            }
            for place in found {
                let name = declared.name.clone().unwrap_or_else(|| name_of(&place));
                let key = place.common_dir.clone();
                // An explicit declaration after or before a glob is the more exact one.
                if !declared.is_glob || !by_dir.contains_key(&key) {
                    by_dir.insert(
                        key,
                        NamedPlace {
                            name,
                            place,
                            base: declared.base.clone(),
                        },
                    );
                }
            }
        }
        scope.places = by_dir.into_values().collect();
        scope.places.sort_by(|a, b| a.name.cmp(&b.name));
        for pair in scope.places.windows(2) {
            if let [one, two] = pair
                && one.name == two.name
            {
                return Err(ScopeError::SameName {
                    name: one.name.clone(),
                    one: one.place.root.clone().into(),
                    two: two.place.root.clone().into(),
                });
            }
        }
        Ok(scope)
    }

    /// The scope narrowed to one project, by name.
    #[must_use]
    pub fn only(&self, project: &str) -> Self {
        let places = self
            .places
            .iter()
            .filter(|place| place.name == project)
            .cloned()
            .collect();
        Self {
            places,
            unmatched: Vec::new(),
        }
    }
}

/// What a repository is called where nobody says: its directory's name; of a bare one, its own.
pub fn name_of(place: &Place) -> String {
    let own = place
        .common_dir
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let bare = own.as_deref().and_then(|name| name.strip_suffix(".git"));
    match bare.filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => match place.root.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "root".to_owned(),
        },
    }
}

fn expand(
    policy: &Policy,
    declared: &ProjectDecl,
    here: &Path,
    home: Option<&Path>,
    unmatched: &mut Vec<String>,
) -> Result<Vec<Place>, ScopeError> {
    let start = match (declared.path.as_bytes().first(), home) {
        (Some(b'~'), Some(home)) => home,
        (Some(b'~'), None) => {
            return Err(ScopeError::NoHome {
                path: declared.path.clone(),
                file: policy.source.name.clone(),
                line: declared.line,
            });
        }
        (Some(b'/'), _) => Path::new("/"),
        _ => here,
    };
    let mut paths = vec![start.to_owned()];
    for component in &declared.components {
        let mut next = Vec::new();
        for path in paths {
            match component.literal() {
                Some(name) => next.push(path.join(name)),
                None if is_directory(&path)? => next.extend(
                    names(&path)?
                        .into_iter()
                        .flatten()
                        .filter(|name| component.is_match(name.as_bytes()))
                        .map(|name| path.join(name)),
                ),
                None => {}
            }
        }
        paths = next;
    }
    let mut places = Vec::new();
    for path in paths {
        if declared.is_glob && !is_directory(&path)? {
            continue;
        }
        match Place::of(&path) {
            Ok(place) if is_top(&place, &path)? => places.push(place),
            Err(ObserveError::NotARepository(_))
                if declared.is_glob && look(&path.join(".git"))?.is_some() =>
            {
                unmatched.push(format!(
                    "{} is left out: it has a .git in which no repository can be read",
                    BytePath::from(path)
                ));
            }
            Ok(_) | Err(ObserveError::NotARepository(_)) if declared.is_glob => {}
            Ok(place) => {
                return Err(ScopeError::NotTheTop {
                    path: path.into(),
                    top: place.root.into(),
                    file: policy.source.name.clone(),
                    line: declared.line,
                });
            }
            Err(why) => return Err(why.into()),
        }
    }
    Ok(places)
}

/// Whether a path leads to a directory; what cannot be looked at is an error, not a "no".
fn is_directory(path: &Path) -> Result<bool, ObserveError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(why) => Err(ObserveError::read(path, why)),
    }
}

fn is_top(place: &Place, path: &Path) -> Result<bool, ObserveError> {
    let path = fs::canonicalize(path).map_err(|why| ObserveError::read(path, why))?;
    Ok(path == place.root || path == place.common_dir)
}
