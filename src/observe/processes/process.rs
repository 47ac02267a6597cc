//! One process: everything through which it may use a place.

use super::index::Index;
use super::inotify::{self, Line};
use super::maps;
use super::mountinfo::unescape;
use super::probe::{self, Reading};
use super::view::View;
use super::{How, ProcessError};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The text of a descriptor that watches.
const INOTIFY: &[u8] = b"anon_inode:inotify";
/// What the kernel appends to the path of a file that has no name any more.
pub(super) const DELETED: &[u8] = b" (deleted)";

/// One use of a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The place.
    pub(super) place: usize,
    /// How it is used.
    pub(super) how: How,
    /// The path as the process has it.
    pub(super) path: Vec<u8>,
}

/// The folders of `/proc` in which one process can be inspected.
pub(super) struct Folders {
    /// One for each thread; working and root directories may differ.
    pub(super) threads: Vec<PathBuf>,
    /// How many of the first of them to ask for what a process has once: usually the first, all
    /// where the first thread has ended.
    pub(super) bodies: usize,
}

/// Inspects one process.
pub(super) struct Inspection<'a> {
    index: &'a Index,
    view: &'a View,
    /// The uses found.
    pub(super) found: Vec<Finding>,
    /// Whether anything was denied.
    pub(super) denied: bool,
    /// Whether a working directory was read.
    pub(super) has_cwd: bool,
    /// The places that hold everything that has been seen watched, once something was.
    watched: Option<Vec<usize>>,
}

impl<'a> Inspection<'a> {
    /// Begins an inspection of a process that has this view of the places.
    pub(super) fn new(index: &'a Index, view: &'a View) -> Self {
        Self {
            index,
            view,
            found: Vec::new(),
            denied: view.is_denied,
            has_cwd: false,
            watched: None,
        }
    }

    /// Looks at the working directory of every thread.
    pub(super) fn look_at_cwd(&mut self, folders: &Folders) -> Result<(), ProcessError> {
        for folder in &folders.threads {
            self.has_cwd |= self.look_at_link(&folder.join("cwd"), How::Cwd)?;
        }
        Ok(())
    }

    /// Looks at everything else.
    pub(super) fn look_at_rest(&mut self, folders: &Folders) -> Result<(), ProcessError> {
        for folder in &folders.threads {
            self.look_at_link(&folder.join("root"), How::Root)?;
        }
        for folder in folders.threads.iter().take(folders.bodies) {
            self.look_at_link(&folder.join("exe"), How::Exe)?;
            self.look_at_maps(folder)?;
        }
        self.look_at_files(folders)?;
        if let Some(places) = self.watched.take() {
            for place in places {
                self.find(place, How::Inotify, INOTIFY);
            }
        }
        Ok(())
    }

    /// Looks at the open files. Threads nearly always share them, so that those of another thread
    /// are looked at only if it has other numbers.
    fn look_at_files(&mut self, folders: &Folders) -> Result<(), ProcessError> {
        let mut last = Vec::new();
        for (at, folder) in folders.threads.iter().enumerate() {
            let directory = folder.join("fd");
            let Some(numbers) = self.take(probe::numbers(&directory)?) else {
                continue;
            };
            if at >= folders.bodies && numbers == last {
                continue;
            }
            for number in &numbers {
                let link = directory.join(number.to_string());
                let Some(text) = self.take(probe::link(&link)?) else {
                    continue;
                };
                if text == INOTIFY {
                    self.look_at_watches(&folder.join(format!("fdinfo/{number}")))?;
                } else {
                    self.weigh(&link, &text, How::OpenFile);
                }
            }
            last = numbers;
        }
        Ok(())
    }

    /// Narrows the places down to those in which everything lies that a descriptor watches.
    fn look_at_watches(&mut self, path: &Path) -> Result<(), ProcessError> {
        if self.watched.as_ref().is_some_and(Vec::is_empty) {
            return Ok(());
        }
        let Some(file) = self.take(probe::sort(path, File::open(path))?) else {
            return Ok(());
        };
        for line in BufReader::new(file).split(b'\n') {
            let Some(line) = self.take(probe::sort(path, line)?) else {
                return Ok(());
            };
            let inode = match inotify::parse(&line) {
                Line::Watch(inode) => inode,
                Line::Other => continue,
                Line::Malformed => return Err(ProcessError::Malformed { path: path.into() }),
            };
            let mut places: Vec<usize> = self.index.perhaps_holding(inode).collect();
            if let Some(before) = &self.watched {
                places.retain(|place| before.contains(place));
            }
            let settled = places.is_empty();
            self.watched = Some(places);
            if settled {
                break;
            }
        }
        Ok(())
    }

    /// Looks at the mapped files.
    fn look_at_maps(&mut self, folder: &Path) -> Result<(), ProcessError> {
        let path = folder.join("maps");
        let Some(text) = self.take(probe::bytes(&path)?) else {
            return Ok(());
        };
        let Some(mappings) = maps::parse(&text) else {
            return Err(ProcessError::Malformed { path: path.into() });
        };
        for mapping in mappings {
            let before = self.found.len();
            self.weigh_text(mapping.path, How::Mapping);
            if mapping.path.contains(&b'\\') {
                self.weigh_text(&unescape(mapping.path), How::Mapping);
            }
            for place in self.index.holding(mapping.inode) {
                self.find(place, How::Mapping, mapping.path);
            }
            if before == self.found.len() && self.index.is_ambiguous(mapping.inode.device) {
                let range = OsStr::from_bytes(mapping.range);
                self.weigh_inode(
                    &folder.join("map_files").join(range),
                    mapping.path,
                    How::Mapping,
                );
            }
        }
        Ok(())
    }

    /// Looks at a link of a process; whether it could be read.
    fn look_at_link(&mut self, link: &Path, how: How) -> Result<bool, ProcessError> {
        let Some(text) = self.take(probe::link(link)?) else {
            return Ok(false);
        };
        self.weigh(link, &text, how);
        Ok(true)
    }

    /// Compares a file with the places, both ways. What has no path is a pipe or the like.
    fn weigh(&mut self, link: &Path, text: &[u8], how: How) {
        if text.starts_with(b"/") {
            self.weigh_text(text, how);
            if !self.view.is_far(self.index, text) {
                self.weigh_inode(link, text, how);
            }
        }
    }

    fn weigh_text(&mut self, text: &[u8], how: How) {
        let mut places = self.view.places(self.index, text);
        if let Some(former) = text.strip_suffix(DELETED) {
            places.extend(self.view.places(self.index, former));
        }
        for place in places {
            self.find(place, how, text);
        }
    }

    fn weigh_inode(&mut self, link: &Path, text: &[u8], how: How) {
        if let Some(inode) = self.take(probe::inode(link)) {
            for place in self.index.holding(inode) {
                self.find(place, how, text);
            }
        }
    }

    fn find(&mut self, place: usize, how: How, path: &[u8]) {
        let path = path.to_vec();
        let finding = Finding { place, how, path };
        if self.found.last() != Some(&finding) {
            self.found.push(finding);
        }
    }

    /// What was read, if anything; notes a denial.
    fn take<T>(&mut self, reading: Reading<T>) -> Option<T> {
        match reading {
            Reading::Read(value) => Some(value),
            Reading::Gone => None,
            Reading::Denied => {
                self.denied = true;
                None
            }
        }
    }
}
