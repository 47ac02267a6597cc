//! Everything below a directory, byte for byte, to compare before and after.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// What is at one path.
#[derive(Clone, PartialEq, Eq)]
pub struct Node {
    mode: u32,
    owner: u32,
    mtime: (i64, i64),
    inode: u64,
    content: Content,
}

#[derive(Clone, PartialEq, Eq)]
enum Content {
    File(Vec<u8>),
    Symlink(PathBuf),
    Directory,
    Special,
    Unreadable(String),
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let content = match &self.content {
            Content::File(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            Content::Symlink(to) => format!("-> {}", to.display()),
            Content::Directory => "/".to_owned(),
            Content::Special => "special".to_owned(),
            Content::Unreadable(why) => why.clone(),
        };
        write!(
            f,
            "{:o} uid {} mtime {:?} inode {} {content}",
            self.mode, self.owner, self.mtime, self.inode
        )
    }
}

/// Every node at and below some paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<PathBuf, Node>);

impl Snapshot {
    /// Takes one; a path that is not there is noted as such by its absence.
    pub fn of(paths: &[&Path]) -> Self {
        let mut snapshot = Self::default();
        for path in paths {
            snapshot.add(path);
        }
        snapshot
    }

    fn add(&mut self, path: &Path) {
        let Ok(metadata) = fs::symlink_metadata(path) else {
            return;
        };
        let kind = metadata.file_type();
        let content = if kind.is_dir() {
            match fs::read_dir(path) {
                Ok(entries) => {
                    for entry in entries {
                        self.add(&entry.expect("it can be read").path());
                    }
                    Content::Directory
                }
                Err(why) => Content::Unreadable(why.to_string()),
            }
        } else if kind.is_symlink() {
            Content::Symlink(fs::read_link(path).expect("it is a symlink"))
        } else if kind.is_fifo()
            || kind.is_socket()
            || kind.is_char_device()
            || kind.is_block_device()
        {
            Content::Special
        } else {
            match fs::read(path) {
                Ok(bytes) => Content::File(bytes),
                Err(why) => Content::Unreadable(why.to_string()),
            }
        };
        let node = Node {
            mode: metadata.mode(),
            owner: metadata.uid(),
            mtime: (metadata.mtime(), metadata.mtime_nsec()),
            inode: metadata.ino(),
            content,
        };
        self.0.insert(path.to_owned(), node);
    }

    /// Requires that everything is as it was.
    pub fn require_same(&self, what: &str, paths: &[&Path]) {
        let now = Self::of(paths);
        for (path, before) in &self.0 {
            let after = now.0.get(path);
            assert_eq!(after, Some(before), "{what}: {} changed", path.display());
        }
        for path in now.0.keys() {
            assert!(
                self.0.contains_key(path),
                "{what}: {} is new",
                path.display()
            );
        }
    }
}
