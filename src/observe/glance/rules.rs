//! The ignore rules that hold in one directory of the walk.

use super::patterns::{MOST, Patterns};
use super::{Closer, Ground};
use gix::bstr::ByteSlice;
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use std::cell::OnceCell;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;

const NAME: &[u8] = b".gitignore";

/// The rules of a directory, and those above it: the deepest file that says something decides.
pub(crate) struct Rules<'a> {
    /// The directory, relative to the tree.
    path: &'a [u8],
    own: Option<Patterns>,
    above: Option<&'a Rules<'a>>,
    ground: &'a Ground,
    /// Whether the directory is ignored itself, though it has tracked files.
    is_ignored: OnceCell<bool>,
}

impl<'a> Rules<'a> {
    /// The rules of the open directory at `path`, relative to the tree, with these names in it.
    pub(super) fn new(
        ground: &'a Ground,
        above: Option<&'a Rules<'a>>,
        (handle, names): (&OwnedFd, &[&[u8]]),
        path: &'a [u8],
    ) -> Result<Self, Closer> {
        let found = names.binary_search(&NAME);
        Ok(Self {
            path,
            own: match found {
                Ok(_) => Some(read(handle)?),
                Err(_) => None,
            },
            above,
            ground,
            is_ignored: OnceCell::new(),
        })
    }

    /// Whether an untracked path directly in the directory is ignored.
    pub(crate) fn ignore(&self, path: &[u8], is_directory: bool) -> bool {
        self.is_ignored() || self.decide(path, is_directory)
    }

    /// Nothing below an ignored directory can be taken back.
    fn is_ignored(&self) -> bool {
        *self.is_ignored.get_or_init(|| {
            let above = self.above;
            above.is_some_and(|above| above.ignore(self.path, true))
        })
    }

    fn decide(&self, path: &[u8], is_directory: bool) -> bool {
        let mut at = Some(self);
        while let Some(rules) = at {
            let base = match rules.path {
                [] => 0,
                path => path.len() + 1,
            };
            let own = rules.own.as_ref();
            let below = path.get(base..);
            let decided = own
                .zip(below)
                .and_then(|(own, below)| own.ignores(below.as_bstr(), is_directory));
            if let Some(ignores) = decided {
                return ignores;
            }
            at = rules.above;
        }
        self.ground.ignores(path.as_bstr(), is_directory)
    }
}

/// The ignore file of an open directory. Git does not follow a symlink there, and warns.
fn read(at: &OwnedFd) -> Result<Patterns, Closer> {
    let unread = Closer("an ignore file could not be read");
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(at, NAME, flags, Mode::empty()).map_err(|_| unread)?;
    let stat = fstat(&file).map_err(|_| unread)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(unread);
    }
    let mut bytes = Vec::new();
    File::from(file)
        .take(MOST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|_| unread)?;
    Patterns::parse(&bytes)
}
