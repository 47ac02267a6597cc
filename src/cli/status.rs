//! `owl status`: what waits for a person, and what there is besides; changes nothing (A4.17).

use super::args::{Format, Proof};
use super::failure::{Failure, Outcome};
use super::settings::Settings;
use super::survey::Survey;
use super::{file, pager};
use crate::render::{human_status, human_waiting, json_status};
use crate::report::{AuditRead, ExitStatus, History, Status};
use std::io::ErrorKind;
use std::path::Path;

/// The largest log that is read; one is set aside long before.
const LARGEST: usize = 1 << 28;

/// Runs the command.
pub(super) fn run(settings: &Settings) -> Outcome {
    let survey = Survey::new(Proof::Stat, settings)?;
    let plan = survey.plan();
    let status = Status::new(&plan, &survey.observation, audit(settings));
    pager::write(settings, |to| match settings.format {
        Format::Json | Format::Jsonl => json_status(&status, to),
        Format::Human if settings.quiet => human_waiting(&status, settings.width, to),
        Format::Human => human_status(&status, settings.width, to),
    })?;
    Ok(if plan.complete && status.audit.problem.is_none() {
        ExitStatus::Done
    } else {
        ExitStatus::Error
    })
}

/// Reads the audit log; the one before it where this one has no run yet.
fn audit(settings: &Settings) -> AuditRead {
    let Some(state) = &settings.state_home else {
        return AuditRead::default();
    };
    let path = state.join("owl/audit.jsonl");
    let read = || -> Result<Option<History>, Failure> {
        match log(&path, settings)? {
            Some(history) if history.last.is_some() => Ok(Some(history)),
            newest => Ok(log(&path.with_file_name("audit.1.jsonl"), settings)?.or(newest)),
        }
    };
    let (history, problem) = match read() {
        Ok(history) => (history, None),
        Err(failure) => (None, Some(failure.text())),
    };
    AuditRead {
        path: Some(path.into()),
        problem,
        history,
    }
}

/// What a log says; none only if it is proven not to be there.
fn log(path: &Path, settings: &Settings) -> Result<Option<History>, Failure> {
    match std::fs::symlink_metadata(path) {
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        // What cannot be looked at cannot be read either, and that says why.
        Ok(_) | Err(_) => {}
    }
    let bytes = file::read(path, settings, "the audit log", LARGEST)?;
    if bytes.len() > LARGEST {
        return Err(Failure::new("it is too large"));
    }
    Ok(Some(History::of(&bytes)))
}
