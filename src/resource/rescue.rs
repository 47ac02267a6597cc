//! The names of rescue refs: `refs/owl/rescue/NAME/TIME` (`spec 13`).
//!
//! `NAME` is the branch, or the administrative id of a detached worktree; `TIME` is UTC to the
//! second, so that names sort by it. `TIME` is a branch's own commit, `TIME.1` that of the same name
//! deleted once more within the second, and so on; `TIME-1` and on are pins: commits that only a
//! worktree or a reflog named. Earlier versions pinned what was detached without a number.

use super::BytePath;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Where rescue refs are.
pub const RESCUE_PREFIX: &str = "refs/owl/rescue/";

const FORM: &str = "%Y%m%dT%H%M%SZ";

/// A rescue ref's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RescueName {
    /// What it rescues: a branch without `refs/heads/`, or an administrative id.
    pub name: BytePath,
    /// When it was written, to the second.
    pub at: Timestamp,
    /// What it is.
    pub kind: RescueKind,
    /// Which of its kind and moment: from 0 for branches, from 1 for pins.
    pub nth: u32,
}

/// What a rescue ref keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RescueKind {
    /// A branch's own commit: what the branch was.
    Branch,
    /// Another commit that would have been lost.
    Pin,
}

impl RescueName {
    /// Takes a full ref name apart; none if it is not one of owl's.
    pub fn parse(full: &[u8]) -> Option<Self> {
        let rest = full.strip_prefix(RESCUE_PREFIX.as_bytes())?;
        let cut = rest.iter().rposition(|byte| *byte == b'/')?;
        let (name, time) = (&rest[..cut], std::str::from_utf8(&rest[cut + 1..]).ok()?);
        let number = |text: &str| text.parse().ok().filter(|nth| *nth > 0);
        let (time, kind, nth) = match (time.split_once('-'), time.split_once('.')) {
            (Some((time, nth)), _) => (time, RescueKind::Pin, number(nth)?),
            (None, Some((time, nth))) => (time, RescueKind::Branch, number(nth)?),
            (None, None) => (time, RescueKind::Branch, 0),
        };
        let at = DateTime::strptime(FORM, time).ok()?;
        let at = TimeZone::UTC.to_timestamp(at).ok()?;
        let parsed = Self {
            name: BytePath::from_bytes(name),
            at,
            kind,
            nth,
        };
        // One moment has one spelling.
        let is_own = !name.is_empty() && parsed.full().as_bytes() == full;
        is_own.then_some(parsed)
    }

    /// The full ref name.
    pub fn full(&self) -> BytePath {
        let mut full = rescue_under(self.name.as_bytes()).as_bytes().to_vec();
        full.push(b'/');
        full.extend(self.at.strftime(FORM).to_string().bytes());
        match (self.kind, self.nth) {
            (RescueKind::Branch, 0) => {}
            (RescueKind::Branch, nth) => full.extend(format!(".{nth}").bytes()),
            (RescueKind::Pin, nth) => full.extend(format!("-{nth}").bytes()),
        }
        BytePath::from_bytes(&full)
    }
}

/// What the full names of the rescue refs for a name begin with. What no ref may have in its name
/// is written as `%` and two digits; a branch's name has nothing of that, and stays as it is.
pub fn rescue_under(name: &[u8]) -> BytePath {
    let mut full = RESCUE_PREFIX.as_bytes().to_vec();
    for (nth, part) in name.split(|byte| *byte == b'/').enumerate() {
        if nth > 0 {
            full.push(b'/');
        }
        let is_lock = part.ends_with(b".lock");
        for (at, byte) in part.iter().enumerate() {
            let next = part.get(at + 1);
            let bad = match byte {
                b'.' => {
                    at == 0
                        || next.is_none_or(|next| *next == b'.')
                        || (is_lock && at + 5 == part.len())
                }
                b'@' => next == Some(&b'{'),
                byte => *byte <= b' ' || b"~^:?*[\\\x7f".contains(byte),
            };
            if bad {
                full.extend(format!("%{byte:02X}").bytes());
            } else {
                full.push(*byte);
            }
        }
        if part.is_empty() {
            full.extend(b"%");
        }
    }
    BytePath::from_bytes(&full)
}

#[cfg(test)]
mod tests {
    use super::RescueKind::{Branch, Pin};
    use super::{RescueName, rescue_under};
    use crate::resource::BytePath;
    use jiff::Timestamp;

    #[test]
    fn a_name_survives_its_ref() {
        let at = Timestamp::from_second(1_796_000_400).expect("a time");
        let all = [
            ("fix-login", Branch, 0),
            ("a/b@c", Branch, 3),
            ("w\u{f6}rk", Pin, 12),
        ];
        for (name, kind, nth) in all {
            let one = RescueName {
                name: BytePath::from(name),
                at,
                kind,
                nth,
            };
            assert_eq!(RescueName::parse(one.full().as_bytes()), Some(one));
        }
        let one = RescueName {
            name: "x".into(),
            at,
            kind: Pin,
            nth: 1,
        };
        assert_eq!(
            one.full().as_str(),
            Some("refs/owl/rescue/x/20261130T010000Z-1")
        );
    }

    #[test]
    fn what_owl_did_not_write_is_none_of_its_refs() {
        for full in [
            "refs/owl/rescue/20261130T010000Z",
            "refs/owl/rescue//20261130T010000Z",
            "refs/owl/rescue/x/20261130T010000Z-0",
            "refs/owl/rescue/x/20261130T010000Z-01",
            "refs/owl/rescue/x/20261130T010000Z.0",
            "refs/owl/rescue/x/20261130T010000Z.1-1",
            "refs/owl/rescue/x/20261130T010000",
            "refs/owl/rescue/x/20261399T010000Z",
            "refs/owl/rescue/x/y",
            "refs/owl/x/20261130T010000Z",
            "refs/heads/x/20261130T010000Z",
        ] {
            assert_eq!(RescueName::parse(full.as_bytes()), None, "{full}");
        }
    }

    #[test]
    fn any_name_becomes_one_that_a_ref_may_have() {
        for (name, under) in [
            ("fix/login", "fix/login"),
            (".hidden", "%2Ehidden"),
            ("a..b", "a%2E.b"),
            ("x.lock", "x%2Elock"),
            ("end.", "end%2E"),
            ("a b~^:?*[\\\x1b", "a%20b%7E%5E%3A%3F%2A%5B%5C%1B"),
            ("at@{1}", "at%40{1}"),
            ("a//b", "a/%/b"),
        ] {
            let full = rescue_under(name.as_bytes());
            assert_eq!(full.as_str(), Some(&*format!("refs/owl/rescue/{under}")));
        }
    }
}
