//! Large files that the repository holds as pointers: compared by object id (`spec 4`).
//!
//! Their driver is never run: it could fetch. The file on disk is safe to lose only if its bytes
//! are the pointer's object, and that object is in the repository's own store as well.

use super::ObserveError;
use super::place::look;
use gix::bstr::ByteSlice;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const BLOCK: usize = 64 << 10;

/// What a pointer names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    oid: String,
    size: u64,
}

impl Pointer {
    /// Reads a pointer; none if the blob is none.
    pub(crate) fn parse(blob: &[u8]) -> Option<Self> {
        if blob.len() > 1024 {
            return None;
        }
        let mut lines = blob.lines();
        if lines.next() != Some(b"version https://git-lfs.github.com/spec/v1") {
            return None;
        }
        let (mut oid, mut size) = (None, None);
        for line in lines {
            if let Some(value) = line.strip_prefix(b"oid sha256:") {
                oid = Some(value);
            } else if let Some(value) = line.strip_prefix(b"size ") {
                size = number(value);
            }
        }
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let oid = oid.filter(|oid| oid.len() == 64 && oid.iter().all(is_digit))?;
        Some(Self {
            oid: oid.iter().map(|byte| char::from(*byte)).collect(),
            size: size?,
        })
    }

    /// Whether the file has the bytes of the object.
    pub(crate) fn is_of(&self, file: &Path) -> Result<bool, ObserveError> {
        let failed = |why| ObserveError::read(file, why);
        let mut open = File::open(file).map_err(failed)?;
        if open.metadata().map_err(failed)?.len() != self.size {
            return Ok(false);
        }
        let mut hasher = Sha256::new();
        let mut block = vec![0; BLOCK];
        loop {
            let read = open.read(&mut block).map_err(failed)?;
            if read == 0 {
                break;
            }
            hasher.update(&block[..read]);
        }
        Ok(crate::resource::hex(&hasher.finalize()) == self.oid)
    }

    /// Whether the store of the repository has the object whole.
    pub(crate) fn is_stored(&self, common_dir: &Path) -> Result<bool, ObserveError> {
        let store = common_dir.join("lfs/objects");
        let object = store
            .join(&self.oid[..2])
            .join(&self.oid[2..4])
            .join(&self.oid);
        let found = look(&object)?;
        Ok(found.is_some_and(|metadata| metadata.is_file() && metadata.len() == self.size))
    }
}

/// A decimal number; a length that is none names nothing.
fn number(text: &[u8]) -> Option<u64> {
    text.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn a_pointer_and_what_is_none() {
        let oid = "ab".repeat(32);
        let text =
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 7\n");
        let pointer = Pointer::parse(text.as_bytes()).expect("it is one");
        assert_eq!(pointer, Pointer { oid, size: 7 });
        for other in [
            "",
            "version 2\n",
            &text.replace("sha256:ab", "sha256:zz"),
            &text.replace("size 7", ""),
        ] {
            assert_eq!(Pointer::parse(other.as_bytes()), None, "{other}");
        }
    }
}
