//! `owl status`, `owl check` and `owl gc` through the binary, on real repositories with a real
//! ledger (`spec 8`, `spec 11`, A4, A5), and the examples of cron and CI.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests build the world, and run commands as cron and CI do"
)]

#[path = "../job_plan/desk.rs"]
#[expect(
    dead_code,
    reason = "it is another test's, and this one uses a part of it"
)]
mod desk;
#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod ceilings;
mod ci;
mod cron;
mod gc;
mod last_run;
mod waiting;

use desk::{Desk, ago, running};
use owl::job::{Job, Outcome, Run, State};
use owl_binary::Run as Ran;
use std::path::PathBuf;
use support::write;

impl Desk {
    /// With no job, under the user's own policy: that of the desk, and `more`.
    fn of_user(more: &str) -> Self {
        let desk = Self::without_control(&format!("{}{more}", desk::POLICY));
        desk.user_policy(&desk.yard.policy);
        desk
    }

    /// Writes the user's own policy.
    fn user_policy(&self, text: &str) {
        write(
            &self.yard.home.join(".config/owl/owl.yaml"),
            text.as_bytes(),
        );
    }

    /// Runs the binary in the main worktree.
    fn owl(&self, words: &str) -> Ran {
        self.yard.repo.owl(words)
    }

    /// The JSON of a run.
    fn json(&self, words: &str) -> serde_json::Value {
        self.owl(&format!("{words} --format json")).json()
    }

    /// A worktree whose job is in a state since so many hours.
    fn since(&self, name: &str, state: State, hours: i64) -> i64 {
        self.work(name);
        let mut job = self.job(name, state);
        job.changed = ago(hours);
        match job.state {
            State::Review => {
                job.runs = vec![Run {
                    ended: Some(ago(hours)),
                    outcome: Some(Outcome::Succeeded),
                    ..running(ago(hours + 1))
                }];
            }
            State::Active => job.runs = vec![running(ago(hours))],
            State::Pending
            | State::Blocked
            | State::Done
            | State::Cancelled
            | State::Exhausted
            | State::Other(_) => {}
        }
        self.add_job(job)
    }

    /// A job without a worktree.
    fn without_worktree(&self, state: State, hours: i64) -> i64 {
        let mut job = Job::new(format!("far-{state}-{hours}").as_str().into(), ago(hours));
        job.state = state;
        job.changed = ago(hours);
        self.add_job(job)
    }

    /// A worktree that nothing but an untracked file is in.
    fn untracked(&self, name: &str) -> PathBuf {
        let path = self.work(name);
        self.add(name, State::Done);
        write(&path.join("notes.md"), b"found out\n");
        self.yard.age(name);
        path
    }
}

/// The addresses of the items of a document.
fn addresses(document: &serde_json::Value) -> Vec<String> {
    let items = document["items"].as_array().expect("items");
    let text = |item: &serde_json::Value| item["address"].as_str().expect("text").to_owned();
    items.iter().map(text).collect()
}
