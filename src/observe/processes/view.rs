//! One mount namespace, seen from one root directory: under which paths it shows the places.

use super::index::Index;
use super::mountinfo::{Mount, containing};
use super::path::{Directories, below, climb, join};
use std::collections::HashMap;

/// What the mount table of a process makes of the places.
#[derive(Default)]
pub(super) struct View {
    /// Directories that are, or are in, a place, under paths that owl does not know it by.
    aliases: Directories,
    /// The places of which it mounts a directory, with the mount point.
    pub(super) mounted: Vec<(usize, Vec<u8>)>,
    /// Whether the mount table could not be read, though the process is there.
    pub(super) is_denied: bool,
    /// The mounts, if any of them is remote and holds no place.
    mounts: Vec<Mount>,
}

/// Whose mount table it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// owl's own: what is mounted below a place is another guard's to report.
    Own,
    /// That of others: whatever is mounted from or below a place is a use of it.
    Foreign,
}

impl View {
    /// The view of a process whose mount table may not be read.
    pub(super) fn denied() -> Self {
        Self {
            is_denied: true,
            ..Self::default()
        }
    }

    /// Builds the view from a mount table whose points have been put below the root directory.
    pub(super) fn new(index: &Index, mounts: Vec<Mount>, side: Side) -> Self {
        let mut view = Self::default();
        for mount in &mounts {
            view.add_aliases(index, mount);
        }
        for mount in &mounts {
            view.add_mounted(index, mount, side);
        }
        view.mounted.sort_unstable();
        view.mounted.dedup();
        let is_far =
            |mount: &Mount| mount.is_remote() && !index.located.contains_key(&mount.device);
        if mounts.iter().any(is_far) {
            view.mounts = mounts;
        }
        view
    }

    fn add_aliases(&mut self, index: &Index, mount: &Mount) {
        let Some(located) = index.located.get(&mount.device) else {
            return;
        };
        for root in located {
            let alias = match below(&mount.root, &root.path) {
                Some(rest) => join(&mount.point, rest),
                None if below(&root.path, &mount.root).is_some() => mount.point.clone(),
                None => continue,
            };
            let known = |places: &Vec<usize>| places.contains(&root.place);
            if !index.roots.get(&alias).is_some_and(known) {
                self.aliases.entry(alias).or_default().push(root.place);
            }
        }
    }

    fn add_mounted(&mut self, index: &Index, mount: &Mount, side: Side) {
        let mut places = Vec::new();
        if let Some(located) = index.located.get(&mount.device) {
            let inside = located
                .iter()
                .filter(|root| below(&root.path, &mount.root).is_some());
            places.extend(inside.map(|root| root.place));
        }
        match side {
            Side::Own => {
                let mut below_it = Vec::new();
                if let Some(slash) = mount.point.iter().rposition(|&byte| byte == b'/') {
                    climb(&index.roots, &mount.point[..slash], &mut below_it);
                }
                places.retain(|place| !below_it.contains(place));
            }
            Side::Foreign => places.extend(self.places(index, &mount.point)),
        }
        for layer in mount.layers() {
            places.extend(self.places(index, &layer));
        }
        let point = |place| (place, mount.point.clone());
        self.mounted.extend(places.into_iter().map(point));
    }

    /// The places that a path is in, as a process of this view says it.
    pub(super) fn places(&self, index: &Index, path: &[u8]) -> Vec<usize> {
        let mut places = Vec::new();
        climb(&index.roots, path, &mut places);
        climb(&self.aliases, path, &mut places);
        places
    }

    /// Whether asking for the inode of a path may wait for another machine, in vain.
    pub(super) fn is_far(&self, index: &Index, path: &[u8]) -> bool {
        containing(&self.mounts, path)
            .is_some_and(|mount| mount.is_remote() && !index.located.contains_key(&mount.device))
    }
}

/// Puts the mount points of a process below its root directory, as owl sees that.
pub(super) fn rebase(mounts: &mut [Mount], root: &[u8]) {
    for mount in mounts {
        mount.point = join(root, &mount.point);
    }
}

/// The views that have been met, by namespace and root directory.
pub(super) type Views = HashMap<Key, std::rc::Rc<View>>;

/// What makes two processes share a view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The same namespace and the same root directory.
    Namespace(Vec<u8>, Vec<u8>),
    /// The same mount table, where the namespace may not be asked for.
    Table(Vec<u8>),
}

#[cfg(test)]
mod tests {
    use super::{Side, View, rebase};
    use crate::observe::processes::index::Index;
    use crate::observe::processes::{Place, mountinfo};

    const OWN: &str = "1 0 8:1 / / rw - ext4 x rw\n2 1 8:2 /u /home rw - ext4 y rw\n";

    fn index() -> Index {
        let place = |name: &str| Place {
            roots: vec![format!("/home/p/{name}").into()],
            inodes: Vec::new(),
        };
        let mounts = mountinfo::parse(OWN.as_bytes()).expect("mounts");
        Index::new(&[place("agent-1"), place("agent-10")], &mounts)
    }

    fn view(index: &Index, more: &str, side: Side) -> View {
        let mounts = mountinfo::parse(more.as_bytes()).expect("mounts");
        View::new(index, mounts, side)
    }

    #[test]
    fn a_container_shows_a_place_wherever_a_directory_above_it_is_mounted() {
        let index = index();
        let volume = "9 1 0:9 / / rw - overlay o rw\n10 9 8:2 /u/p /work rw - ext4 y rw\n";
        let view = view(&index, volume, Side::Foreign);
        assert_eq!(view.places(&index, b"/work/agent-1/src"), [0]);
        assert_eq!(view.places(&index, b"/work/agent-10"), [1]);
        assert!(view.places(&index, b"/work").is_empty());
        assert!(view.mounted.is_empty());
    }

    #[test]
    fn a_mount_of_a_directory_of_a_place_is_a_use_of_that_place_only() {
        let index = index();
        let volume = "10 9 8:2 /u/p/agent-1/src /work rw - ext4 y rw\n";
        for side in [Side::Own, Side::Foreign] {
            let view = view(&index, volume, side);
            assert_eq!(view.mounted, [(0, b"/work".to_vec())]);
            assert_eq!(view.places(&index, b"/work/main.rs"), [0]);
        }
    }

    #[test]
    fn what_is_mounted_below_a_place_is_a_use_elsewhere_only() {
        let index = index();
        let inside = "10 9 8:2 /u/p/agent-1/a /home/p/agent-1/b rw - ext4 y rw\n";
        assert!(view(&index, inside, Side::Own).mounted.is_empty());
        let foreign = view(&index, inside, Side::Foreign);
        assert_eq!(foreign.mounted, [(0, b"/home/p/agent-1/b".to_vec())]);
        let itself = "10 9 8:2 /u/p/agent-1 /home/p/agent-1 rw - ext4 y rw\n";
        assert_eq!(view(&index, itself, Side::Own).mounted.len(), 1);
    }

    #[test]
    fn a_layer_of_an_overlay_is_a_use() {
        let index = index();
        let overlay = "10 9 0:50 / /m rw - overlay o rw,lowerdir=/x:/home/p/agent-10\n";
        assert_eq!(
            view(&index, overlay, Side::Own).mounted,
            [(1, b"/m".to_vec())]
        );
    }

    #[test]
    fn the_table_of_a_process_with_another_root_is_read_from_there() {
        let index = index();
        let text = b"10 9 8:2 /u/p /work rw - ext4 y rw\n";
        let mut mounts = mountinfo::parse(text).expect("mounts");
        rebase(&mut mounts, b"/jail");
        let view = View::new(&index, mounts, Side::Foreign);
        assert_eq!(view.places(&index, b"/jail/work/agent-1"), [0]);
    }

    #[test]
    fn a_remote_mount_is_far_unless_a_place_is_on_it() {
        let index = index();
        let more =
            format!("{OWN}3 1 0:60 / /far rw - nfs4 z rw\n4 3 8:1 / /far/near rw - ext4 x rw\n");
        let far = view(&index, &more, Side::Own);
        assert!(far.is_far(&index, b"/far/a"));
        assert!(!far.is_far(&index, b"/far/near/a") && !far.is_far(&index, b"/a"));
        let near = view(&index, "2 1 8:2 /u /home rw - fuse.x y rw\n", Side::Own);
        assert!(!near.is_far(&index, b"/home/a"));
    }
}
