//! Refs by their full names.
//!
//! `for-each-ref` matches full names only, so no short name can lie (`git-facts 40`). It prints a
//! warning for a broken ref, where `rev-parse` and `show-ref` call it missing; a warning is an
//! error here, so that broken is never absent. A symbolic ref to nowhere is absent.

use super::{GitError, Oid, Repository};

const WHAT: &str = "the refs";
const FORMAT: &str = "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)%00%(symref)%00";

/// One ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ref {
    /// Its full name.
    pub name: Vec<u8>,
    /// What it names, maybe a tag object.
    pub oid: Oid,
    /// The commit behind it; none if it is no commit.
    pub commit: Option<Oid>,
    /// The full name it is symbolic for.
    pub symbolic: Option<Vec<u8>>,
}

impl Repository {
    /// Every ref below one of the prefixes, such as `refs/remotes/`, or named by one whole.
    pub fn refs(&self, prefixes: &[&[u8]]) -> Result<Vec<Ref>, GitError> {
        let mut call = self.call().args(["for-each-ref", FORMAT, "--"]);
        for prefix in prefixes {
            call = call.arg(required_name(prefix)?);
        }
        if prefixes.is_empty() {
            return Ok(Vec::new());
        }
        parse(&call.answer()?)
    }

    /// The ref below the prefixes whose commit was made last, and when: seconds since 1970. None if
    /// there is no commit.
    pub fn newest_commit(&self, prefixes: &[&[u8]]) -> Result<Option<(Vec<u8>, i64)>, GitError> {
        let format = "--format=%(refname)%00%(committerdate:unix)%00";
        let sort = ["--sort=-committerdate", "--count=1", "--"];
        let mut call = self.call().args(["for-each-ref", format]).args(sort);
        for prefix in prefixes {
            call = call.arg(required_name(prefix)?);
        }
        let out = call.answer()?;
        let bad = || GitError::unparsable(WHAT, "no name and time", &out);
        let mut fields = out.split(|byte| *byte == 0);
        match (fields.next(), fields.next()) {
            // Nothing, or a ref that names no commit.
            (_, None | Some(b"")) => Ok(None),
            (Some(name), Some(at)) => {
                let at = std::str::from_utf8(at).map_err(|_| bad())?;
                Ok(Some((name.to_vec(), at.parse().map_err(|_| bad())?)))
            }
            (None, Some(_)) => Err(bad()),
        }
    }

    /// Whether a ref of this full name is symbolic, also one to nowhere.
    pub fn is_symbolic(&self, name: &[u8]) -> Result<bool, GitError> {
        let call = self.call().args(["symbolic-ref", "-q"]);
        call.arg(required_name(name)?).yes_or_no()
    }

    /// The commit behind a ref by its full name; `None` only if there is no such ref.
    pub fn resolve(&self, name: &[u8]) -> Result<Option<Oid>, GitError> {
        let found = self.refs(&[name])?;
        let Some(found) = found.into_iter().find(|found| found.name == name) else {
            return Ok(None);
        };
        let no_commit = || GitError::unparsable(WHAT, "the ref is no commit", name);
        found.commit.map(Some).ok_or_else(no_commit)
    }
}

impl Repository {
    /// Makes refs, all of them or none, each only if there is none of that name yet; on the disk
    /// when this returns. `message` goes to their reflogs, where they have one.
    pub fn create_refs(&self, refs: &[(&[u8], &Oid)], message: &str) -> Result<(), GitError> {
        let mut commands = Vec::new();
        for (name, commit) in refs {
            required_name(name)?;
            commands.extend_from_slice(b"option no-deref\0create ");
            commands.extend_from_slice(name);
            commands.push(0);
            commands.extend_from_slice(commit.as_str().as_bytes());
            commands.push(0);
        }
        self.update_refs(commands, message)
    }

    /// Deletes a ref itself, and its reflog, only if it still names this object.
    pub fn delete_ref(&self, name: &[u8], old: &Oid) -> Result<(), GitError> {
        required_name(name)?;
        let mut commands = b"option no-deref\0delete ".to_vec();
        commands.extend_from_slice(name);
        commands.push(0);
        commands.extend_from_slice(old.as_str().as_bytes());
        commands.push(0);
        self.update_refs(commands, "")
    }

    /// The first line of a commit's message.
    pub fn subject(&self, commit: &Oid) -> Result<Vec<u8>, GitError> {
        let words = ["log", "-1", "--no-show-signature", "--format=%s"];
        let mut out = self
            .call()
            .args(words)
            .arg(commit.as_str())
            .arg("--")
            .answer()?;
        if out.last() == Some(&b'\n') {
            out.pop();
        }
        Ok(out)
    }

    fn update_refs(&self, commands: Vec<u8>, message: &str) -> Result<(), GitError> {
        let mut call = self
            .git_call()
            .setting("core.fsync=reference")
            .setting("core.filesRefLockTimeout=2000")
            .setting("core.packedRefsTimeout=5000");
        call = self.on_this(call).change().args(["update-ref"]);
        if !message.is_empty() {
            call = call.args(["-m", message]);
        }
        call.args(["--stdin", "-z"])
            .stdin(commands)
            .success()
            .map(drop)
    }
}

fn required_name(name: &[u8]) -> Result<&std::ffi::OsStr, GitError> {
    let odd = |byte: &u8| *byte < b' ' || b"*?[\\~^: \x7f".contains(byte);
    if !name.starts_with(b"refs/") || name.iter().any(odd) {
        return Err(GitError::BadArgument {
            needed: "full ref name",
            given: name.to_vec(),
        });
    }
    Ok(std::os::unix::ffi::OsStrExt::from_bytes(name))
}

/// Reads lines of six fields that each end with a NUL.
fn parse(out: &[u8]) -> Result<Vec<Ref>, GitError> {
    let mut refs = Vec::new();
    for line in out.split_inclusive(|byte| *byte == b'\n') {
        let bad = |problem| GitError::unparsable(WHAT, problem, line);
        let fields: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        let &[name, oid, kind, peeled, peeled_kind, symbolic, b"\n"] = fields.as_slice() else {
            return Err(bad("a line has not six fields"));
        };
        let oid = Oid::parse(oid).ok_or_else(|| bad("no object id"))?;
        let commit = match (kind, peeled_kind) {
            (b"commit", _) => Some(oid.clone()),
            (b"tag", b"commit") => Some(Oid::parse(peeled).ok_or_else(|| bad("no object id"))?),
            (_, _) => None,
        };
        refs.push(Ref {
            name: name.to_vec(),
            oid,
            commit,
            symbolic: (!symbolic.is_empty()).then(|| symbolic.to_vec()),
        });
    }
    Ok(refs)
}

#[cfg(test)]
mod tests {
    use super::{parse, required_name};

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    #[test]
    fn a_tag_is_peeled_and_a_tree_is_no_commit() {
        let out = format!(
            "refs/heads/m\0{A}\0commit\0\0\0\0\nrefs/tags/t\0{A}\0tag\0{B}\0commit\0\0\n\
             refs/tags/tree\0{A}\0tree\0\0\0\0\nrefs/remotes/o/HEAD\0{A}\0commit\0\0\0refs/remotes/o/m\0\n"
        );
        let refs = parse(out.as_bytes()).expect("it is well-formed");
        let commits: Vec<_> = refs
            .iter()
            .map(|found| found.commit.as_ref().map(super::Oid::as_str))
            .collect();
        assert_eq!(commits, [Some(A), Some(B), None, Some(A)]);
        assert_eq!(
            refs[3].symbolic.as_deref(),
            Some(b"refs/remotes/o/m".as_slice())
        );
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for out in ["\n", "refs/x\0short\0commit\0\0\0\0\n", "refs/x\0"] {
            parse(out.as_bytes()).expect_err(out);
        }
        for name in [
            b"main".as_slice(),
            b"--all",
            b"refs/*",
            b"refs/heads/a b",
            b"refs/a\0",
        ] {
            required_name(name).expect_err("it is no full name");
        }
    }
}
