//! The project of a demo: six worktrees, each in a state that tells something.

use super::super::failure::Failure;
use super::super::settings::{Settings, now};
use crate::git::Scratch;
use anyhow::Context;
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
    scratch.commit(app, "Begin")?;
    scratch.add_origin(app, &origin)?;

    // Landed: merged into main.
    worked(&scratch, app, "fix-login", "login.py")?;
    scratch.merge(app, "fix-login")?;
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

    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(then)?);
    date_back(app, FileTimes::new().set_accessed(then).set_modified(then))?;
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
