//! Reads and writes files that the user named, whatever they turn out to be.
//!
//! Invariants: only a regular file is opened, so that a pipe or a device never blocks; no more than
//! one byte over the limit is read, so that a huge file is refused and not swallowed.

use super::failure::Failure;
use super::settings::Settings;
use crate::resource::BytePath;
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
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

/// Writes a file as the user names it, whole or not at all, readable by its owner alone. A regular
/// file that is there is replaced; anything else is left alone.
pub(super) fn write(
    name: &Path,
    bytes: &[u8],
    settings: &Settings,
    what: &str,
) -> Result<(), Failure> {
    let shown = BytePath::from(name);
    let path = settings.resolve(name);
    let failed = |why: std::io::Error| {
        let text = format!("{what} could not be written to {shown}");
        Failure::from(anyhow::Error::new(why).context(text))
            .hint("name a file in a directory that is there and may be written")
    };
    match fs::symlink_metadata(&path) {
        Ok(there) if !there.is_file() => {
            let kind = there.file_type();
            let kind = if kind.is_symlink() {
                "a symlink"
            } else {
                kind_of(kind)
            };
            let text = format!("{what} cannot be written to {shown}: it is {kind}");
            return Err(Failure::new(text).hint("name a regular file, or one that is not there"));
        }
        Ok(_) => {}
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
        Err(why) => return Err(failed(why)),
    }
    let Some(file_name) = path.file_name() else {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    };
    let mut draft = std::ffi::OsString::from(".");
    draft.push(file_name);
    draft.push(format!(".{}.tmp", std::process::id()));
    let draft = path.with_file_name(draft);
    let written = write_new(&draft, bytes).and_then(|()| fs::rename(&draft, &path));
    if written.is_err() {
        // Nothing else can be done for it.
        drop(remove_draft(&draft));
    }
    written.map_err(failed)
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the file that was just made here"
)]
fn remove_draft(path: &Path) -> std::io::Result<()> {
    fs::remove_file(path)
}
