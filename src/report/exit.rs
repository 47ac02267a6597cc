//! The exit codes (`spec 11`).

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: done, or nothing to do.
    Done,
    /// 1: findings, where they were asked for.
    Findings,
    /// 2: usage, policy, an incomplete observation, or a refusal of the whole run.
    Error,
    /// 3: rows failed, partially removed, or stale; or another owl holds the lock.
    Unsettled,
    /// 130 or 143: ended by a signal, which is the number here.
    Interrupted(i32),
}

impl ExitStatus {
    /// The number for the shell.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Findings => 1,
            Self::Error => 2,
            Self::Unsettled => 3,
            Self::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(130),
        }
    }
}
