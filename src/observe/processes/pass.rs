//! One pass over all processes.

use super::index::Index;
use super::mountinfo::{self, Mount, containing};
use super::probe::{self, Reading};
use super::process::{DELETED, Folders, Inspection};
use super::stat::Stat;
use super::view::{Key, Side, View, Views, rebase};
use super::{Hidden, How, Place, ProcessError, Survey, Use, kernel};
use crate::resource::BytePath;
use rustix::process::geteuid;
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How often the list is read again for processes that came meanwhile: one that is forked by a
/// process that then ends, between two readings, would be in neither.
const ROUNDS: usize = 8;

/// Makes the pass.
pub(super) fn run(
    proc_root: &Path,
    own_pid: u32,
    places: &[Place],
) -> Result<Survey, ProcessError> {
    let mut pass = Pass::begin(proc_root, own_pid, places)?;
    let mut seen = HashSet::new();
    for _ in 0..ROUNDS {
        let mut listed = pass.processes()?;
        listed.retain(|&pid| seen.insert(pid));
        if listed.is_empty() {
            break;
        }
        for pid in listed {
            pass.look_at(pid)?;
        }
    }
    if !pass.saw_itself {
        return Err(pass.not_seen());
    }
    pass.look_at_kernel();
    // The first process is always there, so if it is not to be seen, others may not be either.
    pass.survey.blind |= !seen.contains(&1);
    Ok(pass.survey)
}

struct Pass<'a> {
    proc_root: &'a Path,
    own_pid: u32,
    index: Index,
    /// How owl itself sees the places.
    own_view: Rc<View>,
    views: Views,
    survey: Survey,
    saw_itself: bool,
}

impl<'a> Pass<'a> {
    /// Reads owl's own mounts, which tell where the places lie.
    fn begin(proc_root: &'a Path, own_pid: u32, places: &[Place]) -> Result<Self, ProcessError> {
        let mut pass = Self {
            proc_root,
            own_pid,
            index: Index::new(&[], &[]),
            own_view: Rc::default(),
            views: Views::new(),
            survey: Survey::default(),
            saw_itself: false,
        };
        pass.require_same_namespace()?;
        let folder = pass.folder(own_pid);
        let (Some(namespace), Some(root), Some(table)) = (
            read(probe::link(&folder.join("ns/mnt"))?),
            read(probe::link(&folder.join("root"))?),
            read(probe::mount_table(&folder)?),
        ) else {
            return Err(pass.not_seen());
        };
        let mounts = parse_mounts(&folder, &table, &root)?;
        let point = proc_root.as_os_str().as_bytes();
        pass.survey.blind =
            !geteuid().is_root() && containing(&mounts, point).is_some_and(Mount::hides_processes);
        pass.index = Index::new(places, &mounts);
        pass.survey
            .places
            .resize_with(pass.index.len, Default::default);
        let view = Rc::new(View::new(&pass.index, mounts, Side::Own));
        pass.views.insert(Key::Table(table), Rc::clone(&view));
        pass.views
            .insert(Key::Namespace(namespace, root), Rc::clone(&view));
        pass.report_mounts(own_pid, "owl", &view);
        pass.own_view = view;
        Ok(pass)
    }

    /// Files that no process has open, and that are in use all the same.
    fn look_at_kernel(&mut self) {
        let holdings = kernel::holdings(self.proc_root);
        for held in holdings.files {
            let text = held.path.as_slice();
            let mut places = self.own_view.places(&self.index, text);
            if let Some(former) = text.strip_suffix(DELETED) {
                places.extend(self.own_view.places(&self.index, former));
            }
            for place in places {
                self.survey.places[place].add(Use {
                    pid: 0,
                    how: held.how,
                    path: BytePath::from_bytes(text),
                    command: held.by.clone(),
                });
            }
        }
        for what in holdings.hidden {
            self.survey.hide(Hidden {
                pid: 0,
                uid: None,
                command: Some(what),
            });
        }
    }

    /// A `/proc` of another process namespace shows other processes under owl's number (C5).
    fn require_same_namespace(&self) -> Result<(), ProcessError> {
        let own = self.own_pid.to_string();
        match probe::link(&self.proc_root.join("self"))? {
            Reading::Read(text) if text == own.as_bytes() => Ok(()),
            Reading::Read(_) => Err(ProcessError::OtherNamespace {
                path: self.proc_root.into(),
                pid: self.own_pid,
            }),
            Reading::Gone | Reading::Denied => Err(self.not_seen()),
        }
    }

    fn processes(&self) -> Result<Vec<u32>, ProcessError> {
        match probe::numbers(self.proc_root)? {
            Reading::Read(processes) => Ok(processes),
            Reading::Gone | Reading::Denied => Err(self.not_seen()),
        }
    }

    fn look_at(&mut self, pid: u32) -> Result<(), ProcessError> {
        let folder = self.folder(pid);
        let path = folder.join("stat");
        let line = match probe::bytes(&path)? {
            Reading::Read(line) => line,
            Reading::Gone => return Ok(()),
            Reading::Denied => {
                self.survey.processes += 1;
                return self.hide(pid, &folder, None);
            }
        };
        let Some(stat) = Stat::parse(&line) else {
            return Err(ProcessError::Malformed { path: path.into() });
        };
        self.survey.processes += 1;
        if stat.is_kernel() {
            return Ok(());
        }
        let folders = match threads_of(pid, folder.clone(), &stat)? {
            Reading::Read(folders) => folders,
            Reading::Gone => return Ok(()),
            Reading::Denied => return self.hide(pid, &folder, Some(stat.command)),
        };
        let is_own = pid == self.own_pid;
        let view = self.view(pid, &stat.command, &folders)?;
        let mut inspection = Inspection::new(&self.index, &view);
        inspection.look_at_cwd(&folders)?;
        if is_own {
            self.saw_itself = inspection.has_cwd;
        } else {
            inspection.look_at_rest(&folders)?;
        }
        let denied = inspection.denied;
        for finding in inspection.found {
            self.survey.places[finding.place].add(Use {
                pid,
                how: finding.how,
                path: BytePath::from_bytes(&finding.path),
                command: stat.command.clone(),
            });
        }
        if denied {
            self.hide(pid, &folder, Some(stat.command))?;
        }
        Ok(())
    }

    /// How a process sees the places. Its mount table may be read even if it itself may not be
    /// inspected, so that another user's container is not missed.
    fn view(
        &mut self,
        pid: u32,
        command: &str,
        folders: &Folders,
    ) -> Result<Rc<View>, ProcessError> {
        for folder in folders.threads.iter().take(folders.bodies) {
            let namespace = probe::link(&folder.join("ns/mnt"))?;
            let root = probe::link(&folder.join("root"))?;
            let known = match (namespace, root) {
                (Reading::Read(namespace), Reading::Read(root)) => Some((namespace, root)),
                (Reading::Denied, _) | (_, Reading::Denied) => None,
                (Reading::Gone, _) | (_, Reading::Gone) => continue,
            };
            if let Some((namespace, root)) = &known
                && let Some(view) = self
                    .views
                    .get(&Key::Namespace(namespace.clone(), root.clone()))
            {
                return Ok(Rc::clone(view));
            }
            let table = match probe::mount_table(folder)? {
                Reading::Read(table) => table,
                Reading::Gone => continue,
                Reading::Denied => return Ok(Rc::new(View::denied())),
            };
            let (key, root) = match known {
                Some((namespace, root)) => (Key::Namespace(namespace, root.clone()), root),
                None => (Key::Table(table.clone()), b"/".to_vec()),
            };
            if let Some(view) = self.views.get(&key) {
                return Ok(Rc::clone(view));
            }
            let mounts = parse_mounts(folder, &table, &root)?;
            let view = Rc::new(View::new(&self.index, mounts, Side::Foreign));
            self.views.insert(key, Rc::clone(&view));
            self.report_mounts(pid, command, &view);
            return Ok(view);
        }
        Ok(Rc::new(View::default()))
    }

    fn report_mounts(&mut self, pid: u32, command: &str, view: &View) {
        for (place, point) in &view.mounted {
            self.survey.places[*place].add(Use {
                pid,
                how: How::Mount,
                path: BytePath::from_bytes(point),
                command: command.to_owned(),
            });
        }
    }

    fn hide(
        &mut self,
        pid: u32,
        folder: &Path,
        command: Option<String>,
    ) -> Result<(), ProcessError> {
        let uid = read(probe::owner(folder)?);
        self.survey.hide(Hidden { pid, uid, command });
        Ok(())
    }

    fn folder(&self, pid: u32) -> PathBuf {
        self.proc_root.join(pid.to_string())
    }

    fn not_seen(&self) -> ProcessError {
        ProcessError::NotSeen {
            path: self.proc_root.into(),
            pid: self.own_pid,
        }
    }
}

/// The folders of a process, its first thread first; one that has ended is gone.
fn threads_of(pid: u32, folder: PathBuf, stat: &Stat) -> Result<Reading<Folders>, ProcessError> {
    if stat.threads <= 1 {
        if stat.is_zombie() {
            return Ok(Reading::Gone);
        }
        let threads = vec![folder];
        return Ok(Reading::Read(Folders { threads, bodies: 1 }));
    }
    let tasks = folder.join("task");
    let mut numbers = match probe::numbers(&tasks)? {
        Reading::Read(numbers) => numbers,
        Reading::Gone => return Ok(Reading::Gone),
        Reading::Denied => return Ok(Reading::Denied),
    };
    numbers.sort_by_key(|&number| number != pid);
    let threads: Vec<PathBuf> = numbers
        .iter()
        .map(|number| tasks.join(number.to_string()))
        .collect();
    let bodies = if stat.is_zombie() { threads.len() } else { 1 };
    Ok(Reading::Read(Folders { threads, bodies }))
}

fn parse_mounts(folder: &Path, table: &[u8], root: &[u8]) -> Result<Vec<Mount>, ProcessError> {
    let Some(mut mounts) = mountinfo::parse(table) else {
        return Err(ProcessError::Malformed {
            path: folder.join("mountinfo").into(),
        });
    };
    rebase(&mut mounts, root);
    Ok(mounts)
}

fn read<T>(reading: Reading<T>) -> Option<T> {
    match reading {
        Reading::Read(value) => Some(value),
        Reading::Gone | Reading::Denied => None,
    }
}
