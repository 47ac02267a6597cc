//! The fast answer to "what does git see here?", told while the tree is walked (`performance 1`).
//!
//! Input: the index of a worktree, the ignore rules, and each node that the walk meets. Output: for
//! each whether it is tracked and unchanged, changed, ignored or untracked; or a reason to look
//! closer, where git answers instead. Invariants (`spec 5.1`): "unchanged" is only said of an entry
//! whose type, mode, size, mtime, ctime, inode, and owner are those of the index, and that is not
//! racy; "changed" only where git would say so from the size alone; "nothing staged" only where the
//! index itself names HEAD's tree; whatever is unusual is a reason to look closer. It serves plans
//! alone: what is about to be removed is always looked at closely.

mod answer;
mod children;
mod ground;
mod patterns;
mod ready;
mod rules;
mod stat;
mod unusual;

pub(crate) use answer::{Answer, answer};
pub(crate) use children::{Child, Children};
pub(crate) use ground::Ground;
pub(crate) use ready::Ready;
pub(crate) use rules::Rules;

use super::node::Node;
use gix::index::State;
use ready::ready;
use std::ops::Range;
use std::os::fd::OwnedFd;

/// Why the fast answer is not to be had. It says nothing about dirt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closer(pub(crate) &'static str);

/// A worktree's index and rules, ready to be compared with what is on disk.
pub(crate) struct Glance<'a> {
    pub(crate) index: &'a State,
    pub(crate) ground: &'a Ground,
    /// The user that owl runs as.
    pub(crate) user: u32,
}

impl<'a> Glance<'a> {
    /// The places of all entries.
    pub(crate) fn all(&self) -> Range<usize> {
        0..self.index.entries().len()
    }

    /// What the index has in the directory at `path`, of whose entries `range` tells.
    pub(crate) fn children(
        &self,
        range: Range<usize>,
        path: &[u8],
    ) -> Result<Children<'a>, Closer> {
        let prefix = if path.is_empty() { 0 } else { path.len() + 1 };
        Children::of(self.index, range, prefix)
    }

    /// The rules of an open directory.
    pub(crate) fn rules<'r>(
        &self,
        above: Option<&'r Rules<'r>>,
        open: (&OwnedFd, &[&[u8]]),
        path: &'r [u8],
    ) -> Result<Rules<'r>, Closer>
    where
        'a: 'r,
    {
        Rules::new(self.ground, above, open, path)
    }

    /// Whether a tracked file is the one that the index saw; false if git calls it modified.
    pub(crate) fn is_same(&self, entry: usize, node: &Node) -> Result<bool, Closer> {
        let entry = self
            .index
            .entries()
            .get(entry)
            .ok_or(Closer("the index is not in order"))?;
        Ok(stat::compare(self.index, entry, node)? == stat::Seen::Same)
    }
}
