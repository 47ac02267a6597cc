//! Everything in a ledger, at one moment, as a value.

use super::{Difference, Project, RepositoryId};
use crate::job::{Job, ListedProject, State, write_list};
use crate::resource::BytePath;
use std::collections::BTreeMap;

/// A snapshot; nothing in it changes any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Where the ledger is.
    pub path: BytePath,
    /// The repositories, by number.
    pub projects: Vec<Project>,
    /// The jobs, by number.
    pub entries: Vec<Entry>,
}

/// A job with its number and repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub id: i64,
    /// The number of its [`Project`].
    pub project: i64,
    /// The job.
    pub job: Job,
    /// Whether it was dropped, and its branch is still to be deleted.
    pub drops: bool,
}

impl Contents {
    /// One job.
    pub fn job(&self, id: i64) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// One project.
    pub fn project(&self, id: i64) -> Option<&Project> {
        self.projects.iter().find(|project| project.id == id)
    }

    /// The project that is this repository: host, path, device and inode all agree.
    pub fn project_of(&self, identity: &RepositoryId) -> Option<&Project> {
        let is_it = |project: &&Project| project.identity == *identity;
        self.projects.iter().find(is_it)
    }

    /// Projects that are almost this repository, and are not it: to be told, never to be acted on.
    pub fn almost(&self, identity: &RepositoryId) -> Vec<(&Project, Difference)> {
        let differs = |project: &Project| identity.difference(&project.identity);
        let almost = |project| Some((project, differs(project)?));
        self.projects.iter().filter_map(almost).collect()
    }

    /// The jobs of a project.
    pub fn jobs_of(&self, project: i64) -> impl Iterator<Item = &Entry> {
        let is_its = move |entry: &&Entry| entry.project == project;
        self.entries.iter().filter(is_its)
    }

    /// How many jobs are in each state, in the order of a life, unknown states last (A1.3).
    pub fn counts(&self) -> BTreeMap<State, usize> {
        let mut counts = BTreeMap::new();
        for entry in &self.entries {
            *counts.entry(entry.job.state.clone()).or_default() += 1;
        }
        counts
    }

    /// Everything as a job list, which `import` takes back whole.
    pub fn export(&self) -> String {
        let listed = |project: &Project| ListedProject {
            path: project.identity.common_dir.clone(),
            name: project.name.clone(),
            host: project.identity.host.as_str().to_owned(),
            device: project.identity.device,
            inode: project.identity.inode,
            first_known: project.first_known,
        };
        let projects: Vec<_> = self.projects.iter().map(listed).collect();
        let place = |entry: &Entry| {
            let is_its = |project: &Project| project.id == entry.project;
            self.projects.iter().position(is_its)
        };
        let jobs: Vec<_> = self
            .entries
            .iter()
            .filter_map(|entry| Some((place(entry)?, &entry.job)))
            .collect();
        write_list(&projects, &jobs)
    }
}
