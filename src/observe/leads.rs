//! Where the URL of a remote leads: to this repository, elsewhere, or nobody can tell.
//!
//! Input: the URL, with `insteadOf` applied, and the repository. Output: [`Leads`]. Invariants: a
//! path is resolved as git does it: escapes of a `file://` URL are decoded, the endings of
//! `enter_repo` are tried, links to git directories are followed, and a relative one starts from
//! whatever worktree fetches. A path at which no repository is found leads nowhere: it may be this
//! one under a name that is gone, or a disk that is not mounted. A URL with a host leads elsewhere.

use super::ObserveError;
use super::locate::{Place, common_dir_of};
use super::place::{contents, lexical, look, names, trimmed};
use gix::bstr::ByteSlice;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What git appends to a path to find a repository there.
const ENDINGS: [&str; 4] = ["/.git", "", ".git/.git", ".git"];

/// A longer file is no link to a git directory (git's own bound).
const LONGEST_LINK: u64 = 1 << 20;

/// Where a URL leads.
#[derive(Debug)]
pub(crate) enum Leads {
    /// To this repository.
    Here,
    /// To another one.
    Elsewhere,
    /// It could not be resolved, and this is why.
    Nowhere(String),
}

/// Follows a URL.
pub(crate) fn leads(url: &gix::Url, place: &Place) -> Leads {
    if url.scheme != gix::url::Scheme::File {
        return Leads::Elsewhere;
    }
    match follow(url, place) {
        Ok(leads) => leads,
        Err(why) => Leads::Nowhere(why.to_string()),
    }
}

fn follow(url: &gix::Url, place: &Place) -> Result<Leads, ObserveError> {
    let (path, other) = paths(url);
    let mut homes = vec![place.root.clone(), place.common_dir.clone()];
    if path.is_relative() {
        homes.extend(worktrees(place)?);
    }
    let mut leads = Leads::Nowhere(format!("{} is no repository (is it mounted?)", url.path));
    for home in homes {
        for (one, is_gits) in [(Some(&path), true), (other.as_ref(), false)] {
            let Some(one) = one else { continue };
            for candidate in candidates(&home, one)? {
                let Some(common_dir) = repository_at(&candidate)? else {
                    continue;
                };
                if is_same(&common_dir, &place.common_dir)? {
                    return Ok(Leads::Here);
                }
                if is_gits {
                    leads = Leads::Elsewhere;
                }
            }
        }
    }
    Ok(leads)
}

/// The path that git opens, and another one that a person may mean by it.
fn paths(url: &gix::Url) -> (PathBuf, Option<PathBuf>) {
    let is_url = url.to_bstring().to_ascii_lowercase().starts_with(b"file:");
    if !is_url {
        return (path(url.path.to_vec()), None);
    }
    let plain = decoded(&url.path);
    match url.host() {
        // Git takes the host for the first name of the path.
        Some(host) => {
            let whole = [b"//", host.as_bytes(), &plain].concat();
            (path(whole), Some(path(plain)))
        }
        None => (path(plain), None),
    }
}

fn path(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}

/// The bytes with each `%XX` decoded, but for `%00`.
fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if let Some(one) = escaped(&bytes[at..]) {
            plain.push(one);
            at += 3;
        } else {
            plain.push(*byte);
            at += 1;
        }
    }
    plain
}

fn escaped(bytes: &[u8]) -> Option<u8> {
    let digits = bytes.strip_prefix(b"%")?.get(..2)?;
    let value = digits.iter().try_fold(0, |value: u32, digit| {
        Some(value * 16 + char::from(*digit).to_digit(16)?)
    })?;
    u8::try_from(value).map_or(None, |byte| (byte > 0).then_some(byte))
}

/// The places of the linked worktrees, whether or not they are there.
fn worktrees(place: &Place) -> Result<Vec<PathBuf>, ObserveError> {
    let mut found = Vec::new();
    for name in names(&place.entries_dir())?.into_iter().flatten() {
        let entry = place.entries_dir().join(name);
        if let Some(bytes) = contents(&entry.join("gitdir"))? {
            let file = entry.join(OsStr::from_bytes(trimmed(&bytes)));
            found.extend(file.parent().map(Path::to_owned));
        }
    }
    Ok(found)
}

/// What git may open for a path. From a worktree that is gone, the path counts as text.
fn candidates(home: &Path, path: &Path) -> Result<Vec<PathBuf>, ObserveError> {
    let joined = home.join(path);
    let joined = if look(home)?.is_some() {
        joined
    } else {
        lexical(&joined)
    };
    let bytes = joined.as_os_str().as_bytes();
    let plain = bytes.trim_end_with(|byte| byte == '/');
    let ended = ENDINGS.iter().map(|ending| {
        let mut ended = OsStr::from_bytes(plain).to_owned();
        ended.push(ending);
        PathBuf::from(ended)
    });
    Ok(ended.collect())
}

/// The common directory of the repository at a path; none if there is none.
fn repository_at(path: &Path) -> Result<Option<PathBuf>, ObserveError> {
    let Some(real) = resolved(path)? else {
        return Ok(None);
    };
    let metadata = std::fs::metadata(&real).map_err(|why| ObserveError::read(&real, why))?;
    let git_dir = if metadata.is_dir() {
        real
    } else {
        if !metadata.is_file() || metadata.len() > LONGEST_LINK {
            return Ok(None);
        }
        let bytes = contents(&real)?;
        let named = bytes
            .as_deref()
            .and_then(|bytes| bytes.strip_prefix(b"gitdir: "));
        let (Some(named), Some(above)) = (named, real.parent()) else {
            return Ok(None);
        };
        match resolved(&above.join(OsStr::from_bytes(trimmed(named))))? {
            Some(git_dir) => git_dir,
            None => return Ok(None),
        }
    };
    if look(&git_dir.join("HEAD"))?.is_none() {
        return Ok(None);
    }
    let common_dir = match common_dir_of(&git_dir)? {
        Some(common_dir) => common_dir,
        None => git_dir,
    };
    for part in ["objects", "refs"] {
        if look(&common_dir.join(part))?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(common_dir))
}

fn resolved(path: &Path) -> Result<Option<PathBuf>, ObserveError> {
    match std::fs::canonicalize(path) {
        Ok(real) => Ok(Some(real)),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(why) => Err(ObserveError::read(path, why)),
    }
}

/// Whether two directories are one, also under two mounts.
fn is_same(one: &Path, other: &Path) -> Result<bool, ObserveError> {
    let identity = |path: &Path| match std::fs::metadata(path) {
        Ok(metadata) => Ok((metadata.dev(), metadata.ino())),
        Err(why) => Err(ObserveError::read(path, why)),
    };
    Ok(one == other || identity(one)? == identity(other)?)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn escapes_are_decoded_as_git_does_it() {
        for (written, plain) in [
            ("/%72epo", "/repo"),
            ("/a%20b%2F", "/a b/"),
            ("/%00%zz%7", "/%00%zz%7"),
            ("/100%", "/100%"),
        ] {
            assert_eq!(decoded(written.as_bytes()), plain.as_bytes(), "{written}");
        }
    }
}
