//! The brakes and the times to live.

use super::duration;
use super::fields::Fields;
use super::grammar;
use super::node::Node;
use crate::diag::{Code, Sink};
use std::fmt;
use std::time::Duration;

/// How long things are left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ttl {
    /// A worktree younger than this is never removed, whatever the rules say.
    pub grace: Duration,
    /// A rescue ref older than this expires.
    pub rescue: Duration,
    /// A job waits longer for a decision: WAITING.
    pub review: Duration,
    /// An active job has shown no sign of life for longer: ABANDONED.
    pub active: Duration,
    /// A job is blocked for longer: BLOCKED.
    pub blocked: Duration,
    /// A job has had no run left for longer: EXHAUSTED.
    pub exhausted: Duration,
}

impl Default for Ttl {
    fn default() -> Self {
        let hours = |hours: u64| Duration::from_secs(hours * 3_600);
        Self {
            grace: hours(1),
            review: hours(7 * 24),
            active: hours(12),
            blocked: hours(14 * 24),
            exhausted: hours(14 * 24),
            rescue: hours(30 * 24),
        }
    }
}

/// What a plan may not exceed; over a limit, apply refuses the whole plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rows that one run may carry out: each removal, prune, and expiry counts once,
    /// whatever its steps are.
    pub max_removals: usize,
    /// The share of a project's entries that may be gone at once.
    pub max_gone: Share,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_removals: 200,
            max_gone: Share(50),
        }
    }
}

/// A share in whole percent, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u8);

impl Share {
    /// The share in percent.
    pub fn percent(self) -> u8 {
        self.0
    }

    /// Whether `part` of `whole` is more than this share; exact, without rounding.
    pub fn is_exceeded_by(self, part: usize, whole: usize) -> bool {
        part as u128 * 100 > whole as u128 * u128::from(self.0)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

impl Ttl {
    /// Reads the keys that are there; the others stay as they are inherited.
    pub(super) fn read(node: &Node, inherited: Self, sink: &mut Sink<'_>) -> Self {
        let mut ttl = inherited;
        let Some(fields) = Fields::read(node, &grammar::TTL, sink) else {
            return ttl;
        };
        for (key, value) in [
            ("grace", &mut ttl.grace),
            ("review", &mut ttl.review),
            ("active", &mut ttl.active),
            ("blocked", &mut ttl.blocked),
            ("exhausted", &mut ttl.exhausted),
            ("rescue", &mut ttl.rescue),
        ] {
            if let Some(node) = fields.value(key)
                && let Some(read) = duration::read(node, key, sink)
            {
                *value = read;
            }
        }
        ttl
    }
}

impl Limits {
    /// Reads the keys that are there; the others stay as they are inherited.
    pub(super) fn read(node: &Node, inherited: Self, sink: &mut Sink<'_>) -> Self {
        let mut limits = inherited;
        let Some(fields) = Fields::read(node, &grammar::LIMITS, sink) else {
            return limits;
        };
        if let Some(node) = fields.value("max-removals")
            && let Some(count) = node.count("`max-removals`", sink)
        {
            limits.max_removals = count;
        }
        if let Some(node) = fields.value("max-gone")
            && let Some(share) = Share::read(node, "max-gone", sink)
        {
            limits.max_gone = share;
        }
        limits
    }
}

impl Share {
    fn read(node: &Node, key: &str, sink: &mut Sink<'_>) -> Option<Self> {
        let hint = "write a share from 0% to 100%";
        let Some(text) = node.spelling().filter(|_| !node.is_nothing()) else {
            let hint = Some(hint.to_owned());
            node.refuse(&format!("`{key}` must be a share"), hint, sink);
            return None;
        };
        let digits = text.strip_suffix('%').filter(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        let percent = digits.and_then(|digits| digits.parse().ok());
        let share = percent.filter(|percent| *percent <= 100).map(Self);
        if share.is_none() {
            let message = format!("`{text}` is not a share");
            sink.error_with_hint(Code::BadValue, node.at, message, hint);
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn a_share_is_exact_at_its_edge() {
        assert!(!Share(50).is_exceeded_by(5, 10));
        assert!(Share(50).is_exceeded_by(6, 11));
        assert!(!Share(100).is_exceeded_by(usize::MAX, usize::MAX));
        assert!(Share(0).is_exceeded_by(1, usize::MAX));
        assert!(!Share(0).is_exceeded_by(0, 0));
    }
}
