//! `/proc/PID/stat`: what kind of process it is.

use super::digits::number;
use crate::resource::escape;

/// The flag of a kernel thread, which has no files (`PF_KTHREAD`).
const KERNEL_THREAD: u64 = 0x0020_0000;

/// What owl needs of the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stat {
    /// The program's name, escaped.
    pub(super) command: String,
    /// How many threads it has.
    pub(super) threads: u64,
    /// When it was started, in clock ticks since the boot.
    pub(super) start: u64,
    flags: u64,
    state: u8,
}

impl Stat {
    /// Reads the line; a program's name may hold anything, so the fields are counted from its
    /// last parenthesis.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let open = line.iter().position(|&byte| byte == b'(')?;
        let close = line.iter().rposition(|&byte| byte == b')')?;
        let command = escape(line.get(open + 1..close)?);
        let fields: Vec<&[u8]> = line[close + 1..]
            .split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty())
            .collect();
        Some(Self {
            command,
            threads: number(fields.get(17)?, 10)?,
            start: number(fields.get(19)?, 10)?,
            flags: number(fields.get(6)?, 10)?,
            state: *fields.first()?.first()?,
        })
    }

    /// Whether it is a thread of the kernel.
    pub(super) fn is_kernel(&self) -> bool {
        self.flags & KERNEL_THREAD != 0
    }

    /// Whether its first thread has ended; others may still run.
    pub(super) fn is_zombie(&self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }
}

#[cfg(test)]
mod tests {
    use super::Stat;

    const REST: &str = "1 1 1 0 -1 4194304 97 0 0 0 0 0 0 0 20 0 3 0 58055 3133440 360";

    #[test]
    fn a_name_may_look_like_the_rest_of_the_line() {
        let line = format!("12 (a) Z 1 (b\n c) S {REST}\n");
        let stat = Stat::parse(line.as_bytes()).expect("it is a line of stat");
        assert_eq!(stat.command, "a) Z 1 (b\\n c");
        assert_eq!((stat.threads, stat.start), (3, 58055));
        assert!(!stat.is_zombie() && !stat.is_kernel());
    }

    #[test]
    fn zombies_and_kernel_threads_are_told_by_state_and_flag() {
        let zombie = format!("12 (x) Z {REST}");
        assert!(Stat::parse(zombie.as_bytes()).is_some_and(|stat| stat.is_zombie()));
        let kernel = format!("2 (kthreadd) S {}", REST.replace("4194304", "2129984"));
        assert!(Stat::parse(kernel.as_bytes()).is_some_and(|stat| stat.is_kernel()));
    }

    #[test]
    fn half_a_line_is_no_line() {
        for line in [
            "",
            "12",
            "12 (x",
            "12 (x) S 1 1",
            ") S (",
            "12 (x) S a b c d e f g h i j k l m n o p q r s",
        ] {
            assert_eq!(Stat::parse(line.as_bytes()), None, "{line:?}");
        }
    }
}
