//! What the index has in one directory.

use super::Closer;
use gix::bstr::ByteSlice;
use gix::index::State;
use std::ops::Range;

/// One name in a directory of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    /// A tracked file or symlink, by its place in the index.
    File(usize),
    /// A directory with tracked files, by their places in the index.
    Directory(Range<usize>),
}

/// The names of one directory in byte order, to be met in that order.
#[derive(Debug, Default)]
pub(crate) struct Children<'a> {
    names: Vec<(&'a [u8], Child)>,
    next: usize,
}

impl<'a> Children<'a> {
    /// The children of the directory whose entries are `range`; their paths share a prefix of
    /// `prefix` bytes, its slash included.
    pub(super) fn of(index: &'a State, range: Range<usize>, prefix: usize) -> Result<Self, Closer> {
        let entries = index.entries();
        let mut names = Vec::new();
        let Range { start: mut at, end } = range;
        while at < end {
            let path = entries[at].path(index).as_bytes();
            let Some(rest) = path.get(prefix..) else {
                return Err(Closer("the index is not in order"));
            };
            let Some(slash) = rest.find_byte(b'/') else {
                names.push((rest, Child::File(at)));
                at += 1;
                continue;
            };
            let shared = &path[..=prefix + slash];
            let more = entries[at..end]
                .partition_point(|entry| entry.path(index).as_bytes().starts_with(shared));
            names.push((&rest[..slash], Child::Directory(at..at + more)));
            at += more;
        }
        // In the index, a directory sorts as if its name ended in a slash.
        names.sort_unstable_by(|a, b| a.0.cmp(b.0));
        if names.windows(2).any(|two| two[0].0 == two[1].0) {
            return Err(Closer("the index has a name twice"));
        }
        Ok(Self { names, next: 0 })
    }

    /// What the index has under this name of the disk. Names come in byte order; one that the disk
    /// lacks is a deletion, which git tells.
    pub(crate) fn meet(&mut self, name: &[u8]) -> Result<Option<Child>, Closer> {
        match self.names.get(self.next) {
            Some((known, child)) if *known == name => {
                self.next += 1;
                Ok(Some(child.clone()))
            }
            Some((known, _)) if *known < name => Err(DELETED),
            Some(_) | None => Ok(None),
        }
    }

    /// Every name must have been met.
    pub(crate) fn end(&self) -> Result<(), Closer> {
        if self.next == self.names.len() {
            Ok(())
        } else {
            Err(DELETED)
        }
    }
}

const DELETED: Closer = Closer("a tracked file is gone");
