//! What earlier runs did, from the lines of the audit log (C6, `spec 13`).
//!
//! Input: the bytes of a log. Output: its last run, and how many lines could not be read. Invariants:
//! pure; a line that cannot be read is counted and never guessed at; words that this owl does not
//! know are counted and shown as they are. A log names no runs: lines of one process belong to one
//! run, unless the process's number has come round again.

use crate::apply::Fate;
use crate::resource::BytePath;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A run that is at rest for longer than this has ended: its number is another process's then.
const REST: SignedDuration = SignedDuration::from_mins(10);
/// The same for a run that has begun something: a deletion may take long.
const LONG_REST: SignedDuration = SignedDuration::from_hours(24);

/// The audit log, as it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditRead {
    /// Where it is looked for; none where no home is known.
    pub path: Option<BytePath>,
    /// Why it could not be read.
    pub problem: Option<String>,
    /// What is in it; none if there is no log, or it could not be read.
    pub history: Option<History>,
}

/// What a log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The run that wrote the last line.
    pub last: Option<LastRun>,
    /// How many lines are no lines of an audit log, or were cut short.
    pub unreadable: usize,
}

/// One run of owl that changed something, or tried to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastRun {
    /// When it wrote its first line.
    pub started: Timestamp,
    /// When it wrote its last line.
    pub ended: Timestamp,
    /// Its process.
    pub pid: u32,
    /// How many rows had which fate.
    pub outcomes: BTreeMap<String, usize>,
    /// Every row that did not end as planned.
    pub left: Vec<Left>,
    /// What was begun, and has no outcome: the run was killed, or is still at work.
    pub open: Vec<String>,
}

/// A row that did not end as planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Its address.
    pub address: String,
    /// What became of it, in one word.
    pub fate: String,
    /// Why.
    pub message: String,
}

/// What is read of a line; a newer owl may have written more.
#[derive(Deserialize)]
struct Line {
    time: Timestamp,
    event: String,
    pid: u32,
    address: String,
    outcome: Option<LineOutcome>,
}

#[derive(Deserialize)]
struct LineOutcome {
    fate: String,
    #[serde(default)]
    message: String,
}

/// A run while its lines are read.
struct Reading {
    run: LastRun,
    /// What was attempted, settled or not.
    attempted: Vec<String>,
}

impl History {
    /// Reads a log.
    pub fn of(log: &[u8]) -> Self {
        let mut history = Self::default();
        let mut runs: BTreeMap<u32, Reading> = BTreeMap::new();
        let mut last = None;
        for text in log.split(|byte| *byte == b'\n') {
            if text.is_empty() {
                continue;
            }
            let Ok(line) = serde_json::from_slice::<Line>(text) else {
                history.unreadable += 1;
                continue;
            };
            let is_of_a_run = matches!(&*line.event, "attempt" | "outcome" | "recovered");
            if is_of_a_run {
                last = Some(line.pid);
                if runs.get(&line.pid).is_none_or(|known| !known.has(&line)) {
                    runs.insert(line.pid, Reading::from(&line));
                }
                if let Some(known) = runs.get_mut(&line.pid) {
                    known.take(line);
                }
            }
        }
        history.last = last
            .and_then(|pid| runs.remove(&pid))
            .map(|known| known.run);
        history
    }
}

impl Reading {
    fn from(line: &Line) -> Self {
        Self {
            run: LastRun {
                started: line.time,
                ended: line.time,
                pid: line.pid,
                outcomes: BTreeMap::new(),
                left: Vec::new(),
                open: Vec::new(),
            },
            attempted: Vec::new(),
        }
    }

    /// Whether a line of the same process belongs to this run: a run attempts each row once, and
    /// sees first to what an earlier one has left open.
    fn has(&self, line: &Line) -> bool {
        let rest = if self.run.open.is_empty() {
            REST
        } else {
            LONG_REST
        };
        let is_new = match &*line.event {
            "attempt" => self.attempted.contains(&line.address),
            "recovered" => !self.attempted.is_empty(),
            _ => false,
        };
        !is_new && line.time.duration_since(self.run.ended) <= rest
    }

    fn take(&mut self, line: Line) {
        self.run.ended = line.time;
        if line.event == "attempt" {
            self.attempted.push(line.address.clone());
            self.run.open.push(line.address);
            return;
        }
        self.run.open.retain(|open| *open != line.address);
        let Some(outcome) = line.outcome else {
            return;
        };
        *self.run.outcomes.entry(outcome.fate.clone()).or_default() += 1;
        if !went_as_planned(&outcome.fate) {
            self.run.left.push(Left {
                address: line.address,
                fate: outcome.fate,
                message: outcome.message,
            });
        }
    }
}

/// Whether a word says that all went as planned; one that is not known does not.
fn went_as_planned(word: &str) -> bool {
    FATES
        .iter()
        .any(|fate| fate.is_done() && fate.as_str() == word)
}

/// Every fate; the test below holds that.
const FATES: [Fate; 11] = [
    Fate::Removed,
    Fate::Pruned,
    Fate::Decided,
    Fate::BranchKept,
    Fate::AlreadyGone,
    Fate::Restored,
    Fate::Kept,
    Fate::PartiallyRemoved,
    Fate::Stale,
    Fate::Failed,
    Fate::NotAttempted,
];

#[cfg(test)]
mod tests {
    use super::{FATES, Fate, History};

    /// A fate that is new breaks this, and belongs into [`FATES`] then.
    fn position(fate: Fate) -> usize {
        match fate {
            Fate::Removed => 0,
            Fate::Pruned => 1,
            Fate::Decided => 2,
            Fate::BranchKept => 3,
            Fate::AlreadyGone => 4,
            Fate::Restored => 5,
            Fate::Kept => 6,
            Fate::PartiallyRemoved => 7,
            Fate::Stale => 8,
            Fate::Failed => 9,
            Fate::NotAttempted => 10,
        }
    }

    #[test]
    fn every_fate_is_known() {
        for (index, fate) in FATES.into_iter().enumerate() {
            assert_eq!(position(fate), index);
        }
    }

    fn line(time: &str, pid: u32, event: &str, address: &str, fate: Option<&str>) -> String {
        let outcome = fate.map_or(String::new(), |fate| {
            format!(r#","outcome":{{"fate":"{fate}","message":"why"}}"#)
        });
        format!(
            r#"{{"time":"2026-11-30T{time}Z","event":"{event}","pid":{pid},"address":"{address}"{outcome}}}"#
        )
    }

    #[test]
    fn runs_of_one_number_are_told_apart_and_interleaved_ones_joined() {
        let log = [
            line("01:00:00", 7, "attempt", "a/1", None),
            line("01:00:01", 7, "outcome", "a/1", Some("removed")),
            // The same number again, a night later in a container.
            line("02:00:00", 7, "attempt", "a/2", None),
            line("02:00:01", 9, "attempt", "b/1", None),
            line("02:00:02", 7, "outcome", "a/2", Some("kept")),
            line("02:00:03", 9, "outcome", "b/1", Some("removed")),
            line("02:00:04", 7, "attempt", "a/3", None),
        ];
        let seen = History::of(log.join("\n").as_bytes());
        let last = seen.last.expect("there is one");
        assert_eq!(last.started.to_string(), "2026-11-30T02:00:00Z");
        assert_eq!(last.ended.to_string(), "2026-11-30T02:00:04Z");
        assert_eq!(
            last.outcomes
                .iter()
                .map(|(k, n)| (k.as_str(), *n))
                .collect::<Vec<_>>(),
            [("kept", 1)]
        );
        assert_eq!((last.left.len(), last.open), (1, vec!["a/3".to_owned()]));
        assert_eq!(seen.unreadable, 0);
    }

    #[test]
    fn a_row_that_is_attempted_twice_is_in_two_runs() {
        let mut log = vec![
            line("01:00:00", 7, "attempt", "a/1", None),
            line("01:00:01", 7, "outcome", "a/1", Some("kept")),
        ];
        log.push(line("01:00:05", 7, "attempt", "a/1", None));
        log.push(line("01:00:06", 7, "outcome", "a/1", Some("removed")));
        let last = History::of(log.join("\n").as_bytes()).last.expect("one");
        assert_eq!((last.outcomes.len(), last.left.len()), (1, 0));
        // What is recovered was left open by a run before.
        log.push(line("01:00:07", 7, "recovered", "a/9", Some("restored")));
        let last = History::of(log.join("\n").as_bytes()).last.expect("one");
        assert_eq!(last.outcomes.keys().collect::<Vec<_>>(), ["restored"]);
    }

    #[test]
    fn what_is_no_line_is_counted_and_what_is_not_known_is_shown() {
        let log = [
            "garbage".to_owned(),
            line("01:00:00", 7, "attempt", "a/1", None),
            line("01:00:01", 7, "outcome", "a/1", Some("vaporised")),
            line("01:00:02", 8, "someday", "a/1", None),
            r#"{"time":"2026-11-30T01:00:03Z","ev"#.to_owned(),
        ];
        let seen = History::of(log.join("\n").as_bytes());
        let last = seen.last.expect("there is one");
        assert_eq!((seen.unreadable, last.pid), (2, 7));
        assert_eq!(last.left[0].fate, "vaporised");
        assert_eq!(History::of(b""), History::default());
    }
}
