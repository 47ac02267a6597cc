//! Whether all processes of the machine can be seen at all (`spec 5.2`).

use super::ProcessError;
use std::path::Path;

/// The process namespace that `/proc` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PidNamespace {
    /// The machine's own: it holds every process.
    Host,
    /// One of a container: processes outside it may use the trees unseen.
    Other,
}

/// Tells in which process namespace owl runs.
#[cfg(target_os = "linux")]
pub fn pid_namespace(proc_root: &Path) -> Result<PidNamespace, ProcessError> {
    /// What the kernel calls the first namespace (`PROC_PID_INIT_INO`).
    const INITIAL: &[u8] = b"pid:[4026531836]";
    use super::probe::{self, Reading};

    let link = proc_root.join("self/ns/pid");
    match probe::link(&link)? {
        Reading::Read(name) if name == INITIAL => Ok(PidNamespace::Host),
        Reading::Read(_) => Ok(PidNamespace::Other),
        Reading::Gone | Reading::Denied => Err(ProcessError::NotSeen {
            path: proc_root.into(),
            pid: std::process::id(),
        }),
    }
}

/// Reports that processes cannot be seen here (`spec 1`).
#[cfg(not(target_os = "linux"))]
pub fn pid_namespace(_: &Path) -> Result<PidNamespace, ProcessError> {
    Err(ProcessError::Unsupported)
}
