//! One line on standard error that says what owl is at, on a terminal only.
//!
//! Nothing is drawn in the first moments, so that a quick run shows nothing at all.

use super::settings::Settings;
use crate::resource::escape;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_millis(150);

/// The line.
pub(super) struct Progress {
    bar: ProgressBar,
    since: Instant,
    verb: &'static str,
}

impl Progress {
    /// A line that is not drawn yet; `verb` begins it.
    pub(super) fn new(settings: &Settings, verb: &'static str) -> Self {
        let bar = if settings.progress {
            let template = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::new_spinner()
                .with_style(template.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        } else {
            ProgressBar::hidden()
        };
        Self {
            bar,
            since: Instant::now(),
            verb,
        }
    }

    /// Names what owl is at; may be called from any thread.
    pub(super) fn tell(&self, what: &str) {
        if self.since.elapsed() >= FIRST {
            let what = escape(what.as_bytes());
            self.bar.set_message(format!("{} {what}", self.verb));
            self.bar.tick();
        }
    }

    /// Takes the line away while something else is written.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the line away for good.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
