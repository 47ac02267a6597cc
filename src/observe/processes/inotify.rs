//! `/proc/PID/fdinfo/FD`: what an inotify descriptor watches.

use super::Inode;
use super::digits::number;
use rustix::fs::makedev;

/// One line of a descriptor's information.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// It watches this. The device is that of the file system, which need not be the one that
    /// `stat` gives (btrfs).
    Watch(Inode),
    /// It says something else.
    Other,
    /// It is about a watch, but has another form.
    Malformed,
}

/// Reads `inotify wd:1 ino:2f sdev:fe00000 mask:...`, all hexadecimal.
pub(super) fn parse(line: &[u8]) -> Line {
    let Some(fields) = line.strip_prefix(b"inotify ") else {
        return Line::Other;
    };
    let field = |name: &[u8]| {
        fields
            .split(|&byte| byte == b' ')
            .find_map(|field| field.strip_prefix(name))
            .and_then(|digits| number(digits, 16))
    };
    let (Some(ino), Some(device)) = (field(b"ino:"), field(b"sdev:")) else {
        return Line::Malformed;
    };
    // The kernel's own form of a device: twelve bits, then twenty.
    let (Ok(major), Ok(minor)) = (
        u32::try_from(device >> 20),
        u32::try_from(device & 0xf_ffff),
    ) else {
        return Line::Malformed;
    };
    Line::Watch(Inode {
        device: makedev(major, minor),
        number: ino,
    })
}

#[cfg(test)]
mod tests {
    use super::{Inode, Line, makedev, parse};

    #[test]
    fn a_watch_names_a_device_and_an_inode_in_hexadecimal() {
        let line = b"inotify wd:1 ino:2f sdev:fe00003 mask:fce ignored_mask:0 fhandle-bytes:8";
        let device = makedev(254, 3);
        assert_eq!(parse(line), Line::Watch(Inode { device, number: 47 }));
        assert_eq!(parse(b"mnt_id:\t15"), Line::Other);
        assert_eq!(parse(b"inotify wd:1 ino:zz sdev:1"), Line::Malformed);
        assert_eq!(parse(b"inotify wd:1"), Line::Malformed);
    }
}
