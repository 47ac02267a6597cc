//! A program of the user's that is asked for a job list (`spec 3`, `jobs: - command`).
//!
//! It runs as git does: no shell, `/` as working directory, the same allow-list of the environment,
//! its own process group, a time limit, whole output or an error. What it says on standard error
//! does not count, since it is not git's to warn.

use super::call::Call;
use super::{Git, GitError, Limits};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

impl Git {
    /// Runs a program of the user's to its end, and requires exit code 0; its standard output.
    /// The first word is an absolute path, or a name that is looked for on the `PATH`.
    pub fn ask_program(
        &self,
        words: &[String],
        limit: Duration,
        most_bytes: usize,
    ) -> Result<Vec<u8>, GitError> {
        let failed = |why: &str| GitError::Spawn {
            argv: words.iter().map(Into::into).collect(),
            source: io::Error::new(io::ErrorKind::NotFound, why),
        };
        let (name, rest) = words
            .split_first()
            .ok_or_else(|| failed("it has no words"))?;
        let env = &self.0.env;
        let program = if name.contains('/') {
            PathBuf::from(name)
        } else {
            env.find(name)
                .map_err(|_| failed("no such program on the PATH"))?
        };
        let limits = Limits {
            read: limit,
            output: most_bytes,
            ..self.0.limits
        };
        let call = Call::bare(&program, env, limits).named(name);
        let output = call.args(rest).success()?;
        Ok(output.stdout)
    }
}
