//! The configuration as git reads it, such as the URLs of remotes.

use super::call::Call;
use super::settings::FIXED;
use super::{GitError, Repository, Worktree};
use std::path::{Path, PathBuf};

const WHAT: &str = "the configuration";

/// One setting, in the order in which git reads them: the last of a key wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `system`, `global`, `local`, or `worktree`.
    pub scope: Vec<u8>,
    /// The key; section and name in lower case, the subsection as written.
    pub key: Vec<u8>,
    /// The value; none for a key without `=`, which means true.
    pub value: Option<Vec<u8>>,
}

impl Repository {
    /// Every setting that counts for the repository. What this module fixes itself is left out.
    pub fn config(&self) -> Result<Vec<Setting>, GitError> {
        list(self.call())
    }
}

impl Repository {
    /// The file that git reads ignore rules from if `core.excludesFile` names none; none without a
    /// home. Whether it is there is not looked at.
    pub fn default_excludes_file(&self) -> Option<PathBuf> {
        let xdg = self.git.0.env.value("XDG_CONFIG_HOME");
        match xdg.filter(|value| !value.is_empty()) {
            Some(config) => Some(Path::new(config).join("git/ignore")),
            None => Some(self.home()?.join(".config/git/ignore")),
        }
    }

    /// The home directory that `~/` in a path of the configuration means.
    pub fn home(&self) -> Option<PathBuf> {
        self.git.0.env.value("HOME").map(PathBuf::from)
    }
}

impl Worktree {
    /// Every setting that counts in the worktree, those of its `config.worktree` included.
    pub fn config(&self) -> Result<Vec<Setting>, GitError> {
        list(self.call())
    }
}

fn list(call: Call) -> Result<Vec<Setting>, GitError> {
    let switches = ["config", "--list", "-z", "--includes", "--show-scope"];
    let settings = parse(&call.args(switches).answer()?)?;
    // The caller's environment is scrubbed, so the command scope is this module's own.
    let own = |setting: &Setting| setting.scope == b"command";
    debug_assert_eq!(
        settings.iter().filter(|setting| own(setting)).count(),
        FIXED.len()
    );
    Ok(settings
        .into_iter()
        .filter(|setting| !own(setting))
        .collect())
}

/// Reads `scope NUL key LF value NUL`; a key without a value has no LF.
fn parse(out: &[u8]) -> Result<Vec<Setting>, GitError> {
    let bad = |problem, at: &[u8]| GitError::unparsable(WHAT, problem, at);
    let Some(body) = out.strip_suffix(b"\0") else {
        return if out.is_empty() {
            Ok(Vec::new())
        } else {
            Err(bad("it is cut short", out))
        };
    };
    let fields: Vec<&[u8]> = body.split(|byte| *byte == 0).collect();
    let mut settings = Vec::new();
    for pair in fields.chunks(2) {
        let &[scope, entry] = pair else {
            return Err(bad("a scope without a setting", out));
        };
        let cut = entry.iter().position(|byte| *byte == b'\n');
        let (key, value) = match cut {
            Some(at) => (&entry[..at], Some(entry[at + 1..].to_vec())),
            None => (entry, None),
        };
        if scope.is_empty() || !key.contains(&b'.') {
            return Err(bad("no scope and key", entry));
        }
        settings.push(Setting {
            scope: scope.to_vec(),
            key: key.to_vec(),
            value,
        });
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn values_keep_their_line_breaks() {
        let out = b"local\0remote.a=b.url\nx\ny\0global\0core.flag\0local\0a.b\n\0";
        let settings = parse(out).expect("it is well-formed");
        assert_eq!(settings[0].key, b"remote.a=b.url");
        assert_eq!(settings[0].value.as_deref(), Some(b"x\ny".as_slice()));
        assert_eq!(settings[1].value, None);
        assert_eq!(settings[2].value.as_deref(), Some(b"".as_slice()));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for out in ["local", "local\0", "local\0nodot\nx\0", "\0a.b\nc\0"] {
            parse(out.as_bytes()).expect_err(out);
        }
    }
}
