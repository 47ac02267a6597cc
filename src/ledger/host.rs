//! Which machine this is, so that a ledger that came from another one is noticed.
//!
//! A device and an inode number mean nothing on another machine: a home directory that was copied,
//! or is mounted on two of them, would otherwise name the wrong repository by the right numbers.

use super::LedgerError;
use crate::resource::hex;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Where systems keep an id of the installation.
const PLACES: [&str; 2] = ["etc/machine-id", "var/lib/dbus/machine-id"];

/// A machine, by a name that is the same after a restart. The id of the machine itself is
/// confidential (`machine-id(5)`), so that only a digest of it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host(String);

impl Host {
    /// This machine.
    pub fn here() -> Result<Self, LedgerError> {
        Self::below(Path::new("/"))
    }

    /// The machine whose root directory this is. Without an id it is known by its network name.
    pub fn below(root: &Path) -> Result<Self, LedgerError> {
        for place in PLACES {
            let path = root.join(place);
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(why)
                    if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
                {
                    continue;
                }
                // Another name would make every repository of this machine a stranger's.
                Err(why) => return Err(LedgerError::io(&path, why)),
            };
            let id = text.trim();
            if id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                let digest = Sha256::digest(format!("owl ledger {id}"));
                return Ok(Self(hex(&digest[..16])));
            }
        }
        let name = rustix::system::uname();
        Ok(Self(format!("name {}", name.nodename().to_string_lossy())))
    }

    /// A machine by the name that a ledger has for it.
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
