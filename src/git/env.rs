//! The environment of every child: an allow-list of the caller's, and fixed values.
//!
//! Invariant: whatever is not named in [`ALLOWED`] does not get in, so that no `GIT_DIR`,
//! `GIT_INDEX_FILE`, `GIT_CONFIG_COUNT` or `GIT_GRAFT_FILE` of the caller changes an answer
//! (A6, C3.3, `git-facts 37`), and no `LD_PRELOAD` or `GIT_TRACE` either.

use super::GitError;
use rustix::fs::{Access, access};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What of the caller's environment a child gets.
///
/// `GIT_CONFIG_GLOBAL`, `GIT_CONFIG_SYSTEM` and `GIT_CONFIG_NOSYSTEM` say where the user's own
/// configuration is, as `HOME` does: who sets them could set `HOME` or `PATH`, and without them
/// owl would read another `core.excludesFile` or `safe.directory` than the user's git. They cannot
/// redirect the repository, and `settings.rs` outranks them.
const ALLOWED: [&str; 9] = [
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// What every child gets whoever calls.
///
/// `GIT_OPTIONAL_LOCKS=0` holds for changes too: the status that `git worktree remove` runs would
/// else rewrite the index of a worktree that it then refuses to remove (`git-facts 48`); locks that
/// a change needs are not optional. `GIT_ALLOW_PROTOCOL` forbids a lazy fetch by a git older
/// than `GIT_NO_LAZY_FETCH`. Grafts need their own switch (`git-facts 41`).
pub(super) const FIXED: [(&str, &str); 16] = [
    ("LC_ALL", "C"),
    ("LANG", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_ADVICE", "0"),
    ("GIT_PAGER", "cat"),
    ("PAGER", "cat"),
    ("GIT_EDITOR", "true"),
    ("GIT_SEQUENCE_EDITOR", "true"),
    ("GIT_ASKPASS", "true"),
    ("SSH_ASKPASS", "true"),
];

/// The part of the caller's environment that git may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitEnv(Vec<(OsString, OsString)>);

impl GitEnv {
    /// Keeps of the caller's variables those that git may see.
    pub fn from_vars(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(
            vars.into_iter()
                .filter(|(name, _)| ALLOWED.iter().any(|allowed| name == allowed))
                .collect(),
        )
    }

    pub(super) fn vars(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The value of a variable that git sees.
    pub(super) fn value(&self, name: &str) -> Option<&OsStr> {
        let mut vars = self.vars();
        vars.find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The first executable file of that name on `PATH`; entries that are not absolute are passed
    /// over, so that a repository cannot bring its own git.
    pub(super) fn find(&self, program: &str) -> Result<PathBuf, GitError> {
        let path = self.vars().find(|(name, _)| *name == "PATH");
        let path = path.map_or(OsStr::new(""), |(_, value)| value);
        std::env::split_paths(path)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(program))
            .find(|file| is_program(file))
            .ok_or_else(|| GitError::NotFound {
                path: path.to_owned(),
            })
    }
}

fn is_program(file: &Path) -> bool {
    file.is_file() && access(file, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{FIXED, GitEnv};
    use std::ffi::OsString;

    fn vars(names: &[&str]) -> Vec<(OsString, OsString)> {
        names
            .iter()
            .map(|name| (OsString::from(name), OsString::from("x")))
            .collect()
    }

    #[test]
    fn only_the_allow_list_gets_in() {
        let hostile = [
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_CEILING_DIRECTORIES",
            "GIT_NAMESPACE",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_PARAMETERS",
            "GIT_EXEC_PATH",
            "GIT_TRACE",
            "LD_PRELOAD",
            "HOME",
        ];
        let env = GitEnv::from_vars(vars(&hostile));
        assert_eq!(env, GitEnv::from_vars(vars(&["HOME"])));
    }

    #[test]
    fn nothing_fixed_can_be_overridden() {
        let env = GitEnv::from_vars(vars(&FIXED.map(|(name, _)| name)));
        assert_eq!(env, GitEnv::default());
    }

    #[test]
    fn a_relative_path_entry_is_passed_over() {
        let env = GitEnv::from_vars([("PATH".into(), ".:bin::/nonexistent".into())]);
        env.find("sh").expect_err("no absolute entry has it");
    }
}
