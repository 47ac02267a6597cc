//! A repository as the ledger knows it: by identity, not by name (`spec 8`).

use super::Host;
use crate::resource::BytePath;
use jiff::Timestamp;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Which repository it is. Two are the same only if all four agree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepositoryId {
    /// The machine.
    pub host: Host,
    /// The common git directory, canonical.
    pub common_dir: BytePath,
    /// Its device number.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
}

/// A repository that the ledger has jobs of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its number in the ledger.
    pub id: i64,
    /// Which repository it is.
    pub identity: RepositoryId,
    /// What it is called; no name is unique.
    pub name: String,
    /// Since when the ledger knows it: what is older may belong to a job that was never recorded
    /// (`spec 8`: `gone`).
    pub first_known: Timestamp,
}

/// How a repository that the ledger knows differs from one that is almost it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The same directory at another path: it was moved.
    Moved,
    /// Another directory at the same path: it was replaced, or its disk has another number now.
    Replaced,
    /// The same path on another machine.
    OtherHost,
}

impl RepositoryId {
    /// The identity of the repository with this common git directory, as it is now.
    pub fn of(common_dir: &Path, host: &Host) -> io::Result<Self> {
        let common_dir = common_dir.canonicalize()?;
        let metadata = common_dir.metadata()?;
        Ok(Self {
            host: host.clone(),
            common_dir: common_dir.into(),
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    /// How the other one differs, if it is almost this one.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let same_path = self.common_dir == other.common_dir;
        let same_directory = (self.device, self.inode) == (other.device, other.inode);
        match (self.host == other.host, same_path, same_directory) {
            (true, true, false) => Some(Difference::Replaced),
            (true, false, true) => Some(Difference::Moved),
            (false, true, _) => Some(Difference::OtherHost),
            (true, true, true) | (true | false, false, _) => None,
        }
    }
}
