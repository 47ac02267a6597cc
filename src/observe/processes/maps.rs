//! `/proc/PID/maps`: the files that a process has mapped.

use super::Inode;
use super::digits::{device, number};

/// One mapped file. Its device is that of the file system, which need not be the one that `stat`
/// gives (btrfs).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mapping<'t> {
    /// The range of addresses, which is also its name in `map_files`.
    pub(super) range: &'t [u8],
    /// The file's device and number.
    pub(super) inode: Inode,
    /// The file's path; a line feed in it is written `\012`, a backslash is not escaped.
    pub(super) path: &'t [u8],
}

/// The mapped files, each once where its ranges follow each other; `None` if the text has another
/// form.
pub(super) fn parse(text: &[u8]) -> Option<Vec<Mapping<'_>>> {
    let mut mappings: Vec<Mapping<'_>> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        if line.is_empty() {
            continue;
        }
        let mapping = parse_line(line)?;
        let again = mappings
            .last()
            .is_some_and(|last| last.inode == mapping.inode && last.path == mapping.path);
        if mapping.inode.number != 0 && !again {
            mappings.push(mapping);
        }
    }
    Some(mappings)
}

fn parse_line(line: &[u8]) -> Option<Mapping<'_>> {
    let mut fields = line.splitn(6, |&byte| byte == b' ');
    let range = fields.next()?;
    let device = device(fields.nth(2)?, 16)?;
    let number = number(fields.next()?, 10)?;
    let path = match fields.next() {
        Some(padded) => padded.trim_ascii_start(),
        None => b"",
    };
    Some(Mapping {
        range,
        inode: Inode { device, number },
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::{Inode, parse};
    use rustix::fs::makedev;

    #[test]
    fn files_are_listed_once_with_whatever_name() {
        let text = b"560983426000-560983428000 r--p 00000000 fe:00 247030         /w/a b (c
560983428000-56098342d000 r-xp 00002000 fe:00 247030         /w/a b (c
560983428000-56098342d000 rw-p 00000000 00:00 0              [heap]
7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n\
7f0000001000-7f0000002000 rw-s 00000000 00:01 5              /memfd:x (deleted)
";
        let found = parse(text).expect("it is a text of maps");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].path, b"/w/a b (c");
        assert_eq!(found[0].range, b"560983426000-560983428000");
        let device = makedev(0xfe, 0);
        assert_eq!(
            found[0].inode,
            Inode {
                device,
                number: 247_030
            }
        );
        assert_eq!(found[1].path, b"/memfd:x (deleted)");
        assert_eq!(parse(b"nonsense\n"), None);
    }
}
