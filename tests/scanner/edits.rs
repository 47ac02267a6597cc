//! What is done to a random worktree, before its index settles and after.

use crate::files::{content, ignore, name};
use crate::support::write;
use crate::tree::{Project, directory, put_random, walk};
use rustix::fs::{AtFlags, CWD, FileType, Mode, Timespec, Timestamps, mknodat, utimensat};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

impl Project {
    /// What changes only the index, or both sides alike: before the index settles.
    pub(crate) fn prepare(&mut self, number: usize) {
        let root = self.tree(number);
        if self.random.one_in(3) {
            put_random(&root, &mut self.random);
            self.try_git(number, &["add", "-A", "-f"]);
            self.try_git(number, &["commit", "-q", "-m", "more"]);
        }
        if !self.random.one_in(3) {
            return;
        }
        let file = self.file(&root);
        let file = file.to_str().map_or("a", |file| file);
        let blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
        let gitlink = "160000,1111111111111111111111111111111111111111,sub";
        match self.random.below(13) {
            0 => self.try_git(number, &["update-index", "--assume-unchanged", "--", file]),
            1 => self.try_git(number, &["update-index", "--skip-worktree", "--", file]),
            2 => self.try_git(number, &["sparse-checkout", "set", "--no-cone", "/a*"]),
            3 => self.try_git(number, &["rm", "-q", "--cached", "--", file]),
            4 => self.try_git(number, &["mv", "--", file, "moved"]),
            5 => {
                write(&root.join("staged"), b"staged\n");
                self.try_git(number, &["add", "-f", "staged"]);
            }
            6 => {
                write(&root.join("later"), b"later\n");
                self.try_git(number, &["add", "-f", "-N", "later"]);
            }
            7 => self.try_git(number, &["update-index", "--add", "--cacheinfo", gitlink]),
            8 => self.try_git(number, &["update-index", "--split-index"]),
            9 => {
                self.conflict(number, blob);
            }
            10 => self.try_git(number, &["update-index", "--index-version", "4"]),
            11 => self.try_git(number, &["update-index", "--force-untracked-cache"]),
            _ => self.try_git(number, &["update-index", "--chmod=+x", "--", file]),
        }
    }

    fn conflict(&self, number: usize, blob: &str) {
        use std::io::Write;
        let mut child = self
            .repo
            .command("git")
            .current_dir(self.tree(number))
            .args(["update-index", "--index-info"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("git is installed");
        let line = format!("100644 {blob} 2\tconflict\n");
        let stdin = child.stdin.as_mut().expect("it is piped");
        stdin.write_all(line.as_bytes()).expect("git reads");
        child.wait().expect("git ends");
    }

    /// What happens to the files of a worktree after its index has settled.
    pub(crate) fn disturb(&mut self, number: usize) {
        let root = self.tree(number);
        if self.random.one_in(3) {
            put_random(&root, &mut self.random);
        }
        for _ in 0..self.random.below(3) {
            self.build(&root);
        }
        match self.random.below(12) {
            0 | 1 => {
                let at = directory(&root, &mut self.random).join(name(&mut self.random));
                if fs::create_dir(&at).is_ok() {
                    put_random(&at, &mut self.random);
                    if self.random.one_in(2) {
                        drop(fs::write(at.join(".gitignore"), ignore(&mut self.random)));
                    }
                }
            }
            2 => {
                let at = directory(&root, &mut self.random);
                drop(fs::create_dir_all(at.join("empty/inner")));
            }
            _ => {}
        }
        if self.random.one_in(3) {
            let edit = self.random.below(24);
            self.edit(&root, number, edit);
        }
    }

    /// What a build leaves: names that rules often ignore.
    fn build(&mut self, root: &Path) {
        let at = directory(root, &mut self.random);
        let name = self.random.pick(&[
            "new.o",
            "new.log",
            "build/x",
            "build/deep/y.o",
            "out/z",
            "foo",
            "target/t",
        ]);
        let place = at.join(name);
        let parent = place.parent().map_or(at.as_path(), |parent| parent);
        if fs::create_dir_all(parent).is_ok() && fs::symlink_metadata(&place).is_err() {
            drop(fs::write(place, b"built"));
        }
    }

    fn edit(&mut self, root: &Path, number: usize, edit: usize) {
        let file = root.join(self.file(root));
        match edit {
            0 | 1 => drop(fs::write(
                &file,
                b"longer than anything that was there before, by far\n",
            )),
            2 => same_size(&file, false),
            3..=5 | 19..=23 => same_size(&file, true),
            6 => drop(fs::write(&file, content(&mut self.random))),
            7 => drop(fs::set_permissions(
                &file,
                fs::Permissions::from_mode(0o755),
            )),
            8 => replace(&file, |file| drop(symlink("elsewhere", file))),
            9 => replace(&file, |file| write(&file.join("inside"), b"x")),
            10 => replace(&file, |_| ()),
            11 => {
                let at = directory(root, &mut self.random).join("fifo");
                let kind = FileType::Fifo;
                let _: Result<(), _> = mknodat(CWD, &at, kind, Mode::from_raw_mode(0o644), 0);
            }
            12 => {
                let at = directory(root, &mut self.random).join("nested");
                fs::create_dir_all(&at).expect("it can be made");
                drop(self.repo.try_git(&at, ["init", "-q"]));
                put_random(&at, &mut self.random);
            }
            13 => {
                let at = directory(root, &mut self.random).join(".gitignore");
                drop(fs::write(at, ignore(&mut self.random)));
            }
            14 => {
                let at = directory(root, &mut self.random).join(".gitignore");
                drop(symlink("rules", at));
            }
            15 => touch_back(&file),
            16 => self.flip(number),
            17 => {
                let at = directory(root, &mut self.random);
                let moved = root.join("moved-directory");
                if at != root && fs::rename(&at, &moved).is_ok() {
                    drop(symlink(&moved, &at));
                }
            }
            _ => {
                // Written again, byte for byte.
                if let Ok(bytes) = fs::read(&file) {
                    replace(&file, |file| drop(fs::write(file, bytes)));
                }
            }
        }
    }

    /// A random tracked file, relative to the root.
    fn file(&mut self, root: &Path) -> PathBuf {
        let files: Vec<PathBuf> = walk(root)
            .into_iter()
            .filter(|path| fs::symlink_metadata(root.join(path)).is_ok_and(|found| found.is_file()))
            .collect();
        match files.len() {
            0 => PathBuf::from("none"),
            // Often the same one, so that a flag and an edit meet.
            many if self.random.one_in(2) => files[many / 2].clone(),
            many => files[self.random.below(many)].clone(),
        }
    }

    /// Turns one bit of the index around.
    fn flip(&mut self, number: usize) {
        let index = self.entry(number).join("index");
        let Ok(mut bytes) = fs::read(&index) else {
            return;
        };
        let at = self.random.below(bytes.len());
        bytes[at] ^= 1 << self.random.below(8);
        let times = fs::metadata(&index).expect("it is there");
        fs::write(&index, bytes).expect("it can be written");
        set_times(&index, &times);
    }
}

/// Another content of the same size; the times as they were, if asked for.
pub(crate) fn same_size(file: &Path, restore: bool) {
    let (Ok(mut bytes), Ok(times)) = (fs::read(file), fs::metadata(file)) else {
        return;
    };
    let Some(first) = bytes.first_mut() else {
        return;
    };
    *first = if *first == b'z' { b'y' } else { b'z' };
    fs::write(file, bytes).expect("it can be written");
    if restore {
        set_times(file, &times);
    }
}

/// The same content with a new ctime alone.
fn touch_back(file: &Path) {
    if let Ok(times) = fs::metadata(file) {
        set_times(file, &times);
    }
}

fn set_times(file: &Path, from: &fs::Metadata) {
    let time = |seconds, nanoseconds| Timespec {
        tv_sec: seconds,
        tv_nsec: nanoseconds,
    };
    let times = Timestamps {
        last_access: time(from.atime(), from.atime_nsec()),
        last_modification: time(from.mtime(), from.mtime_nsec()),
    };
    utimensat(CWD, file, &times, AtFlags::SYMLINK_NOFOLLOW).expect("its owner may");
}

#[expect(clippy::disallowed_methods, reason = "the tests build the world")]
fn replace(file: &Path, with: impl FnOnce(&Path)) {
    if fs::remove_file(file).is_ok() {
        with(file);
    }
}
