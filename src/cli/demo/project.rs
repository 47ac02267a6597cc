//! The project of a demo: nine worktrees, each in a state that tells something.

use super::super::failure::Failure;
use super::super::jobs::{ledger_path, project_of};
use super::super::settings::{Settings, now};
use crate::git::Scratch;
use crate::job::{Job, Outcome as Ended, Run, State};
use crate::ledger::{Ledger, NewJob};
use crate::observe::{Place, Recorded, record_worktree};
use anyhow::Context;
use jiff::Timestamp;
use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How old everything is.
const AGE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Builds it where the settings say that the user stands.
pub(super) fn build(settings: &Settings) -> Result<(), Failure> {
    let app = &settings.here;
    let origin = app.with_file_name("origin.git");
    let then = now().as_second() - i64::try_from(AGE.as_secs())?;
    let scratch = settings.git()?.scratch(then);
    scratch.init_bare(&origin)?;
    scratch.init(app)?;
    write(app, "app.py", "print('hello')\n")?;
    write(app, ".gitignore", "__pycache__/\n")?;
    scratch.commit(app, "Begin")?;
    scratch.add_origin(app, &origin)?;

    // Landed: merged into main.
    worked(&scratch, app, "fix-login", "login.py")?;
    scratch.merge(app, "fix-login")?;
    output_of_python(&app.join(".claude/worktrees/fix-login"))?;
    // Landed as one commit: the branch is no ancestor of main.
    worked(&scratch, app, "tidy-css", "style.css")?;
    scratch.squash(app, "tidy-css")?;
    // Published: pushed, and not merged yet.
    worked(&scratch, app, "add-search", "search.py")?;
    scratch.push(app, "add-search")?;
    scratch.push(app, "main")?;
    // Gone: somebody moved the directory away, and git still lists it.
    let spike = add(&scratch, app, "old-spike")?;
    fs::rename(&spike, settings.here.with_file_name("moved-away"))?;
    // Work that is nowhere else: a file, an edit, a commit.
    let notes = add(&scratch, app, "take-notes")?;
    write(&notes, "notes.md", "What I found out.\n")?;
    let edit = add(&scratch, app, "new-theme")?;
    write(&edit, "app.py", "print('hello in green')\n")?;
    worked(&scratch, app, "try-cache", "cache.py")?;
    // Finished, and locked by whoever works there.
    let locked = add(&scratch, app, "in-session")?;
    scratch.lock(app, &locked, "an agent's session")?;
    // Two jobs in review: one has landed, one waits for somebody.
    worked(&scratch, app, "new-parser", "parser.py")?;
    for name in ["fix-login", "new-parser"] {
        review(settings, name, then)?;
    }

    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(then)?);
    date_back(app, FileTimes::new().set_accessed(then).set_modified(then))?;
    Ok(())
}

/// What running it leaves: ignored, and proven to be rebuildable.
fn output_of_python(worktree: &Path) -> Result<(), Failure> {
    let compiled = worktree.join("__pycache__");
    fs::create_dir(&compiled)?;
    write(&compiled, "login.cpython-312.pyc", &"0".repeat(1 << 18))?;
    Ok(())
}

/// A job of the worktree of that name, whose run has ended well, and that nobody has decided about.
fn review(settings: &Settings, name: &str, seconds: i64) -> Result<(), Failure> {
    let then = Timestamp::from_second(seconds)?;
    let place = Place::of(&settings.here)?;
    let path = settings.here.join(".claude/worktrees").join(name);
    let Recorded::Worktree(worktree) = record_worktree(&place, &path)? else {
        return Err(Failure::new(format_args!("{name} is no worktree")));
    };
    let run = Run {
        started: then,
        ended: Some(then),
        outcome: Some(Ended::Succeeded),
        reason: None,
        runner: None,
    };
    let job = Job {
        state: State::Review,
        worktree: Some(worktree),
        runs: vec![run],
        ..Job::new(name.into(), then)
    };
    let project = project_of(&place, then)?;
    let mut ledger = Ledger::open_or_create(&ledger_path(settings)?)?;
    ledger.add(&NewJob { project, job })?;
    Ok(())
}

fn add(scratch: &Scratch, app: &Path, name: &str) -> Result<std::path::PathBuf, Failure> {
    let path = app.join(".claude/worktrees").join(name);
    scratch.add_worktree(app, &path, name)?;
    Ok(path)
}

fn worked(scratch: &Scratch, app: &Path, name: &str, file: &str) -> Result<(), Failure> {
    let path = add(scratch, app, name)?;
    write(&path, file, "# to be written\n")?;
    scratch.commit(&path, &format!("Add {file}"))?;
    Ok(())
}

fn write(directory: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    fs::write(directory.join(name), text).with_context(|| format!("{name} could not be written"))
}

/// Dates back every file and directory; there are no symlinks in it.
fn date_back(path: &Path, times: FileTimes) -> std::io::Result<()> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        for entry in fs::read_dir(path)? {
            date_back(&entry?.path(), times)?;
        }
    }
    file.set_times(times)
}
