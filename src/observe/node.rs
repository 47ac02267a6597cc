//! What one directory entry is, in one system call.

use super::processes::Inode;
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::fd::AsFd;

/// The kind of a node, as far as a removal is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link.
    Symlink,
    /// A FIFO, socket, or device.
    Special,
}

/// One node, not followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) shape: Shape,
    pub(crate) inode: Inode,
    /// Type and permission bits.
    pub(crate) mode: u32,
    pub(crate) owner: u32,
    pub(crate) group: u32,
    pub(crate) links: u64,
    /// Bytes in it.
    pub(crate) length: u64,
    /// Bytes on disk.
    pub(crate) bytes: u64,
    /// The mtime.
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: i64,
    /// The ctime, in seconds and nanoseconds.
    pub(crate) changed: (i64, i64),
    /// Whether something is mounted here.
    pub(crate) is_mount: bool,
    /// Whether it is immutable or append-only.
    pub(crate) is_fixed: bool,
}

/// Looks at `name` in the open directory; an empty name is the directory itself.
#[cfg(target_os = "linux")]
pub(crate) fn look_at(at: impl AsFd, name: &OsStr) -> Result<Node, Errno> {
    use rustix::fs::{AtFlags, FileType, StatxAttributes, StatxFlags, makedev, statx};
    let mut flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    if name.is_empty() {
        flags |= AtFlags::EMPTY_PATH;
    }
    let stat = statx(at, name, flags, StatxFlags::BASIC_STATS)?;
    let shape = match FileType::from_raw_mode(u32::from(stat.stx_mode)) {
        FileType::Directory => Shape::Directory,
        FileType::RegularFile => Shape::File,
        FileType::Symlink => Shape::Symlink,
        FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => Shape::Special,
    };
    let attributes = stat.stx_attributes;
    Ok(Node {
        shape,
        inode: Inode {
            device: makedev(stat.stx_dev_major, stat.stx_dev_minor),
            number: stat.stx_ino,
        },
        mode: u32::from(stat.stx_mode),
        owner: stat.stx_uid,
        group: stat.stx_gid,
        links: u64::from(stat.stx_nlink),
        length: stat.stx_size,
        bytes: stat.stx_blocks * 512,
        seconds: stat.stx_mtime.tv_sec,
        nanoseconds: i64::from(stat.stx_mtime.tv_nsec),
        changed: (stat.stx_ctime.tv_sec, i64::from(stat.stx_ctime.tv_nsec)),
        is_mount: attributes.contains(StatxAttributes::MOUNT_ROOT),
        is_fixed: attributes.intersects(StatxAttributes::IMMUTABLE | StatxAttributes::APPEND),
    })
}

/// Looks at `name`; mounts are told by the device only, and immutable files not at all, so that a
/// tree whose deletion would fail half way is found by the deletion (`spec 1`: Linux is held by
/// tests).
#[cfg(not(target_os = "linux"))]
#[expect(
    clippy::cast_sign_loss,
    clippy::useless_conversion,
    reason = "field types differ by system"
)]
pub(crate) fn look_at(at: impl AsFd, name: &OsStr) -> Result<Node, Errno> {
    use rustix::fs::{AtFlags, FileType, statat};
    let name = if name.is_empty() {
        OsStr::new(".")
    } else {
        name
    };
    let stat = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let shape = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Shape::Directory,
        FileType::RegularFile => Shape::File,
        FileType::Symlink => Shape::Symlink,
        _ => Shape::Special,
    };
    Ok(Node {
        shape,
        inode: Inode {
            device: stat.st_dev as u64,
            number: stat.st_ino as u64,
        },
        mode: u32::from(stat.st_mode),
        owner: stat.st_uid,
        group: stat.st_gid,
        links: stat.st_nlink as u64,
        length: stat.st_size as u64,
        bytes: stat.st_blocks as u64 * 512,
        seconds: stat.st_mtime as i64,
        nanoseconds: i64::from(stat.st_mtime_nsec),
        changed: (stat.st_ctime as i64, i64::from(stat.st_ctime_nsec)),
        is_mount: false,
        is_fixed: false,
    })
}
