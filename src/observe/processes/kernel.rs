//! Files that the kernel itself keeps open: those behind loop devices, and swap files.
//!
//! No process has them open, and deleting one succeeds: what is mounted from it is lost at the next
//! start. Input: `sys` beside the mounted `/proc`, and `swaps` in it. Output: paths as owl's own
//! mount namespace has them. Invariant: what is not there to be read, as in a container without
//! `/sys`, is told like a process that may not be inspected (`spec 5.2`): it is counted and named,
//! and holds only where `processes: strict` says so.

use super::How;
use super::mountinfo::unescape;
use rustix::io::Errno;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// One file that the kernel uses.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Which; a deleted one has the kernel's word for that behind it.
    pub(super) path: Vec<u8>,
    /// As what.
    pub(super) how: How,
    /// Its device, or the kernel.
    pub(super) by: String,
}

/// What the kernel uses.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    /// What was seen.
    pub(super) files: Vec<Held>,
    /// What could not be asked.
    pub(super) hidden: Vec<String>,
}

/// Asks for all of them.
pub(super) fn holdings(proc_root: &Path) -> Holdings {
    let mut holdings = Holdings::default();
    let devices = proc_root.with_file_name("sys").join("block");
    match loops(&devices) {
        Ok(names) => {
            for name in names {
                holdings.add_loop(&devices, &name);
            }
        }
        Err(_) => holdings.hidden.push("loop devices".to_owned()),
    }
    match fs::read(proc_root.join("swaps")) {
        Ok(text) => holdings.files.extend(swaps(&text)),
        // A kernel without swap.
        Err(why) if why.kind() == io::ErrorKind::NotFound => {}
        Err(_) => holdings.hidden.push("swap files".to_owned()),
    }
    holdings
}

impl Holdings {
    fn add_loop(&mut self, devices: &Path, name: &str) {
        match fs::read(devices.join(name).join("loop/backing_file")) {
            Ok(text) => self.files.push(Held {
                path: text
                    .strip_suffix(b"\n")
                    .map_or(&*text, |path| path)
                    .to_vec(),
                how: How::Loop,
                by: name.to_owned(),
            }),
            Err(why) if is_unused(&why) => {}
            Err(_) => self.hidden.push(name.to_owned()),
        }
    }
}

fn loops(devices: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(devices)? {
        let name = entry?.file_name();
        if let Some(number) = name.as_bytes().strip_prefix(b"loop")
            && number.iter().all(u8::is_ascii_digit)
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// A device without a file has no such attribute, and one that loses it has no answer.
fn is_unused(why: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(why),
        Some(Errno::NOENT | Errno::NXIO | Errno::NODEV)
    )
}

/// Lines of `/proc/swaps` after the first, which has the names of the columns.
fn swaps(text: &[u8]) -> impl Iterator<Item = Held> {
    let lines = text.split(|byte| *byte == b'\n').skip(1);
    lines.filter_map(|line| {
        let end = line.iter().position(u8::is_ascii_whitespace)?;
        Some(Held {
            path: unescape(line.get(..end)?),
            how: How::Swap,
            by: "kernel".to_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{How, holdings, swaps};
    use std::fs;

    #[test]
    fn swap_files_by_name() {
        let text = b"Filename\t\t\t\tType\t\tSize\n/a\\040b/swap                file\t\t1\n/dev/sda2 partition\t1\n";
        let found: Vec<_> = swaps(text).map(|held| held.path).collect();
        assert_eq!(found, [b"/a b/swap".to_vec(), b"/dev/sda2".to_vec()]);
    }

    #[test]
    fn loop_devices_by_what_is_behind_them() {
        let root = tempfile::tempdir().expect("a directory can be made");
        let proc_root = root.path().join("proc");
        // Nothing to ask is not the same as nothing found.
        assert_eq!(holdings(&proc_root).hidden, ["loop devices"]);
        let block = root.path().join("sys/block");
        fs::create_dir_all(block.join("loop0")).expect("it can be made");
        fs::create_dir_all(block.join("loop1/loop")).expect("it can be made");
        fs::create_dir_all(block.join("loop2/loop/backing_file")).expect("it can be made");
        fs::create_dir_all(block.join("loopback/loop")).expect("it can be made");
        for name in ["loop1", "loopback"] {
            let file = block.join(name).join("loop/backing_file");
            fs::write(file, "/t/disk.img (deleted)\n").expect("it can be written");
        }
        let found = holdings(&proc_root);
        assert_eq!(found.hidden, ["loop2"]);
        let [held] = found.files.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!((held.how, held.by.as_str()), (How::Loop, "loop1"));
        assert_eq!(held.path, b"/t/disk.img (deleted)");
    }
}
