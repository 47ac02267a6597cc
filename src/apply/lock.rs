//! One owl at a time in a repository (`spec 7.1`).
//!
//! An advisory lock on the common git directory itself: no file is left behind, and other users
//! are excluded too. The handle is inherited by git, so that a killed owl's git still excludes the
//! next owl.

use crate::resource::BytePath;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, flock, openat};
use rustix::io::Errno;
use std::cell::Cell;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A held lock; released when dropped and when the last git that inherited it has ended.
#[derive(Debug)]
pub struct Lock {
    _handle: OwnedFd,
    common_dir: PathBuf,
    /// Whether what an earlier run had left open there has been seen to.
    pub(super) is_recovered: Cell<bool>,
}

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another owl is at work there.
    #[error("another owl is at work in {0}; wait for it, or pass --wait")]
    Taken(BytePath),
    /// The directory could not be locked.
    #[error("{path} could not be locked: {source}")]
    Failed {
        /// The common git directory.
        path: BytePath,
        /// Why.
        source: Errno,
    },
}

impl Lock {
    /// The common git directory that it is held of.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Locks a repository by its common git directory.
    pub fn take(common_dir: &Path, wait: bool) -> Result<Self, LockError> {
        let failed = |source| LockError::Failed {
            path: common_dir.into(),
            source,
        };
        // Without CLOEXEC, on purpose: see the module's docs.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let handle = openat(CWD, common_dir, flags, Mode::empty()).map_err(failed)?;
        let operation = if wait {
            FlockOperation::LockExclusive
        } else {
            FlockOperation::NonBlockingLockExclusive
        };
        loop {
            match flock(&handle, operation) {
                Ok(()) => {
                    return Ok(Self {
                        _handle: handle,
                        common_dir: common_dir.to_owned(),
                        is_recovered: Cell::new(false),
                    });
                }
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => return Err(LockError::Taken(common_dir.into())),
                Err(source) => return Err(failed(source)),
            }
        }
    }
}
