//! One open operation, as it stands in its file.
//!
//! A file is two lines: a header with version and checksum, and the record. Invariant: what
//! [`Record::parse`] returns is whole, of this version, and of this repository.

use super::Marks;
use crate::job::{Disposal, State};
use crate::resource::{Address, BytePath, hex};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of the form. An owl acts on its own version only.
pub const VERSION: u32 = 6;

const FORMAT: &str = "owl-journal";

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// A worktree is being removed.
    Remove,
    /// The entry of a worktree that is gone is being pruned.
    Prune,
}

/// How it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// The worktree is moved aside first.
    Moved,
    /// It stays where it is.
    InPlace,
}

/// Which side effect was announced last. Whether it happened is for the world to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Locking the entry, then moving the worktree aside and naming its new place: everything
    /// that can be taken back without a loss.
    Taking,
    /// Unlocking the entry, then the deletion by git.
    Deleting,
    /// The worktree is gone; unlinking the repositories of its submodules.
    Modules,
    /// The worktree is gone; deleting its branch.
    Branch,
    /// Putting everything back.
    Returning,
    /// Its old place was taken, so that it stays aside.
    Left,
}

/// A lock that was lifted, so that it can be put back with its exact bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lifted {
    /// The bytes of the file.
    pub bytes: BytePath,
    /// Its mtime: seconds and nanoseconds.
    pub modified: (i64, i64),
    /// Its permissions.
    pub mode: u32,
}

impl Lifted {
    /// What it says, without the white space at its end.
    pub fn reason(&self) -> BytePath {
        BytePath::from_bytes(self.bytes.as_bytes().trim_ascii_end())
    }
}

/// A submodule, and the `.git` file that named its repository, so that it can be put back with its
/// exact bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The submodule's place, relative to the worktree.
    pub path: BytePath,
    /// Its repository, relative to `modules/` of the entry.
    pub repository: BytePath,
    /// Its commit.
    pub commit: String,
    /// The bytes of the file.
    pub bytes: BytePath,
    /// Its mtime: seconds and nanoseconds.
    pub modified: (i64, i64),
    /// Its permissions.
    pub mode: u32,
}

/// A ref and the commit that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// The full name.
    pub reference: BytePath,
    /// The commit.
    pub commit: String,
}

/// The job of a row, and the decision that goes with its removal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedJob {
    /// The ledger.
    pub ledger: BytePath,
    /// Its number there.
    pub id: i64,
    /// The state that it is in when its worktree is gone.
    pub state: State,
    /// What is decided, right before anything is deleted; none if that was done before.
    pub disposal: Option<Disposal>,
}

/// One open operation. Paths are absolute and canonical.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its name, which is the file's, too.
    pub op: String,
    /// When it began.
    pub began: Timestamp,
    /// The process that began it.
    pub pid: u32,
    /// The common git directory.
    pub common_dir: BytePath,
    /// The inode of that; device numbers may differ after a restart.
    pub common_inode: u64,
    /// The digest of the policy that the plan was made under.
    pub policy: String,
    /// The row of the plan.
    pub address: Address,
    /// Its project.
    pub project: String,
    /// What is being done.
    pub work: Work,
    /// How.
    pub manner: Manner,
    /// How far it may have come.
    pub stage: Stage,
    /// The name of the administrative entry.
    pub entry: BytePath,
    /// The inode of the entry's directory.
    pub entry_inode: u64,
    /// When the entry's directory was made, where the file system says so.
    pub entry_born: Option<(i64, i64)>,
    /// The mark of the entry's `commondir` file, which git writes once: an inode number comes again,
    /// this does not.
    pub entry_mark: u64,
    /// The entry's mtime before owl touched it: seconds and nanoseconds.
    pub entry_modified: (i64, i64),
    /// Where the worktree stood.
    pub path: BytePath,
    /// The inode of its directory; none for a prune.
    pub inode: Option<u64>,
    /// When that was made, where the file system says so.
    pub born: Option<(i64, i64)>,
    /// The declared store that it is a leaf of.
    pub store: Option<String>,
    /// Where it stands while it is aside; nothing for one that is done in place.
    pub aside: BytePath,
    /// The bytes of the entry's `gitdir` file.
    pub gitdir: BytePath,
    /// The mtime of that file.
    pub gitdir_modified: (i64, i64),
    /// The bytes of the worktree's `.git` file; none for a prune.
    pub dot_git: Option<BytePath>,
    /// Whether that file names the entry relative to itself, so that it is rewritten when moved.
    pub is_relative: bool,
    /// The mtime of that file.
    pub dot_git_modified: (i64, i64),
    /// The branch that HEAD names, without `refs/heads/`.
    pub branch: Option<String>,
    /// The commit of HEAD.
    pub head: Option<String>,
    /// The job of the row.
    pub job: Option<RecordedJob>,
    /// The lock of somebody's that was lifted.
    pub lifted: Option<Lifted>,
    /// The rescue refs that are written before anything is deleted.
    pub rescues: Vec<Pinned>,
    /// The branch that is deleted at the end.
    pub deletes: Option<Pinned>,
    /// Tracked paths whose changes a person gave up.
    pub discards: Vec<BytePath>,
    /// Untracked and ignored files that the plan gives up by name: each may be gone. Empty until
    /// owl is about to unlink the first.
    pub unlinks: Vec<BytePath>,
    /// The submodules that go along, a submodule before those inside it.
    pub submodules: Vec<Link>,
    /// A digest over their repositories when they were looked at last.
    pub inventory: Option<String>,
    /// Files and directories when it was looked at last.
    pub count: u64,
    /// Every file in it when it was looked at last, all of which were proven losable.
    pub marks: Marks,
    /// The mark of the entry's index then.
    pub index_mark: Option<u64>,
}

/// Why a file in the journal is no record that this owl may act on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It is cut short, or its checksum is wrong, or it does not parse.
    #[error("is damaged ({0})")]
    Damaged(String),
    /// Another version wrote it.
    #[error("was written by another version of owl (form {found}, this one knows {VERSION})")]
    OtherVersion {
        /// The version that it says.
        found: u32,
    },
    /// It is of another repository: this one is a copy, or was moved.
    #[error("belongs to the repository {0}")]
    Foreign(BytePath),
    /// It is no file of the journal at all.
    #[error("is not a file of owl's")]
    Stranger,
    /// It could not be read.
    #[error("could not be read: {0}")]
    Unreadable(String),
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    sha256: String,
}

impl Record {
    /// The bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let body = serde_json::to_string(self)?;
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            sha256: hex(&Sha256::digest(body.as_bytes())),
        };
        Ok(format!("{}\n{body}\n", serde_json::to_string(&header)?).into_bytes())
    }

    /// Reads the bytes of the file of operation `op`.
    pub fn parse(bytes: &[u8], op: &str) -> Result<Self, Broken> {
        let damaged = |why: &str| Broken::Damaged(why.to_owned());
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
        let (header, rest) = text
            .split_once('\n')
            .ok_or_else(|| damaged("it is cut short"))?;
        let header: Header =
            serde_json::from_str(header).map_err(|_| damaged("it has no header"))?;
        if header.format != FORMAT {
            return Err(Broken::Stranger);
        }
        if header.version != VERSION {
            return Err(Broken::OtherVersion {
                found: header.version,
            });
        }
        let body = rest
            .strip_suffix('\n')
            .ok_or_else(|| damaged("it is cut short"))?;
        if hex(&Sha256::digest(body.as_bytes())) != header.sha256 {
            return Err(damaged("its checksum is wrong"));
        }
        let record: Self = serde_json::from_str(body)
            .map_err(|why| damaged(&format!("it does not parse: {why}")))?;
        if record.op != op {
            return Err(damaged("its name is not its own"));
        }
        Ok(record)
    }

    /// The reason that owl locks the entry with, which names this record.
    pub fn lock_reason(&self) -> String {
        format!("owl is removing it: owl/journal/{}.json", self.op)
    }

    /// The entry's directory.
    pub fn entry_dir(&self) -> std::path::PathBuf {
        self.common_dir
            .as_path()
            .join("worktrees")
            .join(self.entry.as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, Lifted, Link, Manner, Pinned, Record, Stage, VERSION, Work};
    use crate::resource::Address;
    use jiff::Timestamp;

    fn record() -> Record {
        Record {
            op: "1-2-3".to_owned(),
            began: Timestamp::UNIX_EPOCH,
            pid: 1,
            common_dir: "/r/.git".into(),
            common_inode: 2,
            policy: "abc".to_owned(),
            address: Address::entry("r", b"a"),
            project: "r".to_owned(),
            work: Work::Remove,
            manner: Manner::Moved,
            stage: Stage::Taking,
            entry: "a".into(),
            entry_inode: 3,
            entry_born: Some((1, 2)),
            entry_mark: 9,
            entry_modified: (4, 5),
            path: "/r/wt/a".into(),
            inode: Some(6),
            born: None,
            store: Some("wt/*".to_owned()),
            aside: "/r/.git/owl/aside/1-2-3".into(),
            gitdir: "/r/wt/a/.git\n".into(),
            gitdir_modified: (8, 9),
            dot_git: Some("gitdir: /r/.git/worktrees/a\n".into()),
            is_relative: false,
            dot_git_modified: (0, 0),
            branch: None,
            head: None,
            job: None,
            lifted: Some(Lifted {
                bytes: "claude agent x (pid 7)\n".into(),
                modified: (10, 11),
                mode: 0o644,
            }),
            rescues: Vec::new(),
            deletes: Some(Pinned {
                reference: "refs/heads/a".into(),
                commit: "12".to_owned(),
            }),
            discards: Vec::new(),
            unlinks: vec!["scratch.txt".into()],
            submodules: vec![Link {
                path: "lib".into(),
                repository: "lib".into(),
                commit: "13".to_owned(),
                bytes: "gitdir: ../../.git/worktrees/a/modules/lib\n".into(),
                modified: (12, 13),
                mode: 0o644,
            }],
            inventory: Some("14".to_owned()),
            count: 7,
            marks: [1, 2].into_iter().collect(),
            index_mark: Some(3),
        }
    }

    #[test]
    fn a_record_survives_its_file() {
        let record = record();
        let bytes = record.to_bytes().expect("it can be written");
        assert_eq!(Record::parse(&bytes, "1-2-3"), Ok(record));
    }

    #[test]
    fn a_file_that_is_not_whole_is_no_record() {
        let bytes = record().to_bytes().expect("it can be written");
        for end in 0..bytes.len() {
            Record::parse(&bytes[..end], "1-2-3").expect_err("it is cut short");
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            Record::parse(&flipped, "1-2-3").expect_err("a bit is wrong");
        }
        Record::parse(&bytes, "other").expect_err("it has another name");
    }

    #[test]
    fn another_version_is_told_apart() {
        let bytes = record().to_bytes().expect("it can be written");
        let text = String::from_utf8(bytes).expect("it is text");
        let own = format!("\"version\":{VERSION}");
        let newer = text.replacen(&own, "\"version\":9", 1);
        assert_eq!(
            Record::parse(newer.as_bytes(), "1-2-3"),
            Err(Broken::OtherVersion { found: 9 })
        );
    }
}
