//! A repository with random worktrees, built by real git.

use crate::files::{content, ignore, path};
use crate::random::Random;
use crate::support::{Repo, write};
use owl::git::{Git, GitEnv, Limits};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A repository whose worktrees are told apart by their number.
pub(crate) struct Project {
    pub(crate) repo: Repo,
    pub(crate) git: Git,
    pub(crate) random: Random,
}

impl Project {
    /// Makes the repository with a commit of random files and rules.
    pub(crate) fn new(seed: u64) -> Self {
        let repo = Repo::empty();
        repo.git_in(repo.root(), ["init", "-q", "-b", "main", "main"]);
        let mut random = Random(seed);
        for _ in 0..12 + random.below(12) {
            put_random(&repo.main(), &mut random);
        }
        for _ in 0..random.below(3) {
            let at = directory(&repo.main(), &mut random).join(".gitignore");
            drop(fs::write(at, ignore(&mut random)));
        }
        let exclude = repo.common_dir().join("info/exclude");
        write(&exclude, &ignore_if(&mut random));
        let (config, home) = (repo.root().join("ignored"), repo.root().join("home"));
        match random.below(3) {
            0 => {
                write(&config, &ignore_if(&mut random));
                repo.git([
                    "config",
                    "core.excludesFile",
                    config.to_str().expect("UTF-8"),
                ]);
            }
            1 => write(&home.join(".config/git/ignore"), &ignore_if(&mut random)),
            _ => {}
        }
        repo.git(["add", "-A", "-f"]);
        repo.git(["commit", "-q", "--allow-empty", "-m", "start"]);
        let git = Git::new(GitEnv::from_vars(repo.vars()), Limits::default()).expect("git");
        Self { repo, git, random }
    }

    /// The worktree of a number.
    pub(crate) fn tree(&self, number: usize) -> PathBuf {
        self.repo.root().join("wt").join(format!("t{number}"))
    }

    /// Its administrative entry.
    pub(crate) fn entry(&self, number: usize) -> PathBuf {
        self.repo.common_dir().join(format!("worktrees/t{number}"))
    }

    /// Runs git in a worktree; a failure is a state like any other.
    pub(crate) fn try_git(&self, number: usize, words: &[&str]) {
        drop(self.repo.try_git(&self.tree(number), words));
    }
}

/// Rules that hold everywhere are left out at times, so that they do not hide everything.
fn ignore_if(random: &mut Random) -> Vec<u8> {
    if random.one_in(2) {
        ignore(random)
    } else {
        Vec::new()
    }
}

/// Puts a random file, executable, or symlink somewhere; what stands in the way stays.
pub(crate) fn put_random(root: &Path, random: &mut Random) -> PathBuf {
    let at = path(random);
    let place = root.join(&at);
    let Some(parent) = place.parent() else {
        return at;
    };
    if fs::create_dir_all(parent).is_err() || fs::symlink_metadata(&place).is_ok() {
        return at;
    }
    if random.one_in(8) {
        drop(symlink(random.pick(&["a", "../b", "nowhere", "."]), &place));
        return at;
    }
    if fs::write(&place, content(random)).is_ok() && random.one_in(6) {
        drop(fs::set_permissions(
            &place,
            fs::Permissions::from_mode(0o755),
        ));
    }
    at
}

/// A random directory of the tree, or its root.
pub(crate) fn directory(root: &Path, random: &mut Random) -> PathBuf {
    let all: Vec<PathBuf> = walk(root)
        .into_iter()
        .map(|path| root.join(path))
        .filter(|path| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()))
        .collect();
    match random.below(all.len() + 1) {
        0 => root.to_owned(),
        n => all[n - 1].clone(),
    }
}

/// Everything below a root but `.git`, relative to it, sorted.
pub(crate) fn walk(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut ahead = vec![PathBuf::new()];
    while let Some(at) = ahead.pop() {
        let Ok(entries) = fs::read_dir(root.join(&at)) else {
            continue;
        };
        for entry in entries {
            let name = entry.expect("it can be read").file_name();
            if name == ".git" {
                continue;
            }
            let path = at.join(name);
            if fs::symlink_metadata(root.join(&path)).is_ok_and(|found| found.is_dir()) {
                ahead.push(path.clone());
            }
            found.push(path);
        }
    }
    found.sort();
    found
}
