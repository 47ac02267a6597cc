//! The names in one open directory.

use rustix::io::Errno;
use std::os::fd::OwnedFd;

/// Bytes of directory entries that are read at once.
#[cfg(target_os = "linux")]
const BUFFER: usize = 16 << 10;

/// How many names a directory usually has at most.
const USUAL: usize = 64;

/// The names, one behind the other, but for `.` and `..`.
pub(crate) struct Names {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Names {
    /// Reads them; the directory is not opened once more, so it can be done once a handle.
    pub(crate) fn of(handle: &OwnedFd) -> Result<Self, Errno> {
        let mut names = Self {
            bytes: Vec::with_capacity(USUAL * 16),
            ends: Vec::with_capacity(USUAL),
        };
        #[cfg(target_os = "linux")]
        {
            let mut buffer = Vec::with_capacity(BUFFER);
            let mut entries = rustix::fs::RawDir::new(handle, buffer.spare_capacity_mut());
            while let Some(entry) = entries.next() {
                names.add(entry?.file_name().to_bytes());
            }
        }
        #[cfg(not(target_os = "linux"))]
        for entry in rustix::fs::Dir::read_from(handle)? {
            names.add(entry?.file_name().to_bytes());
        }
        Ok(names)
    }

    /// The names in byte order.
    pub(crate) fn sorted(&self) -> Vec<&[u8]> {
        let mut start = 0;
        let cut = |end: &usize| {
            let name = &self.bytes[start..*end];
            start = *end;
            name
        };
        let mut names: Vec<&[u8]> = self.ends.iter().map(cut).collect();
        names.sort_unstable();
        names
    }

    fn add(&mut self, name: &[u8]) {
        if name != b"." && name != b".." {
            self.bytes.extend_from_slice(name);
            self.ends.push(self.bytes.len());
        }
    }
}
