//! What an administrative entry fetched: ids in `FETCH_HEAD`, which dies with it (guard 11).
//!
//! Input: the entry. Output: ids that count like those of private refs. Left out are branches of a
//! remote that is configured now and whose refspecs give them a remote-tracking ref: the fetch gave
//! them that name as well, and where the remote has taken it back since, they are nobody's in the
//! main worktree either, and git's own garbage collection does not look into `FETCH_HEAD`. What was
//! fetched from a bare path or URL, or by a refspec of the moment, has no other name.

use super::ObserveError;
use super::place::contents;
use super::repository::Repository;
use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::remote::Direction;
use std::path::Path;

/// A remote as `FETCH_HEAD` names it, with what it gives a remote-tracking ref.
struct Source {
    url: Vec<u8>,
    /// What is stored.
    stored: Vec<BString>,
    /// What is left out, or only fetched.
    left_out: Vec<BString>,
}

/// The ids that nothing but the entry is known to name; what the repository lacks is left out.
pub(crate) fn fetched(
    repository: &Repository,
    entry: &Path,
) -> Result<Vec<ObjectId>, ObserveError> {
    let file = entry.join("FETCH_HEAD");
    let Some(bytes) = contents(&file)? else {
        return Ok(Vec::new());
    };
    let sources = sources(repository)?;
    let mut ids = Vec::new();
    for line in bytes.lines() {
        let Some((id, what)) = parse(line) else {
            let why = "has a line that tells of no fetch";
            return Err(ObserveError::malformed(&file, why));
        };
        let is_stored = sources.iter().any(|source| source.stores(what));
        if !is_stored && repository.gix.has_object(id) {
            ids.push(id);
        }
    }
    without_tags(repository, ids)
}

/// Tag objects that a ref names are no only copies; their commits are in its history.
fn without_tags(
    repository: &Repository,
    mut ids: Vec<ObjectId>,
) -> Result<Vec<ObjectId>, ObserveError> {
    let mut others = Vec::new();
    for id in &ids {
        if repository.commit_of(*id)? != Some(*id) {
            others.push(*id);
        }
    }
    if !others.is_empty() {
        let refs = repository.references("refs/tags/")?;
        others.retain(|id| refs.iter().any(|reference| reference.target == *id));
        ids.retain(|id| !others.contains(id));
    }
    Ok(ids)
}

/// `ID`, a tab, nothing or `not-for-merge`, a tab, and what it is.
fn parse(line: &[u8]) -> Option<(ObjectId, &[u8])> {
    let (id, rest) = line.split_once_str(b"\t")?;
    let (merge, what) = rest.split_once_str(b"\t")?;
    if !merge.is_empty() && merge != b"not-for-merge" {
        return None;
    }
    Some((ObjectId::from_hex(id).ok()?, what))
}

fn sources(repository: &Repository) -> Result<Vec<Source>, ObserveError> {
    let mut sources = Vec::new();
    for name in repository.gix.remote_names() {
        let failed = |why: &dyn std::fmt::Display| {
            ObserveError::gix(format!("the remote {}", name.as_bstr()), why)
        };
        let remote = repository.gix.find_remote(name.as_bstr());
        let remote = remote.map_err(|why| failed(&why))?;
        let Some(url) = remote.url(Direction::Fetch) else {
            continue;
        };
        let mut source = Source {
            url: shown(&url.to_bstring()),
            stored: Vec::new(),
            left_out: Vec::new(),
        };
        for spec in remote.refspecs(Direction::Fetch) {
            let spec = spec.to_ref();
            match (spec.source(), spec.destination()) {
                (Some(from), Some(_)) => source.stored.push(from.to_owned()),
                (Some(from), None) => source.left_out.push(from.to_owned()),
                (None, _) => {}
            }
        }
        sources.push(source);
    }
    Ok(sources)
}

impl Source {
    /// Whether `branch 'x' of URL` tells of a branch that this remote gives a name.
    fn stores(&self, what: &[u8]) -> bool {
        let Some((branch, url)) = what
            .strip_prefix(b"branch '")
            .and_then(|rest| rest.rsplit_once_str(b"' of "))
        else {
            return false;
        };
        let branch = [b"refs/heads/", branch].concat();
        let any = |specs: &[BString]| specs.iter().any(|spec| covers(spec, &branch));
        shown(url) == self.url && any(&self.stored) && !any(&self.left_out)
    }
}

/// Whether the source of a refspec, with at most one `*`, is or covers a full name.
fn covers(spec: &[u8], name: &[u8]) -> bool {
    match spec.split_once_str(b"*") {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => spec == name,
    }
}

/// A URL as git shows it there: without user and password, slashes at the end, and `.git`.
fn shown(url: &[u8]) -> Vec<u8> {
    let (scheme, rest) = match url.split_once_str(b"://") {
        Some((scheme, rest)) => ([scheme, b"://"].concat(), rest),
        None => (Vec::new(), url),
    };
    let host_end = rest.find_byte(b'/').map_or(rest.len(), |slash| slash);
    let host = rest[..host_end].rfind_byte(b'@').map_or(0, |at| at + 1);
    let path = rest[host..].trim_end_with(|c| c == '/');
    let path = path.strip_suffix(b".git").map_or(path, |path| path);
    [scheme.as_slice(), path].concat()
}

#[cfg(test)]
mod tests {
    use super::{covers, parse, shown};

    #[test]
    fn urls_compare_as_git_shows_them() {
        for url in [
            "https://me:secret@example.com/a/b.git",
            "https://example.com/a/b/",
            "https://example.com/a/b",
        ] {
            assert_eq!(shown(url.as_bytes()), b"https://example.com/a/b", "{url}");
        }
        assert_eq!(shown(b"git@example.com:a/b.git"), b"example.com:a/b");
        assert_eq!(shown(b"/srv/x@y/b.git/"), b"/srv/x@y/b");
    }

    #[test]
    fn a_refspec_covers_what_its_star_does() {
        assert!(covers(b"refs/heads/*", b"refs/heads/a/b"));
        assert!(covers(b"refs/heads/main", b"refs/heads/main"));
        assert!(!covers(b"refs/heads/main", b"refs/heads/mainly"));
        assert!(!covers(b"refs/pull/*/head", b"refs/heads/x"));
    }

    #[test]
    fn lines_of_fetch_head() {
        let id = "1".repeat(40);
        for (line, wanted) in [
            (format!("{id}\t\tbranch 'x' of /y"), true),
            (format!("{id}\tnot-for-merge\ttag 'v' of /y"), true),
            (format!("{id}\tnotes\tbranch 'x' of /y"), false),
            (id, false),
            ("my notes".to_owned(), false),
        ] {
            assert_eq!(parse(line.as_bytes()).is_some(), wanted, "{line}");
        }
    }
}
