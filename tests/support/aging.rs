//! Makes files old: guards that look at ages must pass, unless a test wants otherwise.

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::path::Path;

/// 2026-01-03T00:00:00Z, shortly after every commit of these tests.
pub const LONG_AGO: i64 = 1_767_398_400;

/// Sets the mtime of everything at and below `path` to [`LONG_AGO`]; follows no symlink.
pub fn age(path: &Path) {
    let metadata = std::fs::symlink_metadata(path).expect("it is there");
    if metadata.is_dir() {
        for entry in std::fs::read_dir(path).expect("it can be read") {
            age(&entry.expect("it can be read").path());
        }
    }
    touch(path, LONG_AGO);
}

/// Sets the mtime of a path itself.
pub fn touch(path: &Path, seconds: i64) {
    let time = Timespec {
        tv_sec: seconds,
        tv_nsec: 0,
    };
    let times = Timestamps {
        last_access: time,
        last_modification: time,
    };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW).expect("its owner may");
}
