//! Reads a file that the user named, whatever it turns out to be.
//!
//! Invariants: only a regular file is opened, so that a pipe or a device never blocks; no more than
//! one byte over the limit is read, so that a huge file is refused and not swallowed.

use super::failure::Failure;
use super::settings::Settings;
use crate::resource::BytePath;
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// The bytes of a file as the user names it; `what` is what it should be, as in "the policy".
pub(super) fn read(
    name: &Path,
    settings: &Settings,
    what: &str,
    most: usize,
) -> Result<Vec<u8>, Failure> {
    let shown = BytePath::from(name);
    let path = settings.resolve(name);
    let failed = |why: std::io::Error| {
        let text = format!("{what} {shown} could not be read");
        Failure::from(anyhow::Error::new(why).context(text))
            .hint("nothing was done; name a file that is there and may be read")
    };
    // Looked at before it is opened: opening alone can block, or act on a device.
    let refuse = |kind: fs::FileType| {
        Failure::new(format_args!(
            "{what} {shown} is {}, not a file",
            kind_of(kind)
        ))
        .hint("nothing was done; name a regular file")
    };
    let kind = fs::metadata(&path).map_err(failed)?.file_type();
    if !kind.is_file() {
        return Err(refuse(kind));
    }
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(&path)
        .map_err(failed)?;
    let kind = file.metadata().map_err(failed)?.file_type();
    if !kind.is_file() {
        return Err(refuse(kind));
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn kind_of(kind: fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}
