//! What a pass found.

use crate::resource::BytePath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many uses of one place, and how many hidden processes, are kept for the output.
const KEPT: usize = 32;

/// The way in which a process uses a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The working directory of one of its threads is in it.
    Cwd,
    /// The root directory of one of its threads is in it.
    Root,
    /// Its executable is in it.
    Exe,
    /// It has a file or directory of it open.
    OpenFile,
    /// It has mapped a file of it.
    Mapping,
    /// Its mount namespace has a directory of it mounted elsewhere, or something mounted on one.
    Mount,
    /// It watches it and nothing outside it.
    Inotify,
    /// A loop device is made of a file of it.
    Loop,
    /// The kernel swaps into a file of it.
    Swap,
}

impl How {
    /// The use as words that follow a process: "sleep (12) has its working directory in".
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Cwd => "has its working directory in",
            Self::Root => "has its root directory in",
            Self::Exe => "runs",
            Self::OpenFile => "has open",
            Self::Mapping => "has mapped",
            Self::Mount => "has mounted",
            Self::Inotify => "watches",
            Self::Loop => "is made of",
            Self::Swap => "swaps into",
        }
    }
}

/// One use of a place by one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    /// The process; 0 for the kernel itself. For a mount it is one of those that share the namespace: owl itself, if it is
    /// owl's own.
    pub pid: u32,
    /// How it is used.
    pub how: How,
    /// The path as the process knows it.
    pub path: BytePath,
    /// The name of its program, escaped.
    pub command: String,
}

/// Who uses one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    uses: BTreeSet<Use>,
    processes: BTreeSet<u32>,
}

impl Occupancy {
    /// The uses, by process, and not more of them than an output can bear.
    pub fn uses(&self) -> impl Iterator<Item = &Use> {
        self.uses.iter()
    }

    /// How many processes use the place; none means that the pass found no use.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Whether any process uses the place.
    pub fn is_used(&self) -> bool {
        !self.processes.is_empty()
    }

    /// Adds a use.
    #[cfg(target_os = "linux")]
    pub(super) fn add(&mut self, found: Use) {
        self.processes.insert(found.pid);
        self.uses.insert(found);
        if self.uses.len() > KEPT {
            self.uses.pop_last();
        }
    }
}

/// A process that could not be inspected, or not in full.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hidden {
    /// The process.
    pub pid: u32,
    /// Its user, if that could be told.
    pub uid: Option<u32>,
    /// The name of its program, escaped, if that could be told.
    pub command: Option<String>,
}

/// The outcome of one pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Who uses each place, in the order in which the places were given.
    pub places: Vec<Occupancy>,
    /// How many processes were looked at, kernel threads included.
    pub processes: u64,
    /// How many processes this user may not inspect.
    pub hidden: u64,
    /// The first of them.
    pub hidden_list: Vec<Hidden>,
    /// Whether `/proc` leaves other users' processes out altogether (`hidepid`): then `hidden`
    /// does not count them.
    pub blind: bool,
}

impl Survey {
    /// Counts a process that may not be inspected.
    #[cfg(target_os = "linux")]
    pub(super) fn hide(&mut self, hidden: Hidden) {
        self.hidden += 1;
        if self.hidden_list.len() < KEPT {
            self.hidden_list.push(hidden);
        }
    }
}
