//! Which applications Mix has from elsewhere: those whose source it keeps in `deps`.

use super::{Roster, folder_in, names_in};
use crate::observe::ignored::Level;
use rustix::io::Errno;

/// Reads the names in `deps` beside; without it, no application is known to be installed.
pub(super) fn read(level: &Level<'_>) -> Result<Option<Roster>, Errno> {
    let deps = match level.above() {
        Some(above) => folder_in(above.handle(), b"deps")?,
        None => None,
    };
    let names = match deps {
        Some(deps) => names_in(&deps)?,
        None => Vec::new(),
    };
    Ok(Some(Roster {
        installed: Some(names.into_iter().collect()),
        ..Roster::default()
    }))
}
