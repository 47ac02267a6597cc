//! One attempt at a job (A1.1), and the process that makes it.

use super::Outcome;
use jiff::Timestamp;
use serde::Serialize;

/// One attempt; its number is its place in the job's list, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// When it began.
    pub started: Timestamp,
    /// When it ended; none while it is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// How it ended; none while it is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why it ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The process that makes it, if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<Runner>,
}

/// A process, so that no other one of the same number is taken for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Runner {
    /// Its number.
    pub pid: u32,
    /// When it was started, in clock ticks since the boot (`/proc/PID/stat`, field 22).
    pub started: u64,
    /// The boot in which it was started (`/proc/sys/kernel/random/boot_id`).
    pub boot: String,
    /// The inode of the process namespace in which the number counts.
    pub pid_namespace: u64,
}
