//! Which policy is in force (`spec 3`, "Where the policy comes from").
//!
//! The first that is found counts, and an error in it ends the run: a policy that cannot be read
//! never falls back to a laxer one. A file in a worktree is never asked (A2.2).

use super::failure::{Failure, WithHint};
use super::file;
use super::settings::{Names, Settings};
use super::stream;
use crate::observe::{Place, committed_policy};
use crate::policy::{BUILTINS, LARGEST, Origin, Policy};
use crate::render::Role;
use crate::resource::BytePath;
use anyhow::Context;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What to do where there is no repository.
pub(super) const NO_REPOSITORY: &str = "run owl inside a git repository, or name repositories \
    under `projects` in owl/owl.yaml of your config home";

/// A policy with its text.
pub(super) struct Chosen {
    /// What it means.
    pub(super) policy: Policy,
    /// As it is written.
    pub(super) text: Vec<u8>,
    /// Where it was read from, if that was a file.
    pub(super) file: Option<PathBuf>,
}

/// The policy that is in force where the user stands.
pub(super) fn choose(settings: &Settings) -> Result<Chosen, Failure> {
    match of_user(settings)? {
        Some(chosen) => Ok(chosen),
        None => of_repository(&Place::of(&settings.here).or_hint(NO_REPOSITORY)?, settings),
    }
}

/// The policy that is in force in a repository.
pub(super) fn choose_in(place: &Place, settings: &Settings) -> Result<Chosen, Failure> {
    match of_user(settings)? {
        Some(chosen) => Ok(chosen),
        None => of_repository(place, settings),
    }
}

fn of_repository(place: &Place, settings: &Settings) -> Result<Chosen, Failure> {
    let committed = committed_policy(place)
        .context("whether the base branch carries a policy could not be told")
        .or_hint("name a policy with --policy to go without it")?;
    let text = committed.as_ref().map(|(_, text)| text.as_slice());
    tell_of_another(place, text, settings);
    match committed {
        Some((name, text)) => parse(&name, text, Origin::Repository),
        None => builtin("default"),
    }
}

/// A policy that lies in the main worktree and is not the committed one does not count, and whoever
/// wrote it is told (A2.3).
fn tell_of_another(place: &Place, committed: Option<&[u8]>, settings: &Settings) {
    if settings.quiet {
        return;
    }
    for name in ["owl.yaml", ".config/owl.yaml"] {
        match fs::read(place.root.join(name)) {
            Ok(text) if Some(text.as_slice()) != committed => {
                let word = Role::Quiet.paint("note:");
                stream::say(|to| {
                    writeln!(
                        to,
                        "{word} {name} in the main worktree is not what the base branch has, and \
                         does not count: commit it there, or pass --policy {name}"
                    )
                });
            }
            // What is not there, or cannot be read, is nothing to tell of.
            Ok(_) | Err(_) => {}
        }
    }
}

/// The policy that is in force where no repository is at hand.
pub(super) fn choose_without_repository(settings: &Settings) -> Result<Chosen, Failure> {
    match of_user(settings)? {
        Some(chosen) => Ok(chosen),
        None => builtin("default"),
    }
}

/// A policy from a file, or a built-in one by its name. A name of a built-in policy always means
/// that one: were a file of that name to go first, whoever can write a file where owl runs could
/// take the place of the policy. `./NAME` is a file.
pub(super) fn load(name: &Path, settings: &Settings) -> Result<Chosen, Failure> {
    if let Some(word) = name.to_str()
        && BUILTINS.iter().any(|builtin| builtin.name == word)
    {
        return builtin(word);
    }
    let text = file::read(name, settings, "the policy", LARGEST).map_err(|failure| {
        if name.components().count() == 1 && name.extension().is_none() {
            failure.hint(format!("the built-in policies are: {}", names()))
        } else {
            failure
        }
    })?;
    let chosen = parse(&name.to_string_lossy(), text, Origin::User)?;
    Ok(Chosen {
        file: Some(settings.resolve(name)),
        ..chosen
    })
}

fn names() -> String {
    let names: Vec<_> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    names.join(", ")
}

/// A policy that owl brings along.
pub(super) fn builtin(name: &str) -> Result<Chosen, Failure> {
    let found = BUILTINS.iter().find(|builtin| builtin.name == name);
    if let (Some(builtin), Some(policy)) = (found, Policy::builtin(name)) {
        let text = builtin.text.into();
        return Ok(Chosen {
            policy,
            text,
            file: None,
        });
    }
    let shown = BytePath::from(name);
    let failure = Failure::new(format_args!("there is no built-in policy {shown}"));
    Err(failure.hint(format!("there are: {}", names())))
}

fn of_user(settings: &Settings) -> Result<Option<Chosen>, Failure> {
    if let Some(named) = &settings.policy {
        let loaded = load(&named.path, settings).map(Some);
        return match named.by {
            Names::Flag | Names::Command => loaded,
            Names::Variable => loaded.or_hint("$OWL_POLICY names it"),
        };
    }
    let Some(config_home) = &settings.config_home else {
        return Ok(None);
    };
    let path = config_home.join("owl/owl.yaml");
    // Only a proven no goes on to the next place; a dangling link is there, and is an error.
    match fs::symlink_metadata(&path) {
        Ok(_) => load(&path, settings).map(Some),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(why) => {
            let path = BytePath::from(path);
            let text = format!("whether there is a policy at {path} could not be told");
            Err(anyhow::Error::new(why).context(text).into())
        }
    }
}

fn parse(name: &str, text: Vec<u8>, origin: Origin) -> Result<Chosen, Failure> {
    match Policy::parse(name, &text, origin) {
        Ok(policy) => Ok(Chosen {
            policy,
            text,
            file: None,
        }),
        Err(found) => Err(Failure::policy(found)),
    }
}
