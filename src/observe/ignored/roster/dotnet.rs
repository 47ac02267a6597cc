//! Which files `MSBuild` says that it has written into `bin`, in lists that it keeps in `obj`.

use super::{Roster, folder_in, names_in, text_of};
use crate::observe::ignored::Level;
use crate::observe::ignored::pattern::any;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Absolute paths, one a line: what a build has written, and what a publication has.
const LISTS: &[&str] = &["*.FileListAbsolute.txt", "PublishOutputs.*"];

/// `obj/CONFIGURATION/FRAMEWORK/RUNTIME`.
const DEEPEST: usize = 3;

/// Reads the lists; none if there are none. `place` is the absolute path of the directory.
pub(super) fn read(level: &Level<'_>, place: &Path) -> Result<Option<Roster>, Errno> {
    let Some(above) = level.above() else {
        return Ok(None);
    };
    let Some(obj) = folder_in(above.handle(), b"obj")? else {
        return Ok(None);
    };
    let mut files = None;
    gather(&obj, DEEPEST, place, &mut files)?;
    Ok(files.map(|files| Roster {
        files: Some(files),
        ..Roster::default()
    }))
}

fn gather(
    at: &OwnedFd,
    deeper: usize,
    place: &Path,
    files: &mut Option<BTreeSet<PathBuf>>,
) -> Result<(), Errno> {
    for name in names_in(at)? {
        let name = name.as_bytes();
        if any(LISTS, name) {
            let text = text_of(at, name)?;
            let listed = files.get_or_insert_default();
            let lines = text
                .iter()
                .flat_map(|text| text.split(|byte| *byte == b'\n'));
            for line in lines {
                let line = line.strip_suffix(b"\r").map_or(line, |line| line);
                let path = Path::new(OsStr::from_bytes(line));
                listed.extend(path.strip_prefix(place).map(Path::to_owned));
            }
        } else if deeper > 0
            && let Some(inner) = folder_in(at, name)?
        {
            gather(&inner, deeper - 1, place, files)?;
        }
    }
    Ok(())
}
