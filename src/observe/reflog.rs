//! Reflogs, read as the files that they are.
//!
//! Input: a git directory and a ref name. Output: entries, oldest first. Invariant: a line that
//! does not parse is an error, never skipped; a missing log is told apart from an empty one.

use super::ObserveError;
use super::place::contents;
use crate::fact::Fact;
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use jiff::Timestamp;
use std::path::Path;

/// One line of a reflog.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    /// The object before; none for the null id.
    pub(crate) old: Option<ObjectId>,
    /// The object after; none for the null id.
    pub(crate) new: Option<ObjectId>,
    /// When.
    pub(crate) at: Timestamp,
    /// What git says it did.
    pub(crate) message: Vec<u8>,
}

/// The reflog of `name` in `git_dir`; none if there is no log.
pub(crate) fn read(git_dir: &Path, name: &BStr) -> Result<Option<Vec<Logged>>, ObserveError> {
    let path = git_dir
        .join("logs")
        .join(gix::path::from_bstr(name).as_ref().map_or_else(
            |_| Path::new("invalid-ref-name").to_owned(),
            |path| path.clone().into_owned(),
        ));
    read_file(&path)
}

/// The reflog in a file; none if there is no such file.
pub(crate) fn read_file(path: &Path) -> Result<Option<Vec<Logged>>, ObserveError> {
    let Some(bytes) = contents(path)? else {
        return Ok(None);
    };
    bytes
        .lines()
        .map(|line| {
            parse(line)
                .ok_or_else(|| ObserveError::malformed(path, "has a line that is no reflog entry"))
        })
        .collect::<Result<Vec<_>, _>>()
        .map(Some)
}

/// When the ref last moved; absent without a log, or with an empty one.
pub(crate) fn last(git_dir: &Path, name: &BStr) -> Fact<Timestamp> {
    match read(git_dir, name) {
        Ok(Some(entries)) => entries
            .last()
            .map_or(Fact::Absent, |entry| Fact::Known(entry.at)),
        Ok(None) => Fact::Absent,
        Err(why) => Fact::unknown(why),
    }
}

/// `OLD NEW NAME <EMAIL> SECONDS ZONE\tMESSAGE`
fn parse(line: &[u8]) -> Option<Logged> {
    let (head, message) = line.split_once_str(b"\t").unwrap_or((line, b""));
    let (old, rest) = head.split_once_str(b" ")?;
    let (new, rest) = rest.split_once_str(b" ")?;
    let (_who, when) = rest.rsplit_once_str(b"> ")?;
    let (seconds, _zone) = when.split_once_str(b" ")?;
    let seconds: i64 = std::str::from_utf8(seconds).ok()?.parse().ok()?;
    Some(Logged {
        old: not_null(ObjectId::from_hex(old).ok()?),
        new: not_null(ObjectId::from_hex(new).ok()?),
        at: Timestamp::from_second(seconds).ok()?,
        message: message.to_owned(),
    })
}

/// The null id is none.
fn not_null(id: ObjectId) -> Option<ObjectId> {
    (!id.is_null()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_line_of_a_reflog() {
        let null = "0".repeat(40);
        let id = "1".repeat(40);
        let line = format!("{null} {id} A > B <a@b> 1735700000 +0100\tcommit (initial): x\ty");
        let logged = parse(line.as_bytes()).expect("a good line");
        assert_eq!(logged.old, None);
        assert_eq!(logged.new.map(|id| id.to_string()), Some(id.clone()));
        assert_eq!(logged.at.as_second(), 1_735_700_000);
        assert_eq!(logged.message, b"commit (initial): x\ty");
        for bad in [
            "",
            "x",
            &format!("{null} {id} A <a@b> soon +0000\t"),
            &format!("{null} zz A <a@b> 1 +0\t"),
        ] {
            assert!(parse(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
