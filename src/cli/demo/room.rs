//! The directory of a demo: made by it alone, and taken away by it.

use super::super::args::Format;
use super::super::failure::{Failure, WithHint};
use super::super::settings::{Settings, now};
use crate::git::GitEnv;
use crate::resource::BytePath;
use anyhow::Context;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A new directory; taken away when dropped, unless it is to be kept.
pub(super) struct Room {
    path: PathBuf,
    keeps: bool,
}

impl Room {
    /// Makes it: at `keep`, where nothing may be yet, or below `temp` under a name of its own.
    pub(super) fn new(temp: &Path, keep: Option<&Path>) -> Result<Self, Failure> {
        let room = match keep {
            Some(path) => {
                make(path).or_hint("name a directory that is not there yet")?;
                Self {
                    path: path.to_owned(),
                    keeps: true,
                }
            }
            None => Self {
                path: make_unique(temp)?,
                keeps: false,
            },
        };
        Ok(room)
    }

    /// The user's settings, with everything that they point at moved into the room.
    pub(super) fn settings(&self, settings: &Settings) -> Result<Settings, Failure> {
        let path = fs::canonicalize(&self.path)?;
        for name in ["app", "origin.git", "home"] {
            make(&path.join(name))?;
        }
        let home = path.join("home");
        let mut vars: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), home.clone().into()),
            ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ];
        vars.extend(settings.path.clone().map(|value| ("PATH".into(), value)));
        Ok(Settings {
            here: path.join("app"),
            config_home: Some(home.join(".config")),
            data_home: Some(home.join(".local/share")),
            state_home: Some(home.join(".local/state")),
            home: Some(home),
            policy: None,
            git_env: GitEnv::from_vars(vars),
            format: Format::Human,
            quiet: false,
            asks: false,
            paging: None,
            ..settings.clone()
        })
    }

    /// Takes it away, or leaves it if it is to be kept; unlike a drop, this can fail aloud.
    pub(super) fn leave(mut self) -> Result<(), Failure> {
        let taken = if self.keeps {
            Ok(())
        } else {
            take_away(&self.path)
        };
        self.keeps = true;
        taken.with_context(|| {
            let path = BytePath::from(&*self.path);
            format!("the demo's directory {path} could not be deleted")
        })?;
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if !self.keeps {
            // The run has failed already, and says why.
            drop(take_away(&self.path));
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a directory that this run has made a moment ago, of which git knows nothing"
)]
fn take_away(path: &Path) -> std::io::Result<()> {
    fs::remove_dir_all(path)
}

fn make(path: &Path) -> anyhow::Result<()> {
    fs::create_dir(path)
        .with_context(|| format!("the directory {} could not be made", BytePath::from(path)))
}

fn make_unique(temp: &Path) -> Result<PathBuf, Failure> {
    let pid = std::process::id();
    for try_ in 0..100 {
        let stamp = now().as_nanosecond() + try_;
        let path = temp.join(format!("owl-demo-{pid}-{stamp}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => {
                let text = format!("no directory could be made in {}", BytePath::from(temp));
                let failure = Failure::from(anyhow::Error::new(why).context(text));
                return Err(failure.hint("set TMPDIR, or name a new directory with --keep"));
            }
        }
    }
    Err(Failure::new("no name for the demo's directory is free"))
}
