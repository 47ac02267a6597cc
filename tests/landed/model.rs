//! Trees, edits, and histories in memory, apart from git and from owl: what the differential test
//! believes.

use std::collections::{BTreeMap, BTreeSet};

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub mode: &'static str,
    pub data: Vec<u8>,
}

/// A whole tree.
pub type State = BTreeMap<String, File>;

/// A small generator of numbers: the same seed gives the same histories everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) % (limit as u64)).unwrap()
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// One edit, which can be made on any tree that has what it needs, and taken back.
#[derive(Clone, Debug)]
pub enum Op {
    /// Lines `.1` at one place become lines `.2`; `.3` stands before them.
    Lines(String, Vec<String>, Vec<String>, Option<String>),
    /// The whole entry becomes another, or comes, or goes.
    Entry(String, Option<File>, Option<File>),
    Mode(String, &'static str, &'static str),
    Rename(String, String),
}

impl Op {
    /// Makes the edit; false, and nothing done, if the tree has not what it needs.
    pub fn apply(&self, state: &mut State) -> bool {
        match self {
            Self::Lines(path, old, new, after) => {
                let Some(file) = state.get_mut(path) else {
                    return false;
                };
                let mut lines = lines_of(&file.data);
                let start = match after {
                    Some(after) => match lines.iter().position(|line| line == after) {
                        Some(at) => at + 1,
                        None => return false,
                    },
                    None => 0,
                };
                if lines.get(start..start + old.len()) != Some(old.as_slice()) {
                    return false;
                }
                lines.splice(start..start + old.len(), new.iter().cloned());
                file.data = lines.concat().into_bytes();
            }
            Self::Entry(path, old, new) => {
                if state.get(path) != old.as_ref() {
                    return false;
                }
                match new {
                    Some(file) => state.insert(path.clone(), file.clone()),
                    None => state.remove(path),
                };
            }
            Self::Mode(path, old, new) => match state.get_mut(path) {
                Some(file) if file.mode == *old => file.mode = new,
                _ => return false,
            },
            Self::Rename(from, to) => {
                if state.contains_key(to) {
                    return false;
                }
                let Some(file) = state.remove(from) else {
                    return false;
                };
                state.insert(to.clone(), file);
            }
        }
        true
    }

    /// The edit that takes it back.
    pub fn inverse(&self) -> Self {
        match self.clone() {
            Self::Lines(path, old, new, after) => Self::Lines(path, new, old, after),
            Self::Entry(path, old, new) => Self::Entry(path, new, old),
            Self::Mode(path, old, new) => Self::Mode(path, new, old),
            Self::Rename(from, to) => Self::Rename(to, from),
        }
    }
}

/// Makes all edits, or none.
pub fn apply_all<'o>(state: &State, ops: impl IntoIterator<Item = &'o Op>) -> Option<State> {
    let mut state = state.clone();
    ops.into_iter()
        .all(|op| op.apply(&mut state))
        .then_some(state)
}

/// The lines of a text, each with its end.
pub fn lines_of(data: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(data);
    text.split_inclusive('\n').map(ToOwned::to_owned).collect()
}

/// A random edit that a tree allows. Every new line is one that was never seen before, but for a
/// few that stand everywhere.
pub fn random_op(random: &mut Random, state: &State, counter: &mut u64) -> Option<Op> {
    let paths: Vec<&String> = state.keys().collect();
    let path = (*random.pick(&paths)).clone();
    let file = &state[&path];
    *counter += 1;
    let fresh = format!("line {counter}\n");
    let is_text = file.mode != "120000" && !file.data.contains(&0);
    let entry = |mode, data: Vec<u8>| Some(File { mode, data });
    Some(match random.below(20) {
        0 => Op::Entry(path, Some(file.clone()), None),
        1 => {
            let text: String = (0..6).fold(String::new(), |text, n| {
                text + &format!("new {counter} {n}\n")
            });
            let new = format!("dir{}/n{counter}", random.below(3));
            Op::Entry(new, None, entry("100644", text.into_bytes()))
        }
        2 => Op::Rename(path, format!("dir{}/r{counter}", random.below(3))),
        3 if file.mode == "100644" => Op::Mode(path, "100644", "100755"),
        3 if file.mode == "100755" => Op::Mode(path, "100755", "100644"),
        4 => {
            let new = format!("b{}", random.below(2));
            let data = format!("bin\0{counter}").into_bytes();
            Op::Entry(new.clone(), state.get(&new).cloned(), entry("100644", data))
        }
        5 => {
            let data = format!("to{counter}").into_bytes();
            Op::Entry(
                "link".to_owned(),
                state.get("link").cloned(),
                entry("120000", data),
            )
        }
        6 if is_text => {
            let text = String::from_utf8_lossy(&file.data).replace("\r\n", "\n");
            let data = text.replace('\n', "\r\n").into_bytes();
            Op::Entry(path, Some(file.clone()), entry(file.mode, data))
        }
        _ if !is_text => return None,
        more => {
            let lines = lines_of(&file.data);
            if lines.is_empty() {
                return None;
            }
            let at = random.below(lines.len());
            let after = (at > 0).then(|| lines[at - 1].clone());
            if after
                .as_ref()
                .is_some_and(|after| lines.iter().filter(|line| *line == after).count() > 1)
            {
                return None;
            }
            let old = vec![lines[at].clone()];
            match more {
                7..=9 => Op::Lines(path, Vec::new(), vec![fresh], after),
                10 => Op::Lines(path, Vec::new(), vec!["}\n".to_owned()], after),
                11 => Op::Lines(path, old, Vec::new(), after),
                12 => Op::Lines(path, old.clone(), vec![format!("  {}", old[0])], after),
                _ => Op::Lines(path, old, vec![fresh], after),
            }
        }
    })
}

/// What one branch is, and what the base was after the branch last took from it.
pub struct Question<'a> {
    pub fork: &'a State,
    pub head: &'a State,
    pub base: &'a [State],
}

impl Question<'_> {
    /// Brute force: every changed path was once in the base as the branch has it, and was not
    /// undone after. If not, the path that speaks against it.
    pub fn contradiction(&self) -> Option<String> {
        let paths: BTreeSet<&String> = self.fork.keys().chain(self.head.keys()).collect();
        let changed: Vec<_> = paths
            .into_iter()
            .filter(|path| self.fork.get(*path) != self.head.get(*path))
            .collect();
        if changed.is_empty() {
            return Some("nothing changed".to_owned());
        }
        changed
            .into_iter()
            .find(|path| !self.has_landed(path))
            .cloned()
    }

    /// What stood at a path over time, for a person who reads a failure.
    pub fn account(&self, path: Option<&String>) -> String {
        let Some(path) = path else {
            return String::new();
        };
        let at = |state: &State| {
            state
                .get(path)
                .map(|file| (file.mode, String::from_utf8_lossy(&file.data).into_owned()))
        };
        let mut base: Vec<_> = self.base.iter().map(at).collect();
        base.dedup();
        let mut steps = String::new();
        for pair in self.base.windows(2) {
            let names: BTreeSet<&String> = pair[0].keys().chain(pair[1].keys()).collect();
            let changed = names
                .into_iter()
                .filter(|name| pair[0].get(*name) != pair[1].get(*name));
            steps.extend(changed.map(|name| format!("{name} ")));
            steps.push('\n');
        }
        format!(
            "{path}: {:?} to {:?}; the base: {base:#?}\n{steps}",
            at(self.fork),
            at(self.head)
        )
    }

    fn has_landed(&self, path: &str) -> bool {
        let has = |state: &State| self.has(path, state);
        let Some(last) = self.base.iter().rposition(has) else {
            return false;
        };
        let mut at = path.to_owned();
        // What was undone may be restored as it was.
        let mut undone: Option<Option<&File>> = None;
        for pair in self.base[last..].windows(2) {
            at = moved(&pair[0], &pair[1], at);
            if undone == Some(pair[1].get(&at)) {
                undone = None;
            } else if undone.is_none() && self.stands_as_before(path, &pair[1], &at) {
                undone = Some(pair[0].get(&at));
            }
        }
        undone.is_none()
    }

    /// The lines that the branch added and removed.
    fn lines(&self, path: &str) -> (BTreeSet<String>, BTreeSet<String>) {
        let set = |state: &State| -> BTreeSet<String> {
            let file = state.get(path);
            file.map(|file| lines_of(&file.data).into_iter().collect())
                .unwrap_or_default()
        };
        let (old, new) = (set(self.fork), set(self.head));
        (
            new.difference(&old).cloned().collect(),
            old.difference(&new).cloned().collect(),
        )
    }

    fn has(&self, path: &str, state: &State) -> bool {
        let Some(head) = self.head.get(path) else {
            return !state.contains_key(path);
        };
        if state.get(path) == Some(head) {
            return true;
        }
        let fork = self.fork.get(path);
        let exact = |file: &File| file.mode == "120000" || file.data.contains(&0);
        if exact(head) || fork.is_some_and(exact) {
            return false;
        }
        let (added, removed) = self.lines(path);
        let in_file = |file: &File| {
            let lines: BTreeSet<String> = lines_of(&file.data).into_iter().collect();
            let mode = fork.is_none_or(|fork| fork.mode != head.mode);
            added.is_subset(&lines)
                && removed.is_disjoint(&lines)
                && (!mode || file.mode == head.mode)
                && (!added.is_empty() || !removed.is_empty() || file.mode == head.mode)
        };
        match state.get(path) {
            Some(file) => in_file(file),
            // The base may have moved it.
            None => !added.is_empty() && state.values().any(in_file),
        }
    }

    /// Whether a state has at `at`, where the base has moved the path to, what was there before.
    fn stands_as_before(&self, path: &str, state: &State, at: &str) -> bool {
        if self.has(path, state) {
            return false;
        }
        if state.get(at) == self.fork.get(path) {
            return true;
        }
        let (added, removed) = self.lines(path);
        let Some(file) = state.get(at) else {
            return false;
        };
        let lines: BTreeSet<String> = lines_of(&file.data).into_iter().collect();
        added.is_disjoint(&lines) && removed.is_subset(&lines) && !removed.is_empty()
    }
}

/// Where a file is after a step of the base: the one new path that has just what it was.
fn moved(before: &State, after: &State, path: String) -> String {
    let Some(file) = before.get(&path).filter(|_| !after.contains_key(&path)) else {
        return path;
    };
    let new = |to: &&String| !before.contains_key(*to) && after.get(*to) == Some(file);
    let mut targets = after.keys().filter(new);
    match (targets.next(), targets.next()) {
        (Some(to), None) => to.clone(),
        _ => path,
    }
}
