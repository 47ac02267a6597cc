//! Real repositories in a temporary directory, hermetic (`style 4.5`).
//!
//! The environment of every git here is cleared: `HOME` is inside the temporary directory, there
//! is no system or global configuration, and author, dates, locale and time zone are fixed.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses a part of it, so an expectation would not always hold"
)]

pub mod aging;
pub mod ordinary;
pub mod snapshot;
pub mod yard;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A main worktree at `main/` in a temporary directory, on branch `main` with one commit.
pub struct Repo {
    temp: TempDir,
    root: PathBuf,
}

impl Repo {
    /// Makes the repository.
    pub fn new() -> Self {
        let repo = Self::empty();
        repo.git_in(&repo.root, ["init", "-q", "-b", "main", "main"]);
        repo.commit(&repo.main(), "README.md", b"one\n");
        repo
    }

    /// Makes the temporary directory alone.
    pub fn empty() -> Self {
        let temp = TempDir::new().expect("a temporary directory can be made");
        let root = temp.path().canonicalize().expect("it is there");
        std::fs::create_dir(root.join("home")).expect("it is empty");
        Self { temp, root }
    }

    /// The temporary directory, canonical.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The main worktree.
    pub fn main(&self) -> PathBuf {
        self.root.join("main")
    }

    /// The common git directory.
    pub fn common_dir(&self) -> PathBuf {
        self.main().join(".git")
    }

    /// Adds a linked worktree at `wt/NAME` on a new branch `NAME`; its path.
    pub fn add(&self, name: &str) -> PathBuf {
        let path = self.root.join("wt").join(name);
        self.git_in(
            &self.main(),
            [
                "worktree".as_ref(),
                "add".as_ref(),
                "-q".as_ref(),
                "-b".as_ref(),
                name.as_ref(),
                path.as_os_str(),
            ],
        );
        path
    }

    /// Writes a file and commits it; the object id.
    pub fn commit(&self, worktree: &Path, file: &str, content: &[u8]) -> String {
        write(&worktree.join(file), content);
        self.git_in(worktree, ["add", "--", file]);
        self.git_in(worktree, ["commit", "-q", "-m", file]);
        self.git_in(worktree, ["rev-parse", "HEAD"])
    }

    /// Runs git in the main worktree and requires success; its output without the last line end.
    pub fn git<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> String {
        self.git_in(&self.main(), args)
    }

    /// Runs git in `directory` and requires success; its output without the last line end.
    pub fn git_in<A: AsRef<OsStr>>(
        &self,
        directory: &Path,
        args: impl IntoIterator<Item = A>,
    ) -> String {
        let output = self.try_git(directory, args);
        assert!(output.status.success(), "git failed: {output:?}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    /// Runs git in `directory`.
    pub fn try_git<A: AsRef<OsStr>>(
        &self,
        directory: &Path,
        args: impl IntoIterator<Item = A>,
    ) -> Output {
        self.command("git")
            .current_dir(directory)
            .args(args)
            .output()
            .expect("git is installed")
    }

    /// A command in the hermetic environment.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the tests build the world")]
        let mut command = Command::new(program);
        command.env_clear().envs(self.vars()).envs([
            ("GIT_AUTHOR_NAME", "A U Thor"),
            ("GIT_AUTHOR_EMAIL", "author@example.com"),
            ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"),
            ("GIT_COMMITTER_NAME", "C O Mitter"),
            ("GIT_COMMITTER_EMAIL", "committer@example.com"),
            ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"),
            ("LC_ALL", "C"),
            ("TZ", "UTC"),
            ("COLUMNS", "100"),
        ]);
        command
    }

    /// The environment that owl's own git gets: no configuration but the repository's.
    pub fn vars(&self) -> Vec<(OsString, OsString)> {
        #[expect(
            clippy::disallowed_methods,
            reason = "git is found where the tests' is"
        )]
        let path = std::env::var_os("PATH").expect("PATH is set");
        vec![
            ("PATH".into(), path),
            ("HOME".into(), self.root.join("home").into()),
            ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ]
    }

    /// Writes an executable shell script, by a child: a descriptor of this process that is open for
    /// writing could leak into another test's child, and starting the script would fail.
    pub fn script(&self, path: &Path, body: &str) {
        let directory = path.parent().expect("it is below the root");
        std::fs::create_dir_all(directory).expect("the directory can be made");
        let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#;
        let status = self
            .command("sh")
            .args([
                "-c".as_ref(),
                write.as_ref(),
                "sh".as_ref(),
                path.as_os_str(),
            ])
            .arg(body)
            .status();
        assert!(status.expect("sh is installed").success());
    }
}

/// Says on raw standard error that a test was skipped, and in the file that `OWL_SKIPPED` names.
/// The print macros would be captured, and nobody would know.
pub fn skipped(test: &str, why: &str) {
    use std::io::Write;
    let line = format!("SKIPPED: {test} ({why})\n");
    std::io::stderr()
        .write_all(line.as_bytes())
        .expect("standard error is open");
    #[expect(clippy::disallowed_methods, reason = "how `.ci/run` names the file")]
    let Some(file) = std::env::var_os("OWL_SKIPPED") else {
        return;
    };
    std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("OWL_SKIPPED names a file that can be written");
}

/// Whether the tests run as root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Writes a file and the directories above it.
pub fn write(path: &Path, content: &[u8]) {
    let directory = path.parent().expect("it is below the root");
    std::fs::create_dir_all(directory).expect("the directory can be made");
    std::fs::write(path, content).expect("the file can be written");
}
