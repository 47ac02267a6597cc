//! Why a pass proves nothing.

use crate::resource::BytePath;
use std::io;

/// The processes could not be told; each message is a sentence fit for "could not tell: ...".
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// There is no `/proc` to look at.
    #[error("processes cannot be seen on this system")]
    Unsupported,
    /// A part of `/proc` could not be read, and not because its process is gone or not ours.
    #[error("{path} cannot be read: {why}")]
    Read {
        /// What was read.
        path: BytePath,
        /// The system's answer.
        why: io::Error,
    },
    /// A part of `/proc` does not have the form that it has on Linux.
    #[error("{path} has an unknown form")]
    Malformed {
        /// What was read.
        path: BytePath,
    },
    /// owl's own working directory was not among those seen (C5).
    #[error("{path} does not show the working directory of owl itself, process {pid}")]
    NotSeen {
        /// The `/proc` that was read.
        path: BytePath,
        /// owl's own process id.
        pid: u32,
    },
    /// The mounted `/proc` numbers processes otherwise than owl's own namespace does.
    #[error("{path} belongs to another process namespace than owl itself, process {pid}")]
    OtherNamespace {
        /// The `/proc` that was read.
        path: BytePath,
        /// owl's own process id.
        pid: u32,
    },
}
