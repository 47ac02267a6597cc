//! The version of the git program.

use super::call::Call;
use super::{GitEnv, GitError, Limits};
use std::fmt;
use std::path::Path;

/// A version of git; what follows the third number does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// The first one with `git worktree list -z`; without it a newline in a path forges an entry
    /// (`git-facts 33`).
    pub const MINIMUM: Self = Self {
        major: 2,
        minor: 36,
        patch: 0,
    };

    /// Reads the line that `git --version` prints.
    pub fn parse(line: &[u8]) -> Result<Self, GitError> {
        let bad = || GitError::unparsable("the version", "no `git version A.B`", line);
        let text = std::str::from_utf8(line).map_err(|_| bad())?;
        let text = text.strip_prefix("git version ").ok_or_else(bad)?;
        let mut parts = text.trim_end().split(['.', ' ', '-']);
        let mut required = || parts.next().and_then(number).ok_or_else(bad);
        let (major, minor) = (required()?, required()?);
        // "2.49.rc1" is before 2.49.1 and after 2.48.9: its third number is zero.
        let patch = parts.next().and_then(number).map_or(0, |patch| patch);
        Ok(Self {
            major,
            minor,
            patch,
        })
    }

    /// Requires [`Self::MINIMUM`].
    pub fn require_minimum(self) -> Result<(), GitError> {
        if self < Self::MINIMUM {
            return Err(GitError::TooOld {
                found: self,
                needed: Self::MINIMUM,
            });
        }
        Ok(())
    }

    pub(super) fn ask(program: &Path, env: &GitEnv, limits: Limits) -> Result<Self, GitError> {
        let output = Call::bare(program, env, limits)
            .arg("--version")
            .success()?;
        Self::parse(&output.stdout)
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn every_vendor_is_read() {
        for (line, shown) in [
            ("git version 2.47.3\n", "2.47.3"),
            ("git version 2.39.5 (Apple Git-154)\n", "2.39.5"),
            ("git version 2.49.0.rc1\n", "2.49.0"),
            ("git version 2.49.rc1\n", "2.49.0"),
            ("git version 2.45.2.windows.1\n", "2.45.2"),
            ("git version 2.36", "2.36.0"),
            ("git version 2.50.GIT\n", "2.50.0"),
            ("git version 2.48.1-dirty\n", "2.48.1"),
        ] {
            let version = Version::parse(line.as_bytes()).expect("it is a version");
            assert_eq!(version.to_string(), shown, "{line}");
        }
    }

    #[test]
    fn anything_else_is_an_error() {
        for line in [
            "",
            "git version ",
            "git version two",
            "hub version 2.1",
            "git version 2",
            "git version +2.4",
        ] {
            Version::parse(line.as_bytes()).expect_err(line);
        }
    }

    #[test]
    fn an_old_one_names_found_and_needed() {
        let old = Version::parse(b"git version 2.35.9").expect("it is a version");
        let error = old.require_minimum().expect_err("2.35 has no `list -z`");
        assert_eq!(
            error.to_string(),
            "git 2.35.9 is too old; install git 2.36.0 or later"
        );
    }
}
