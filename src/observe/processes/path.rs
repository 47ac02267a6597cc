//! Absolute paths as bytes, compared by whole components.

use std::collections::HashMap;

/// The places that each known directory belongs to.
pub(super) type Directories = HashMap<Vec<u8>, Vec<usize>>;

/// What follows `directory` in `path`, empty or with a slash in front, if it is in it at all.
pub(super) fn below<'p>(directory: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
    if directory == b"/" {
        return match path {
            b"/" => Some(b""),
            [b'/', ..] => Some(path),
            _ => None,
        };
    }
    let rest = path.strip_prefix(directory)?;
    (rest.is_empty() || rest.starts_with(b"/")).then_some(rest)
}

/// A directory and what [`below`] found to follow another.
pub(super) fn join(directory: &[u8], rest: &[u8]) -> Vec<u8> {
    match (directory, rest) {
        (_, b"" | b"/") => directory.to_vec(),
        (b"/", rest) => rest.to_vec(),
        (directory, rest) => [directory, rest].concat(),
    }
}

/// Adds the places of every known directory that `path` is or lies in.
pub(super) fn climb(known: &Directories, path: &[u8], places: &mut Vec<usize>) {
    if known.is_empty() || !path.starts_with(b"/") {
        return;
    }
    let ends = (1..=path.len()).filter(|&end| end == 1 || path.get(end).is_none_or(|&b| b == b'/'));
    for end in ends {
        if let Some(found) = known.get(&path[..end]) {
            places.extend(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Directories, below, climb, join};

    #[test]
    fn a_name_that_begins_alike_is_another_directory() {
        assert_eq!(below(b"/w/agent-1", b"/w/agent-10"), None);
        assert_eq!(below(b"/w/agent-1", b"/w/agent-1"), Some(b"".as_slice()));
        assert_eq!(
            below(b"/w/agent-1", b"/w/agent-1/a"),
            Some(b"/a".as_slice())
        );
        assert_eq!(below(b"/", b"/"), Some(b"".as_slice()));
        assert_eq!(below(b"/", b"/a"), Some(b"/a".as_slice()));
        assert_eq!(below(b"/", b"pipe:[1]"), None);
    }

    #[test]
    fn what_was_taken_apart_goes_together_again() {
        for (directory, path) in [("/", "/"), ("/", "/a"), ("/a", "/a"), ("/a", "/a/b")] {
            let rest = below(directory.as_bytes(), path.as_bytes()).expect("it is below");
            assert_eq!(join(directory.as_bytes(), rest), path.as_bytes());
        }
    }

    #[test]
    fn every_ancestor_is_looked_up_the_root_and_the_path_itself_included() {
        let known: Directories = [
            ("/", 0),
            ("/a", 1),
            ("/a/b", 2),
            ("/a/b/c", 3),
            ("/a/bb", 4),
        ]
        .map(|(path, place)| (path.into(), vec![place]))
        .into();
        let found = |path: &[u8]| {
            let mut places = Vec::new();
            climb(&known, path, &mut places);
            places
        };
        assert_eq!(found(b"/a/b/c"), [0, 1, 2, 3]);
        assert_eq!(found(b"/a/bbb"), [0, 1]);
        assert_eq!(found(b"/"), [0]);
        assert!(found(b"socket:[1]").is_empty());
    }
}
