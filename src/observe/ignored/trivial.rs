//! Names that hold nothing of a person's and need no proof (`spec 5.4`): the one list.
//!
//! Not on it, though cleaners take them: `.coverage`, `lcov.info` and logs (results of a run),
//! editors' swap files (they may hold the only copy of an edit), and anything called `*.bak`.

use super::Level;
use super::pattern::any;
use rustix::io::Errno;

/// Files that programs write and rewrite without being asked.
const FILES: &[&str] = &[
    // What file managers remember of a directory's look.
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    // Incremental state of compilers and linters; the next run writes it anew.
    "*.tsbuildinfo",
    ".eslintcache",
    ".stylelintcache",
    ".phpunit.result.cache",
    ".php-cs-fixer.cache",
];

/// Interpreters that name the byte code they cache.
const INTERPRETERS: [&str; 3] = [".cpython-", ".pypy", ".graalpy"];

/// Whether the file `name` in the directory `level` may go by its name.
pub(super) fn is_trivial(level: &Level<'_>, name: &[u8]) -> Result<bool, Errno> {
    Ok(any(FILES, name) || is_state_of_yarn(level, name)? || is_byte_code(level, name)?)
}

/// What yarn remembers of its last installation.
fn is_state_of_yarn(level: &Level<'_>, name: &[u8]) -> Result<bool, Errno> {
    match level.above() {
        Some(above) if name == b"install-state.gz" && level.name() == b".yarn" => {
            above.has_file(b"package.json")
        }
        Some(_) | None => Ok(false),
    }
}

/// Python byte code whose source is there; without it, it is the only form of the program left.
fn is_byte_code(level: &Level<'_>, name: &[u8]) -> Result<bool, Errno> {
    let Some(stem) = name
        .strip_suffix(b".pyc")
        .or_else(|| name.strip_suffix(b".pyo"))
    else {
        return Ok(false);
    };
    let (beside, stem) = match (level.name(), level.above()) {
        (b"__pycache__", Some(above)) => match source_of(stem) {
            Some(stem) => (above, stem),
            None => return Ok(false),
        },
        _ => (level, stem),
    };
    let mut source = stem.to_vec();
    source.extend_from_slice(b".py");
    beside.has_file(&source)
}

/// `app` of `app.cpython-311.opt-1`.
fn source_of(stem: &[u8]) -> Option<&[u8]> {
    let tag = |tag: &&str| {
        let tag = tag.as_bytes();
        stem.windows(tag.len()).rposition(|window| window == tag)
    };
    INTERPRETERS
        .iter()
        .filter_map(tag)
        .max()
        .map(|at| &stem[..at])
}

#[cfg(test)]
mod tests {
    use super::source_of;

    #[test]
    fn the_source_that_byte_code_is_of() {
        assert_eq!(source_of(b"app.cpython-311"), Some(b"app".as_slice()));
        assert_eq!(source_of(b"a.b.cpython-311.opt-1"), Some(b"a.b".as_slice()));
        assert_eq!(
            source_of(b"test_x.cpython-312-pytest-8.0.0"),
            Some(b"test_x".as_slice())
        );
        assert_eq!(source_of(b"notes"), None);
    }
}
