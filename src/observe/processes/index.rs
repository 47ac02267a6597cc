//! All places at once, found by path or by inode.

use super::mountinfo::{Mount, containing};
use super::path::{Directories, below, join};
use super::{Inode, Place};
use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;

/// The places, ready to be looked up.
///
/// A path is known under three names: as owl sees it, as its file system has it (the device of the
/// file system and the path within it, which all mounts of it share), and by inode.
pub(super) struct Index {
    /// The roots as owl sees them.
    pub(super) roots: Directories,
    /// The roots as their file systems have them, by device.
    pub(super) located: HashMap<u64, Vec<Located>>,
    /// How many places there are.
    pub(super) len: usize,
    /// By inode, sorted; the device is that of `stat`.
    inodes: Vec<(Inode, usize)>,
    /// The same where the file system's device is another one (btrfs), with that.
    superblock_inodes: Vec<(Inode, usize)>,
    /// The devices of the latter.
    ambiguous: HashSet<u64>,
}

/// A root within its file system.
pub(super) struct Located {
    /// The path there.
    pub(super) path: Vec<u8>,
    /// The place.
    pub(super) place: usize,
}

impl Index {
    /// Takes the places in; `mounts` are those that owl sees.
    pub(super) fn new(places: &[Place], mounts: &[Mount]) -> Self {
        let mut index = Self {
            roots: HashMap::new(),
            located: HashMap::new(),
            len: places.len(),
            inodes: Vec::new(),
            superblock_inodes: Vec::new(),
            ambiguous: HashSet::new(),
        };
        for (at, place) in places.iter().enumerate() {
            index.add(at, place, mounts);
        }
        index.inodes.sort_unstable();
        index.superblock_inodes.sort_unstable();
        index
    }

    fn add(&mut self, at: usize, place: &Place, mounts: &[Mount]) {
        let mut devices = Vec::new();
        for root in &place.roots {
            let root = root.as_os_str().as_bytes();
            self.roots.entry(root.to_vec()).or_default().push(at);
            let Some(mount) = containing(mounts, root) else {
                continue;
            };
            let Some(rest) = below(&mount.point, root) else {
                continue;
            };
            devices.push(mount.device);
            self.located.entry(mount.device).or_default().push(Located {
                path: join(&mount.root, rest),
                place: at,
            });
        }
        devices.sort_unstable();
        devices.dedup();
        for &inode in &place.inodes {
            self.inodes.push((inode, at));
            if devices.contains(&inode.device) {
                continue;
            }
            for &device in &devices {
                let number = inode.number;
                self.ambiguous.insert(device);
                self.superblock_inodes.push((Inode { device, number }, at));
            }
        }
    }

    /// The places that hold a file, by what `stat` says of it.
    pub(super) fn holding(&self, inode: Inode) -> impl Iterator<Item = usize> {
        equal(&self.inodes, inode)
    }

    /// The places that may hold a file, by what the kernel says of it without asking the file
    /// system: where that is ambiguous, too many.
    pub(super) fn perhaps_holding(&self, inode: Inode) -> impl Iterator<Item = usize> {
        self.holding(inode)
            .chain(equal(&self.superblock_inodes, inode))
    }

    /// Whether a device of the kernel's does not tell files of the places apart from others.
    pub(super) fn is_ambiguous(&self, device: u64) -> bool {
        self.ambiguous.contains(&device)
    }
}

fn equal(sorted: &[(Inode, usize)], inode: Inode) -> impl Iterator<Item = usize> {
    let start = sorted.partition_point(|(other, _)| *other < inode);
    sorted[start..]
        .iter()
        .take_while(move |(other, _)| *other == inode)
        .map(|&(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::{Index, Inode, Place};
    use crate::observe::processes::mountinfo;
    use rustix::fs::makedev;

    fn inode(minor: u32, number: u64) -> Inode {
        let device = makedev(0, minor);
        Inode { device, number }
    }

    #[test]
    fn a_file_is_found_in_every_place_that_has_it() {
        let mounts = mountinfo::parse(b"1 0 0:30 /@ / rw - btrfs x rw\n").expect("a mount");
        let place = |minor, root: &str| Place {
            roots: vec![root.into()],
            inodes: vec![inode(minor, 7), inode(minor, 9)],
        };
        let places = [place(30, "/a"), place(30, "/b"), place(31, "/c")];
        let index = Index::new(&places, &mounts);
        let found = |inode| index.holding(inode).collect::<Vec<_>>();
        assert_eq!(found(inode(30, 7)), [0, 1]);
        assert_eq!(found(inode(31, 7)), [2]);
        assert!(found(inode(30, 8)).is_empty());
        let perhaps: Vec<_> = index.perhaps_holding(inode(30, 9)).collect();
        assert_eq!(perhaps, [0, 1, 2], "a subvolume has a device of its own");
        assert!(index.is_ambiguous(makedev(0, 30)) && !index.is_ambiguous(makedev(0, 31)));
        let located = &index.located[&makedev(0, 30)];
        assert_eq!(located[2].path, b"/@/c");
    }
}
