//! A blob as a checkout would write it, through the configured smudge driver.
//!
//! The only call that runs a program of the configuration. Which one is git's own choice, and git
//! has refused configuration of other owners before (`repository.rs`).

use super::{GitError, Oid, Worktree};

/// What git says of a driver that failed and was not required: it passes the blob through.
const FAILED: &[u8] = b"external filter";

impl Worktree {
    /// The bytes that a checkout of the blob `oid` at `path`, relative to the worktree, writes.
    /// A driver that fails is an error, required or not; what it says besides does not count.
    pub fn smudged(&self, oid: &Oid, path: &[u8]) -> Result<Vec<u8>, GitError> {
        use std::os::unix::ffi::OsStrExt;
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(path));
        let call = self
            .call()
            .inside(self.path())
            .args(["cat-file", "--filters"])
            .path_switch("--path", path)
            .arg(oid.as_str());
        let (output, argv) = call.success_with_argv()?;
        if output
            .stderr
            .windows(FAILED.len())
            .any(|part| part == FAILED)
        {
            return Err(GitError::Warned {
                argv,
                stderr: output.stderr,
            });
        }
        Ok(output.stdout)
    }
}
