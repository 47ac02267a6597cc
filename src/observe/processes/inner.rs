//! Whether a number names a process within a process namespace below this one.
//!
//! A lock that was written in a container has the container's number for its process, which names
//! another process out here, or none (`spec 9`: "in the same namespace"). Invariant: a process that
//! cannot be read is an error.

use super::ProcessError;
use super::digits::number;
use super::probe::{Reading, bytes, numbers};
use std::io::ErrorKind;
use std::path::Path;

/// Whether any process has this number in a namespace other than that of `proc_root`.
pub(super) fn is_inner(proc_root: &Path, pid: u32) -> Result<bool, ProcessError> {
    let denied = |path: &Path| ProcessError::Read {
        path: path.into(),
        why: ErrorKind::PermissionDenied.into(),
    };
    let pids = match numbers(proc_root)? {
        Reading::Read(pids) => pids,
        Reading::Gone | Reading::Denied => return Err(denied(proc_root)),
    };
    for one in pids {
        let path = proc_root.join(one.to_string()).join("status");
        let text = match bytes(&path)? {
            Reading::Read(text) => text,
            Reading::Gone => continue,
            Reading::Denied => return Err(denied(&path)),
        };
        let Some(inner) = inner_numbers(&text) else {
            return Err(ProcessError::Malformed {
                path: path.as_path().into(),
            });
        };
        if inner.contains(&u64::from(pid)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The numbers of a process in the namespaces below, from the line `NSpid:` of its `status`: the
/// first one is that of `proc_root`. None if there is no such line.
fn inner_numbers(status: &[u8]) -> Option<Vec<u64>> {
    let mut lines = status.split(|byte| *byte == b'\n');
    let line = lines.find_map(|line| line.strip_prefix(b"NSpid:"))?;
    let fields = line.split(u8::is_ascii_whitespace);
    let fields = fields.filter(|field| !field.is_empty());
    fields.skip(1).map(|field| number(field, 10)).collect()
}

#[cfg(test)]
mod tests {
    use super::{inner_numbers, is_inner};
    use std::fs;

    #[test]
    fn the_numbers_behind_the_first_one_are_inner() {
        let line = |text: &str| inner_numbers(text.as_bytes());
        assert_eq!(line("Name:\ta\nNSpid:\t4711\n"), Some(vec![]));
        assert_eq!(line("NSpid:\t4711\t12\t1\nNSsid:\t0\n"), Some(vec![12, 1]));
        assert_eq!(line("Name:\tNSpid\n"), None);
        assert_eq!(line("NSpid:\t4711\tx\n"), None);
    }

    #[test]
    fn what_cannot_be_read_is_an_error_and_no_answer() {
        let proc_root = tempfile::tempdir().expect("a directory can be made");
        let folder = proc_root.path().join("4711");
        fs::create_dir(&folder).expect("it can be made");
        // One that has just ended has no file any more.
        assert!(!is_inner(proc_root.path(), 7).expect("it can be read"));
        fs::write(folder.join("status"), "NSpid:\t4711\t7\n").expect("it can be written");
        assert!(is_inner(proc_root.path(), 7).expect("it can be read"));
        assert!(!is_inner(proc_root.path(), 4711).expect("it can be read"));
        fs::write(folder.join("status"), "Name:\ta\n").expect("it can be written");
        is_inner(proc_root.path(), 7).expect_err("an old kernel has no such line");
        is_inner(&proc_root.path().join("none"), 7).expect_err("there is no such place");
    }
}
