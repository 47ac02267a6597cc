//! Which remote-tracking refs vouch for a commit (`spec 4.1`, `published`).
//!
//! Input: the repository. Output: the remotes that are configured now, what each is worth, and the
//! refs below them. Invariant: a ref of a remote that is gone, a symbolic ref, and a remote that is
//! fetched from or pushed to this repository vouch for nothing (`git-facts 46`); of a remote whose
//! path leads to no repository it is unknown whether its refs do.

use super::ObserveError;
use super::leads::{Leads, leads};
use super::locate::Place;
use super::repository::{Reference, Repository};
use gix::bstr::ByteSlice;
use gix::remote::Direction;

/// The remotes, by name, in the order of the configuration.
#[derive(Debug)]
pub(crate) struct Remotes {
    all: Vec<Remote>,
}

#[derive(Debug)]
struct Remote {
    name: String,
    worth: Worth,
}

/// Whether the refs of a remote vouch.
#[derive(Debug)]
enum Worth {
    Vouches,
    /// It could not be told, and this is why.
    Unknown(String),
    /// It is this repository, or nothing is fetched from it.
    Nothing,
}

impl Remotes {
    /// Reads the remotes.
    pub(crate) fn of(repository: &Repository, place: &Place) -> Result<Self, ObserveError> {
        let mut all = Vec::new();
        for name in repository.gix.remote_names() {
            let text = name
                .to_str()
                .map_err(|why| ObserveError::gix("the name of a remote", &why))?;
            let remote = repository
                .gix
                .find_remote(name.as_bstr())
                .map_err(|why| ObserveError::gix(format!("the remote {text}"), &why))?;
            // A push moves the remote-tracking ref as well. One that leads nowhere moves none, and
            // is a usual way to forbid pushes.
            let is_pushed_here = || {
                let mut urls = remote.urls(Direction::Push);
                urls.any(|url| matches!(leads(url, place), Leads::Here))
            };
            let worth = match remote.url(Direction::Fetch).map(|url| leads(url, place)) {
                None | Some(Leads::Here) => Worth::Nothing,
                Some(Leads::Elsewhere | Leads::Nowhere(_)) if is_pushed_here() => Worth::Nothing,
                Some(Leads::Elsewhere) => Worth::Vouches,
                Some(Leads::Nowhere(why)) => Worth::Unknown(why),
            };
            let name = text.to_owned();
            all.push(Remote { name, worth });
        }
        Ok(Self { all })
    }

    /// `origin`, or the only remote there is.
    pub(crate) fn principal(&self) -> Option<&str> {
        let names = self.all.iter().filter_map(|remote| match remote.worth {
            Worth::Vouches | Worth::Unknown(_) => Some(remote.name.as_str()),
            Worth::Nothing => None,
        });
        match names.collect::<Vec<&str>>()[..] {
            [only] => Some(only),
            ref many => many.iter().copied().find(|name| *name == "origin"),
        }
    }

    /// Those of all direct refs that belong to a remote that vouches, and those of which it is
    /// unknown.
    pub(crate) fn sorted(&self, all: Vec<Reference>) -> (Vec<Reference>, Vec<Reference>) {
        let (mut vouching, mut unknown) = (Vec::new(), Vec::new());
        for reference in all {
            match self.owner(&reference.name).map(|owner| &owner.worth) {
                Some(Worth::Vouches) => vouching.push(reference),
                Some(Worth::Unknown(_)) => unknown.push(reference),
                Some(Worth::Nothing) | None => {}
            }
        }
        (vouching, unknown)
    }

    /// Why it is unknown whether a ref vouches; none if it is known.
    pub(crate) fn doubt(&self, reference: &[u8]) -> Option<String> {
        let owner = self.owner(reference)?;
        match &owner.worth {
            Worth::Unknown(why) => Some(format!("the remote {}: {why}", owner.name)),
            Worth::Vouches | Worth::Nothing => None,
        }
    }

    /// Where one remote's name starts another's, the longer one owns the ref.
    fn owner(&self, reference: &[u8]) -> Option<&Remote> {
        let path = reference.strip_prefix(b"refs/remotes/")?;
        let owns = |remote: &&Remote| {
            let rest = path.strip_prefix(remote.name.as_bytes());
            rest.is_some_and(|rest| rest.starts_with(b"/"))
        };
        self.all
            .iter()
            .filter(owns)
            .max_by_key(|remote| remote.name.len())
    }
}
