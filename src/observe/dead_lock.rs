//! Whether the process that locked a worktree is proven dead (guard 4; `spec 9`).
//!
//! Input: the reason of a lock. Output: the proof as a sentence, or absent: not proven, which is
//! not the same as alive. Invariants: a number that names a process of a container is no proof; only the form that Claude Code writes is understood
//! (`ecosystem 1a`, 5): `claude session NAME (pid N start T)` or `claude agent NAME (pid N start T)`,
//! where ` start T` may be missing; a lock that is on another machine's file system is never proven
//! dead. Whether the process table is whole, and the right one, is for the guard to say.

use super::ObserveError;
use super::processes;
use crate::fact::Fact;
use rustix::fs::statfs;
use std::path::Path;

/// What a lock says of the process that made it.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    pid: u32,
    /// Field 22 of `/proc/PID/stat`, where it was recorded.
    start: Option<u64>,
}

/// File systems that another machine, or another side of a virtual one, may write to as well.
const SHARED: [u32; 12] = [
    0x6969,
    0x517b,
    0xff53_4d42,
    0xfe53_4d42,
    0x6573_5546,
    0x0102_1997,
    0x00c3_6400,
    0x5346_414f,
    0x7375_7245,
    0x0bd0_0bd0,
    0x4750_4653,
    0x7461_636f,
];

/// The proof that the owner of a lock with this reason is dead, if there is one.
pub(crate) fn dead(
    (proc_root, own_pid): (&Path, u32),
    entry: &Path,
    reason: &[u8],
) -> Fact<String> {
    let Some(owner) = Owner::parse(reason) else {
        return Fact::Absent;
    };
    match is_shared(entry) {
        Ok(false) => {}
        Ok(true) => return Fact::unknown("its lock may be of a process on another machine"),
        Err(why) => return Fact::unknown(why),
    }
    let pid = owner.pid;
    let proof = match (processes::start_of(proc_root, own_pid, pid), owner.start) {
        (Ok(None), _) => format!("there is no process {pid}"),
        (Ok(Some(now)), Some(then)) if now != then => {
            format!("process {pid} is another one, started at {now} and not at {then}")
        }
        (Ok(Some(_)), _) => return Fact::Absent,
        (Err(why), _) => return Fact::unknown(why),
    };
    // The number may have been a container's.
    match processes::is_inner(proc_root, pid) {
        Ok(false) => Fact::Known(proof),
        Ok(true) => Fact::unknown(format!("a container has a process {pid}")),
        Err(why) => Fact::unknown(why),
    }
}

fn is_shared(entry: &Path) -> Result<bool, ObserveError> {
    let found = statfs(entry).map_err(|why| ObserveError::read(entry, why.into()))?;
    let kind = u64::try_from(found.f_type).map_or(0, |kind| kind & 0xffff_ffff);
    Ok(SHARED.iter().any(|shared| u64::from(*shared) == kind))
}

impl Owner {
    fn parse(reason: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(reason).ok()?;
        let is_own = text.starts_with("claude session ") || text.starts_with("claude agent ");
        if !is_own || text.contains(|c: char| c.is_control()) {
            return None;
        }
        let (_, owner) = text.strip_suffix(')')?.rsplit_once(" (pid ")?;
        let (pid, start) = match owner.split_once(" start ") {
            Some((pid, start)) => (pid, Some(number(start)?)),
            None => (owner, None),
        };
        let pid = u32::try_from(number(pid)?).ok()?;
        Some(Self { pid, start })
    }
}

/// A plain decimal number above zero.
fn number(text: &str) -> Option<u64> {
    let is_plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::Owner;

    #[test]
    fn only_what_claude_code_writes_is_understood() {
        let owner = |text: &str| Owner::parse(text.as_bytes()).map(|one| (one.pid, one.start));
        assert_eq!(
            owner("claude session fix (pid 7 start 99)"),
            Some((7, Some(99)))
        );
        assert_eq!(owner("claude agent agent-a1 (pid 123)"), Some((123, None)));
        assert_eq!(owner("claude session a (pid 1) (pid 7)"), Some((7, None)));
        for other in [
            "",
            "mine",
            "pid 7",
            "claude session fix",
            "claude session fix (pid 0)",
            "claude session fix (pid 07)",
            "claude session fix (pid +7)",
            "claude session fix (pid -7)",
            "claude session fix (pid 99999999999)",
            "claude session fix (pid 7 start Fri Aug  7 14:40:15 2026)",
            "claude session fix (pid 7 start )",
            "claude session fix (pid 7 start 99) and mine",
            "keep: claude session fix (pid 7)",
            "claude session\nfix (pid 7)",
        ] {
            assert_eq!(owner(other), None, "{other}");
        }
    }
}
