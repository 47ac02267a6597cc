//! Why git gave no answer.

use super::Version;
use crate::resource::{BytePath, escape};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// A call without an answer. Every variant means "could not tell", never "no".
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git program.
    #[error("no git program on the PATH {:?}; install git {} or later", escape(path.as_bytes()), Version::MINIMUM)]
    NotFound {
        /// The `PATH` that was searched.
        path: OsString,
    },
    /// The git program is too old.
    #[error("git {found} is too old; install git {needed} or later")]
    TooOld {
        /// Its version.
        found: Version,
        /// The oldest one that serves.
        needed: Version,
    },
    /// The program could not be started or its output not be read.
    #[error("run `{}`", shown(argv))]
    Spawn {
        /// The command.
        argv: Vec<OsString>,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The time limit passed; the process group was killed.
    #[error(
        "`{}` did not finish within {limit:?} and was killed; look whether the disk answers",
        shown(argv)
    )]
    TimedOut {
        /// The command.
        argv: Vec<OsString>,
        /// The limit.
        limit: Duration,
    },
    /// Standard output went over the cap; the process group was killed.
    #[error("`{}` printed more than {cap} bytes and was stopped", shown(argv))]
    TooMuchOutput {
        /// The command.
        argv: Vec<OsString>,
        /// The cap.
        cap: usize,
    },
    /// It failed.
    #[error("`{}` {}{}", shown(argv), ended(*code, *signal), said(stderr))]
    Failed {
        /// The command.
        argv: Vec<OsString>,
        /// Its exit code, unless a signal ended it.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// What it said, raw.
        stderr: Vec<u8>,
    },
    /// A read succeeded but warned, so that its answer may lack something: an unreadable directory
    /// is only a warning to `git status`, and hides what is in it.
    #[error("`{}` gave an answer with a warning{}", shown(argv), said(stderr))]
    Warned {
        /// The command.
        argv: Vec<OsString>,
        /// What it said, raw.
        stderr: Vec<u8>,
    },
    /// Its output is not what this module knows.
    #[error("cannot read {what} from git: {} in {:?}", problem, escape(excerpt))]
    Unparsable {
        /// What was being read.
        what: &'static str,
        /// What is wrong.
        problem: &'static str,
        /// The bytes that it was found in, cut short.
        excerpt: Vec<u8>,
    },
    /// git answered for another directory than the one it was asked about (`git-facts 29`).
    #[error(
        "asked about {asked}, but git answered for {answered}; hold it until its .git is repaired"
    )]
    AnotherPlace {
        /// The directory asked about.
        asked: BytePath,
        /// The one git spoke of.
        answered: BytePath,
    },
    /// The path cannot be looked at.
    #[error("look at {path}")]
    Path {
        /// The path.
        path: BytePath,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// An argument that git could take for something else.
    #[error("{} is no {needed}", escape(given))]
    BadArgument {
        /// What is needed.
        needed: &'static str,
        /// What was given.
        given: Vec<u8>,
    },
}

impl GitError {
    pub(super) fn unparsable(what: &'static str, problem: &'static str, at: &[u8]) -> Self {
        Self::Unparsable {
            what,
            problem,
            excerpt: at.iter().copied().take(200).collect(),
        }
    }
}

fn shown(argv: &[OsString]) -> String {
    let words: Vec<String> = argv.iter().map(|word| escape(word.as_bytes())).collect();
    words.join(" ")
}

fn ended(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => format!("failed with exit code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended in a way the system does not tell".to_owned(),
    }
}

/// The first lines of standard error, made safe for a terminal.
fn said(stderr: &[u8]) -> String {
    let lines: Vec<String> = stderr
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .take(3)
        .map(|line| escape(&line[..line.len().min(300)]))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(": {}", lines.join("; "))
}

#[cfg(test)]
mod tests {
    use super::GitError;

    #[test]
    fn text_from_git_is_escaped_and_short() {
        let error = GitError::Failed {
            argv: vec!["git".into(), "x\ny".into()],
            code: Some(128),
            signal: None,
            stderr: b"fatal: \x1b[31m'a'\n\nhint: b\nc\nd\n".to_vec(),
        };
        assert_eq!(
            error.to_string(),
            "`git x\\ny` failed with exit code 128: fatal: \\u{1b}[31m'a'; hint: b; c"
        );
    }
}
