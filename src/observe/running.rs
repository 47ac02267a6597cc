//! Whether another owl holds the lock of a repository, asked without touching the lock.
//!
//! A reader that took the lock even for a moment, shared or not, could make a real apply fail; the
//! kernel's own list of locks tells without that. A lock that the list does not show (another
//! process namespace) reads as "not running", which changes the sentence of a row and nothing else:
//! the row is held either way.

use super::{ObserveError, World};
use rustix::fs::{major, minor};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Whether a process other than this one holds the exclusive lock of the common git directory.
pub(crate) fn is_running(world: &World<'_>, common_dir: &Path) -> Result<bool, ObserveError> {
    let metadata =
        std::fs::metadata(common_dir).map_err(|why| ObserveError::read(common_dir, why))?;
    let list = world.proc_root.join("locks");
    let Some(text) = super::place::contents(&list)? else {
        return Ok(false);
    };
    let device = (major(metadata.dev()), minor(metadata.dev()));
    let text = String::from_utf8_lossy(&text);
    Ok(text.lines().filter_map(holder).any(|held| {
        held.inode == metadata.ino() && held.device == device && held.pid != world.own_pid
    }))
}

struct Held {
    pid: u32,
    device: (u32, u32),
    inode: u64,
}

/// `7: FLOCK  ADVISORY  WRITE 1234 fe:00:131 0 EOF`; one that only waits has `->` before its kind.
fn holder(line: &str) -> Option<Held> {
    let mut words = line.split_whitespace().skip(1);
    let kind = (words.next()?, words.next()?, words.next()?);
    if kind != ("FLOCK", "ADVISORY", "WRITE") {
        return None;
    }
    let pid = number(words.next()?, 10)?;
    let mut place = words.next()?.split(':');
    let device = (number(place.next()?, 16)?, number(place.next()?, 16)?);
    let Ok(inode) = place.next()?.parse() else {
        return None;
    };
    Some(Held { pid, device, inode })
}

fn number(text: &str, radix: u32) -> Option<u32> {
    let Ok(number) = u32::from_str_radix(text, radix) else {
        return None;
    };
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::holder;

    #[test]
    fn a_held_lock_is_told_from_others() {
        let held = holder("7: FLOCK  ADVISORY  WRITE 1234 fe:00:131 0 EOF").expect("it is held");
        assert_eq!((held.pid, held.device, held.inode), (1234, (0xfe, 0), 131));
        for other in [
            "7: -> FLOCK  ADVISORY  WRITE 1234 fe:00:131 0 EOF",
            "7: POSIX  ADVISORY  WRITE 1234 fe:00:131 0 EOF",
            "7: FLOCK  ADVISORY  READ 1234 fe:00:131 0 EOF",
            "",
        ] {
            assert!(holder(other).is_none(), "{other}");
        }
    }
}
