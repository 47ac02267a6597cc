//! Stash entries, by the branch that they were made on (guard 11, `stash`).

use super::ObserveError;
use super::reflog;
use super::repository::Repository;
use super::{Found, Head};
use crate::fact::Fact;
use crate::resource::BytePath;
use gix::bstr::{BStr, ByteSlice};

/// The stash of a repository.
#[derive(Debug)]
pub(crate) struct Stash {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    /// The branch in short form, or `(no branch)`.
    branch: Vec<u8>,
    /// The commit that it was made on.
    on: Option<String>,
}

impl Stash {
    /// Reads the stash.
    pub(crate) fn of(repository: &Repository) -> Result<Self, ObserveError> {
        let exists = repository.resolve(b"refs/stash")?.is_some();
        let log = reflog::read(repository.gix.common_dir(), BStr::new("refs/stash"))?;
        let logged = match log {
            Some(logged) => logged,
            None if exists => {
                return Err(ObserveError::gix(
                    "the stash",
                    &"it has no reflog that names branches",
                ));
            }
            None => Vec::new(),
        };
        let count = logged.len();
        let mut entries = Vec::new();
        for (nth, one) in logged.into_iter().enumerate() {
            let Some(id) = one.new else { continue };
            let commit = repository
                .gix
                .find_commit(id)
                .map_err(|why| ObserveError::gix(format!("the stash entry {id}"), &why))?;
            entries.push(Entry {
                name: format!("stash@{{{}}}", count - 1 - nth),
                branch: branch(&one.message).to_vec(),
                on: commit.parent_ids().next().map(|id| id.to_string()),
            });
        }
        Ok(Self { entries })
    }

    /// The entries that were made on the branch of HEAD, or on its commit where it is detached. An
    /// entry that does not say where it was made counts for all.
    pub(crate) fn made_on(&self, head: &Fact<Head>) -> Fact<Found> {
        let head = match head {
            Fact::Known(head) => head,
            Fact::Absent => return Fact::unknown("there is no HEAD"),
            Fact::Unknown(why) => return Fact::Unknown(why.clone()),
        };
        let short = head
            .branch
            .as_ref()
            .and_then(|one| one.as_bytes().strip_prefix(b"refs/heads/"));
        let is_its = |entry: &&Entry| match short {
            Some(short) => entry.branch == short || entry.branch.is_empty(),
            None if entry.branch == b"(no branch)" => entry.on == head.commit,
            None => entry.branch.is_empty(),
        };
        let found: Found = self
            .entries
            .iter()
            .filter(is_its)
            .map(|entry| BytePath::from(entry.name.clone()))
            .collect();
        found.into_fact()
    }
}

/// `WIP on BRANCH: ...` or `On BRANCH: ...`; empty if it is neither.
fn branch(message: &[u8]) -> &[u8] {
    let rest = message
        .strip_prefix(b"WIP on ")
        .or_else(|| message.strip_prefix(b"On "));
    rest.and_then(|rest| rest.split_once_str(b": "))
        .map_or(b"", |(branch, _)| branch)
}

#[cfg(test)]
mod tests {
    use super::branch;

    #[test]
    fn the_branch_that_a_stash_message_names() {
        assert_eq!(branch(b"WIP on agent-1: abc123 subject: x"), b"agent-1");
        assert_eq!(branch(b"On (no branch): mine"), b"(no branch)");
        assert_eq!(branch(b"autostash"), b"");
    }
}
