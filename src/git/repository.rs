//! A repository and a worktree that git itself has found, and for whose owner it vouches.
//!
//! An explicit `--git-dir` skips git's ownership check ("dubious ownership"), and a directory
//! without a valid `.git` answers for the repository around it (`git-facts 29`). So both types are
//! built by discovery alone, in that directory and not above it, and every later call is explicit.

use super::call::Call;
use super::{Git, GitError};
use crate::resource::BytePath;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A repository, by its common git directory.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(super) git: Git,
    common_dir: PathBuf,
    /// Where a submodule's working tree stands, whatever its repository and its link say.
    place: Option<PathBuf>,
}

/// A worktree of a [`Repository`], main or linked, whose `.git` led git to exactly this place.
///
/// Whether the administrative entry names this place back is not looked at: a copy made by
/// `cp -a` opens as well (`git-facts 28`).
#[derive(Clone, Debug)]
pub struct Worktree {
    git: Git,
    path: PathBuf,
    git_dir: PathBuf,
    is_main: bool,
}

impl Git {
    /// Opens the repository that has `directory` as a worktree, or is it (bare, or a `.git`).
    pub fn repository(&self, directory: &Path) -> Result<Repository, GitError> {
        let directory = canonical(directory)?;
        let asked = ["--git-common-dir"];
        let [common_dir] = self.discover(&directory, asked)?;
        Ok(Repository {
            git: self.clone(),
            common_dir: canonical(&common_dir)?,
            place: None,
        })
    }

    /// What `rev-parse` says from within a directory: one path for each switch.
    ///
    /// It prints a line for each; where a path contains a line break there are more lines than
    /// questions, and each is asked alone.
    fn discover<const N: usize>(
        &self,
        directory: &Path,
        switches: [&str; N],
    ) -> Result<[PathBuf; N], GitError> {
        let together = self.rev_parse(directory, &switches)?;
        let lines: Vec<&[u8]> = together.split(|byte| *byte == b'\n').collect();
        if let Ok(lines) = <[&[u8]; N]>::try_from(lines) {
            return Ok(lines.map(path));
        }
        let mut paths = Vec::with_capacity(N);
        for switch in switches {
            paths.push(path(&self.rev_parse(directory, &[switch])?));
        }
        <[PathBuf; N]>::try_from(paths).map_err(|_| {
            GitError::unparsable(
                "a git directory",
                "not as many paths as questions",
                &together,
            )
        })
    }

    fn rev_parse(&self, directory: &Path, switches: &[&str]) -> Result<Vec<u8>, GitError> {
        let mut out = self
            .call()
            .setting(super::settings::NAMED_BARE)
            .discover_in(directory)
            .args(["rev-parse", "--path-format=absolute"])
            .args(switches)
            .answer()?;
        if out.pop() != Some(b'\n') || !out.starts_with(b"/") {
            return Err(GitError::unparsable(
                "a git directory",
                "no absolute path",
                &out,
            ));
        }
        Ok(out)
    }
}

impl Repository {
    /// The common git directory, canonical.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Names the repository of a submodule, and its working tree, outright. Both may have been moved,
    /// so that neither leads to the other and git cannot find them; that they belong together, and
    /// whose they are, the caller has seen. Neither path may have a symbolic link in it.
    pub fn submodule(&self, git_dir: &Path, place: &Path) -> Result<Self, GitError> {
        require_same(git_dir, &canonical(git_dir)?)?;
        require_same(place, &canonical(place)?)?;
        Ok(Self {
            git: self.git.clone(),
            common_dir: git_dir.to_owned(),
            place: Some(place.to_owned()),
        })
    }

    /// Opens one of its worktrees: git must answer for exactly this directory and repository.
    pub fn worktree(&self, directory: &Path) -> Result<Worktree, GitError> {
        let path = canonical(directory)?;
        if let Some(place) = &self.place {
            require_same(place, &path)?;
            return Ok(Worktree {
                git: self.git.clone(),
                path,
                git_dir: self.common_dir.clone(),
                is_main: true,
            });
        }
        let asked = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
        let [toplevel, git_dir, common_dir] = self.git.discover(&path, asked)?;
        require_same(&path, &canonical(&toplevel)?)?;
        require_same(&self.common_dir, &canonical(&common_dir)?)?;
        let git_dir = canonical(&git_dir)?;
        Ok(Worktree {
            git: self.git.clone(),
            path,
            is_main: git_dir == self.common_dir,
            git_dir,
        })
    }

    pub(super) fn call(&self) -> Call {
        self.on_this(self.git_call())
    }

    /// A call that does not name the repository yet, for more settings.
    pub(super) fn git_call(&self) -> Call {
        self.git.call()
    }

    /// Names the repository.
    pub(super) fn on_this(&self, call: Call) -> Call {
        let call = call.path_switch("--git-dir", &self.common_dir);
        match &self.place {
            Some(place) => call.path_switch("--work-tree", place),
            None => call,
        }
    }
}

impl Worktree {
    /// Its directory, canonical.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its git directory, canonical: the administrative entry of a linked worktree.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Whether it has no administrative entry: the main worktree, or a directory whose `.git` names
    /// the common git directory.
    pub fn is_main(&self) -> bool {
        self.is_main
    }

    pub(super) fn call(&self) -> Call {
        self.git
            .call()
            .path_switch("--git-dir", &self.git_dir)
            .path_switch("--work-tree", &self.path)
    }
}

pub(super) fn canonical(path: &Path) -> Result<PathBuf, GitError> {
    if !path.is_absolute() {
        return Err(GitError::BadArgument {
            needed: "absolute path",
            given: path.as_os_str().as_bytes().to_vec(),
        });
    }
    path.canonicalize().map_err(|source| GitError::Path {
        path: path.into(),
        source,
    })
}

pub(super) fn require_same(asked: &Path, answered: &Path) -> Result<(), GitError> {
    if asked.as_os_str() == answered.as_os_str() {
        return Ok(());
    }
    Err(GitError::AnotherPlace {
        asked: BytePath::from(asked),
        answered: BytePath::from(answered),
    })
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}
