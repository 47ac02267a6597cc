//! owl's own folder in a common git directory.

use super::{Broken, Record};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How a half-written file ends: nothing was done yet that it would speak of.
pub(crate) const DRAFT: &str = ".tmp";

/// `owl/` in a common git directory; it need not be there.
#[derive(Clone, Debug)]
pub struct Folder {
    common_dir: PathBuf,
}

/// One file of the journal.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where it is.
    pub file: PathBuf,
    /// What it says, or why it says nothing.
    pub record: Result<Record, Broken>,
}

impl Folder {
    /// The folder of the repository with this canonical common git directory.
    pub fn of(common_dir: &Path) -> Self {
        Self {
            common_dir: common_dir.to_owned(),
        }
    }

    /// The common git directory.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The folder itself.
    pub fn root(&self) -> PathBuf {
        self.common_dir.join("owl")
    }

    /// Where the records are.
    pub fn journal(&self) -> PathBuf {
        self.root().join("journal")
    }

    /// Where the worktrees are that stand aside.
    pub fn aside(&self) -> PathBuf {
        self.root().join("aside")
    }

    /// Where the repositories of submodules are whose worktree stands aside.
    pub fn modules(&self) -> PathBuf {
        self.root().join("modules")
    }

    /// The file of an operation.
    pub fn file(&self, op: &str) -> PathBuf {
        self.journal().join(format!("{op}.json"))
    }

    /// Every file of the journal, by name; an error only where the folder itself is unreadable.
    pub fn open(&self) -> std::io::Result<Vec<Found>> {
        let mut found = Vec::new();
        for name in names(&self.journal())? {
            if !name.as_bytes().ends_with(DRAFT.as_bytes()) {
                let file = self.journal().join(&name);
                let record = self.read(&file, &name);
                found.push(Found { file, record });
            }
        }
        Ok(found)
    }

    /// Every name in the folder of what stands aside.
    pub fn standing_aside(&self) -> std::io::Result<Vec<PathBuf>> {
        let names = names(&self.aside())?;
        Ok(names
            .into_iter()
            .map(|name| self.aside().join(name))
            .collect())
    }

    fn read(&self, file: &Path, name: &std::ffi::OsStr) -> Result<Record, Broken> {
        let unreadable = |why: std::io::Error| Broken::Unreadable(why.to_string());
        let op = name
            .to_str()
            .and_then(|name| name.strip_suffix(".json"))
            .ok_or(Broken::Stranger)?;
        let metadata = fs::symlink_metadata(file).map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(Broken::Stranger);
        }
        let record = Record::parse(&fs::read(file).map_err(unreadable)?, op)?;
        let common = fs::metadata(&self.common_dir).map_err(unreadable)?;
        let is_here = record.common_dir.as_path() == self.common_dir
            && record.common_inode == common.ino()
            && record.aside.as_path() == self.aside().join(op);
        if !is_here {
            return Err(Broken::Foreign(record.common_dir));
        }
        Ok(record)
    }
}

/// The names in a directory, sorted; none where there is no directory.
fn names(directory: &Path) -> std::io::Result<Vec<std::ffi::OsString>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(why),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name());
    }
    names.sort();
    Ok(names)
}
