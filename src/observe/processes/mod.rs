//! Finds the processes that stand in a worktree or hold something of it open (guard 14, `spec 5.2`).
//!
//! Input: the mounted `/proc`, owl's own process id, and the places to watch. Output: for each
//! place, who uses it and how, and how much could not be seen. One pass over all processes serves
//! all places; its cost does not grow with their number.
//!
//! A process uses a place through its working directory and root (those of every thread), its
//! executable, an open file or a mapping; through a mount of a directory of it, be it in another
//! mount namespace; or through inotify, if it watches something of it and nothing outside it. The
//! kernel uses a place through loop devices and swap files (`kernel.rs`), by path only.
//! Each is compared twice, because either comparison alone misses something (`git-facts 50`):
//!
//! - as text, by whole components, deleted ones included, after every path has been translated
//!   through the mount table of its process: a bind mount and a container show paths of their own;
//! - by device and inode, for what no mount table shows.
//!
//! Invariants:
//!
//! - A pass that did not see owl's own working directory proves nothing and is an error (C5).
//! - A process that vanishes meanwhile is gone, one that may not be inspected is counted as
//!   hidden, and any other failure to read `/proc` fails the pass. There is no fourth way.
//! - owl's own files are not a use; its own working directory is one.
//! - Nothing is opened but files of `/proc`. A file of a process is only asked for its inode,
//!   without synchronising and not at all on remote file systems, so that a dead server cannot
//!   stop the pass.
//!
//! A pass is a sample: look again right before a removal.

mod error;
mod namespace;
mod place;
mod usage;

#[cfg(target_os = "linux")]
mod digits;
#[cfg(target_os = "linux")]
mod index;
#[cfg(target_os = "linux")]
mod inner;
#[cfg(target_os = "linux")]
mod inotify;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod maps;
#[cfg(target_os = "linux")]
mod mountinfo;
#[cfg(target_os = "linux")]
mod pass;
#[cfg(target_os = "linux")]
mod path;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod stat;
#[cfg(target_os = "linux")]
mod view;

pub use error::ProcessError;
pub use namespace::{PidNamespace, pid_namespace};
pub use place::{Inode, Place};
pub use usage::{Hidden, How, Occupancy, Survey, Use};

use std::path::Path;

/// Looks at every process once and reports the uses of each place, in the order of `places`.
///
/// `proc_root` is `/proc`, `own_pid` owl's own process id.
#[cfg(target_os = "linux")]
pub fn survey(proc_root: &Path, own_pid: u32, places: &[Place]) -> Result<Survey, ProcessError> {
    pass::run(proc_root, own_pid, places)
}

/// Reports that processes cannot be seen here (`spec 1`).
#[cfg(not(target_os = "linux"))]
pub fn survey(_: &Path, _: u32, _: &[Place]) -> Result<Survey, ProcessError> {
    Err(ProcessError::Unsupported)
}

/// When a process was started, in clock ticks since the boot (field 22 of `/proc/PID/stat`); none
/// if there is no process of this id. owl's own must be there to see, or nothing is proven.
#[cfg(target_os = "linux")]
pub fn start_of(proc_root: &Path, own_pid: u32, pid: u32) -> Result<Option<u64>, ProcessError> {
    use probe::Reading;
    let read = |pid: u32| -> Result<Option<u64>, ProcessError> {
        let path = proc_root.join(pid.to_string()).join("stat");
        let why = match probe::bytes(&path)? {
            Reading::Gone => return Ok(None),
            Reading::Read(line) => match stat::Stat::parse(&line) {
                Some(stat) => return Ok(Some(stat.start)),
                None => std::io::ErrorKind::InvalidData,
            },
            Reading::Denied => std::io::ErrorKind::PermissionDenied,
        };
        Err(ProcessError::Read {
            path: path.into(),
            why: why.into(),
        })
    };
    if read(own_pid)?.is_none() {
        return Err(ProcessError::NotSeen {
            path: proc_root.into(),
            pid: own_pid,
        });
    }
    read(pid)
}

/// Reports that processes cannot be seen here (`spec 1`).
#[cfg(not(target_os = "linux"))]
pub fn start_of(_: &Path, _: u32, _: u32) -> Result<Option<u64>, ProcessError> {
    Err(ProcessError::Unsupported)
}

/// Whether a number names a process in a process namespace below that of `proc_root`, where a
/// container counts its own.
#[cfg(target_os = "linux")]
pub fn is_inner(proc_root: &Path, pid: u32) -> Result<bool, ProcessError> {
    inner::is_inner(proc_root, pid)
}

/// Reports that processes cannot be seen here (`spec 1`).
#[cfg(not(target_os = "linux"))]
pub fn is_inner(_: &Path, _: u32) -> Result<bool, ProcessError> {
    Err(ProcessError::Unsupported)
}
