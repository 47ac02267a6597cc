//! A condition as a policy would spell it, on one line.

use super::condition::Condition;
use super::duration::show_duration;
use super::pattern::Patterns;
use super::size::show_size;
use std::fmt;

impl Condition {
    /// Its key in a policy.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Project(_) => "project",
            Self::Store(_) => "store",
            Self::Path(_) => "path",
            Self::Branch(_) => "branch",
            Self::Job(_) => "job",
            Self::Label(_) => "label",
            Self::JobAgeOver(_) => "job-age-over",
            Self::Landed(_) => "landed",
            Self::Published(_) => "published",
            Self::OwnCommits(_) => "own-commits",
            Self::Detached(_) => "detached",
            Self::Locked(_) => "locked",
            Self::Clean(_) => "clean",
            Self::IdleOver(_) => "idle-over",
            Self::AgeOver(_) => "age-over",
            Self::SizeOver(_) => "size-over",
            Self::Any(_) => "any",
            Self::All(_) => "all",
            Self::Not(_) => "not",
        }
    }

    /// The conditions that it is made of; none for one that tests a fact.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Any(parts) | Self::All(parts) => parts,
            Self::Not(part) => std::slice::from_ref(part),
            Self::Project(_)
            | Self::Store(_)
            | Self::Path(_)
            | Self::Branch(_)
            | Self::Job(_)
            | Self::Label(_)
            | Self::JobAgeOver(_)
            | Self::Landed(_)
            | Self::Published(_)
            | Self::OwnCommits(_)
            | Self::Detached(_)
            | Self::Locked(_)
            | Self::Clean(_)
            | Self::IdleOver(_)
            | Self::AgeOver(_)
            | Self::SizeOver(_) => &[],
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.key())?;
        match self {
            Self::Project(patterns)
            | Self::Store(patterns)
            | Self::Path(patterns)
            | Self::Branch(patterns)
            | Self::Label(patterns) => globs(patterns, f),
            Self::Landed(wanted)
            | Self::Published(wanted)
            | Self::OwnCommits(wanted)
            | Self::Detached(wanted)
            | Self::Locked(wanted)
            | Self::Clean(wanted) => write!(f, "{wanted}"),
            Self::Job(test) => write!(f, "{test}"),
            Self::IdleOver(limit) | Self::AgeOver(limit) | Self::JobAgeOver(limit) => {
                f.write_str(&show_duration(*limit))
            }
            Self::SizeOver(limit) => f.write_str(&show_size(*limit)),
            Self::Any(parts) | Self::All(parts) => {
                f.write_str("[")?;
                for (nth, part) in parts.iter().enumerate() {
                    let comma = if nth == 0 { "" } else { ", " };
                    write!(f, "{comma}{{ {part} }}")?;
                }
                f.write_str("]")
            }
            Self::Not(part) => write!(f, "{{ {part} }}"),
        }
    }
}

fn globs(patterns: &Patterns, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match patterns.texts() {
        [one] => f.write_str(&word(one)),
        many => {
            let words: Vec<_> = many.iter().map(|text| word(text)).collect();
            write!(f, "[{}]", words.join(", "))
        }
    }
}

/// In quotes where YAML would read something else.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    let is_plain_start = |c: char| c.is_ascii_alphabetic() || c == '.' || c == '_';
    if text.chars().all(|c| is_plain(c) || c == '*') && text.starts_with(is_plain_start) {
        text.to_owned()
    } else {
        format!("{text:?}")
    }
}
