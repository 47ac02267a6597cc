//! Files that the policy calls expendable, each told so that no other can be taken for it.

use super::Expendable;
use super::node::{Node, Shape};
use crate::resource::hex;
use rustix::fs::{Mode, OFlags, openat, readlinkat};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// The most expendable files of one tree; more are not, and hold like any other.
pub(crate) const MOST: usize = 1000;

/// What a file or symlink is; none for anything else.
pub(crate) fn expendable(
    handle: &OwnedFd,
    name: &OsStr,
    path: &Path,
    node: &Node,
) -> Result<Option<Expendable>, Errno> {
    match node.shape {
        Shape::File | Shape::Symlink => {}
        Shape::Directory | Shape::Special => return Ok(None),
    }
    let (bytes, sha256) = digest_of(handle, name, node.shape == Shape::Symlink)?;
    Ok(Some(Expendable {
        path: path.into(),
        inode: node.inode.number,
        bytes,
        sha256,
    }))
}

/// Length and SHA-256 of a regular file in an open directory, or of the text of a symlink there;
/// nothing is followed.
pub fn digest_of(at: impl AsFd, name: &OsStr, is_symlink: bool) -> Result<(u64, String), Errno> {
    if is_symlink {
        let target = readlinkat(at, name, Vec::new())?;
        let target = target.as_bytes();
        return Ok((target.len() as u64, hex(&Sha256::digest(target))));
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(openat(at, name, flags, Mode::empty())?);
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut total = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((total, hex(&digest.finalize()))),
            Ok(count) => {
                digest.update(&buffer[..count]);
                total += count as u64;
            }
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => {}
            Err(why) => return Err(Errno::from_io_error(&why).map_or(Errno::IO, |errno| errno)),
        }
    }
}
