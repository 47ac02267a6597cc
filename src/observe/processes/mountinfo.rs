//! `/proc/PID/mountinfo`: what is mounted where, in one mount namespace.

use super::digits::device;
use super::path::below;

/// File systems whose answers come from elsewhere and may never come.
const REMOTE: [&[u8]; 11] = [
    b"nfs", b"nfs4", b"cifs", b"smb3", b"smbfs", b"ceph", b"9p", b"afs", b"lustre", b"autofs",
    b"fuse",
];

/// One mount.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// The device of the file system.
    pub(super) device: u64,
    /// The directory within the file system that is mounted.
    pub(super) root: Vec<u8>,
    /// Where it is mounted, seen from the root directory of the process.
    pub(super) point: Vec<u8>,
    /// The kind of file system.
    pub(super) kind: Vec<u8>,
    /// The options of the file system, still escaped.
    options: Vec<u8>,
}

impl Mount {
    /// Whether asking for an inode on it may wait for another machine or program.
    pub(super) fn is_remote(&self) -> bool {
        self.kind.starts_with(b"fuse.") || REMOTE.contains(&self.kind.as_slice())
    }

    /// Whether it is a `/proc` that leaves processes of others out.
    pub(super) fn hides_processes(&self) -> bool {
        self.kind == b"proc"
            && self
                .values(b"hidepid")
                .iter()
                .any(|value| matches!(value.as_slice(), b"2" | b"4" | b"invisible" | b"ptraceable"))
    }

    /// The directories that an overlay is made of, as they were written when it was mounted.
    pub(super) fn layers(&self) -> Vec<Vec<u8>> {
        if self.kind != b"overlay" {
            return Vec::new();
        }
        [
            b"lowerdir".as_slice(),
            b"lowerdir+",
            b"datadir+",
            b"upperdir",
            b"workdir",
        ]
        .into_iter()
        .flat_map(|name| self.values(name))
        .flat_map(|value| split_layers(&value))
        .collect()
    }

    fn values(&self, name: &[u8]) -> Vec<Vec<u8>> {
        self.options
            .split(|&byte| byte == b',')
            .filter_map(|option| option.strip_prefix(name)?.strip_prefix(b"="))
            .map(unescape)
            .collect()
    }
}

/// The mounts, in the kernel's order; `None` if the text has another form.
pub(super) fn parse(text: &[u8]) -> Option<Vec<Mount>> {
    text.split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(parse_line)
        .collect()
}

/// The mount that a path lies on: the last of those at the nearest mount point.
pub(super) fn containing<'m>(mounts: &'m [Mount], path: &[u8]) -> Option<&'m Mount> {
    mounts
        .iter()
        .filter(|mount| below(&mount.point, path).is_some())
        .max_by_key(|mount| mount.point.len())
}

fn parse_line(line: &[u8]) -> Option<Mount> {
    let mut fields = line.split(|&byte| byte == b' ');
    let device = device(fields.nth(2)?, 10)?;
    let root = unescape(fields.next()?);
    let point = unescape(fields.next()?);
    let mut after = fields.skip_while(|&field| field != b"-").skip(1);
    let kind = unescape(after.next()?);
    let options = after.skip(1).collect::<Vec<_>>().join(&b' ');
    Some(Mount {
        device,
        root: match root.strip_suffix(b"//deleted") {
            Some(path) => path.to_vec(),
            None => root,
        },
        point,
        kind,
        options,
    })
}

/// Undoes the octal escapes of `/proc`: `\040` is a space.
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if let Some(&[b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7']) =
            text.get(at..at + 4)
        {
            plain.push(((a - b'0') << 6) | ((b - b'0') << 3) | (c - b'0'));
            at += 4;
        } else {
            plain.push(byte);
            at += 1;
        }
    }
    plain
}

/// Splits an overlay's list of directories at its colons; a backslash protects one.
fn split_layers(value: &[u8]) -> Vec<Vec<u8>> {
    let mut layers = vec![Vec::new()];
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        let literal = match byte {
            b':' => {
                layers.push(Vec::new());
                continue;
            }
            b'\\' => match bytes.next() {
                Some(&next) => next,
                None => b'\\',
            },
            other => other,
        };
        if let Some(layer) = layers.last_mut() {
            layer.push(literal);
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::{containing, parse, unescape};
    use rustix::fs::makedev;

    const TEXT: &[u8] = b"27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
36 27 254:0 /srv/a\\040b /mnt/x\\134y rw master:1 propagate_from:2 - ext4 /dev/vda rw
37 27 254:0 /w/gone//deleted /mnt/g rw - ext4 /dev/vda rw
38 27 0:40 / /m rw - overlay overlay rw,lowerdir=/l\\0721\\:x:/l2,upperdir=/u\\0541,workdir=/k
39 27 0:41 / /n rw - fuse.sshfs me@there: rw,user_id=0
40 27 0:42 / /p rw - proc  rw,gid=5,hidepid=invisible
41 27 0:42 / /q rw - proc proc rw,hidepid=noaccess
42 27 0:43 / /m rw - tmpfs tmpfs rw
";

    #[test]
    fn fields_are_found_behind_any_number_of_tags_and_unescaped() {
        let mounts = parse(TEXT).expect("it is a text of mountinfo");
        assert_eq!(mounts.len(), 8);
        assert_eq!(mounts[1].device, makedev(254, 0));
        assert_eq!(mounts[1].root, b"/srv/a b");
        assert_eq!(mounts[1].point, b"/mnt/x\\y");
        assert_eq!(mounts[2].root, b"/w/gone");
        assert!(mounts[4].is_remote() && !mounts[0].is_remote());
        assert!(mounts[5].hides_processes() && !mounts[6].hides_processes());
        assert_eq!(parse(b"27 1 254 / / rw - ext4 /dev/vda rw"), None);
        assert_eq!(parse(b"27 1 254:0 / / rw"), None);
    }

    #[test]
    fn an_overlay_names_its_layers() {
        let mounts = parse(TEXT).expect("it is a text of mountinfo");
        let expected: [&[u8]; 5] = [b"/l", b"1:x", b"/l2", b"/u,1", b"/k"];
        assert_eq!(mounts[3].layers(), expected);
        assert!(mounts[0].layers().is_empty());
    }

    #[test]
    fn a_path_lies_on_the_last_mount_at_the_nearest_point() {
        let mounts = parse(TEXT).expect("it is a text of mountinfo");
        let kind = |path: &[u8]| containing(&mounts, path).map(|mount| mount.kind.clone());
        assert_eq!(kind(b"/m/a"), Some(b"tmpfs".to_vec()));
        assert_eq!(kind(b"/mm"), Some(b"ext4".to_vec()));
        assert_eq!(kind(b"relative"), None);
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(unescape(b"a\\040b\\012\\9\\"), b"a b\n\\9\\");
        assert_eq!(unescape(b"\\777"), b"\\777");
    }
}
